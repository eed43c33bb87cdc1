#include "../test.h"

#include "plan/verification.h"

enum { MOST = 9 };

static struct verification of(const long *sorted, size_t n)
{
    struct verification v = { .until_s = 1.0 };
    verification_init(&v, sorted, n);
    assert_int_equal(v.count, n);
    return v;
}

/* The ends, the middle, the middles of the halves, the others. */
TEST(test_all_orders_of_magnitude_soon_have_one)
{
    static const long sorted[MOST] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
    static const long expected[MOST] = { 1, 9, 5, 3, 7, 2, 4, 6, 8 };
    for (size_t n = 0; n <= MOST; n++) {
        LOCAL(verification) v = of(sorted, n);
        for (size_t i = 0; i < n && n == MOST; i++)
            assert_int_equal(v.arguments[i], expected[i]);
    }
}

/* With their overhead, the messages have 4096, 8192 and 16384 bytes. */
TEST(test_what_there_is_time_for)
{
    static const long sorted[] = { 0, 4096, 12288 };
    static const struct {
        double now_s[4];
        size_t done;
        long arguments[3];
    } cases[] = {
        { { 2.0, 3.0 }, 1, { 0 } },                       /* the first one in any case */
        { { 0.0, 0.25, 0.75 }, 2, { 0, 4096 } },          /* not the long one */
        { { 0.0, 0.1, 0.5, 0.7 }, 3, { 0, 12288, 4096 } } /* all */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        LOCAL(verification) v = of(sorted, 3);
        long argument;
        for (size_t k = 0; verification_next(&v, cases[i].now_s[k], &argument); k++)
            assert_int_equal(argument, cases[i].arguments[k]);
        assert_int_equal(v.done, cases[i].done);
    }
}

/* With a time for a byte, even the first argument needs to fit; other arguments may. */
TEST(test_no_time_for_the_first)
{
    static const long sorted[] = { 100000, 1 << 28 };
    static const struct {
        double byte_s, until_s;
        int verified;
    } rows[] = { { 0.0, 0.1, 1 }, { 10e-9, 0.1, 1 }, { 10e-9, 10.0, 2 }, { 10e-9, 1e-4, 0 } };
    EACH(c, rows) {
        LOCAL(verification) v = { 0 };
        long argument;
        int verified = 0;
        verification_init(&v, sorted, COUNT(sorted));
        v.byte_s = c->byte_s;
        v.until_s = c->until_s;
        while (verification_next(&v, 1e-3 * verified, &argument))
            verified++;
        assert_int_equal(verified, c->verified);
    }
}
