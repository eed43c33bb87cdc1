#include "../test.h"
#include "../fake_patterns.h"

#include "results/block.h"

#include "results/format.h"
#include "model/parameters.h"

#include <math.h>

/* The tests run at the top of the tree. With GOLDEN=write they rewrite the files. */
#define GOLDEN "tests/unit/results/golden/"

struct field_case {
    const char *value, *expected;
};

static const struct field_case field_cases[] = {
    { "a cluster", "#@X a cluster\n" },
    { "", "#@X\n" },
    { "\n\n", "#@X\n" },
    { "one\n", "#@X one\n" },
    { "one\ntwo", "#@X one\n# two\n" },
    { "one\r\ntwo\r\n", "#@X one\n# two\n" },
    { "one\n\nthree", "#@X one\n# \n# three\n" },
    { "one\n#eol\n@Y", "#@X one\n# #eol\n# @Y\n" },
    { "a\033[31mb\tc\177", "#@X a?[31mb c?\n" },
    { "a\302\233m", "#@X a?m\n" },
    { "\nlate", "#@X \n# late\n" },
    { "K\303\266ln", "#@X K\303\266ln\n" },
};

TEST(test_fields)
{
    for (size_t i = 0; i < COUNT(field_cases); i++) {
        LOCAL_TEXT out = { 0 };
        format_field(&out, "X", field_cases[i].value);
        assert_string_equal(text_get(&out), field_cases[i].expected);
    }
}

TEST(test_trailer)
{
    LOCAL_TEXT out = { 0 };
    format_trailer(&out, false);
    assert_string_equal(text_get(&out), "#skampi finished.\n");
}

static const struct params params = { .memory_kib = 4096, .version = 4.1 };

static const struct type_info send_recv = { .number = 1,
                                            .pattern = &fake_p2p,
                                            .traits = TYPE_HAS_LENGTH };
static const struct type_info sendrecv = {
    .number = 8, .time = TIME_EXCHANGE, .pattern = &fake_p2p, .traits = TYPE_HAS_LENGTH
};
static const struct type_info waitsome = { .number = 10,
                                           .pattern = &fake_mw,
                                           .traits = TYPE_HAS_LENGTH };
static const struct type_info bcast = { .number = 17,
                                        .pattern = &fake_col,
                                        .traits = TYPE_HAS_LENGTH };
static const struct type_info bcast_sm = { .number = 47,
                                           .pattern = &fake_syncol,
                                           .traits = TYPE_HAS_LENGTH };
static const struct type_info barrier_sm = { .number = 49, .pattern = &fake_syncol };
static const struct type_info wtime = { .number = 24, .pattern = &fake_simple };
static const struct type_info timer = { .number = 50,
                                        .time = TIME_CLOCK_READING,
                                        .pattern = &fake_internal };

static const struct extra_info worst_pair[] = { { "pair_mean", "microsec.", "mean of the pairs" },
                                                { "slowest_rank", NULL, "the slowest" },
                                                { NULL, NULL, NULL } };
static const struct type_info pairs = { .number = 160,
                                        .name = "MPI_Send-MPI_Recv",
                                        .pattern = &fake_p2p,
                                        .traits = TYPE_HAS_LENGTH,
                                        .extra = worst_pair };

/* The common fields of the test's suites. */
#define COMMON(name_, type_)                                                                       \
    .name = (char[]){ name_ }, .type = (type_), .send_datatype = 5, .receive_datatype = 5,         \
    .send_basetype = 1, .receive_basetype = 1, .multiple_of = 1, .default_length_bytes = 256,      \
    .stepwidth = 1, .standard_error = 0.03, .cut_quantile = 0.25

static double two_nodes[] = { 1.25, 0.75 };
static double three_nodes[] = { 3.5, 0.0000004, 2 };

/* { cleaned, all, min, p25, median, p75, max, error of the variance } */
#define STATS_A                                                                                    \
    {                                                                                              \
        { 8, 176.059111, 3.034745 }, { 10, 180.5, 4.25 }, 170, 172.125, 175, 181, 200.0000006, 0   \
    }
#define STATS_B                                                                                    \
    {                                                                                              \
        { 4, -0.0125, 0.001 }, { 4, 1234567.0625, 0 }, -1, 0, 0.5, 1, 5e6, 0                       \
    }
#define STATS_NONE                                                                                 \
    {                                                                                              \
        { 0, NAN, -NAN }, { 0, NAN, NAN }, NAN, NAN, NAN, NAN, -NAN, NAN                           \
    }

static struct row plain_rows[] = {
    { .argument = 2, .stats = STATS_A, .stop = STOP_ACCURACY },
    { .argument = 3, .stats = STATS_B, .stop = STOP_REPETITIONS, .refined = true },
};
static struct row node_rows[] = {
    { .argument = 2, .stats = STATS_A, .stop = STOP_TIME, .node_us = two_nodes, .nodes = 2 },
    { .argument = 3, .stats = STATS_B, .stop = STOP_ACCURACY, .node_us = three_nodes, .nodes = 3 },
};
static struct row lost_rows[] = {
    { .argument = 0, .stats = STATS_A, .stop = STOP_ACCURACY, .invalid = 3 },
    { .argument = 4, .stats = STATS_NONE, .stop = STOP_UNSYNCHRONISED, .invalid = 64 },
};

static struct row extra_rows[] = {
    { .argument = 0,
      .stats = STATS_A,
      .stop = STOP_ACCURACY,
      .extra = { { 7.5, 0.25 }, { 3, 0 } } },
    { .argument = 4, .stats = STATS_B, .stop = STOP_TIME, .extra = { { NAN, -NAN }, { 0, 0 } } },
};

static char partner[] = "#@PARTNER 1 node1\n";

struct block_case {
    const char *golden;
    struct suite suite;
    struct range range;
    struct row *rows;
    size_t count;
    char *notes;
};

static const struct block_case block_cases[] = {
    { "p2p-length",
      { COMMON("MPI_Send-MPI_Recv", &send_recv), .variation = VARY_LENGTH,
        .scale = SCALE_DYNAMIC_LOG },
      { 0, 4194304, 4 },
      plain_rows,
      2,
      partner },
    { "p2p-nodes",
      { COMMON("MPI_Send-MPI_Recv-nodes", &send_recv), .variation = VARY_NODES,
        .scale = SCALE_FIXED_LINEAR },
      { 2, 64, 1 },
      plain_rows,
      1,
      NULL },
    { "p2p-exchange",
      { COMMON("MPI_Sendrecv", &sendrecv), .variation = VARY_LENGTH, .scale = SCALE_FIXED_LOG },
      { 0, 64, 4 },
      plain_rows,
      1,
      partner },
    { "mw-length",
      { COMMON("MPI_Waitsome-length", &waitsome), .variation = VARY_LENGTH, .default_chunks = 80,
        .scale = SCALE_FIXED_LOG },
      { 0, 65536, 4 },
      plain_rows,
      2,
      NULL },
    { "mw-nodes",
      { COMMON("MPI_Waitsome-nodes", &waitsome), .variation = VARY_NODES,
        .scale = SCALE_DYNAMIC_LINEAR, .time_suite_minutes = 1.5 },
      { 2, 64, 1 },
      plain_rows,
      2,
      NULL },
    { "mw-chunks",
      { COMMON("MPI_Waitsome-chunks", &waitsome), .variation = VARY_CHUNKS,
        .scale = SCALE_FIXED_LINEAR },
      { 1, 1024, 1 },
      plain_rows,
      2,
      NULL },
    { "col-nodes",
      { COMMON("MPI_Bcast-nodes-short", &bcast), .variation = VARY_NODES,
        .scale = SCALE_FIXED_LINEAR },
      { 2, 64, 1 },
      plain_rows,
      2,
      NULL },
    { "col-together",
      { COMMON("MPI_Bcast-nodes-short", &bcast), .variation = VARY_NODES,
        .scale = SCALE_FIXED_LINEAR, .options = { .enter = ENTER_TOGETHER } },
      { 2, 64, 1 },
      plain_rows,
      2,
      NULL },
    { "col-node-times",
      { COMMON("MPI_Bcast-nodes", &bcast), .variation = VARY_NODES, .scale = SCALE_FIXED_LINEAR,
        .node_times = true },
      { 2, 3, 1 },
      node_rows,
      2,
      NULL },
    { "syncol-length",
      { COMMON("MPI_Bcast-length-SM", &bcast_sm), .variation = VARY_LENGTH,
        .scale = SCALE_DYNAMIC_LINEAR },
      { 0, 4, 4 },
      lost_rows,
      2,
      NULL },
    { "syncol-barrier",
      { COMMON("MPI_Barrier-SM", &barrier_sm), .variation = VARY_NODES,
        .scale = SCALE_FIXED_LINEAR },
      { 2, 64, 1 },
      NULL,
      0,
      NULL },
    { "extra-values",
      { COMMON("pairs", &pairs), .variation = VARY_LENGTH, .scale = SCALE_FIXED_LOG },
      { 0, 4, 4 },
      extra_rows,
      2,
      NULL },
    { "simple", { COMMON("MPI_Wtime", &wtime) }, { 0, 0, 1 }, plain_rows, 1, NULL },
    { "internal", { COMMON("timer", &timer) }, { 0, 1, 1 }, plain_rows, 2, NULL },
};

static char *read_golden(const char *path)
{
    static char bytes[16384];
    FILE *f = fopen(path, "r");
    size_t n = f == NULL ? 0 : fread(bytes, 1, sizeof(bytes) - 1, f);
    bytes[n] = '\0';
    if (f != NULL)
        fclose(f);
    return bytes;
}

static void write_golden(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

TEST(test_blocks)
{
    const char *wish = getenv("GOLDEN");
    bool rewrite = wish != NULL && strcmp(wish, "write") == 0;
    for (size_t i = 0; i < COUNT(block_cases); i++) {
        const struct block_case *c = &block_cases[i];
        double first_us = c->suite.type->pattern == &fake_internal ? -1.0 : 1234.0625;
        struct block b = { .params = &params,
                           .suite = &c->suite,
                           .range = c->range,
                           .processes = 64,
                           .time_minutes = 0.3125,
                           .first_call_us = first_us,
                           .first_argument = 4,
                           .notes.s = c->notes,
                           .rows = c->rows,
                           .count = c->count };
        LOCAL_TEXT out = { 0 };
        char path[256];
        snprintf(path, sizeof(path), GOLDEN "%s.txt", c->golden);
        output_block(&out, &b);
        if (rewrite)
            write_golden(path, text_get(&out));
        assert_string_equal(text_get(&out), read_golden(path));
    }
}
