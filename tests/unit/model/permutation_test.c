#include "../test.h"

#include "model/permutation.h"

enum { MOST = 40 };

TEST(test_every_number_once)
{
    for (uint32_t seed = 0; seed < 50; seed++)
        for (size_t n = 1; n <= MOST; n++) {
            int times[MOST] = { 0 };
            for (size_t i = 0; i < n; i++)
                times[shuffled(i, n, seed)]++;
            for (size_t i = 0; i < n; i++)
                assert_int_equal(times[i], 1);
        }
}

TEST(test_no_seed_is_the_order_itself)
{
    for (size_t i = 0; i < MOST; i++)
        assert_int_equal(shuffled(i, MOST, 0), i);
}

/* Each number comes first for about as many seeds as the others: 1200 of 6000, sigma 31. */
TEST(test_evenly)
{
    int first[5] = { 0 };
    for (uint32_t seed = 1; seed <= 6000; seed++)
        first[shuffled(0, 5, seed)]++;
    for (size_t i = 0; i < 5; i++)
        assert_in_range(first[i], 1050, 1350);
}
