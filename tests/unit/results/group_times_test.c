#include "../test.h"

#include "results/extra_values.h"

enum { MOST = 8 };

static const struct summing ALL = { 0.0, ERROR_PAPER, 0.0 };

/* The slowest part in each repetition. */
static const struct {
    int n;
    double slowest[MOST], most_often;
} cases[] = {
    { 0, { 0 }, 0 },
    { 1, { 3 }, 3 },
    { 5, { 2, 1, 2, 1, 2 }, 2 },
    { 4, { 5, 1, 5, 1 }, 1 }, /* the first of several */
};

static void init(struct group_times *g, int n, const double *slowest)
{
    struct values *all[] = { &g->mean_us, &g->fastest_us, &g->slowest };
    for (int i = 0; i < GROUP_TIMES; i++)
        assert_int_equal(values_init(all[i], MOST, NO_ERR), 0);
    for (int i = 0; i < n; i++)
        group_times_add(g, 10.0 + 2 * (i % 2), 5.0 + i % 2, slowest[i]);
}

static void release(struct group_times *g)
{
    values_release(&g->mean_us);
    values_release(&g->fastest_us);
    values_release(&g->slowest);
}

TEST(test_the_part_that_was_slowest_most_often)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct group_times g;
        init(&g, cases[i].n, cases[i].slowest);
        assert_true(fabs(group_times_slowest(&g) - cases[i].most_often) < 1e-9);
        release(&g);
    }
}

/* 10 and 12, 5 and 6, often, without an overhead of 3. */
TEST(test_mean_and_fastest_without_the_overhead)
{
    struct group_times g;
    struct extra_value extra[2];
    init(&g, MOST, (const double[MOST]){ 0 });
    group_times_conclude(&g, ALL, 3.0, extra);
    assert_true(fabs(extra[0].value - 8.0) < 1e-9);
    assert_true(fabs(extra[0].error - 1.0 / sqrt(MOST)) < 1e-9);
    assert_true(fabs(extra[1].value - 2.5) < 1e-9);
    release(&g);
}
