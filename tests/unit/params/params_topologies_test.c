#include "../reading.h"

#include "model/topology_rules.h"

#define BEFORE "@TOPOLOGY1"

#define LEAD "; write Directed instead of Graph if edges have one direction"

static int parse(const char *text, struct topology *t, struct complaints *c)
{
    return parse_value(&value_topology, BEFORE, text, t, c);
}

TEST(reads_all_kinds)
{
    static const struct {
        const char *text;
        enum topology_kind kind;
        bool reorder;
        int count;
        size_t value_count;
        int values[8];
        int ends[8];
    } rows[] = {
        { " Cartesian 2 yes yes\n", TOPOLOGY_CARTESIAN, true, 2, 2, { 1, 1 }, { 0 } },
        { " Cartesian NOREORDER 3 no no yes", TOPOLOGY_CARTESIAN, false, 3, 3, { 0, 0, 1 }, { 0 } },
        { "\ncartesian\nnoreorder 1 YES", TOPOLOGY_CARTESIAN, false, 1, 1, { 1 }, { 0 } },
        { " Graph [1 2] [0] [0]", TOPOLOGY_GRAPH, true, 3, 4, { 1, 2, 0, 0 }, { 2, 3, 4 } },
        { " GRAPH NoReorder [1][0 ] [ ]", TOPOLOGY_GRAPH, false, 3, 2, { 1, 0 }, { 1, 2, 2 } },
        { " Graph [0]", TOPOLOGY_GRAPH, true, 1, 1, { 0 }, { 1 } },
        { " Graph [2 1] [2\n0] [0 1]",
          TOPOLOGY_GRAPH,
          true,
          3,
          6,
          { 2, 1, 2, 0, 0, 1 },
          { 2, 4, 6 } },
        { " Directed [1 1 2] [] [0 2]",
          TOPOLOGY_DIRECTED,
          true,
          3,
          5,
          { 1, 1, 2, 0, 2 },
          { 3, 3, 5 } },
        { " Reorder 3 1 0 2", TOPOLOGY_REORDER, true, 4, 4, { 3, 1, 0, 2 }, { 0 } },
        { " reorder 0", TOPOLOGY_REORDER, true, 1, 1, { 0 }, { 0 } },
    };
    EACH(row, rows) {
        struct topology t;
        struct complaints c;
        assert_int_equal(parse(row->text, &t, &c), 0);
        assert_int_equal(c.errors, 0);
        assert_int_equal(t.kind, row->kind);
        assert_int_equal(t.reorder, row->reorder);
        assert_int_equal(t.count, row->count);
        assert_memory_equal(t.values, row->values, row->value_count * sizeof(int));
        assert_int_equal(t.ends != NULL, topology_is_graph(&t));
        if (t.ends != NULL)
            assert_memory_equal(t.ends, row->ends, (size_t)t.count * sizeof(int));
        value_topology.release(&t);
        assert_int_equal(t.kind, TOPOLOGY_NONE);
        assert_null(t.values);
    }
}

TEST(complaints_have_the_right_place)
{
    static const struct refused_case rows[] = {
        { " ", 0, "expected Cartesian, Graph, Directed or Reorder, got nothing" },
        { " [1] [0]", 1, "expected Cartesian, Graph, Directed or Reorder, got '['" },
        { " something", 1, "expected Cartesian, Graph, Directed or Reorder, got 'something'" },
        { " Cartesan 2 yes no", 1, "unknown topology 'Cartesan', did you mean 'Cartesian'?" },
        { " Cartesian", 10, "expected the number of dimensions, got nothing" },
        { " Cartesian NOREORDER yes", 21, "expected the number of dimensions, got 'yes'" },
        { " Cartesian 0", 11, "the number of dimensions must be at least 1, got '0'" },
        { " Cartesian 4294967298 no no", 11,
          "the number of dimensions must be at most 2147483647, got '4294967298'" },
        { " Cartesian 2 yes", 11,
          "a yes or no is needed for each dimension: 2 dimensions, but 1 given" },
        { " Cartesian 1 yes no", 11,
          "a yes or no is needed for each dimension: 1 dimension, but 2 given" },
        { " Cartesian 2 yes maybe", 17, "expected yes or no, got 'maybe'" },
        { " Cartesian 2 yes, no", 16, "expected yes or no, got ','" },
        { " Graph", 6, "expected '[' before a process's neighbours, got nothing" },
        { " Graph 1 0", 7, "expected '[' before a process's neighbours, got '1'" },
        { " Graph [1] [0", 13, "expected ']' after a process's neighbours, got nothing" },
        { " Graph [1] [0] ]", 15, "expected '[' before a process's neighbours, got ']'" },
        { " Graph [1, 0]", 9, "expected a neighbour, got ','" },
        { " Graph [-1]", 8, "a neighbour must be at least 0, got '-1'" },
        { " Graph [1 x] [0]", 10, "expected a neighbour, got 'x'" },
        { " Graph [1] [0 2]", 14, "process 2 does not exist: the graph has 2 processes" },
        { " Graph [1]", 8, "process 1 does not exist: the graph has 1 process" },
        { " Graph [1] [0 2] []", 14,
          "process 1 lists 2 as a neighbour, but 2 does not list 1" LEAD },
        { " Graph [] [] [] [5] [] []", 17,
          "process 3 lists 5 as a neighbour, but 5 does not list 3" LEAD },
        { " Directed [1] [2]", 15, "process 2 does not exist: the graph has 2 processes" },
        { " Directed file:", 15, "expected a file name after 'file:'" },
        { " Graph NOREORDER file:a b", 24, "expected nothing after the file name, got 'b'" },
        { " Reorder file:a", 9, "expected the new rank of a process, got 'file:a'" },
        { " Reorder", 8, "expected the new rank of a process, got nothing" },
        { " Reorder NOREORDER 0", 9, "expected the new rank of a process, got 'NOREORDER'" },
        { " Reorder 0 1;", 12, "expected the new rank of a process, got ';'" },
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct topology t;
        check_refused(&value_topology, BEFORE, &t, &rows[i]);
        assert_int_equal(t.kind, TOPOLOGY_NONE);
        assert_null(t.values);
        assert_null(t.ends);
    }
}

TEST(edges_have_two_directions)
{
    static const struct {
        int targets, sources, from[4];
    } rows[] = { { 3, 1, { 2 } }, { 0, 2, { 0, 0 } }, { 2, 2, { 0, 2 } }, { 0, 0, { 0 } } };
    struct topology t;
    struct complaints c;
    assert_int_equal(parse(" Directed [1 1 2] [] [0 2] []", &t, &c), 0);
    for (int i = 0; i < (int)COUNT(rows); i++) {
        struct edges sources = topology_sources(&t, i);
        assert_int_equal(topology_targets(&t, i).count, rows[i].targets);
        assert_int_equal(sources.count, rows[i].sources);
        assert_memory_equal(sources.ranks, rows[i].from, (size_t)sources.count * sizeof(int));
    }
    assert_int_equal(topology_neighbours(&t), 3);
    value_topology.release(&t);
    assert_int_equal(parse(" Directed [2] [2 2] [] [2]", &t, &c), 0);
    assert_int_equal(topology_neighbours(&t), 4);
    value_topology.release(&t);
}

TEST(graphs_are_read_from_files)
{
    static const struct {
        const char *kind, *text;
        size_t offset;
        const char *complaint; /* NULL: it can be used */
    } rows[] = {
        { "Graph", "# a ring\n[1 2] [0 2]\n[0 1]", 0, NULL },
        { "Directed", "[1] # [9]\n\n[0]\n[]", 0, NULL },
        { "Graph", "[1]\n[]", 1, "process 0 lists 1 as a neighbour, but 1 does not list 0" LEAD },
        { "Directed", "[1]\n[7]", 5, "process 7 does not exist: the graph has 2 processes" },
        { "Directed", "# none", 0, "expected '[' before a process's neighbours, got nothing" },
        { "Graph", "[0", 2, "expected ']' after a process's neighbours, got nothing" },
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct topology t;
        LOCAL(complaints) c;
        char name[64];
        struct source text = { "g", rows[i].text, strlen(rows[i].text) };
        snprintf(name, sizeof(name), " %s file:dir/g", rows[i].kind);
        assert_int_equal(parse(name, &t, &c), 0);
        assert_string_equal(t.file, "dir/g");
        assert_int_equal(t.count, 0);
        assert_int_equal(topology_read_file(&t, &text, &c), rows[i].complaint == NULL ? 0 : -1);
        assert_int_equal(c.errors, rows[i].complaint != NULL);
        if (c.errors > 0) {
            assert_string_equal(c.list[0].text, rows[i].complaint);
            assert_int_equal(c.list[0].offset, rows[i].offset);
        }
        assert_int_equal(t.count, c.errors > 0 ? 0 : i == 0 || i == 1 ? 3 : 2);
        value_topology.release(&t);
    }
}

TEST(reports_repeated_and_missing_ranks)
{
    static const struct {
        const char *text;
        struct {
            size_t offset;
            const char *text;
        } complaints[4];
    } rows[] = {
        { " Reorder 0 2 2", { { 1, "rank 1 is missing" }, { 13, "rank 2 is given twice" } } },
        { " Reorder 1 2 0 5",
          { { 1, "rank 3 is missing" }, { 15, "rank 5 is too high: the highest of 4 is 3" } } },
        { " Reorder 1 1 1",
          { { 1, "rank 0 is missing" },
            { 1, "rank 2 is missing" },
            { 11, "rank 1 is given twice" },
            { 13, "rank 1 is given twice" } } },
        { " Graph [1 2] [] []",
          { { 8, "process 0 lists 1 as a neighbour, but 1 does not list 0" LEAD },
            { 10, "process 0 lists 2 as a neighbour, but 2 does not list 0" LEAD } } },
    };
    EACH(row, rows) {
        struct topology t;
        LOCAL(complaints) c;
        assert_int_equal(parse(row->text, &t, &c), -1);
        for (size_t k = 0; k < 4 && row->complaints[k].text != NULL; k++) {
            assert_true(k < c.count);
            assert_string_equal(c.list[k].text, row->complaints[k].text);
            assert_int_equal(c.list[k].offset, strlen(BEFORE) + row->complaints[k].offset);
        }
    }
}

/* All processes are neighbours of each other: the time to read grows only with the length of the
 * text. */
TEST(reads_a_large_graph)
{
    enum { PROCESSES = 700 };
    LOCAL_TEXT bytes = { 0 };
    text_add(&bytes, "Graph");
    for (int i = 0; i < PROCESSES; i++) {
        text_add(&bytes, " [");
        for (int k = 0; k < PROCESSES; k++)
            text_add(&bytes, "%d ", k);
        text_add(&bytes, "]");
    }
    struct topology t;
    struct complaints c;
    assert_int_equal(parse(text_get(&bytes), &t, &c), 0);
    assert_int_equal(t.count, PROCESSES);
    assert_int_equal(t.ends[PROCESSES - 1], PROCESSES * PROCESSES);
    value_topology.release(&t);
}
