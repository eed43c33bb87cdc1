#include "patterns/slots.h"

#include "model/permutation.h"

enum { MAX_LEAD_STRETCH = 64, OLDER_COUNT = 4, CALM = 16 };
enum { MAX_STRETCH = 4, MIN_BATCH = 10, MAX_SPLIT = 16 };

static const double BATCH_S = 2e-3;
static const double FAR_OFF = 4.0;

double slots_late_s(const struct slots *s, bool shared)
{
    double tolerated = s->accuracy * s->typical_s;
    if (shared)
        return s->typical_s + s->pad_s;
    return tolerated > s->reading_s ? tolerated : s->reading_s;
}

int slots_most(int each)
{
    return each < MAX_BATCH ? MAX_BATCH / each : 1;
}

int slots_in_time(const struct slots *s, int n, double slot_s)
{
    double most = BATCH_S / (slot_s * s->each), bound = slots_most(s->each);
    most = fmax(most, fmax(MIN_BATCH / s->batch_split, 1.0));
    most = most > bound ? bound : most;
    return n < most ? n : (int)most;
}

double slots_allowed_s(const struct slots *s)
{
    return s->accuracy * s->typical_s / 4.0;
}

double slots_length_s(const struct slots *s)
{
    if (s->how->alone)
        return s->pad_s;
    double start_s = fmax(s->typical_s, s->how->least_s);
    return s->slot_stretch * (2.0 * start_s + s->pad_s + s->finalize_s);
}

static int stretched(int stretch, bool more, int most)
{
    if (more)
        return stretch < most ? 2 * stretch : stretch;
    return stretch > 1 ? stretch / 2 : 1;
}

/* One repetition says less than the best of many: a mean in which older ones count ever less. */
static double typical(const struct slots *s, double measured_s)
{
    if (!s->measured)
        return measured_s;
    if (s->how->alone)
        return s->typical_s + (measured_s - s->typical_s) / OLDER_COUNT;
    return measured_s < s->typical_s ? measured_s : s->typical_s;
}

/* The first start after an announcement. While control messages sleep, because other programs have
 * the CPUs, an announcement takes many times as long as at first. If the room became smaller after
 * each short batch that was in time, every second one would be late. */
static void adapt_lead(struct slots *s, bool late, int n)
{
    s->in_time = late ? 0 : s->in_time + n;
    if (late || s->in_time >= CALM) {
        s->lead_stretch = stretched(s->lead_stretch, late, MAX_LEAD_STRETCH);
        s->in_time = 0;
    }
}

/* They are from a few tries at the start. The delays of a quiet machine change nothing. */
static void shrink(double *estimate_s, double needed_s)
{
    *estimate_s = fmin(*estimate_s, FAR_OFF * needed_s);
}

/* Until all processes are done. Only repetitions that all started in time show it. */
static double needed_s(const struct outcome *b, int calls)
{
    int in_time = 0;
    for (int i = 0; i < b->n; i++)
        if (b->late[i] <= 0.0)
            b->times_us[in_time++] = b->times_us[i];
    double p75_us = stats_of(b->times_us, in_time, (struct summing){ 0 }).p75_us;
    return in_time > 0 ? fmax(p75_us * 1e-6 * calls, b->needs[NEED_EXIT]) : b->needs[NEED_EXIT];
}

void slots_adapt(struct slots *slots, const struct outcome *b, int valid, int calls)
{
    bool late = b->late[0] > 0.0, few = 4 * valid < 3 * b->n;
    adapt_lead(slots, late, b->n);
    if (!few || !late)
        slots->slot_stretch = stretched(slots->slot_stretch, few, MAX_STRETCH);
    slots->batch_split = stretched(slots->batch_split, few, MAX_SPLIT);
    shrink(&slots->announce_s, b->needs[NEED_ANNOUNCE]);
    shrink(&slots->rewrite_s, b->needs[NEED_REWRITE]);
    shrink(&slots->finalize_s, b->needs[NEED_FINALIZE]);
    slots->typical_s = typical(slots, needed_s(b, calls));
    slots->measured = true;
}

static struct arrival from_file(const struct run *r)
{
    const long *us = r->suite->named[FILE_ARRIVALS].list;
    long last_us = 0;
    for (int i = 0; i < r->size; i++)
        last_us = us[i] > last_us ? us[i] : last_us;
    return (struct arrival){ (double)us[r->rank] * 1e-6, (double)last_us * 1e-6 };
}

struct arrival arrival_of(const struct run *r, long repetition)
{
    const struct suite_options *x = &r->suite->options;
    const double late_s = (double)x->arrival_us * 1e-6;
    int last = r->size - 1, rank = r->rank;
    if (x->arrival == ARRIVE_TOGETHER || last < 1)
        return (struct arrival){ 0.0, 0.0 };
    if (x->arrival == ARRIVE_FILE)
        return from_file(r);
    if (x->arrival == ARRIVE_RANDOM)
        rank = permuted(rank, r->size, permutation_key(0, (uint64_t)repetition), false);
    double part = x->arrival == ARRIVE_LAST ? (double)(rank == last) : (double)rank / last;
    return (struct arrival){ part * late_s, late_s };
}
