#include "stats/slots.h"

enum { MAX_LEAD_STRETCH = 64, OLDER_COUNT = 4, CALM = 16 };
enum { MIN_BATCH = 10, MAX_SPLIT = 16 };

static const double BATCH_S = 2e-3, FIRST_BATCH_S = 100e-3;

/* The room of a slot, and of a lead, relative to the need of the last repetition or announcement;
 * and the largest factor by which the need of one batch is believed. */
static const double SLOT_ROOM = 1.25, LEAD_ROOM = 1.5, FAR_OFF = 4.0;

/* Longer leads, for late starts, help no further. */
static const double LEAD_MOST_S = 10e-3;

/* The factor for effects that the first try does not show. */
static const double UNSEEN = 2.0;

/* One repetition of 32 may exceed its slot. If more than one of 16 did, slots grow step by step. */
enum { EXCEEDING = 32, TOO_MANY = 16 };
static const double SLOT_STEP = 1.5, MAX_STRETCH = 8.0;

void slots_first_try(struct slots *s, double span_s)
{
    s->typical_s = span_s;
    s->longest_s = s->varies ? UNSEEN * span_s : span_s;
}

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

/* At most n repetitions. A delayed process is late for the rest of the batch, so batches are
 * limited in time; those of long slots have at least ten, or fewer after many late starts. */
static int in_time(const struct slots *s, int n, double slot_s)
{
    double most = BATCH_S / (slot_s * s->each), bound = slots_most(s->each);
    most = fmax(most, fmax(MIN_BATCH / s->batch_split, 1.0));
    most = most > bound ? bound : most;
    return n < most ? n : (int)most;
}

int slots_batch(const struct slots *s, struct series *series, double now_s, double slot_s)
{
    int n = in_time(s, series_next(series, now_s), slot_s);
    if (n <= 1 || s->alone)
        return n < 1 ? n : 1;
    double most_s = s->measured ? INFINITY : FIRST_BATCH_S, repetition_s = slot_s * s->each;
    if (series->limits.time_s > 0.0)
        most_s = fmin(most_s, series->limits.time_s - (now_s - series->started_s));
    return n * repetition_s > most_s ? (int)fmax(1.0, most_s / repetition_s) : n;
}

double slots_allowed_s(const struct slots *s)
{
    return s->accuracy * s->typical_s / 4.0;
}

double slots_rewrite_s(const struct slots *s)
{
    return s->slot_stretch * LEAD_ROOM * s->rewrite_s;
}

double slots_lead_s(const struct slots *s)
{
    double lead_s = LEAD_ROOM * s->announce_s + s->pad_s + slots_rewrite_s(s);
    return fmin(s->lead_stretch * lead_s, fmax(lead_s, LEAD_MOST_S));
}

double slots_length_s(const struct slots *s)
{
    double between_s = s->pad_s + s->between_s;
    if (s->alone)
        return between_s;
    double typical_s = fmax(s->typical_s, s->least_s);
    double longest_s = fmin(fmax(s->longest_s, typical_s), FAR_OFF * typical_s);
    return s->slot_stretch * (SLOT_ROOM * longest_s + between_s);
}

static double stretched(double stretch, bool more, double step, double most)
{
    return more ? fmin(step * stretch, most) : fmax(stretch / step, 1.0);
}

/* A mean in which older repetitions count less: one says less than the best of many. */
static double typical(const struct slots *s, double measured_s)
{
    if (!s->measured)
        return measured_s;
    if (s->alone)
        return s->typical_s + (measured_s - s->typical_s) / OLDER_COUNT;
    return measured_s < s->typical_s ? measured_s : s->typical_s;
}

/* Shrinks a first estimate from a few tries. The delays of a quiet machine change nothing. */
static void shrink(double *estimate_s, double needed_s)
{
    *estimate_s = fmin(*estimate_s, FAR_OFF * needed_s);
}

/* Takes the times until all processes are done. Only repetitions that all started in time show it;
 * the shortest repetition shows how much later the processes are done whose times do not count. */
static void take_times(struct slots *s, const struct outcome *b, int calls)
{
    double exit_s = b->needs[NEED_EXIT], longest_s = 0.0, p75_s = 0.0;
    int n = 0;
    for (int i = 0; i < b->n; i++)
        if (b->late[i] <= 0.0)
            b->times_us[n++] = b->times_us[i];
    if (n > 0) {
        p75_s = stats_of(b->times_us, n, (struct summing){ 0 }).p75_us * 1e-6 * calls;
        double least_s = b->times_us[0] * 1e-6 * calls;
        longest_s = b->times_us[n - 1 - (s->varies ? 0 : n / EXCEEDING)] * 1e-6 * calls;
        longest_s *= least_s > 0.0 ? fmax(exit_s / least_s, 1.0) : 1.0;
    }
    s->typical_s = typical(s, fmax(p75_s, exit_s));
    s->longest_s = fmax(longest_s, exit_s);
    s->measured = true;
}

void slots_adapt(struct slots *slots, const struct outcome *b, int valid, int calls)
{
    bool late = b->late[0] > 0.0, few = 4 * valid < 3 * b->n;
    bool more = TOO_MANY * (b->n - valid) > b->n;
    /* The first start after an announcement. While control messages sleep, because other programs
     * have the CPUs, an announcement takes many times as long as at first. If the room became
     * smaller after each short batch that was in time, every second one would be late. */
    slots->in_time = late ? 0 : slots->in_time + b->n;
    if (late || slots->in_time >= CALM) {
        slots->lead_stretch = stretched(slots->lead_stretch, late, 2.0, MAX_LEAD_STRETCH);
        slots->in_time = 0;
    }
    if (!more || !late)
        slots->slot_stretch = stretched(slots->slot_stretch, more, SLOT_STEP, MAX_STRETCH);
    slots->batch_split = (int)stretched(slots->batch_split, few, 2.0, MAX_SPLIT);
    /* A mean in which older needs count ever less; a disturbed one counts as twice the expected. */
    double *announce_s = &slots->announce_s, needed_s = b->needs[NEED_ANNOUNCE];
    if (isfinite(needed_s))
        *announce_s += (fmin(needed_s, 2.0 * *announce_s) - *announce_s) / OLDER_COUNT;
    shrink(&slots->rewrite_s, b->needs[NEED_REWRITE]);
    shrink(&slots->between_s, b->needs[NEED_BETWEEN]);
    take_times(slots, b, calls);
}
