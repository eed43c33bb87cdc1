#include "../test.h"

#include "base/json.h"

static void add_odd(struct text *out, const void *of, int i)
{
    if (i % 2 == 1)
        json_add(out, of, i == 1 ? "one" : "more");
}

TEST(test_list_of_objects)
{
    LOCAL_TEXT t = { 0 };
    json_begin(&t, NULL, '{');
    json_add_list(&t, "all", 5, add_odd, "i");
    json_add_list(&t, "none", 1, add_odd, "i");
    json_end(&t, '}');
    assert_string_equal(text_get(&t),
                        "{\"all\":[{\"i\":\"one\"},\n{\"i\":\"more\"}],\n\"none\":[]}");
}

TEST(test_json)
{
    LOCAL_TEXT t = { 0 };
    json_begin(&t, NULL, '{');
    json_add(&t, "name", "a \"b\" \\ c\n");
    json_add(&t, "none", NULL);
    json_add_true(&t, "no", false);
    json_begin(&t, "list", '[');
    json_add(&t, NULL, "x");
    json_add_number(&t, NULL, -3);
    json_end(&t, ']');
    json_add_true(&t, "yes", true);
    json_end(&t, '}');
    assert_string_equal(text_get(&t), "{\"name\":\"a \\u0022b\\u0022 \\u005c c\\u000a\","
                                      "\"list\":[\"x\",-3],\n\"yes\":true}");
}
