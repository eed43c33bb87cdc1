#include "../test.h"
#include "../fake_types.h"
#include "model/argument_range.h"
#include "model/buffer_size.h"
#include "model/parameters.h"

#include <limits.h>

enum { PAGE = BUFFER_ALIGNMENT };

static const struct params no_params = { .memory_kib = 1024 };

TEST(buffers_are_whole_pages)
{
    static const struct {
        const struct type_info *type;
        long length;
        int processes;
        struct buffer_size expected;
    } rows[] = {
        { &pingpong, 0, 2, { 0, 0, 0, 0 } },
        { &pingpong, 1, 2, { PAGE, PAGE, 0, 0 } },
        { &pingpong, PAGE, 9, { PAGE, PAGE, 0, 0 } },
        { &pingpong, PAGE + 1, 2, { 2 * PAGE, 2 * PAGE, 0, 0 } },
        { &buffered, 0, 2, { 0, 0, PAGE, 0 } },
        { &buffered, PAGE - BSEND_OVERHEAD, 2, { PAGE, PAGE, PAGE, 0 } },
        { &buffered, PAGE - BSEND_OVERHEAD + 1, 2, { PAGE, PAGE, 2 * PAGE, 0 } },
        { &gather, 1000, 4, { PAGE, PAGE, 0, 0 } },
        { &gather, 1025, 4, { PAGE, 2 * PAGE, 0, 0 } },
        { &alltoall, PAGE, 5, { 5 * PAGE, 5 * PAGE, 0, 0 } },
        { &worker, PAGE, 3, { PAGE, 5 * PAGE, 0, 0 } },
        { &barrier, 4711, 3, { 0, 0, 0, 0 } },
        { &alltoall, 1L << 40, 1000, { 1000LL << 40, 1000LL << 40, 0, 0 } },
    };
    EACH(c, rows) {
        struct suite s = { .type = c->type, BYTES };
        struct buffer_size d = buffer_size_of(&no_params, &s, c->length, c->processes);
        assert_int_equal(d.send, c->expected.send);
        assert_int_equal(d.receive, c->expected.receive);
        assert_int_equal(d.attached, c->expected.attached);
    }
}

/* In place, one buffer holds what is sent and what is received. */
TEST(in_place_there_is_one_buffer)
{
    static const struct {
        const struct type_info *type;
        long long receive;
    } rows[] = { { &gather, 5 * PAGE }, { &alltoall, 5 * PAGE }, { &pingpong, PAGE } };
    EACH(c, rows) {
        struct suite s = { .type = c->type, BYTES, .options.in_place = true };
        struct buffer_size d = buffer_size_of(&no_params, &s, PAGE, 5);
        assert_int_equal(d.send + d.attached, 0);
        assert_int_equal(d.receive, c->receive);
    }
}

/* Each thread has buffers of its own, also attached ones; huge sums are limited. */
TEST(threads_need_more_buffers)
{
    static const struct {
        const struct type_info *type;
        long length;
        int threads;
        long long pages;
    } rows[] = {
        { &pingpong, PAGE, 0, 2 }, { &pingpong, PAGE, 1, 2 },
        { &pingpong, PAGE, 4, 8 }, { &buffered, PAGE - BSEND_OVERHEAD, 3, 9 },
        { &barrier, PAGE, 8, 0 },
    };
    EACH(c, rows) {
        struct suite s = { .type = c->type, BYTES };
        struct suite with = suite_at(&s, &(struct setting){ .threads = c->threads });
        struct buffer_size d = buffer_size_of(&no_params, &with, c->length, 2);
        assert_int_equal(buffer_size_memory(&s, &d), c->pages * PAGE);
        assert_true(buffer_size_own(&s, &d) * (d.more + 1) == buffer_size_memory(&s, &d));
    }
    struct suite s = { .type = &pingpong, BYTES };
    s.options.threads = MAX_THREADS;
    struct buffer_size d = buffer_size_of(&no_params, &s, LONG_MAX, 2);
    assert_true(buffer_size_memory(&s, &d) > LLONG_MAX / 5);
}

TEST(huge_sizes_are_limited)
{
    struct suite s = { .type = &buffered, BYTES };
    struct buffer_size d = buffer_size_of(&no_params, &s, LONG_MAX, 2);
    assert_true(d.send + d.receive + d.attached > LLONG_MAX / 2);
    s.type = &alltoall;
    d = buffer_size_of(&no_params, &s, LONG_MAX / 2, INT_MAX);
    assert_true(d.send > LLONG_MAX / 5 && d.send % PAGE == 0);
}

/* A double and an int have 12 bytes of data, but an extent of 16 bytes. */
TEST(gaps_between_elements_count)
{
    struct params p = { .memory_kib = 1024 };
    struct basetype_part part = { 1, 0, predefined_find("MPI_DOUBLE_INT", 14) };
    p.basetypes[1] = (struct basetype){ .parts = &part, .count = 1 };
    struct suite s = { .type = &pingpong,
                       .send_datatype = 20,
                       .send_basetype = 1,
                       .receive_datatype = 1,
                       .variation = ALL(LENGTH) };
    struct buffer_size d = buffer_size_of(&p, &s, 12 * 1024, 2);
    assert_int_equal(d.send, 16 * 1024);
    assert_int_equal(d.receive, 12 * 1024);
    long quantum = suite_quantum(&p, &s), longest = suite_range(&p, &s, 2).last;
    d = buffer_size_of(&p, &s, longest, 2);
    assert_true(d.send + d.receive + d.attached <= 1024 * 1024);
    d = buffer_size_of(&p, &s, longest + quantum, 2);
    assert_true(d.send + d.receive + d.attached > 1024 * 1024);
}

/* Cold data need two sets of message buffers, but one attached buffer; so do fresh data whose
 * repetitions have several calls. */
TEST(rewritten_data_need_more_buffers)
{
    struct suite s = { .type = &pingpong, BYTES, .variation = ALL(LENGTH), .options.loop = 1 };
    long warm = suite_range(&no_params, &s, 2).last;
    s.options.data = DATA_COLD;
    assert_int_equal(suite_range(&no_params, &s, 2).last, warm / 2);
    struct buffer_size d = { PAGE, PAGE, PAGE, 0 };
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

/* An int counts elements, unless messages are one element, or counted by MPI_Count. */
TEST(counts_limit_messages)
{
    struct params p = { .memory_kib = INT_MAX };
    struct suite s = { .type = &pingpong, BYTES };
    const long most = INT_MAX - 1L, large = 3L << 30;
    assert_true(suite_fits(&p, &s, most, 2));
    assert_false(suite_fits(&p, &s, large, 2));
    s.options.counts = COUNTS_C;
    assert_true(suite_fits(&p, &s, large, 2));
    s.options.counts = COUNTS_TYPE;
    assert_true(suite_fits(&p, &s, large, 2));
    s.options.method = METHOD_CONTIGUOUS;
    assert_true(suite_fits(&p, &s, large, 2));
    s.options.counts = COUNTS_INT;
    assert_false(suite_fits(&p, &s, large, 2));
}

/* Only with buffers=many, each message of a window has a place in the buffers. */
TEST(windows_need_buffers)
{
    struct suite s = { .type = &stream, BYTES, .variation = ALL(LENGTH), .options.window = 64 };
    struct buffer_size d = buffer_size_of(&no_params, &s, 1000, 2);
    assert_int_equal(d.send, PAGE);
    s.options.buffers = BUFFERS_MANY;
    d = buffer_size_of(&no_params, &s, 1000, 2);
    assert_int_equal(d.send, 16 * PAGE);
    assert_int_equal(d.receive, 16 * PAGE);
    assert_int_equal(suite_range(&no_params, &s, 2).last, 512 * 1024 / 64);
    assert_int_equal(suite_messages(&s, &stream.send, 2), 64);
}

/* As many as io_walk and the space permit. */
TEST(files_have_places)
{
    static const struct pattern_info pattern = { .prefix = "io" };
    const struct type_info write = { .number = 220,
                                     .name = "MPI_File_write_at",
                                     .pattern = &pattern,
                                     .traits = TYPE_HAS_LENGTH | TYPE_FILE,
                                     .options = OPTIONS(OPTION_IO_WALK) };
    struct params p = { .io_space_mib = 16 };
    struct suite s = { .type = &write, .options.io_walk = 1 << 20 };
    static const struct {
        long length;
        int processes, places;
    } cases[] = {
        { 0, 2, 1 },       { 1, 2, 1024 },    { 1024, 2, 1024 },
        { 1025, 2, 1023 }, { 1 << 18, 2, 4 }, { 1 << 18, 32, 2 },
        { 1 << 20, 2, 2 }, { 8 << 20, 2, 1 }, { 64 << 20, 2, 1 },
    };
    EACH(c, cases)
        assert_int_equal(suite_file_places(&p, &s, c->length, c->processes), c->places);
    s.options.io_walk = 0;
    assert_int_equal(suite_file_places(&p, &s, 1024, 2), 1);
}

/* The length is divided among the processes; what is left over is not sent. */
TEST(a_total_length_is_divided)
{
    struct suite s = { .type = &alltoall,
                       INTS,
                       .variation = ALL(NODES),
                       .default_length_bytes = 400 * 1024,
                       .options.length_is = LENGTH_TOTAL };
    assert_int_equal(suite_length_among(&no_params, &s, 4), 100 * 1024);
    assert_int_equal(suite_length_among(&no_params, &s, 3), 136532);
    assert_int_equal(suite_length_among(&no_params, &s, 1000000), 0);
    s.options.length_is = LENGTH_EACH;
    assert_int_equal(suite_length_among(&no_params, &s, 4), 400 * 1024);
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

TEST(quantum_is_whole_datatypes_and_multiple_of)
{
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
    EACH(c, rows) {
        struct fixture f;
        struct params *p = params_init(&f, 1024);
        struct suite s = { .type = c->type,
                           .variation = c->variation,
                           .multiple_of = c->multiple_of,
                           .send_datatype = c->send,
                           .send_basetype = c->send_base,
                           .receive_datatype = c->receive,
                           .receive_basetype = c->receive_base,
                           .default_length_bytes = 250 };
        assert_int_equal(suite_quantum(p, &s), c->quantum);
        assert_int_equal(suite_default_length(p, &s), c->default_length);
        s.default_length_bytes = 0;
        assert_int_equal(suite_default_length(p, &s), 0);
    }
}
