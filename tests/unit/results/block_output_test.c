#include "../test.h"
#include "../fake_patterns.h"
#include "../text_files.h"

#include "results/block.h"

#include "results/format.h"
#include "model/parameters.h"

/* The tests run at the top of the tree. With GOLDEN=write they rewrite the file. */
#define GOLDEN "tests/unit/results/blocks.txt"

static const struct field_case {
    const char *value, *expected;
} field_cases[] = {
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
    EACH(c, field_cases) {
        LOCAL_TEXT out = { 0 };
        format_field(&out, "X", c->value);
        assert_string_equal(text_get(&out), c->expected);
    }
}

TEST(test_trailer)
{
    LOCAL_TEXT out = { 0 };
    format_trailer(&out, false);
    assert_string_equal(text_get(&out), "#skampi finished.\n");
}

static const struct params params = { .memory_kib = 4096, .version = 4.1 };

#define LENGTHS .traits = TYPE_HAS_LENGTH
static const struct type_info send_recv = { .number = 1, .pattern = &fake_p2p, LENGTHS };
static const struct type_info sendrecv = {
    .number = 8, .time = TIME_EXCHANGE, .pattern = &fake_p2p, LENGTHS
};
static const struct type_info waitsome = { .number = 10, .pattern = &fake_mw, LENGTHS };
static const struct type_info bcast = { .number = 17, .pattern = &fake_col, LENGTHS };
static const struct type_info bcast_sm = { .number = 47, .pattern = &fake_syncol, LENGTHS };
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

static const struct block_case {
    const char *title, *name;
    const struct type_info *type;
    enum variation variation;
    enum scale scale;
    struct row *rows;
    size_t count;
    long first, last, quantum;
    char *notes;
    int default_chunks;
    double time_suite_minutes;
    bool node_times, together;
} block_cases[] = {
    { "p2p-length", "MPI_Send-MPI_Recv", &send_recv, VARY_LENGTH, SCALE_DYNAMIC_LOG, plain_rows, 2,
      0, 4194304, .quantum = 4, .notes = partner },
    { "p2p-nodes", "MPI_Send-MPI_Recv-nodes", &send_recv, VARY_NODES, SCALE_FIXED_LINEAR,
      plain_rows, 1, 2, 64, .quantum = 1 },
    { "p2p-exchange", "MPI_Sendrecv", &sendrecv, VARY_LENGTH, SCALE_FIXED_LOG, plain_rows, 1, 0, 64,
      .quantum = 4, .notes = partner },
    { "mw-length", "MPI_Waitsome-length", &waitsome, VARY_LENGTH, SCALE_FIXED_LOG, plain_rows, 2, 0,
      65536, .quantum = 4, .default_chunks = 80 },
    { "mw-nodes", "MPI_Waitsome-nodes", &waitsome, VARY_NODES, SCALE_DYNAMIC_LINEAR, plain_rows, 2,
      2, 64, .quantum = 1, .time_suite_minutes = 1.5 },
    { "mw-chunks", "MPI_Waitsome-chunks", &waitsome, VARY_CHUNKS, SCALE_FIXED_LINEAR, plain_rows, 2,
      1, 1024, .quantum = 1 },
    { "col-nodes", "MPI_Bcast-nodes-short", &bcast, VARY_NODES, SCALE_FIXED_LINEAR, plain_rows, 2,
      2, 64, .quantum = 1 },
    { "col-together", "MPI_Bcast-nodes-short", &bcast, VARY_NODES, SCALE_FIXED_LINEAR, plain_rows,
      2, 2, 64, .quantum = 1, .together = true },
    { "col-node-times", "MPI_Bcast-nodes", &bcast, VARY_NODES, SCALE_FIXED_LINEAR, node_rows, 2, 2,
      3, .quantum = 1, .node_times = true },
    { "syncol-length", "MPI_Bcast-length-SM", &bcast_sm, VARY_LENGTH, SCALE_DYNAMIC_LINEAR,
      lost_rows, 2, 0, 4, .quantum = 4 },
    { "syncol-barrier", "MPI_Barrier-SM", &barrier_sm, VARY_NODES, SCALE_FIXED_LINEAR, NULL, 0, 2,
      64, .quantum = 1 },
    { "extra-values", "pairs", &pairs, VARY_LENGTH, SCALE_FIXED_LOG, extra_rows, 2, 0, 4,
      .quantum = 4 },
    { "simple", "MPI_Wtime", &wtime, VARY_NONE, SCALE_FIXED_LINEAR, plain_rows, 1, 0, 0,
      .quantum = 1 },
    { "internal", "timer", &timer, VARY_NONE, SCALE_FIXED_LINEAR, plain_rows, 2, 0, 1,
      .quantum = 1 },
};

static struct suite suite_of(const struct block_case *c)
{
    return (struct suite){ .name = (char *)c->name,
                           .type = c->type,
                           .variation = c->variation,
                           .scale = c->scale,
                           .node_times = c->node_times,
                           .options.enter = c->together ? ENTER_TOGETHER : ENTER_BARRIER,
                           .default_chunks = c->default_chunks,
                           .time_suite_minutes = c->time_suite_minutes,
                           .send_datatype = 5,
                           .receive_datatype = 5,
                           .send_basetype = 1,
                           .receive_basetype = 1,
                           .multiple_of = 1,
                           .default_length_bytes = 256,
                           .stepwidth = 1,
                           .standard_error = 0.03,
                           .cut_quantile = 0.25 };
}

/* Adds the number of lines of a block, and those that the block before lacks. */
static void add_new_lines(struct text *out, const char *block, const char *before)
{
    LOCAL_TEXT lines = { 0 };
    int count = 0;
    for (const char *end; *block != '\0'; block = end, count++) {
        char line[1024];
        end = strchr(block, '\n') + 1;
        snprintf(line, sizeof(line), "\n%.*s", (int)(end - block), block);
        if (strstr(before, line) == NULL)
            text_add(&lines, "%s", line + 1);
    }
    text_add(out, "%d lines\n%s", count, text_get(&lines));
}

TEST(test_blocks)
{
    const char *wish = getenv("GOLDEN");
    LOCAL_TEXT all = { 0 }, before = { 0 };
    EACH(c, block_cases) {
        const struct suite suite = suite_of(c);
        double first_us = c->type->pattern == &fake_internal ? -1.0 : 1234.0625;
        struct block b = { .params = &params,
                           .suite = &suite,
                           .range = { c->first, c->last, c->quantum },
                           .processes = 64,
                           .time_minutes = 0.3125,
                           .first_call_us = first_us,
                           .first_argument = 4,
                           .notes.s = c->notes,
                           .rows = c->rows,
                           .count = c->count };
        LOCAL_TEXT out = { 0 };
        output_block(&out, &b);
        text_add(&all, "== %s: ", c->title);
        add_new_lines(&all, text_get(&out), text_get(&before));
        before.len = 0;
        text_add(&before, "\n%s", text_get(&out));
    }
    if (wish != NULL && strcmp(wish, "write") == 0)
        write_text(GOLDEN, text_get(&all));
    check_text(GOLDEN, text_get(&all));
}
