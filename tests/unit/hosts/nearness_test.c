#include "../test.h"

#include "hosts/nearness.h"

enum { PROCESSES = 300, SEEDS = 50 };

/* A machine: the true times, the times so far, and what was measured again. */
struct network {
    double true_us[PROCESSES], us[PROCESSES];
    bool exact[PROCESSES];
    int again;
};

static double noise(unsigned *seed)
{
    *seed = *seed * 1103515245u + 12345u;
    return (double)(*seed >> 16 & 0x7fff) / 0x7fff;
}

/* Groups of 30 processes, each group 5 us farther away than the one before. One time in ten the few
 * exchanges are disturbed. */
static struct network noisy(unsigned seed)
{
    struct network n = { .again = 0 };
    for (int i = 0; i < PROCESSES; i++) {
        n.true_us[i] = 10.0 + 5.0 * (double)(i / 30) + 1e-3 * i;
        n.us[i] = n.true_us[i] + (noise(&seed) < 0.1 ? 40.0 * noise(&seed) : 0.0);
    }
    return n;
}

static void search(struct network *n, int processes)
{
    struct nearness s = nearness_start(n->us, n->exact, processes);
    for (int i = nearness_next(&s); i > 0; i = nearness_next(&s)) {
        assert_false(n->exact[i]);
        n->us[i] = n->true_us[i];
        n->exact[i] = true;
        n->again++;
    }
}

TEST(finds_the_farthest)
{
    for (unsigned seed = 1; seed <= SEEDS; seed++) {
        struct network n = noisy(seed);
        search(&n, PROCESSES);
        int found = nearness_choose(n.us, PROCESSES, true);
        assert_true(n.true_us[found] > 0.99 * n.true_us[PROCESSES - 1]);
        assert_in_range(n.again, 1, 64);
    }
}

TEST(finds_the_nearest)
{
    for (unsigned seed = 1; seed <= SEEDS; seed++) {
        struct network n = noisy(seed);
        search(&n, PROCESSES);
        assert_true(n.true_us[nearness_choose(n.us, PROCESSES, false)] < 10.1);
    }
}

/* The nearest one was disturbed by a little. */
TEST(looks_again_at_those_that_may_be_nearest)
{
    struct network n = { .again = 0 };
    for (int i = 0; i < PROCESSES; i++)
        n.us[i] = n.true_us[i] = 10.0 + 3.0 * (i % 50);
    n.true_us[101] = 8.0;
    n.us[101] = 12.0;
    search(&n, PROCESSES);
    assert_int_equal(nearness_choose(n.us, PROCESSES, false), 101);
}

TEST(knows_the_farthest_of_the_first_processes)
{
    struct network n = noisy(7);
    search(&n, PROCESSES);
    for (int first = 2; first <= PROCESSES; first++) {
        int found = nearness_choose(n.us, first, true);
        assert_true(n.us[found] <= 1.001 * n.true_us[found]);
    }
}

TEST(measures_few_again_where_all_are_alike)
{
    struct network n = { .again = 0 };
    for (int i = 0; i < PROCESSES; i++)
        n.us[i] = n.true_us[i] = 40.0 + 1e-9 * (i % 7);
    search(&n, PROCESSES);
    assert_in_range(n.again, 1, 10);
}

TEST(has_nothing_to_measure_without_other_processes)
{
    bool exact[2] = { false };
    const double us[2] = { 0.0, 3.0 };
    struct nearness alone = nearness_start(us, exact, 1);
    assert_int_equal(nearness_next(&alone), 0);
    struct nearness two = nearness_start(us, exact, 2);
    assert_int_equal(nearness_next(&two), 1);
}
