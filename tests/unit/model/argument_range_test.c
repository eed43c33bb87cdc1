#include "../test.h"
#include "../fake_types.h"
#include "model/argument_range.h"
#include "model/buffer_size.h"
#include "model/parameters.h"

#include <limits.h>

enum { PAGE = BUFFER_ALIGNMENT };
#define ATTACHED_MOST (INT_MAX + 1L - PAGE - BSEND_OVERHEAD)

static const struct params no_params = { .memory_kib = 1024 };

TEST(ranges_are_what_fits)
{
    enum { KIB = 1024 };
    static const struct {
        const struct type_info *type;
        enum variation variation;
        int memory_kib, multiple_of, datatype, processes;
        long length, start, end;
        struct range expected;
    } rows[] = {
        /* lengths: the start is rounded down to the quantum but not to 0, the end down */
        { &pingpong, VARY_LENGTH, 8192, 1, 5, 2, 0, 0, 1000, { 0, 1000, 4 } },
        { &pingpong, VARY_LENGTH, 8192, 1, 5, 2, 0, 1, 1003, { 4, 1000, 4 } },
        { &pingpong, VARY_LENGTH, 8192, 16, 5, 2, 0, 39, 1003, { 32, 992, 16 } },
        { &pingpong, VARY_LENGTH, 8192, 1, 5, 2, 0, 7, 5, { 4, 4, 4 } },
        { &pingpong, VARY_LENGTH, 8192, 8, 5, 2, 0, 1, 5, { 8, 0, 8 } },
        /* Max_Value: as long as the buffers fit */
        { &pingpong, VARY_LENGTH, 8, 1, 1, 2, 0, 0, MAX_VALUE, { 0, 4 * KIB, 1 } },
        { &pingpong, VARY_LENGTH, 11, 1, 1, 2, 0, 0, MAX_VALUE, { 0, 4 * KIB, 1 } },
        { &pingpong, VARY_LENGTH, 7, 1, 1, 2, 0, 0, MAX_VALUE, { 0, 0, 1 } },
        { &pingpong, VARY_LENGTH, 7, 1, 1, 2, 0, 1, MAX_VALUE, { 1, 0, 1 } },
        { &pingpong, VARY_LENGTH, 8192, 1, 1, 64, 0, 0, MAX_VALUE, { 0, 4096 * KIB, 1 } },
        { &pingpong, VARY_LENGTH, 8192, 1000, 1, 64, 0, 0, MAX_VALUE, { 0, 4194000, 1000 } },
        { &pingpong, VARY_LENGTH, 8, 1, 1, 2, 0, 0, 5000, { 0, 4 * KIB, 1 } },
        { &buffered, VARY_LENGTH, 12, 1, 1, 2, 0, 0, MAX_VALUE, { 0, 3 * KIB, 1 } },
        { &buffered, VARY_LENGTH, 3, 1, 1, 2, 0, 0, MAX_VALUE, { 0, -1, 1 } },
        { &gather, VARY_LENGTH, 20, 1, 1, 4, 0, 0, MAX_VALUE, { 0, 4 * KIB, 1 } },
        { &gather, VARY_LENGTH, 16, 1, 1, 4, 0, 0, MAX_VALUE, { 0, 3 * KIB, 1 } },
        { &alltoall, VARY_LENGTH, 8, 1, 1, 1024, 0, 0, MAX_VALUE, { 0, 4, 1 } },
        /* counts stay below INT_MAX, attached buffers too */
        { &pingpong, VARY_LENGTH, INT_MAX, 1, 1, 2, 0, 0, MAX_VALUE, { 0, INT_MAX - 1L, 1 } },
        { &pingpong, VARY_LENGTH, INT_MAX, 1, 5, 2, 0, 0, MAX_VALUE, { 0, 8589934584L, 4 } },
        { &gather, VARY_LENGTH, INT_MAX, 1, 1, 4, 0, 0, MAX_VALUE, { 0, 536870910, 1 } },
        { &buffered, VARY_LENGTH, INT_MAX, 1, 5, 2, 0, 0, MAX_VALUE, { 0, ATTACHED_MOST, 4 } },
        /* nodes */
        { &gather, VARY_NODES, 8192, 1, 1, 8, 256, 0, MAX_VALUE, { 2, 8, 1 } },
        { &gather, VARY_NODES, 8192, 1, 1, 8, 256, 1, 64, { 2, 8, 1 } },
        { &gather, VARY_NODES, 8192, 1, 1, 8, 256, 3, 6, { 3, 6, 1 } },
        { &gather, VARY_NODES, 8192, 4, 1, 11, 256, 2, MAX_VALUE, { 4, 8, 4 } },
        { &gather, VARY_NODES, 8192, 4, 1, 11, 256, 6, 10, { 4, 8, 4 } },
        { &alltoall, VARY_NODES, 40, 1, 1, 8, 4096, 2, MAX_VALUE, { 2, 5, 1 } },
        { &alltoall, VARY_NODES, 8, 1, 1, 8, 4096, 2, MAX_VALUE, { 2, 1, 1 } },
        { &barrier, VARY_NODES, 1, 1, 1, 8, 256, 2, MAX_VALUE, { 2, 8, 1 } },
        { &barrier, VARY_NODES, 1, 1, 1, 1, 256, 2, MAX_VALUE, { 2, 1, 1 } },
        /* chunks */
        { &worker, VARY_CHUNKS, 8192, 1, 1, 4, 256, 0, 200, { 1, 200, 1 } },
        { &worker, VARY_CHUNKS, 8192, 1, 1, 4, 256, 7, MAX_VALUE, { 7, 1024, 1 } },
        { &worker, VARY_CHUNKS, 8192, 10, 1, 4, 256, 1, 77, { 10, 70, 10 } },
        { &barrier, VARY_NONE, 8192, 4, 1, 4, 256, 1, 77, { 0, 0, 1 } },
    };
    EACH(c, rows) {
        struct params p = { .memory_kib = c->memory_kib };
        struct suite s = { .type = c->type,
                           .variation = c->variation,
                           .multiple_of = c->multiple_of,
                           .send_datatype = c->datatype,
                           .receive_datatype = c->datatype,
                           .send_basetype = 1,
                           .receive_basetype = 1,
                           .default_length_bytes = c->length,
                           .start_argument = c->start,
                           .end_argument = c->end };
        struct range r = suite_range(&p, &s, c->processes);
        assert_int_equal(r.first, c->expected.first);
        assert_int_equal(r.last, c->expected.last);
        assert_int_equal(r.quantum, c->expected.quantum);
    }
}

/* The common multiple exceeds every length: only 0 can be measured. */
TEST(an_impossible_quantum_fits_nothing)
{
    struct params p = { .memory_kib = 8192 };
    struct basetype_part part = { INT_MAX, 0, predefined_find("MPI_BYTE", 8) };
    struct basetype_part other = { INT_MAX - 1, 0, part.type };
    p.basetypes[4] = (struct basetype){ .parts = &part, .count = 1, .triples = 1 };
    p.basetypes[5] = (struct basetype){ .parts = &other, .count = 1, .triples = 1 };
    struct suite s = { .type = &pingpong,
                       .variation = VARY_LENGTH,
                       .multiple_of = INT_MAX - 2,
                       .send_datatype = 20,
                       .receive_datatype = 20,
                       .send_basetype = 4,
                       .receive_basetype = 5,
                       .start_argument = 1,
                       .end_argument = MAX_VALUE };
    assert_int_equal(suite_quantum(&p, &s), LONG_MAX);
    struct range r = suite_range(&p, &s, 2);
    assert_true(r.first > r.last);
    s.start_argument = 0;
    r = suite_range(&p, &s, 2);
    assert_int_equal(r.first, 0);
    assert_int_equal(r.last, 0);
}

static enum range_cut cut_of(const struct suite *s, int processes)
{
    LOCAL_TEXT why = { 0 };
    enum range_cut cut = suite_range_cut(&no_params, s, processes, &why);
    assert_int_equal(why.len > 0, cut != RANGE_WHOLE);
    return cut;
}

/* Max_Value of Window is 1024, or the largest that fits. */
TEST(windows_end_where_memory_does)
{
    static const struct {
        enum buffering buffers;
        long length, end, last;
        enum range_cut cut;
    } rows[] = {
        { BUFFERS_TWO, 1024, MAX_VALUE, 1024, RANGE_WHOLE },
        { BUFFERS_TWO, 1024, 5000, 5000, RANGE_WHOLE },
        { BUFFERS_TWO, 2 * 1024 * 1024, 5000, 0, CUT_BY_MEMORY },
        { BUFFERS_MANY, 1024, MAX_VALUE, 512, CUT_BY_MEMORY },
        { BUFFERS_MANY, 256, MAX_VALUE, 1024, RANGE_WHOLE },
        { BUFFERS_MANY, 1024, 256, 256, RANGE_WHOLE },
        { BUFFERS_MANY, 1024, 513, 512, CUT_BY_MEMORY },
    };
    EACH(c, rows) {
        struct suite s = { .type = &stream,
                           BYTES,
                           .variation = VARY_WINDOW,
                           .default_length_bytes = c->length,
                           .end_argument = c->end,
                           .options = { .window = 1, .buffers = c->buffers } };
        struct range r = suite_range(&no_params, &s, 2);
        assert_int_equal(r.first, 1);
        assert_int_equal(r.last, c->last);
        assert_int_equal(cut_of(&s, 2), c->cut);
        assert_true(r.last == 0 || suite_memory(&no_params, &s, 2) <= 1024 * 1024);
    }
}

/* Distances end before the number of processes; if they double, they are powers of 2. */
TEST(distances_are_among_the_processes)
{
    static const struct {
        enum distances neighbours;
        long start, end;
        int processes;
        long first, last;
        enum range_cut cut;
    } rows[] = {
        { NEIGHBOURS_RING, 0, MAX_VALUE, 7, 1, 6, RANGE_WHOLE },
        { NEIGHBOURS_RING, 2, 4, 7, 2, 4, RANGE_WHOLE },
        { NEIGHBOURS_RING, 0, 9, 7, 1, 6, CUT_BY_PROCESSES },
        { NEIGHBOURS_DOUBLE, 0, MAX_VALUE, 2, 1, 1, RANGE_WHOLE },
        { NEIGHBOURS_DOUBLE, 3, MAX_VALUE, 9, 4, 8, RANGE_WHOLE },
        { NEIGHBOURS_HYPERCUBE, 0, 7, 16, 1, 4, RANGE_WHOLE },
        { NEIGHBOURS_HYPERCUBE, 5, 7, 16, 8, 4, RANGE_WHOLE }, /* nothing */
    };
    EACH(c, rows) {
        struct suite s = { .type = &pingpong,
                           .variation = VARY_DISTANCE,
                           .start_argument = c->start,
                           .end_argument = c->end,
                           INTS,
                           .options.neighbours = c->neighbours };
        struct range r = suite_range(&no_params, &s, c->processes);
        assert_int_equal(r.first, c->first);
        assert_int_equal(r.last, c->last);
        assert_int_equal(cut_of(&s, c->processes), c->cut);
    }
}

/* The largest argument does not exceed @MEMORY. */
TEST(suites_do_not_exceed_memory)
{
    struct suite s = {
        .type = &alltoall, BYTES, .variation = ALL(NODES), .default_length_bytes = 65536
    };
    assert_int_equal(suite_range(&no_params, &s, 1000).last, 8);
    assert_int_equal(suite_memory(&no_params, &s, 1000), 1024 * 1024);
    assert_int_equal(cut_of(&s, 1000), CUT_BY_MEMORY);
    assert_int_equal(cut_of(&s, 8), RANGE_WHOLE);
    s.multiple_of = 3;
    assert_int_equal(cut_of(&s, 8), RANGE_WHOLE);
    assert_int_equal(cut_of(&s, 9), CUT_BY_MEMORY);
    s.multiple_of = 0;
    s.variation = VARY_LENGTH;
    assert_true(suite_memory(&no_params, &s, 100) <= 1024 * 1024);
}

/* Nothing else depends on the argument, and no two variations set the same. */
TEST(an_argument_sets_the_member_of_its_variation)
{
    for (enum variation v = VARY_NONE + 1; v < VARIATION_COUNT; v++) {
        const struct suite s = { .type = &pingpong, .variation = v };
        struct setting a = suite_setting(&s, 4, 7), b = suite_setting(&s, 4, 8);
        const size_t set = variation_info(v)->set;
        const size_t size = set == offsetof(struct setting, length) ? sizeof(long) : sizeof(int);
        for (enum variation w = VARY_NONE + 1; w < v; w++)
            assert_int_not_equal(set, variation_info(w)->set);
        assert_memory_not_equal((char *)&a + set, (char *)&b + set, size);
        memcpy((char *)&a + set, (char *)&b + set, size);
        assert_memory_equal(&a, &b, offsetof(struct setting, visit));
    }
}

/* Nodes end where memory does; a total length is divided among them and ends later. */
TEST(a_total_length_has_room_for_more_nodes)
{
    struct suite s = { .type = &alltoall,
                       .variation = ALL(NODES),
                       INTS,
                       .default_length_bytes = 400 * 1024,
                       .options.length_is = LENGTH_TOTAL };
    assert_int_equal(suite_range(&no_params, &s, 1000).last, 1000);
    assert_true(suite_memory(&no_params, &s, 1000) <= 1024 * 1024);
    s.options.length_is = LENGTH_EACH;
    assert_int_equal(suite_range(&no_params, &s, 1000).last, 1);
}
