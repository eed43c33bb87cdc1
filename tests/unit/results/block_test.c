#include "../test.h"

#include "results/block.h"

#include "model/suite.h"

TEST(test_rows)
{
    struct block b = { 0 };
    for (long i = 0; i < 1000; i++) {
        struct row row = { .argument = i * 7 % 1000, .invalid = (int)i };
        block_append(&b, &row);
    }
    block_sort(&b);
    assert_int_equal(b.count, 1000);
    for (size_t i = 0; i < b.count; i++) {
        assert_int_equal(b.rows[i].argument, i);
        assert_int_equal(b.rows[i].invalid * 7 % 1000, i);
    }
    block_release(&b);
    assert_int_equal(b.count, 0);
    assert_null(b.rows);
}

/* The row has a copy: the caller can reuse its array. */
TEST(test_node_times)
{
    LOCAL(block) b = { 0 };
    double node_us[] = { 1.0, 2.0, 3.0 };
    struct row with = { .node_us = node_us, .nodes = 3 }, without = { .node_us = node_us };
    block_append(&b, &with);
    node_us[1] = 5.0;
    block_append(&b, &without);
    assert_true(b.rows[0].node_us != node_us);
    assert_int_equal(b.rows[0].nodes, 3);
    assert_true(b.rows[0].node_us[1] == 2.0);
    assert_null(b.rows[1].node_us);
    struct row one = { .node_us = node_us, .nodes = 1 };
    block_append(&b, &one);
    assert_true(b.rows[2].node_us != node_us && b.rows[2].node_us[0] == 1.0);
}

/* More than half of the requested error, which is that of all calls of an interval. */
TEST(rows_with_clocks_apart)
{
    static const struct pattern_info pattern = { .prefix = "p2p" };
    const struct type_info type = { .pattern = &pattern };
    struct suite s = { .type = &type, .standard_error = 0.03 };
    struct row rows[] = { { .stats.cleaned.mean_us = 2, .residual_us = 0.029 },
                          { .stats.cleaned.mean_us = 2, .residual_us = 0.031 } };
    struct block b = { .suite = &s, .rows = rows, .count = 2 };
    assert_int_equal(block_apart_rows(&b), 1);
    b.least_us = 0.04;
    assert_int_equal(block_apart_rows(&b), 0);
    b.least_us = 0;
    block_widen_errors(&b);
    assert_true(rows[0].stats.cleaned.error_us == 0 && rows[0].stats.all.error_us == 0);
    assert_true(rows[1].stats.cleaned.error_us == 0.031 && rows[1].stats.all.error_us == 0.031);
    s.options.loop = 4;
    assert_int_equal(block_apart_rows(&b), 0);
}
