/* Overlap of communication and computing: all processes start at the same instant, begin the
 * operation, compute for a time w, and wait for its end. First the operation is measured without
 * work; w is a percentage of that time, the same on all processes. */
#include "patterns/overlap.h"

#include "patterns/op.h"
#include "patterns/send_home.h"
#include "patterns/common_start.h"
#include "patterns/work.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { PURE, WORK, HIDDEN, OVERLAP, AVAILABILITY, AS_OSU, AS_IMB, OFF };

static const struct extra_info extra[] = {
    [PURE] = { "pure", "microsec.", "the operation without work: p" },
    [WORK] = { "work", "microsec.", "work of the process that computed longest: w" },
    [HIDDEN] = { "hidden", "microsec.", "work that took no additional time: p + w - t" },
    [OVERLAP] = { "overlap", "%", "(p + w - t) / min(p, w); nothing without work" },
    [AVAILABILITY] = { "availability", "%", "1 - (t - w) / p" },
    [AS_OSU] = { "as_osu", "%", "by the formula of OSU: max(0, 1 - (t - w) / p)" },
    [AS_IMB] = { "as_imb", "%", "by that of IMB: (p + w - t) / max(p, w), from 0 to 1" },
    [OFF] = { "off", NULL,
              "by how many percent the work of a process is wrong; above 5, the row is doubtful" },
    { NULL, NULL, NULL },
};

/* For one series. */
struct overlap {
    struct work work;
    double work_s; /* wanted; 0: none */
    int tests;
    int at;                             /* repetition of the batch */
    double done_s[2 * MAX_BATCH];       /* work in each; then negative */
    struct own_times longest, shortest; /* rank 0; over the processes */
};

static double clock_cost(const struct run *r)
{
    return r->machine->clock.cost_s;
}

/* Two readings of the clock take at least as long as one of them costs, which no call is charged
 * with. Returns how long the tests took, with all readings. */
static double compute(struct run *r, struct overlap *o, MPI_Request *requests, int count)
{
    double (*now)(void) = r->machine->clock.now;
    double tests_s = 0.0;
    for (int i = 0; i < o->tests; i++) {
        int done;
        work_for(&o->work, o->work_s / (o->tests + 1));
        double start = now();
        MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE);
        tests_s += now() - start + clock_cost(r);
    }
    work_for(&o->work, o->work_s / (o->tests + 1));
    return tests_s;
}

void overlap_wait(struct run *r, MPI_Request *requests, int count)
{
    struct overlap *o = r->overlap;
    if (o != NULL && o->work_s > 0.0) {
        double (*now)(void) = r->machine->clock.now;
        double start = now(), tests_s = compute(r, o, requests, count);
        o->done_s[o->at] = now() - start - tests_s - clock_cost(r);
    }
    if (count == 1)
        MPI_Wait(requests, MPI_STATUS_IGNORE);
    else
        MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

static double readings_s(const struct run *r, const struct overlap *o)
{
    return o->work_s > 0.0 ? (2 + 2 * o->tests) * clock_cost(r) : 0.0;
}

/* A process that does not compute has neither the longest nor the shortest work. */
static void prepare(struct run *r, int i, void *context)
{
    struct overlap *o = context;
    (void)r;
    o->at = i;
    o->done_s[i] = NAN;
}

static void take_batch(struct run *r, const double *own_us, const double *late, int n,
                       void *context)
{
    struct overlap *o = context;
    (void)own_us;
    for (int i = 0; i < n; i++) {
        bool worked = !isnan(o->done_s[i]);
        o->done_s[n + i] = worked ? -o->done_s[i] : -DBL_MAX;
        o->done_s[i] = worked ? o->done_s[i] : -DBL_MAX;
    }
    MPI_Reduce(r->rank == 0 ? MPI_IN_PLACE : o->done_s, o->done_s, 2 * n, MPI_DOUBLE, MPI_MAX, 0,
               r->control);
    for (int i = 0; i < n && late != NULL; i++)
        if (late[i] <= 0.0) {
            own_times_add(&o->longest, o->done_s[i]);
            own_times_add(&o->shortest, -o->done_s[n + i]);
        }
}

static void cut(int kept, void *context)
{
    struct overlap *o = context;
    own_times_cut(&o->longest, kept);
    own_times_cut(&o->shortest, kept);
}

static struct summary summary_of(const struct run *r, struct own_times *times)
{
    struct summing how = { r->suite->cut_quantile, r->suite->options.error, 0.0 };
    return stats_of(times->us, times->n, how).cleaned;
}

static struct extra_value in_percent(double part, double error)
{
    return (struct extra_value){ 100.0 * part, 100.0 * error };
}

/* By how many percent the work was too long or too short. */
static double off(const struct run *r, struct overlap *o, double longest_us)
{
    double wanted_us = o->work_s * 1e6, shortest_us = summary_of(r, &o->shortest).mean_us;
    return round(100.0 * fmax(longest_us - wanted_us, wanted_us - shortest_us) / wanted_us);
}

/* t is total, p is pure, w is work; the formulas are in the table. */
static void conclude(struct run *r, struct overlap *o, const struct summary *pure,
                     const struct summary *total)
{
    struct summary work = { 0, 0.0, 0.0 };
    if (o->work_s > 0.0)
        work = summary_of(r, &o->longest);
    double t = total->mean_us, p = pure->mean_us, w = work.mean_us;
    double without = hypot(total->error_us, work.error_us);
    double all = hypot(without, pure->error_us);
    double share = (t - w) / p, share_error = hypot(without, share * pure->error_us) / p;
    r->extra[PURE] = (struct extra_value){ p, pure->error_us };
    r->extra[WORK] = (struct extra_value){ w, work.error_us };
    r->extra[HIDDEN] = (struct extra_value){ p + w - t, all };
    r->extra[OVERLAP] = w > 0.0 ? in_percent((p + w - t) / fmin(p, w), all / fmin(p, w))
                                : (struct extra_value){ NAN, NAN };
    r->extra[AVAILABILITY] = in_percent(1.0 - share, share_error);
    r->extra[AS_OSU] = extra_cut_off(in_percent(1.0 - share, share_error), INFINITY);
    r->extra[AS_IMB] = extra_cut_off(in_percent((p + w - t) / fmax(p, w), all / fmax(p, w)), 100.0);
    r->extra[OFF].value = o->work_s > 0.0 ? off(r, o, w) : 0.0;
}

/* The same repetitions without work. */
static int measure_pure(struct run *r, const struct op *op, const struct series *s,
                        struct summary *pure, struct err *e)
{
    struct series own = { .overhead_us = s->overhead_us };
    struct common_start start = { .batch = NULL };
    int rc = r->rank == 0 ? series_init(&own, &s->limits, e) : 0;
    own.overhead_us = s->overhead_us;
    rc = ranks_agree(r->control, rc, e);
    if (rc == 0)
        rc = common_start_measure(r, op, &own, &start, e);
    if (rc == 0 && r->rank == 0)
        *pure = series_stats(&own).cleaned;
    series_release(&own);
    own_times_clear(&r->own_times);
    return rc;
}

static int measure_both(struct run *r, const struct op *op, struct series *s, struct overlap *o,
                        struct err *e)
{
    struct summary pure = { 0, 0.0, 0.0 };
    if (measure_pure(r, op, s, &pure, e) != 0)
        return -1;
    o->work_s = isfinite(pure.mean_us) ? pure.mean_us * 1e-6 * r->work / 100.0 : 0.0;
    MPI_Bcast(&o->work_s, 1, MPI_DOUBLE, 0, r->control);
    struct common_start start = { .prepare = prepare,
                                  .batch = o->work_s > 0.0 ? take_batch : NULL,
                                  .cut = cut,
                                  .readings_s = readings_s(r, o),
                                  .context = o };
    int rc = common_start_measure(r, op, s, &start, e);
    if (rc == 0 && r->rank == 0) {
        struct summary total = series_stats(s).cleaned;
        conclude(r, o, &pure, &total);
    }
    return rc;
}

static int overlap_init(struct overlap *o, const struct run *r, struct err *e)
{
    const struct suite *s = r->suite;
    *o = (struct overlap){ .tests = s->options.tests };
    if (own_times_init(&o->longest, s->max_repetition, e) != 0 ||
        own_times_init(&o->shortest, s->max_repetition, e) != 0)
        return -1;
    return work_init(&o->work, &r->machine->clock, s->options.work_in, e);
}

static void overlap_release(struct overlap *o)
{
    own_times_release(&o->longest);
    own_times_release(&o->shortest);
    work_release(&o->work);
    free(o);
}

static int measure(struct run *r, const struct op *op, struct series *s, struct err *e)
{
    struct overlap *o = calloc(1, sizeof(*o));
    int rc = o == NULL ? err_no_memory(e, sizeof(*o)) : overlap_init(o, r, e);
    rc = ranks_agree(r->control, rc, e);
    r->overlap = o;
    if (rc == 0)
        rc = measure_both(r, op, s, o, e);
    r->overlap = NULL;
    if (o != NULL)
        overlap_release(o);
    return rc;
}

const struct pattern overlap_pattern = {
    .info = { .prefix = "overlap",
              .title = "Overlap",
              .section = "Overlap",
              .place = 80,
              .variations = VARIES_LENGTH | VARIES_NODES | VARIES_WORK,
              .traits = PATTERN_TOPOLOGY | PATTERN_GLOBAL_CLOCK | PATTERN_OWN_TIMES,
              .time = TIME_SLOWEST_WITH_WORK,
              .start = START_CLOCK,
              .first_call_on = "the slowest process",
              .options = OPTIONS(OPTION_WORK, OPTION_TESTS, OPTION_WORK_IN),
              .extra = extra },
    .measure = measure,
    .can_measure = pattern_has_server_op,
    .takes_part = pattern_all_take_part,
    .serves = pattern_root_serves,
    .agree = pattern_all_agree,
    .node_times = node_times_send_home,
};
