#include "../test.h"

#include "base/text.h"

TEST(sizes)
{
    static const struct {
        const char *text;
        int rc;
        double number;
        long long unit;
        bool explained;
    } cases[] = {
        { "64", 0, 64, 0, false },
        { "64K", 0, 64, 1024, false },
        { "64k", 0, 64, 1024, false },
        { "1.5M", 0, 1.5, 1024 * 1024, false },
        { "2GiB", 0, 2, 1024 * 1024 * 1024, false },
        { "2mib", 0, 2, 1024 * 1024, false },
        { "1e3K", 0, 1000, 1024, false },
        { "8kB", -1, 8, 1024, true },
        { "8MB", -1, 8, 1024 * 1024, true },
        { "8Kx", -1, 8, 1024, false },
        { "8T", -1, 8, 0, false },
        { "8 K", -1, 8, 0, false },
        { "K", -1, 0, 0, false },
        { "", -1, 0, 0, false },
        { "1e999", -1, INFINITY, 0, false },
    };
    EACH(c, cases) {
        struct size s;
        assert_int_equal(size_read(c->text, strlen(c->text), &s), c->rc);
        assert_true(s.number == c->number);
        assert_true(s.unit == c->unit);
        assert_int_equal(*s.why != '\0', c->explained);
    }
}

TEST(only_its_part_of_a_text)
{
    struct size s;
    assert_int_equal(size_read("8:16", 1, &s), 0);
    assert_true(s.number == 8);
}

TEST(sizes_as_people_write_them)
{
    static const struct {
        long long bytes;
        const char *text;
    } cases[] = { { 0, "0" },        { 8, "8" },          { 1000, "1000" },
                  { 1024, "1K" },    { 1536, "1536" },    { 512 * 1024, "512K" },
                  { 1 << 20, "1M" }, { 3LL << 30, "3G" }, { 4096LL << 30, "4096G" } };
    EACH(c, cases) {
        LOCAL_TEXT text = { 0 };
        size_add(&text, c->bytes);
        assert_string_equal(text_get(&text), c->text);
    }
}
