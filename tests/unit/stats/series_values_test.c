#include "../test.h"

#include "stats/series.h"

#include "../failing.h"

TEST(test_times_in_order)
{
    LOCAL(values) o;
    assert_int_equal(values_init(&o, 2, NO_ERR), 0);
    values_add(&o, 1e3);
    values_keep(&o, 0, 0);
    assert_true(isnan(values_get(&o, 0)));
    for (int i = 1; i <= 3; i++)
        values_add(&o, i);
    assert_true(fabs(values_get(&o, 0) - 1) < 1e-9);
    assert_true(fabs(values_get(&o, 1) - 2) < 1e-9);
    assert_true(isnan(values_get(&o, 2)));
    assert_true(isnan(values_get(&o, -1)));
}

TEST(test_some_are_kept)
{
    LOCAL(values) o;
    assert_int_equal(values_init(&o, 4, NO_ERR), 0);
    values_add(&o, 1);
    values_add(&o, 2);
    values_keep(&o, 0, 3);
    assert_true(fabs(values_get(&o, 1) - 2) < 1e-9);
    values_keep(&o, 0, 1);
    assert_true(isnan(values_get(&o, 1)));
    values_add(&o, 3);
    assert_true(fabs(values_get(&o, 1) - 3) < 1e-9);
    values_keep(&o, 1, 5);
    assert_true(o.n == 1 && fabs(values_get(&o, 0) - 3) < 1e-9);
}

TEST(test_nobody_wants_them)
{
    LOCAL(values) o = { 0 };
    values_add(&o, 1);
    assert_true(isnan(values_get(&o, 0)));
}

TEST(test_without_memory)
{
    LOCAL(values) o;
    struct err e = { "" };
    allocations_left = 0;
    assert_int_equal(values_init(&o, 2, &e), -1);
    allocations_left = -1;
    assert_true(err_is_set(&e));
}
