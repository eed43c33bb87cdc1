/* Overlap of communication and computing: all processes start at the same instant, begin the
 * operation, compute, and wait for its end. A repetition has three turns, each with such a start:
 * the operation alone, p; the same work alone, w; both, t. So a machine that becomes slower during
 * a row does not change the hidden part, p + w - t, and w is the work that was really done. */
#include "patterns/common_start.h"
#include "patterns/overlap.h"
#include "results/turns.h"

#include <unistd.h>

enum { TRIES = 30 }; /* of the operation alone, to find the work */

static const struct extra_info extra[MAX_EXTRA + 1] = {
    [PURE] = { "pure", "microsec.", "the operation without work: p" },
    [WORK] = { "work", "microsec.", "the work alone, of the process that computed longest: w" },
    [HIDDEN] = { "hidden", "microsec.", "work that took no additional time: p + w - t" },
    [OVERLAP] = { "overlap", "%",
                  "(p + w - t) / min(p, w); nothing without work. No share is stated (nan) if its "
                  "error is above 10, or unknown because repetitions are few" },
    [AVAILABILITY] = { "availability", "%", "1 - (t - w) / p" },
    [AS_OSU] = { "as_osu", "%",
                 "as OSU prints it: max(0, 1 - (t - w) / p) with p, w, t as means over the "
                 "processes, and t with five more readings of the clock, as in OSU's loop" },
    [AS_IMB] = { "as_imb", "%",
                 "as IMB prints it: (p + w - t) / max(p, w), from 0 to 1, with p, w, t of the "
                 "process whose t is longest, and t with one more reading of the clock" },
    [OFF] = { "off", NULL,
              "by how many percent the work of a process is wrong; above 5, the row is doubtful" },
};

/* Computing for a given time, as an application does while messages are under way. It reads no
 * clock and calls no MPI: a library that makes no progress by itself gets no help. Where computing
 * takes no time, on a simulated machine, sleeping is the work. */
struct work {
    double *memory;       /* owned; with WORK_MEMORY */
    size_t count;         /* of numbers in it, a multiple of a cache line */
    size_t at;            /* the next one */
    volatile double sink; /* the result, so that it is computed */
    double steps_per_s;
    bool sleeps; /* computing takes no time */
};

enum { LINE = 8, CALIBRATIONS = 5, MEMORY_BYTES = 4 << 20 };

static const double CALIBRATED_S = 2e-4, NO_TIME_S = 1e-5;
static const double MAX_STEPS = 1 << 18; /* take more than NO_TIME_S, if computing takes time */

/* Steps that need the result of the one before, and no memory. */
static void in_registers(struct work *w, long steps)
{
    double x = w->sink;
    for (long i = 0; i < steps; i++)
        x = x * 0.999999 + 1e-6;
    w->sink = x;
}

/* Steps of a cache line each, read and written. */
static void in_memory(struct work *w, long steps)
{
    for (long i = 0; i < steps; i++) {
        w->memory[w->at] += 1.0;
        w->at = w->at + LINE < w->count ? w->at + LINE : 0;
    }
}

static void step(struct work *w, double steps)
{
    (w->memory != NULL ? in_memory : in_registers)(w, (long)steps);
}

static double time_of(struct work *w, const struct clock *c, double steps)
{
    double start = c->now();
    step(w, steps);
    return c->now() - start - c->cost_s;
}

/* Measures how fast this process computes; in memory, of twice the second level of the cache. */
static void work_init(struct work *w, const struct clock *c, enum work_place place)
{
    *w = (struct work){ .sink = 1.0 };
    if (place == WORK_MEMORY) {
        long level2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
        size_t bytes = level2 > 0 ? 2 * (size_t)level2 : MEMORY_BYTES;
        w->count = bytes / sizeof(double) / LINE * LINE;
        allocated_array(&w->memory, w->count);
        in_memory(w, (long)(w->count / LINE));
    }
    double steps = 256, shortest_s = time_of(w, c, steps);
    while (shortest_s < CALIBRATED_S && steps < MAX_STEPS) {
        steps *= 2;
        shortest_s = time_of(w, c, steps);
    }
    for (int i = 0; i < CALIBRATIONS && shortest_s >= NO_TIME_S; i++) {
        double time_s = time_of(w, c, steps);
        shortest_s = time_s < shortest_s ? time_s : shortest_s;
    }
    w->sleeps = shortest_s < NO_TIME_S;
    w->steps_per_s = steps / shortest_s;
}

static void work_for(struct work *w, double seconds)
{
    if (w->sleeps)
        clock_sleep(seconds);
    else
        step(w, seconds * w->steps_per_s);
}

/* For one series. */
struct overlap {
    struct turns own;     /* of this process */
    struct turns slowest; /* of the process that took longest */
    struct work work;
    double work_s; /* wanted; 0: none */
    int tests;
    enum turn turn;
    bool computes; /* does the operation wait for requests on this process? */
    struct turns_rule rule;
};

static int compute(struct overlap *o, MPI_Request *requests, int count)
{
    int code = MPI_SUCCESS;
    for (int i = 0; i < o->tests; i++) {
        int done, tested = MPI_SUCCESS;
        work_for(&o->work, o->work_s / (o->tests + 1));
        if (count > 0)
            tested = MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE);
        code = code == MPI_SUCCESS ? tested : code;
    }
    work_for(&o->work, o->work_s / (o->tests + 1));
    return code;
}

int overlap_wait(struct measurement *m, MPI_Request *requests, int count)
{
    struct overlap *o = m->recorded;
    int code = MPI_SUCCESS, waited;
    if (o != NULL && o->turn == BOTH && o->work_s > 0.0)
        code = compute(o, requests, count);
    if (o != NULL)
        o->computes = true;
    if (count == 1)
        waited = MPI_Wait(requests, MPI_STATUS_IGNORE);
    else
        waited = MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    return code == MPI_SUCCESS ? waited : code;
}

/* Does the turn make the work alone, instead of the operation? */
static bool works(const struct measurement *m)
{
    struct overlap *o = m->recorded;
    if (o->turn == WORK_ALONE && o->computes && o->work_s > 0.0)
        compute(o, NULL, 0);
    return o->turn != WORK_ALONE;
}

static void before(struct measurement *m, int i, void *of)
{
    struct overlap *o = of;
    o->turn = (enum turn)(i % TURNS);
}

static double of_both(const double *us, int starts, void *of)
{
    return us[BOTH];
}

static void batch(struct measurement *m, const struct repetitions *b, void *of)
{
    struct overlap *o = of;
    for (int i = 0; i < b->n; i += TURNS) {
        if (!repetitions_valid(b, i))
            continue;
        turns_add(&o->own, b->own_us + i, o->work_s > 0.0, &o->rule);
        turns_add(&o->slowest, b->us + i, o->work_s > 0.0, &o->rule);
    }
}

/* The percentage by which the work of a process was too long or too short. */
static double off(struct measurement *m, const struct overlap *o)
{
    double wanted_us = o->work_s * 1e6, worst = 0.0;
    if (o->computes && o->work_s > 0.0)
        worst = fabs(turns_mean(&o->own, WORK_ALONE, &o->rule).value / wanted_us - 1.0);
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, m->control);
    return round(100.0 * worst);
}

/* Gives rank 0 the values; for the formula of IMB, those of the process whose t is longest. */
static void conclude_overlap(struct measurement *m, double overhead_us, void *of)
{
    struct overlap *o = of;
    m->extra[OFF].value = off(m, o);
    extreme_send_home(m, turns_mean(&o->own, BOTH, &o->rule).value, MPI_MAXLOC,
                      turns_as_imb(&o->own, &o->rule), 0.0, &m->extra[AS_IMB]);
    for (int i = 0; i < KEPT; i++) { /* the sum over the processes, on rank 0 in its own */
        double *us = o->own.of[i].list;
        MPI_Reduce(m->rank == 0 ? MPI_IN_PLACE : us, us, o->own.of[i].n, MPI_DOUBLE, MPI_SUM, 0,
                   m->control);
    }
    if (m->rank != 0)
        return;
    turns_conclude(&o->slowest, o->work_s > 0.0, &o->rule, m->extra);
    m->extra[AS_OSU] = turns_as_osu(&o->own, m->size, &o->rule);
}

/* Finds the same work for all processes: by a few repetitions without it, which are not kept. */
static void find_work(struct measurement *m, const struct op *op, const struct series *s,
                      struct overlap *o)
{
    struct series own = { 0 };
    struct err e = { "" };
    const struct recorder *kept = m->recorder;
    struct limits few = s->limits;
    few.max_repetition = few.max_repetition < TRIES ? few.max_repetition : TRIES;
    if (m->rank == 0 && series_init(&own, &few, &e) != 0)
        allocated(NULL); /* so few are not the user's choice */
    own.overhead_us = s->overhead_us;
    m->recorder = NULL;
    common_start_measure_as(m, op, &own, &(struct common_start){ .starts = 1 });
    m->recorder = kept;
    if (m->rank == 0 && own.n > 0)
        o->work_s = series_stats(&own).median_us * 1e-6 * m->at.work / 100.0;
    series_release(&own);
    control_bcast(&m->resources->clock, &o->work_s, 1, MPI_DOUBLE, m->control);
}

static void measure_overlap(struct measurement *m, const struct op *op, struct series *s)
{
    struct overlap *o = m->recorded;
    find_work(m, op, s, o);
    o->turn = BOTH;
    common_start_measure(m, op, s);
}

static void init(void *of, struct measurement *m, const struct op *op)
{
    struct overlap *o = of;
    o->tests = m->suite->options.tests;
    o->rule = (struct turns_rule){ .how = recorded_how(m),
                                   .tick_us = m->resources->clock.tick_s * 1e6,
                                   .cost_us = m->resources->clock.cost_s * 1e6 };
    work_init(&o->work, &m->resources->clock, m->suite->options.work_in);
}

static void release(void *of)
{
    free(((struct overlap *)of)->work.memory);
}

const struct pattern overlap_pattern = {
    PATTERN_INFO("overlap", "Overlap", "Overlap", 80,
                 .variations = VARIES_LENGTH | VARIES_NODES | VARIES_WORK,
                 .traits = PATTERN_TOPOLOGY | PATTERN_GLOBAL_CLOCK | PATTERN_OWN_TIMES,
                 .time = TIME_SLOWEST_WITH_WORK, .processes = "all", STARTS_BY_CLOCK,
                 .options = OPTIONS(OPTION_WORK, OPTION_TESTS, OPTION_WORK_IN, OPTION_COUNTS),
                 .extra = extra),
    .measure = measure_overlap,
    .common =
        &(const struct common_start){
            .starts = TURNS, .works = works, .value = of_both, .shared = true },
    RECORDER(struct overlap, 2 * KEPT, .init = init, .before = before, .batch = batch,
             .conclude = conclude_overlap, .release = release),
    .node_times = true,
};
