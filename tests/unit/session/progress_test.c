#include "../reading.h"

#include "session/progress.h"

static double now_s;

static double now(void)
{
    return now_s;
}

/* The time left after half of the rounds, if a turn takes slow seconds per estimated one in the
 * first quarter of them, then slower ones; relative to what is left at this speed. */
static double judged(const struct params *p, double slow, double slower)
{
    enum { ROUNDS = 40 };
    LOCAL(progress) g;
    progress_init(&g, &(struct outlook){ p, 2, 0.0 }, false, now);
    for (size_t i = 0; i < p->suite_count; i++)
        progress_expect(&g, i, 0);
    g.quiet = true;
    double round_s = g.all_s / ROUNDS;
    for (int round = 0; round < ROUNDS / 2; round++)
        for (size_t i = 0; i < p->suite_count; i++) {
            progress_begin_turn(&g, i);
            now_s += g.suites[i].all.seconds / ROUNDS * (round < ROUNDS / 4 ? slow : slower);
            progress_end_turn(&g, true);
        }
    double left_s = progress_left_s(&g, 0.0);
    return left_s / (slower * round_s * ROUNDS / 2);
}

/* Other programs make a run slower, from its start or later. */
TEST(time_left)
{
    LOCAL(params) p;
    read_right(&p, VERSION "@MEASUREMENTS\nA { Type = 1; Parameters = \"passes=40\"; }\n"
                           "B { Type = 17; Variation = Nodes; Parameters = \"passes=40\"; }\n");
    assert_in_range(100.0 * judged(&p, 1.0, 1.0), 95, 105);
    assert_in_range(100.0 * judged(&p, 10.0, 10.0), 90, 110);
    assert_in_range(100.0 * judged(&p, 100.0, 1000.0), 80, 110);
}
