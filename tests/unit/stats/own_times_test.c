#include "../test.h"

#include "stats/own_times.h"

#include "../failing.h"

#include <math.h>

TEST(test_times_in_order)
{
    struct own_times o;
    struct err e = { "" };
    assert_int_equal(own_times_init(&o, 2, &e), 0);
    own_times_add(&o, 1e-3);
    own_times_clear(&o);
    assert_true(isnan(own_times_get(&o, 0)));
    for (int i = 1; i <= 3; i++)
        own_times_add(&o, i * 1e-6);
    assert_true(fabs(own_times_get(&o, 0) - 1) < 1e-9);
    assert_true(fabs(own_times_get(&o, 1) - 2) < 1e-9);
    assert_true(isnan(own_times_get(&o, 2)));
    assert_true(isnan(own_times_get(&o, -1)));
    own_times_release(&o);
}

TEST(test_only_the_first_are_kept)
{
    struct own_times o;
    struct err e = { "" };
    assert_int_equal(own_times_init(&o, 4, &e), 0);
    own_times_add(&o, 1e-6);
    own_times_add(&o, 2e-6);
    own_times_cut(&o, 3);
    assert_true(fabs(own_times_get(&o, 1) - 2) < 1e-9);
    own_times_cut(&o, 1);
    assert_true(isnan(own_times_get(&o, 1)));
    own_times_add(&o, 3e-6);
    assert_true(fabs(own_times_get(&o, 1) - 3) < 1e-9);
    own_times_release(&o);
}

TEST(test_nobody_wants_them)
{
    struct own_times o = { 0 };
    own_times_add(&o, 1);
    own_times_clear(&o);
    assert_true(isnan(own_times_get(&o, 0)));
    own_times_release(&o);
}

TEST(test_without_memory)
{
    struct own_times o;
    struct err e = { "" };
    allocations_left = 0;
    assert_int_equal(own_times_init(&o, 2, &e), -1);
    allocations_left = -1;
    assert_true(err_is_set(&e));
    own_times_release(&o);
}
