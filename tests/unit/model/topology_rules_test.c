#include "../reading.h"

#include "model/argument_range.h"
#include "model/topology_rules.h"

/* Types of the fake catalog: 10 is master-worker, 17 collective, 55 synchronised; 86 sends along a
 * grid, 104 has a message for each neighbour. */
#define TOPOLOGIES                                                                                 \
    "@VERSION 4.0\n@MEMORY 64\n@TOPOLOGY1 Cartesian 1 yes\n@TOPOLOGY2 Cartesian NOREORDER 2 yes "  \
    "no\n"                                                                                         \
    "@TOPOLOGY3 Graph [1 2 3] [0] [0] [0]\n@TOPOLOGY4 Reorder 3 0 1 2\n@TOPOLOGY5 Reorder 0\n"
#define ON(number, fields)                                                                         \
    TOPOLOGIES "@MEASUREMENTS\nA { Virtual_Topology_Number = " #number "; " fields " }\n"

#define ALONE                                                                                      \
    "'MPI_Neighbor_alltoall' needs the neighbours of a virtual topology, Cartesian, Graph or "     \
    "Directed\n"

TEST(test_complaints)
{
    static const struct reading_case cases[] = {
        /* read */
        { ON(1, "Type = 10;"), "" },
        { ON(2, "Type = 17;"), "" },
        { ON(3, "Type = 55;"), "" },
        { ON(6, "Type = 17;"), "f:9:31: '@TOPOLOGY6' is not defined\n" },
        { ON(1, "Type = 1;"), "f:9:31: pattern 'p2p' cannot be measured on a virtual topology\n" },
        { ON(1, "Type = 24;"),
          "f:9:31: pattern 'simple' cannot be measured on a virtual topology\n" },
        { ON(1, "Type = 50;"),
          "f:9:31: pattern 'internal' cannot be measured on a virtual topology\n" },
        { ON(5, "Type = 17;"), "f:9:31: '@TOPOLOGY5' has one process, a measurement needs two\n" },
        { ON(2, "Type = 17; Variation = Nodes;"), "" },
        { ON(3, "Type = 17; Variation = Nodes;"), "f:9:31: '@TOPOLOGY3' is for 4 processes, it "
                                                  "cannot be combined with 'Variation = Nodes'\n" },
        { ON(4, "Type = 17; Variation = Nodes;"), "f:9:31: '@TOPOLOGY4' is for 4 processes, it "
                                                  "cannot be combined with 'Variation = Nodes'\n" },
        /* dimensions */
        { "@VERSION 4.0\n@TOPOLOGY1 Cartesian 33 no no no no no no no no no no no no no no no no "
          "no no no no no no no no no no no no no no no no no\n"
          "@MEASUREMENTS\nA { Type = 17; Virtual_Topology_Number = 1; }\n",
          "f:4:42: '@TOPOLOGY1' has 33 dimensions, the maximum is 32\n" },
        { ON(2, "Type = 86; Parameters = \"y_distance=1\";"), "" },
        { ON(4, "Type = 86; Parameters = \"y_distance=1\";"), "" },
        { ON(1, "Type = 86; Parameters = \"x_distance=5\";"), "" },
        { ON(1, "Type = 86; Parameters = \"y_distance=-2\";"),
          "f:9:31: y_distance -2 needs a second dimension, '@TOPOLOGY1' has one\n" },
        { ON(3, "Type = 86;"), "f:9:31: 'Col_Sendrecv_replace' goes along the dimensions of a "
                               "grid, '@TOPOLOGY3' is a Graph\n" },
        /* neighbours */
        { ON(1, "Type = 104;"), "" },
        { ON(3, "Type = 104;"), "" },
        { ON(4, "Type = 104;"), "f:9:31: " ALONE },
        { SUITE("Type = 104;"), "f:3:1: " ALONE },
    };
    CHECK_CASES(cases);
}

/* A graph and a permutation are for a certain number of processes. */
TEST(test_processes)
{
    static const struct run_case cases[] = {
        { 2, ON(2, "Type = 17;"), "" },
        { 4, ON(3, "Type = 17;"), "" },
        { 9, ON(4, "Type = 17;"), "" },
        { 3, ON(3, "Type = 17;"), "f:9:31: '@TOPOLOGY3' is for 4 processes, this run has 3\n" },
        { 2, ON(4, "Type = 17;"), "f:9:31: '@TOPOLOGY4' is for 4 processes, this run has 2\n" },
        { 9, ON(4, "Type = 55; End_Argument = 8192;"), "" },
        { 9, ON(4, "Type = 55; End_Argument = 16384;"),
          "f:9:60: warning: suite 'vtsyncol_A': End_Argument 16384 needs more than '@MEMORY 64': "
          "the last argument is 8192\n" },
        { 0, ON(4, "Type = 55; Start_Argument = 16384;"),
          "f:9:62: messages of 16384 bytes among 4 processes need 131072 bytes of buffers, "
          "'@MEMORY 64' allows 65536: the longest that fits is 8192, or write '@MEMORY 128'\n" },
    };
    CHECK_RUN_CASES(cases);
}

TEST(test_memory)
{
    static const struct {
        const char *file;
        int processes;
        long longest; /* two messages per neighbour must fit in 64 KiB */
    } rows[] = {
        { ON(1, "Type = 104;"), 100, 16384 }, { ON(2, "Type = 104;"), 100, 8192 },
        { ON(3, "Type = 104;"), 100, 10920 }, { ON(4, "Type = 55;"), 100, 8192 },
        { ON(2, "Type = 55;"), 16, 2048 },
    };
    EACH(c, rows) {
        LOCAL(params) p;
        read_right(&p, c->file);
        const struct suite *s = &p.suites[0];
        assert_int_equal(suite_range(&p, s, c->processes).last, c->longest);
        assert_in_range(suite_memory(&p, s, c->processes), 60 * 1024, 64 * 1024);
    }
}
