#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"

#include <string.h>

/* From the function's authors: Fowler, Noll and Vo. */
static void test_known_values(void **state)
{
    static const struct {
        const char *text;
        uint64_t hash;
    } cases[] = {
        { "", 0xcbf29ce484222325u },
        { "a", 0xaf63dc4c8601ec8cu },
        { "foobar", 0x85944171f73967e8u },
        { "\xe4\xff", 0xa43c907b6ac5464u }, /* bytes are unsigned */
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_true(hash_bytes(cases[i].text, strlen(cases[i].text)) == cases[i].hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_known_values) };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("hash", tests, NULL, NULL);
}
