/* Files: all processes start a call at the same instant of the global clock, and the slowest one's
 * time is the repetition's, as for synchronised collectives. Each repetition is announced by
 * itself: the work after it may take far longer than the call, and a disk's times vary. */
#include "patterns/common_start.h"
#include "base/page_cache.h"
#include "context/file_place.h"
#include "results/fact.h"

enum { CACHED, PLACES };

static const double NOTICED_PERCENT = 1.0;

static const struct extra_info extra[MAX_EXTRA + 1] = {
    [CACHED] = { "cached", NULL,
                 "percent of the file in the page cache before a repetition, the most on any "
                 "host" },
    [PLACES] = { "places", NULL,
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

static void conclude(struct measurement *m, double overhead_us, void *of)
{
    m->extra[CACHED].value = ((const struct status *)of)->cached_percent;
    m->extra[PLACES].value = m->file.places;
}

static int status_of(const struct measurement *m, struct err *e)
{
    return err_is_set(&m->file.why) ? err_set(e, "%s", m->file.why.text) : 0;
}

int file_measure(struct measurement *m, const struct op *op, struct series *s, struct err *e)
{
    m->file = (struct file_status){ .places = m->file.places };
    pattern_prepare(m, op);
    int rc = measurement_agree(m, status_of(m, e), e);
    if (rc == 0)
        rc = pattern_of(m->suite)->measure(m, op, s, e);
    return measurement_agree(m, rc == 0 ? status_of(m, e) : rc, e);
}

void file_note(const struct measurement *m, struct text *out)
{
    const struct suite_options *x = &m->suite->options;
    const struct scratch_id *at = &m->resources->place->scratch.id;
    LOCAL_TEXT type = { 0 };
    page_cache_add_file_system(at->path, &type);
    fact_addf(out, FACT_SUITE_FILE, "on %s; page cache %s%s%s", text_get(&type),
              x->io_cache == IO_CACHE_KEPT ? "kept" : "dropped after each repetition",
              x->io_sync ? "; writes include MPI_File_sync" : "",
              x->io_walk > 0 ? "; each repetition at the next place" : "; always the same place");
    if (x->io_cache == IO_CACHE_DROPPED && m->suite->type->pattern == &io_pattern.info &&
        m->extra[CACHED].value > NOTICED_PERCENT)
        fact_addf(
            out, FACT_NOTE,
            "up to %.0f %% of the file stayed in the page cache, which %s did not drop: times "
            "are as with io_cache=kept",
            m->extra[CACHED].value, text_get(&type));
}

const struct pattern io_pattern = {
    PATTERN_INFO("io", "Input and Output", "Input and output", 90,
                 .variations = VARIES_LENGTH | VARIES_NODES,
                 .traits = PATTERN_GLOBAL_CLOCK | PATTERN_OWN_TIMES, .time = TIME_SLOWEST,
                 .rate = RATE_NONE, .processes = "all", STARTS_BY_CLOCK,
                 .options = OPTIONS(OPTION_IO_CACHE, OPTION_COUNTS), .extra = extra),
    COMMON_START(.alone = true, .stops = has_failed),
    RECORDER(struct status, 0, .batch = batch, .conclude = conclude),
    .node_times = node_times_send_home,
};
