#include "../test.h"

#include "plan/segments.h"

TEST(finds_the_nearest_number_without_small_divisors)
{
    static const struct {
        long near, reach, expected;
    } rows[] = {
        { 1448, 181, 1447 },
        { 4096, 512, 4099 },
        { 997, 100, 997 },
        { 961, 30, 967 }, /* 31 * 31 */
        { 37 * 41, 100, 1517 },
        { 11, 1, 11 },
        { 22, 2, 23 },
        { 24, 2, 23 },
        { 32, 0, 32 },
        { 32, 1, 31 },
        { 1000, 1, 1001 }, /* 7 * 11 * 13: the best there is */
        { 6, 1, 7 },
        { 2, 1, 2 },
        { 1L << 40, 1L << 37, (1L << 40) + 1 },
    };
    EACH(c, rows)
        assert_int_equal(irregular_near(c->near, c->reach), c->expected);
}
