#include "../test.h"

#include "base/text.h"

/* From the function's authors: Fowler, Noll and Vo. */
TEST(test_known_values)
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
    EACH(c, cases)
        assert_true(hash_bytes(c->text, strlen(c->text)) == c->hash);
}
