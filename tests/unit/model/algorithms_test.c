#include "../reading.h"

#include "model/algorithms.h"
#include "plan/plan.h"

static int processes_with(const char *value, int processes)
{
    LOCAL(params) p;
    read_formatted(&p, KEYS("processes=%s", 900), value);
    int n = suite_processes(&p.suites[0], processes);
    return n;
}

TEST(test_processes)
{
    static const struct {
        const char *value;
        int processes, expected; /* below 2: skipped */
    } cases[] = {
        { "all", 5, 5 },      { "3", 5, 3 },       { "5", 5, 5 },       { "6", 5, 0 },
        { "below:1", 5, 4 },  { "below:2", 5, 2 }, { "below:3", 5, 1 }, { "below:4", 5, 0 },
        { "below:1", 4, 2 },  { "below:2", 4, 1 }, { "below:1", 2, 1 }, { "below:1", 64, 32 },
        { "below:30", 3, 0 },
    };
    EACH(c, cases)
        assert_int_equal(processes_with(c->value, c->processes), c->expected);
}

/* Of MPI_INT, 4 bytes each; misfit: a part of the text, or NULL. */
TEST(test_misfits)
{
    static const struct {
        const char *collective, *name, *suite;
        int processes;
        const char *misfit;
    } cases[] = {
        { "bcast", "two_proc", "", 2, NULL },
        { "barrier", "two_proc", "", 3, "for 2 processes" },
        { "allgather", "recursive_doubling", "", 6, "powers of 2" },
        { "allgather", "recursive_doubling", "", 8, NULL },
        { "allreduce", "recursive_doubling", "", 6, NULL },
        { "allgather", "neighbor", "", 5, "even" },
        { "allgather", "neighbor", "Variation = Nodes;", 4, "even" },
        { "allgather", "neighbor", "Variation = Nodes; Start_Argument = 4;", 4, NULL },
        { "allgather", "neighbor",
          "Variation = Nodes; Start_Argument = 4; End_Argument = 8; Multiple_of = 2;", 9, NULL },
        { "allgather", "neighbor", "Variation = Nodes;", 9, "even" },
        { "allreduce", "ring", "Variation = Algorithm; Default_Message_length = 12;", 4,
          "element" },
        { "allreduce", "ring", "Variation = Algorithm; Default_Message_length = 16;", 4, NULL },
        { "allreduce", "ring",
          "Variation = Algorithm; Default_Message_length = 12; Parameters = \"processes=below:1\";",
          4, NULL },
        { "allreduce", "rabenseifner", "Start_Argument = 16;", 4, NULL },
        { "allreduce", "rabenseifner", "", 4, "element" },
        { "allreduce", "segmented_ring", "Default_Message_length = 4096; Variation = Algorithm;", 4,
          "segments" },
        { "allreduce", "segmented_ring",
          "Default_Message_length = 4096; Variation = Algorithm; Parameters = \"segment=1024\";", 4,
          NULL },
        { "allreduce", "segmented_ring",
          "Default_Message_length = 4092; Variation = Algorithm; Parameters = \"segment=1024\";", 4,
          "segments" },
        { "bcast", "split_binary_tree", "Default_Message_length = 4; Variation = Algorithm;", 4,
          "two elements" },
        { "bcast", "split_binary_tree", "Default_Message_length = 8; Variation = Algorithm;", 4,
          NULL },
        { "ibcast", "sched_auto", "", 4, "as 0 does" },
        { "scan", "no_such_name", "", 3, NULL },
    };
    EACH(c, cases) {
        LOCAL(params) p;
        read_formatted(&p, SUITE("Type = 900; %s"), c->suite);
        struct suite s = p.suites[0];
        struct type_info type = *s.type;
        type.collective = c->collective;
        s.type = &type;
        const char *why = algorithm_misfit(&p, &s, c->processes, c->name);
        assert_true((why == NULL) == (c->misfit == NULL));
        if (why != NULL)
            assert_non_null(strstr(why, c->misfit));
    }
}

/* All that fit, in the library's order or in another one with each seed; the plan keeps it. */
TEST(test_arguments)
{
    LOCAL(params) p;
    long expected[3], argument;
    int reordered = 0;
    read_right(&p, SUITE("Type = 900; Variation = Algorithm;"));
    struct algorithm list[] = {
        { 0, "ignore", NULL }, { 2, "b", NULL }, { 3, "c", "no" }, { 5, "d", NULL }
    };
    p.suites[0].algorithms.list = list;
    p.suites[0].algorithms.count = 4;
    for (uint32_t seed = 0; seed < 20; seed++) {
        p.order_seed = seed;
        assert_int_equal(algorithm_arguments(&p, &p.suites[0], expected), 3);
        reordered += expected[0] != 0;
        assert_true(seed > 0 || (expected[0] == 0 && expected[1] == 2 && expected[2] == 5));
        assert_int_equal(expected[0] + expected[1] + expected[2], 7);
        struct plan *plan = plan_of_suite(&p, &p.suites[0], 4);
        for (int i = 0; i < 3; i++) {
            assert_true(plan_next(plan, &argument));
            assert_int_equal(argument, expected[i]);
            assert_false(plan_is_refined(plan, argument));
        }
        assert_false(plan_next(plan, &argument));
        plan_free(plan);
    }
    assert_in_range(reordered, 5, 19);
    p.suites[0].algorithms.list = NULL;
}
