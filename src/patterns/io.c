/* Files: all processes start a call at the same instant of the global clock, and the slowest one's
 * time is the repetition's, as for synchronised collectives. Each repetition is announced by
 * itself: the work after it may take far longer than the call, and a disk's times vary. */
#include "patterns/common_start.h"
#include "patterns/op.h"

static const struct extra_info extra[MAX_EXTRA + 1] = {
    [IO_CACHED] = { "cached", NULL,
                    "percent of the file in the page cache before a repetition, the most on any "
                    "host" },
    [IO_PLACES] = { "places", NULL,
                    "places in the file that the repetitions access in turn; 1: always the same" },
};

/* The state on all processes: whether a call failed, and the part of the file in a cache. */
struct status {
    double failed, cached_percent;
};

static void batch(struct measurement *m, const struct repetitions *b, void *of)
{
    struct status own = { err_is_set(&m->file.why), m->file.cached_percent };
    MPI_Reduce(&own, of, 2, MPI_DOUBLE, MPI_MAX, 0, m->control);
}

static bool has_failed(const void *of)
{
    return ((const struct status *)of)->failed > 0.0;
}

static void conclude_file(struct measurement *m, double overhead_us, void *of)
{
    m->extra[IO_CACHED].value = ((const struct status *)of)->cached_percent;
    m->extra[IO_PLACES].value = m->file.places;
}

const struct pattern io_pattern = {
    PATTERN_INFO("io", "Input and Output", "Input and output", 90,
                 .variations = VARIES_LENGTH | VARIES_NODES,
                 .traits = PATTERN_GLOBAL_CLOCK | PATTERN_OWN_TIMES, .time = TIME_SLOWEST,
                 .rate = RATE_NONE, .processes = "all", STARTS_BY_CLOCK,
                 .options = OPTIONS(OPTION_IO_CACHE, OPTION_COUNTS), .extra = extra),
    COMMON_START(.alone = true, .stops = has_failed),
    RECORDER(struct status, 0, .batch = batch, .conclude = conclude_file),
    .node_times = true,
};
