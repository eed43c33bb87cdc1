/* All processes start at an agreed instant of the global clock, each times its own part, and the
 * longest time is the repetition's (manual 3.1.5). Repetitions follow each other in slots of equal
 * length. A repetition in which a process started late is dropped and repeated. One that exceeded
 * its slot spoils the next one and makes slots longer; it is valid itself, because all its
 * processes started in time, and dropping it would exclude slow ones. */
#include "patterns/common_start.h"

#include "model/permutation.h"
#include "stats/slots.h"

enum { LATE_COSTS = 10, BETWEEN_COSTS = 40, READS = 6 };

static const double SHARED_PAD_S = 10e-6; /* until another process yields the CPU */

/* A batch as rank 0 announces it. */
struct batch {
    double n;       /* slots; 0: the series has ended, or a look is due */
    double look;    /* 1: the global clock is checked now, before the next batch */
    double start_s; /* of the first slot, on the global clock */
    double slot_s;
    double late_s;    /* a start with a longer delay is late */
    double said_s;    /* when it is announced, on the global clock */
    double rewrite_s; /* data are rewritten this long before a slot; 0: never */
    double first;     /* the number of its first slot */
};

/* The common parameters of the batches of a series. */
struct course {
    struct slots slots;
    struct clock_watch watch;
    const struct common_start *how;
    double *values; /* room for the times of a batch */
};

static struct outcome outcome_at(double *values, int n)
{
    return (struct outcome){ values, values + n, values + 2 * n, n };
}

static int starts_of(const struct measurement *m, const struct common_start *w)
{
    if (w->starts == EACH_PROCESS_STARTS)
        return m->all.size;
    return w->starts > 0 ? w->starts : 1;
}

static bool is_counted(const struct measurement *m, const struct common_start *w, int i)
{
    if (w->counts != NULL)
        return w->counts(m, i, m->recorded);
    return !w->servers_only || pattern_serves(m);
}

/* Not run.calls: if both sides start together, an operation needs no calls of its own. */
static int calls_of(const struct measurement *m)
{
    return m->suite->options.loop;
}

/* Returns the time at the end of a call. Before a barrier, it is read only if it is wanted. */
static double call(struct measurement *m, const struct op *op, const struct common_start *w,
                   int calls)
{
    const struct clock *c = &m->resources->clock;
    if (w->works == NULL || w->works(m))
        pattern_calls(m, op, calls);
    if (!w->closing_barrier)
        return clock_read(c);
    bool before = suite_keeps_own_times(m->suite) && !is_counted(m, w, 0);
    double end = before ? clock_read(c) : 0.0;
    MPI_Barrier(m->all.comm);
    return before ? end : clock_read(c);
}

/* A call before the first batch: the times to rewrite the data, for the call, after it, and until
 * an announcement arrives; and its start and end on the global clock. Of all processes, it has the
 * longest times, minus the first start, and the last end. */
struct lead_in {
    double rewrite_s, call_s, finalize_s, announce_s, began_s, ended_s;
};

static struct lead_in lead_in(struct measurement *m, const struct op *op,
                              const struct common_start *w, int calls)
{
    double (*now)(void) = m->resources->clock.now;
    struct lead_in took = { .rewrite_s = 0.0 };
    double start = now();
    measurement_next_root(m);
    repetition_next(m, op, calls);
    if (m->rewrites)
        took.rewrite_s = now() - start;
    control_barrier(&m->resources->clock, m->control);
    algorithm_toggle(&m->algorithm);
    start = now();
    double end = call(m, op, w, calls);
    took.call_s = end - start;
    took.began_s = global_clock_to_global(&m->resources->global, start);
    took.ended_s = global_clock_to_global(&m->resources->global, end);
    if (pattern_finalize(m, op))
        took.finalize_s = now() - end;
    algorithm_toggle(&m->algorithm);
    return took;
}

/* A first estimate of the time until rank 0's announcements are here; each batch shows it again. */
static double announce_time(struct measurement *m)
{
    const struct resources *res = m->resources;
    control_barrier(&res->clock, m->control);
    double said_s = global_clock_to_global(&res->global, res->clock.now());
    control_bcast(&res->clock, &said_s, 1, MPI_DOUBLE, m->control);
    return global_clock_to_global(&res->global, res->clock.now()) - said_s;
}

/* The last of the calls before the first batch, but the time of the first one. They also warm the
 * caches and open the connections; the first is reported separately. Rank 0 gets the longest time:
 * a process that leaves the barrier late may find its message there, too fast for a slot. */
static struct lead_in last_lead_in(struct measurement *m, const struct op *op,
                                   const struct common_start *w)
{
    const double first_s = lead_in(m, op, w, 1).call_s;
    struct lead_in t = lead_in(m, op, w, calls_of(m));
    for (int i = 1; i < m->warmup; i++)
        t = lead_in(m, op, w, calls_of(m));
    t.call_s = first_s;
    t.began_s = -t.began_s;
    t.announce_s = announce_time(m);
    control_reduce(&m->resources->clock, &t, sizeof(t) / sizeof(double), MPI_DOUBLE, MPI_MAX,
                   m->control);
    return t;
}

/* A first estimate, for rank 0. */
static struct slots first_slots(struct measurement *m, const struct op *op, struct series *s,
                                const struct common_start *w)
{
    const struct clock *c = &m->resources->clock;
    struct lead_in t = last_lead_in(m, op, w);
    struct slots slots = { .pad_s = READS * c->noise_s + (c->yield ? SHARED_PAD_S : 0.0),
                           .announce_s = t.announce_s,
                           .rewrite_s = t.rewrite_s,
                           .between_s = t.finalize_s + BETWEEN_COSTS * c->cost_s,
                           .least_s = w->least_s,
                           .alone = w->alone,
                           .varies = starts_of(m, w) > 1 || m->suite->options.root != ROOT_RANK,
                           .accuracy = m->suite->standard_error,
                           .reading_s = LATE_COSTS * c->cost_s + c->tick_s,
                           .lead_stretch = 1.0,
                           .slot_stretch = 1.0,
                           .batch_split = 1,
                           .each = starts_of(m, w) };
    pattern_first_call(m, s, t.call_s);
    slots_first_try(&slots, t.began_s + t.ended_s);
    series_touch(s, slots.typical_s / calls_of(m));
    return slots;
}

static void choose(struct batch *b, const struct measurement *m, struct series *s,
                   const struct course *t)
{
    const struct slots *slots = &t->slots;
    double now_s = m->resources->clock.now();
    int n = 0;
    if (!watch_gives_up(&t->watch) && (t->how->stops == NULL || !t->how->stops(m->recorded)))
        n = slots_batch(slots, s, now_s, b->slot_s);
    b->look = watch_wants_look(&t->watch, m, s, slots_allowed_s(slots), n) ? 1.0 : 0.0;
    b->n = b->look > 0.0 ? 0 : n * slots->each;
    b->first = slots->begun;
}

/* By the key arrival: the delay of this process after the agreed instant, and of the last one. */
struct arrival {
    double own_s, last_s;
};

/* The delays in a repetition. All processes give the same number. */
static struct arrival arrival_of(const struct measurement *m, long repetition)
{
    const struct suite_options *x = &m->suite->options;
    const long *us = m->suite->named[FILE_ARRIVALS].list; /* with ARRIVE_FILE */
    double late_s = (double)x->arrival_us * 1e-6, last_s = 0.0;
    int last = m->size - 1, rank = m->rank;
    if (x->arrival == ARRIVE_TOGETHER || last < 1)
        return (struct arrival){ 0.0, 0.0 };
    for (int i = 0; x->arrival == ARRIVE_FILE && i < m->size; i++)
        last_s = fmax(last_s, (double)us[i] * 1e-6);
    if (x->arrival == ARRIVE_FILE)
        return (struct arrival){ (double)us[rank] * 1e-6, last_s };
    if (x->arrival == ARRIVE_RANDOM)
        rank = permuted(rank, m->size, permutation_key(0, (uint64_t)repetition), false);
    double part = x->arrival == ARRIVE_LAST ? (double)(rank == last) : (double)rank / last;
    return (struct arrival){ part * late_s, late_s };
}

static struct batch announce(struct measurement *m, struct series *s, struct course *t)
{
    const struct resources *res = m->resources;
    struct slots *slots = &t->slots;
    struct batch b = { 0 };
    if (m->all.rank == 0) {
        b.rewrite_s = slots_rewrite_s(slots);
        b.slot_s = slots_length_s(slots) + b.rewrite_s + arrival_of(m, 0).last_s;
        choose(&b, m, s, t);
        slots->begun += b.n;
        b.said_s = global_clock_to_global(&res->global, res->clock.now());
        b.start_s = b.said_s + slots_lead_s(slots);
        b.late_s = slots_late_s(slots, res->clock.yield);
    }
    control_bcast(&res->clock, &b, sizeof(b) / sizeof(double), MPI_DOUBLE, m->control);
    return b;
}

/* Rewrites data once all have finished the repetition before: they share memory. No waiting. */
static void prepare(struct measurement *m, const struct op *op, const struct batch *b, double slot,
                    double *rewrite_s)
{
    const struct clock *c = &m->resources->clock;
    double start = b->rewrite_s > 0.0 ? clock_wait_until(c, slot - b->rewrite_s) : 0.0;
    measurement_next_root(m);
    repetition_next(m, op, calls_of(m));
    if (b->rewrite_s > 0.0) {
        double took_s = c->now() - start;
        m->resources->shares.waiting_s -= took_s;
        *rewrite_s = fmin(*rewrite_s, took_s);
    }
}

/* A process's time starts at its own start, or later, when the last one starts. If they wait for a
 * CPU, it starts at the agreed instant: a late one finds others' part done and would seem fast. */
static void perform(struct measurement *m, const struct op *op, const struct batch *b,
                    const struct common_start *w, struct outcome own)
{
    const struct clock *c = &m->resources->clock;
    /* The rate of rank 0's clock by this one. A drift seen for a short time may be wrong by some
     * parts in a million, and would change from batch to batch; one that small does not matter. */
    const double drift = m->resources->global.to_root.drift;
    const double rate = 1.0 + (fabs(drift) < 1e-4 ? 0.0 : drift);
    double idle_since = c->now(), *waiting_s = &m->resources->shares.waiting_s;
    double *exit_s = &own.needs[NEED_EXIT], *between_s = &own.needs[NEED_BETWEEN];
    algorithm_toggle(&m->algorithm);
    for (int i = 0; i < (int)b->n; i++) {
        double slot = b->start_s + i * b->slot_s;
        const struct arrival arrival = arrival_of(m, (long)b->first + i);
        prepare(m, op, b, slot, &own.needs[NEED_REWRITE]);
        recorder_before(m, i);
        bool overran = i > 0 && !c->yield && idle_since > slot; /* messages were under way */
        double start = clock_wait_until(c, slot + arrival.own_s) - arrival.own_s;
        double end = call(m, op, w, calls_of(m)) - arrival.last_s;
        *exit_s = fmin(*exit_s, end - slot);
        pattern_finalize(m, op);
        recorder_hold(m, i);
        double time = end - (c->yield ? slot : start) - recorder_readings_s(m);
        own.times_us[i] = fmax(0.0, time) * rate / calls_of(m) * 1e6;
        own.late[i] = overran || start - slot > b->late_s;
        *waiting_s += start + arrival.own_s - idle_since;
        idle_since = end + arrival.last_s;
        *between_s = fmin(*between_s, c->now() - idle_since);
    }
    algorithm_toggle(&m->algorithm);
    /* The next message must not delay processes that are still in the last repetition. */
    clock_wait_until(c, b->start_s + b->n * b->slot_s);
}

/* The number of starts of valid repetitions. */
static int take(struct measurement *m, struct series *s, const struct repetitions *b,
                const struct common_start *w)
{
    int valid = 0, calls = calls_of(m);
    for (int i = 0; i < b->n; i += b->starts) {
        const double *of = &b->us[i];
        if (!repetitions_valid(b, i)) {
            s->invalid++;
            continue;
        }
        double us = w->value == NULL ? *of : w->value(of, b->starts, m->recorded);
        valid += series_add_calls(s, us * 1e-6 * calls, calls);
    }
    return valid * b->starts;
}

/* If the times of each process are wanted, every one learns which repetitions were valid. */
static void keep_own(struct series *s, const struct repetitions *all, const double *own_late)
{
    for (int i = 0; i < all->n; i += all->starts) {
        bool valid = repetitions_valid(all, i);
        struct repetitions own = *all;
        own.late = own_late;
        if (valid)
            values_add(&s->own, all->own_us[i + all->starts - 1]);
        s->own_late += !repetitions_valid(&own, i);
    }
}

/* Combines the times: rank 0 gets the longest of all. */
static void combine(struct measurement *m, struct series *s, struct outcome own, struct outcome all,
                    struct repetitions *b, const struct common_start *w)
{
    const struct clock *c = &m->resources->clock;
    int n = b->n, count = 2 * n + NEEDS_COUNT;
    for (int i = 0; i < n; i++)
        all.times_us[i] = is_counted(m, w, i) ? own.times_us[i] : 0.0;
    memcpy(all.late, own.late, (size_t)(n + NEEDS_COUNT) * sizeof(double));
    b->own_us = own.times_us;
    b->us = all.times_us;
    b->late = all.late;
    if (w->shared || suite_keeps_own_times(m->suite)) {
        control_allreduce(c, all.times_us, count, MPI_DOUBLE, MPI_MAX, m->control);
        keep_own(s, b, own.late);
    } else {
        control_reduce(c, all.times_us, count, MPI_DOUBLE, MPI_MAX, m->control);
    }
}

/* Converts start times, announced on the global clock, to the process's own. In a batch of 2 ms, a
 * drift of 100 ppm changes a time by 0.2 us. */
static struct batch to_local(const struct measurement *m, struct batch b)
{
    const struct global_clock *g = &m->resources->global;
    double start_s = global_clock_to_local(g, b.start_s);
    if (b.n > 0.0)
        b.slot_s = (global_clock_to_local(g, b.start_s + b.n * b.slot_s) - start_s) / b.n;
    b.start_s = start_s;
    b.said_s = global_clock_to_local(g, b.said_s);
    return b;
}

/* Looks at the clock, and cuts what each process stores to the length of the series. */
static void look(struct measurement *m, struct series *s, struct course *t)
{
    int kept;
    watch_look(&t->watch, m, s, slots_allowed_s(&t->slots));
    kept = s->added + s->n;
    control_bcast(&m->resources->clock, &kept, 1, MPI_INT, m->control);
    values_keep(&s->own, 0, kept);
    recorder_keep(m, 0, kept);
}

static void measure_batch(struct measurement *m, const struct op *op, struct series *s,
                          const struct batch *b, struct course *t)
{
    int n = (int)b->n;
    struct repetitions done = { .n = n, .starts = t->slots.each };
    struct outcome own = outcome_at(t->values, n);
    struct outcome all = outcome_at(t->values + 2 * n + NEEDS_COUNT, n);
    /* The announcement has arrived: its instant has passed on every process. */
    own.needs[NEED_ANNOUNCE] = m->resources->clock.now() - b->said_s;
    own.needs[NEED_REWRITE] = own.needs[NEED_BETWEEN] = own.needs[NEED_EXIT] = INFINITY;
    perform(m, op, b, t->how, own);
    combine(m, s, own, all, &done, t->how);
    int valid = m->all.rank == 0 ? take(m, s, &done, t->how) : 0;
    recorder_batch(m, &done);
    if (m->all.rank == 0)
        slots_adapt(&t->slots, &all, valid, calls_of(m));
}

void common_start_measure_as(struct measurement *m, const struct op *op, struct series *s,
                             const struct common_start *w)
{
    size_t starts = (size_t)slots_most(starts_of(m, w)) * (size_t)starts_of(m, w);
    struct course t = { .how = w };
    allocated_array(&t.values, 2 * (2 * starts + NEEDS_COUNT));
    t.slots = first_slots(m, op, s, w);
    measurement_first_root(m);
    t.watch = watch_start(m);
    for (;;) {
        struct batch b = to_local(m, announce(m, s, &t));
        if (b.look > 0.0)
            look(m, s, &t);
        else if (b.n > 0.0)
            measure_batch(m, op, s, &b, &t);
        else
            break;
    }
    watch_end(&t.watch, m, s);
    free(t.values);
}

void common_start_measure(struct measurement *m, const struct op *op, struct series *s)
{
    common_start_measure_as(m, op, s, m->pattern->common);
}
