#include "../fake_patterns.h"
#include "model/buffer_size.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

enum { PAGE = BUFFER_ALIGNMENT };

static const struct type_info pingpong = {
    .pattern = &fake_p2p, .traits = TYPE_HAS_LENGTH, .send = { 1, 0 }, .receive = { 1, 0 }
};
static const struct type_info buffered = { .pattern = &fake_p2p,
                                           .traits = TYPE_HAS_LENGTH,
                                           .send = { 1, 0 },
                                           .receive = { 1, 0 },
                                           .attached = { 1, 0 } };
static const struct type_info gather = {
    .pattern = &fake_col, .traits = TYPE_HAS_LENGTH, .send = { 1, 0 }, .receive = { 0, 1 }
};
static const struct type_info alltoall = {
    .pattern = &fake_col, .traits = TYPE_HAS_LENGTH, .send = { 0, 1 }, .receive = { 0, 1 }
};
static const struct type_info worker = {
    .pattern = &fake_mw, .traits = TYPE_HAS_LENGTH, .send = { 1, 0 }, .receive = { 2, 1 }
};
static const struct type_info barrier = { .pattern = &fake_col };

static const struct type_info stream = { .pattern = &fake_p2p,
                                         .traits = TYPE_HAS_LENGTH | TYPE_WINDOW,
                                         .send = { 1, 0 },
                                         .receive = { 1, 0 } };

static const struct params no_params = { .memory_kib = 1024 };

static void buffers_are_whole_pages(void **state)
{
    (void)state;
    static const struct {
        const struct type_info *type;
        long length;
        int processes;
        struct buffer_size expected;
    } rows[] = {
        { &pingpong, 0, 2, { 0, 0, 0 } },
        { &pingpong, 1, 2, { PAGE, PAGE, 0 } },
        { &pingpong, PAGE, 9, { PAGE, PAGE, 0 } },
        { &pingpong, PAGE + 1, 2, { 2 * PAGE, 2 * PAGE, 0 } },
        { &buffered, 0, 2, { 0, 0, PAGE } },
        { &buffered, PAGE - BSEND_OVERHEAD, 2, { PAGE, PAGE, PAGE } },
        { &buffered, PAGE - BSEND_OVERHEAD + 1, 2, { PAGE, PAGE, 2 * PAGE } },
        { &gather, 1000, 4, { PAGE, PAGE, 0 } },
        { &gather, 1025, 4, { PAGE, 2 * PAGE, 0 } },
        { &alltoall, PAGE, 5, { 5 * PAGE, 5 * PAGE, 0 } },
        { &worker, PAGE, 3, { PAGE, 5 * PAGE, 0 } },
        { &barrier, 4711, 3, { 0, 0, 0 } },
        { &alltoall, 1L << 40, 1000, { 1000LL << 40, 1000LL << 40, 0 } },
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct suite s = { .type = rows[i].type, .send_datatype = 1, .receive_datatype = 1 };
        struct buffer_size d = buffer_size_of(&no_params, &s, rows[i].length, rows[i].processes);
        assert_int_equal(d.send, rows[i].expected.send);
        assert_int_equal(d.receive, rows[i].expected.receive);
        assert_int_equal(d.attached, rows[i].expected.attached);
        assert_int_equal(buffer_size_total(&d), d.send + d.receive + d.attached);
    }
}

static void huge_sizes_are_limited(void **state)
{
    (void)state;
    struct suite s = { .type = &buffered, .send_datatype = 1, .receive_datatype = 1 };
    struct buffer_size d = buffer_size_of(&no_params, &s, LONG_MAX, 2);
    assert_true(buffer_size_total(&d) > LLONG_MAX / 2);
    s.type = &alltoall;
    d = buffer_size_of(&no_params, &s, LONG_MAX / 2, INT_MAX);
    assert_true(d.send > LLONG_MAX / 5 && d.send % PAGE == 0);
}

/* A double and an int have 12 bytes of data, but an extent of 16 bytes. */
static void gaps_between_elements_count(void **state)
{
    (void)state;
    struct params p = { .memory_kib = 1024 };
    struct basetype_part part = { 1, 0, predefined_find("MPI_DOUBLE_INT", 14) };
    p.basetypes[1] = (struct basetype){ .parts = &part, .count = 1 };
    struct suite s = { .type = &pingpong,
                       .send_datatype = 20,
                       .send_basetype = 1,
                       .receive_datatype = 1,
                       .variation = VARY_LENGTH,
                       .end_argument = MAX_VALUE };
    struct buffer_size d = buffer_size_of(&p, &s, 12 * 1024, 2);
    assert_int_equal(d.send, 16 * 1024);
    assert_int_equal(d.receive, 12 * 1024);
    struct range r = suite_range(&p, &s, 2);
    d = buffer_size_of(&p, &s, r.last, 2);
    assert_true(buffer_size_total(&d) <= 1024 * 1024);
    d = buffer_size_of(&p, &s, r.last + r.quantum, 2);
    assert_true(buffer_size_total(&d) > 1024 * 1024);
}

/* The largest argument does not exceed @MEMORY. */
static void suites_do_not_exceed_memory(void **state)
{
    (void)state;
    struct suite s = { .type = &alltoall,
                       .send_datatype = 1,
                       .receive_datatype = 1,
                       .variation = VARY_NODES,
                       .end_argument = MAX_VALUE,
                       .default_length_bytes = 65536 };
    assert_int_equal(suite_range(&no_params, &s, 1000).last, 8);
    assert_int_equal(suite_memory(&no_params, &s, 1000), 1024 * 1024);
    s.variation = VARY_LENGTH;
    assert_true(suite_memory(&no_params, &s, 100) <= 1024 * 1024);
}

/* Cold data need two sets of message buffers, but one attached buffer; so do fresh data whose
 * repetitions have several calls. */
static void rewritten_data_need_more_buffers(void **state)
{
    (void)state;
    struct suite s = { .type = &pingpong,
                       .send_datatype = 1,
                       .receive_datatype = 1,
                       .variation = VARY_LENGTH,
                       .end_argument = MAX_VALUE,
                       .options.loop = 1 };
    long warm = suite_range(&no_params, &s, 2).last;
    s.options.data = DATA_COLD;
    assert_int_equal(suite_range(&no_params, &s, 2).last, warm / 2);
    struct buffer_size d = { PAGE, PAGE, PAGE };
    assert_int_equal(buffer_size_memory(&s, &d), 5 * PAGE);
    s.options.data = DATA_FRESH;
    assert_int_equal(buffer_size_memory(&s, &d), 3 * PAGE);
    struct type_info exchange = pingpong;
    exchange.calls = 3;
    s.type = &exchange;
    assert_int_equal(buffer_size_memory(&s, &d), 7 * PAGE);
    s.options.data = DATA_COLD;
    assert_int_equal(buffer_size_memory(&s, &d), 7 * PAGE);
    s.options.loop = 5;
    assert_int_equal(buffer_size_memory(&s, &d), 31 * PAGE);
    s.options.data = DATA_KEPT;
    assert_int_equal(buffer_size_memory(&s, &d), 3 * PAGE);
}

/* Only with buffers=many, each message of a window has a place in the buffers. */
static void windows_need_buffers(void **state)
{
    (void)state;
    struct suite s = { .type = &stream,
                       .send_datatype = 1,
                       .receive_datatype = 1,
                       .variation = VARY_LENGTH,
                       .end_argument = MAX_VALUE,
                       .options.window = 64 };
    struct buffer_size d = buffer_size_of(&no_params, &s, 1000, 2);
    assert_int_equal(d.send, PAGE);
    s.options.buffers = BUFFERS_MANY;
    d = buffer_size_of(&no_params, &s, 1000, 2);
    assert_int_equal(d.send, 16 * PAGE);
    assert_int_equal(d.receive, 16 * PAGE);
    assert_int_equal(suite_range(&no_params, &s, 2).last, 512 * 1024 / 64);
    assert_int_equal(suite_messages(&s, &stream.send, 2), 64);
}

/* Max_Value of Window is 1024, or the largest that fits. */
static void windows_end_where_memory_does(void **state)
{
    (void)state;
    static const struct {
        enum buffering buffers;
        long length, end, last;
        enum range_cut cut;
    } rows[] = {
        { BUFFERS_TWO, 1024, MAX_VALUE, 1024, RANGE_WHOLE },
        { BUFFERS_TWO, 1024, 5000, 5000, RANGE_WHOLE },
        { BUFFERS_TWO, 2 * 1024 * 1024, 5000, 0, RANGE_CUT_BY_MEMORY },
        { BUFFERS_MANY, 1024, MAX_VALUE, 512, RANGE_WHOLE },
        { BUFFERS_MANY, 256, MAX_VALUE, 1024, RANGE_WHOLE },
        { BUFFERS_MANY, 1024, 256, 256, RANGE_WHOLE },
        { BUFFERS_MANY, 1024, 513, 512, RANGE_CUT_BY_MEMORY },
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct suite s = { .type = &stream,
                           .send_datatype = 1,
                           .receive_datatype = 1,
                           .variation = VARY_WINDOW,
                           .default_length_bytes = rows[i].length,
                           .end_argument = rows[i].end,
                           .options = { .window = 1, .buffers = rows[i].buffers } };
        struct range r = suite_range(&no_params, &s, 2);
        assert_int_equal(r.first, 1);
        assert_int_equal(r.last, rows[i].last);
        assert_int_equal(suite_range_cut(&no_params, &s, 2), rows[i].cut);
        assert_true(r.last == 0 || suite_memory(&no_params, &s, 2) <= 1024 * 1024);
    }
}

/* Distances end before the number of processes; if they double, they are powers of 2. */
static void distances_are_among_the_processes(void **state)
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
        { NEIGHBOURS_RING, 0, 9, 7, 1, 6, RANGE_CUT_BY_PROCESSES },
        { NEIGHBOURS_DOUBLE, 0, MAX_VALUE, 2, 1, 1, RANGE_WHOLE },
        { NEIGHBOURS_DOUBLE, 3, MAX_VALUE, 9, 4, 8, RANGE_WHOLE },
        { NEIGHBOURS_HYPERCUBE, 0, 7, 16, 1, 4, RANGE_WHOLE },
        { NEIGHBOURS_HYPERCUBE, 5, 7, 16, 8, 4, RANGE_WHOLE }, /* nothing */
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct suite s = { .type = &pingpong,
                           .variation = VARY_DISTANCE,
                           .start_argument = rows[i].start,
                           .end_argument = rows[i].end,
                           .send_datatype = 5,
                           .receive_datatype = 5,
                           .options.neighbours = rows[i].neighbours };
        struct range r = suite_range(&no_params, &s, rows[i].processes);
        assert_int_equal(r.first, rows[i].first);
        assert_int_equal(r.last, rows[i].last);
        assert_int_equal(suite_range_cut(&no_params, &s, rows[i].processes), rows[i].cut);
    }
}

/* The length is divided among the processes; what is left over is not sent. */
static void a_total_length_is_divided(void **state)
{
    (void)state;
    struct suite s = { .type = &alltoall,
                       .send_datatype = 5,
                       .receive_datatype = 5,
                       .variation = VARY_NODES,
                       .end_argument = MAX_VALUE,
                       .default_length_bytes = 400 * 1024,
                       .options.length_is = LENGTH_TOTAL };
    assert_int_equal(suite_length_among(&no_params, &s, 4), 100 * 1024);
    assert_int_equal(suite_length_among(&no_params, &s, 3), 136532);
    assert_int_equal(suite_length_among(&no_params, &s, 1000000), 0);
    assert_int_equal(suite_range(&no_params, &s, 1000).last, 1000);
    assert_true(suite_memory(&no_params, &s, 1000) <= 1024 * 1024);
    s.options.length_is = LENGTH_EACH;
    assert_int_equal(suite_length_among(&no_params, &s, 4), 400 * 1024);
    assert_int_equal(suite_range(&no_params, &s, 1000).last, 1);
}

/* The parameters of a file with basetypes 1: MPI_DOUBLE, 2: 1 byte and 2 int, 3: undefined. */
struct fixture {
    struct params p;
    struct basetype_part parts[3];
};

static struct params *params_init(struct fixture *f, int memory_kib)
{
    *f = (struct fixture){ 0 };
    f->parts[0] = (struct basetype_part){ 1, 0, predefined_find("MPI_DOUBLE", 10) };
    f->parts[1] = (struct basetype_part){ 1, 0, predefined_find("MPI_BYTE", 8) };
    f->parts[2] = (struct basetype_part){ 2, 1, predefined_find("MPI_INT", 7) };
    f->p.basetypes[1] = (struct basetype){ .parts = f->parts, .count = 1 };
    f->p.basetypes[2] = (struct basetype){ .parts = f->parts + 1, .count = 2, .triples = 1 };
    f->p.memory_kib = memory_kib;
    return &f->p;
}

static void quantum_is_whole_datatypes_and_multiple_of(void **state)
{
    (void)state;
    static const struct {
        const struct type_info *type;
        enum variation variation;
        int multiple_of, send, send_base, receive, receive_base;
        long quantum;
        long default_length; /* of 250 */
    } rows[] = {
        { &pingpong, VARY_LENGTH, 1, 1, 1, 1, 1, 1, 250 },
        { &pingpong, VARY_LENGTH, 4, 1, 1, 1, 1, 4, 248 },
        { &pingpong, VARY_LENGTH, 1, 5, 1, 5, 1, 4, 248 },
        { &pingpong, VARY_LENGTH, 6, 5, 1, 5, 1, 12, 240 },
        { &pingpong, VARY_LENGTH, 6, 4, 1, 5, 1, 24, 240 },
        { &pingpong, VARY_LENGTH, 4, 20, 1, 1, 1, 8, 248 },
        { &pingpong, VARY_LENGTH, 4, 20, 2, 5, 1, 36, 216 },
        { &pingpong, VARY_LENGTH, 4, 20, 2, 20, 1, 72, 216 },
        { &pingpong, VARY_LENGTH, 4, 20, 3, 1, 1, 4, 248 },
        { &pingpong, VARY_LENGTH, 1000, 1, 1, 1, 1, 1000, 1000 },
        { &gather, VARY_NODES, 1, 4, 1, 4, 1, 8, 248 },
        { &gather, VARY_NODES, 3, 4, 1, 4, 1, 8, 248 },
        { &barrier, VARY_NODES, 4, 4, 1, 4, 1, 1, 0 },
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct fixture f;
        struct params *p = params_init(&f, 1024);
        struct suite s = { .type = rows[i].type,
                           .variation = rows[i].variation,
                           .multiple_of = rows[i].multiple_of,
                           .send_datatype = rows[i].send,
                           .send_basetype = rows[i].send_base,
                           .receive_datatype = rows[i].receive,
                           .receive_basetype = rows[i].receive_base,
                           .default_length_bytes = 250 };
        assert_int_equal(suite_quantum(p, &s), rows[i].quantum);
        assert_int_equal(suite_default_length(p, &s), rows[i].default_length);
        s.default_length_bytes = 0;
        assert_int_equal(suite_default_length(p, &s), 0);
    }
}

static void ranges_are_what_fits(void **state)
{
    (void)state;
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
        { &buffered,
          VARY_LENGTH,
          INT_MAX,
          1,
          5,
          2,
          0,
          0,
          MAX_VALUE,
          { 0, INT_MAX + 1L - PAGE - BSEND_OVERHEAD, 4 } },
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
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct fixture f;
        struct params *p = params_init(&f, rows[i].memory_kib);
        struct suite s = { .type = rows[i].type,
                           .variation = rows[i].variation,
                           .multiple_of = rows[i].multiple_of,
                           .send_datatype = rows[i].datatype,
                           .receive_datatype = rows[i].datatype,
                           .send_basetype = 1,
                           .receive_basetype = 1,
                           .default_length_bytes = rows[i].length,
                           .start_argument = rows[i].start,
                           .end_argument = rows[i].end };
        struct range r = suite_range(p, &s, rows[i].processes);
        assert_int_equal(r.first, rows[i].expected.first);
        assert_int_equal(r.last, rows[i].expected.last);
        assert_int_equal(r.quantum, rows[i].expected.quantum);
    }
}

/* The common multiple exceeds every length: only 0 can be measured. */
static void an_impossible_quantum_fits_nothing(void **state)
{
    (void)state;
    struct fixture f;
    struct params *p = params_init(&f, 8192);
    struct basetype_part part = { INT_MAX, 0, predefined_find("MPI_BYTE", 8) };
    struct basetype_part other = { INT_MAX - 1, 0, part.type };
    p->basetypes[4] = (struct basetype){ .parts = &part, .count = 1, .triples = 1 };
    p->basetypes[5] = (struct basetype){ .parts = &other, .count = 1, .triples = 1 };
    struct suite s = { .type = &pingpong,
                       .variation = VARY_LENGTH,
                       .multiple_of = INT_MAX - 2,
                       .send_datatype = 20,
                       .receive_datatype = 20,
                       .send_basetype = 4,
                       .receive_basetype = 5,
                       .start_argument = 1,
                       .end_argument = MAX_VALUE };
    assert_int_equal(suite_quantum(p, &s), LONG_MAX);
    struct range r = suite_range(p, &s, 2);
    assert_true(r.first > r.last);
    s.start_argument = 0;
    r = suite_range(p, &s, 2);
    assert_int_equal(r.first, 0);
    assert_int_equal(r.last, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_are_whole_pages),
        cmocka_unit_test(huge_sizes_are_limited),
        cmocka_unit_test(gaps_between_elements_count),
        cmocka_unit_test(suites_do_not_exceed_memory),
        cmocka_unit_test(rewritten_data_need_more_buffers),
        cmocka_unit_test(windows_need_buffers),
        cmocka_unit_test(a_total_length_is_divided),
        cmocka_unit_test(distances_are_among_the_processes),
        cmocka_unit_test(windows_end_where_memory_does),
        cmocka_unit_test(quantum_is_whole_datatypes_and_multiple_of),
        cmocka_unit_test(ranges_are_what_fits),
        cmocka_unit_test(an_impossible_quantum_fits_nothing),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
