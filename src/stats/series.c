#include "stats/series.h"

#include "base/interrupt.h"
#include "stats/visit_length.h"

enum { TRIES_PER_REPETITION = 4 };

/* A measurement is given up if after this time, and the tries of a slow operation, none of its
 * repetitions is valid; or after that of all visits together, if most are invalid. */
static const double HOPE_S = 1.0, HOPE_TRIES = 8.0, PATIENCE_S = 5.0;

/* One of several visits, in which most are invalid, is content with the fewest for an error. */
static const double CONTENT_S = 20e-3;

/* A window that is shorter by this factor than those before shows that times still fall. */
static const double FALLING = 0.95;

/* A call that would end this much after what is left of a limit is not begun. */
static const double LATE_S = 20e-3;

/* Longer touching shows little. */
static const double TOUCH_MOST_S = 20e-3;

/* Windows in which the first repetitions are slow (warmup_of). */
enum { WINDOW = 8 };
static const double SLOW = 1.05;

int values_init(struct values *v, int most, struct err *e)
{
    *v = (struct values){ .most = most };
    return memory_take(&v->list, (size_t)most, e) | memory_take(&v->sorted, (size_t)most, e);
}

void values_release(struct values *v)
{
    free(v->list);
    free(v->sorted);
    *v = (struct values){ 0 };
}

void values_keep(struct values *v, int first, int kept)
{
    v->n = first + kept < v->n ? first + kept : v->n;
    v->n -= first < v->n ? first : v->n;
    if (first > 0 && v->n > 0)
        memmove(v->list, v->list + first, (size_t)v->n * sizeof(double));
}

void values_add(struct values *v, double value)
{
    if (v->list != NULL && v->n < v->most)
        v->list[v->n++] = value;
}

double values_get(const struct values *v, int repetition)
{
    return repetition >= 0 && repetition < v->n ? v->list[repetition] : NAN;
}

int series_init(struct series *s, const struct limits *limits, struct err *e)
{
    const size_t most = (size_t)limits->max_repetition;
    *s = (struct series){ .limits = *limits,
                          .touch = limits->touches,
                          .window_s = INFINITY,
                          .shortest_s = INFINITY,
                          .started_s = NAN,
                          .ready_s = NAN };
    return memory_take(&s->times_us, most, e) | memory_take(&s->sorted, most, e);
}

void series_release(struct series *s)
{
    free(s->times_us);
    free(s->sorted);
    values_release(&s->own);
    *s = (struct series){ 0 };
}

struct stats series_stats(struct series *s)
{
    if (s->n > 0)
        memcpy(s->sorted, s->times_us, (size_t)s->n * sizeof(double));
    struct summing how = { s->limits.cut_quantile, s->limits.error, s->limits.outliers };
    struct stats stats = stats_of(s->sorted, s->n, how);
    stats.all.error_us = hypot(stats.all.error_us, s->overhead_error_us);
    stats.cleaned.error_us = hypot(stats.cleaned.error_us, s->overhead_error_us);
    return stats;
}

struct shape series_shape(struct series *s)
{
    (void)series_stats(s);
    return shape_of(s->times_us, s->sorted, s->n, s->limits.tick_s * 1e6);
}

int series_typical(struct series *s)
{
    double mean_us = series_stats(s).cleaned.mean_us;
    int nearest = s->n > 0 ? 0 : -1;
    for (int i = 1; i < s->n; i++)
        if (fabs(s->times_us[i] - mean_us) < fabs(s->times_us[nearest] - mean_us))
            nearest = i;
    return nearest;
}

static bool patience_used_up(const struct series *s, double passed_s)
{
    double visits = fmax(1.0, s->limits.visits);
    double most_s = s->n == 0 ? HOPE_S : fmax(HOPE_S, PATIENCE_S / visits);
    if (s->n == 0 && s->limits.most_s > 0.0 && passed_s >= s->limits.most_s)
        return s->invalid > 0;
    if (visits > 1.0 && s->n >= FEWEST_REPETITIONS && s->limits.time_s <= 0.0)
        most_s = CONTENT_S;
    return s->invalid > s->n && passed_s >= fmax(most_s, HOPE_TRIES * s->tried_s);
}

static struct effort effort(struct series *s, double now_s)
{
    if (isnan(s->started_s))
        s->started_s = now_s;
    return (struct effort){ s->n, s->sum_s, now_s - s->started_s };
}

void series_touch(struct series *s, double seconds)
{
    s->tried_s = seconds;
    if (s->touched == s->touch)
        return;
    s->touched++;
    s->touched_s += seconds;
    s->window_s = fmin(s->window_s, seconds);
    if (s->touched_s > TOUCH_MOST_S)
        s->touch = s->touched;
    else if (s->touched == s->touch && s->touch < TOUCHES_MOST &&
             s->window_s < FALLING * s->shortest_s)
        s->touch *= 2;
    if ((s->touched & (s->touched - 1)) == 0) { /* 1, 2, 4, 8: a window ends */
        s->shortest_s = fmin(s->shortest_s, s->window_s);
        s->window_s = INFINITY;
    }
}

/* With a limit of time, touches are batches of their own, and end with it. Before the first
 * repetition that counts, the number of visits is fixed, unless none could start. */
static void end_touches(struct series *s, double passed_s)
{
    struct limits *l = &s->limits;
    if (l->time_s > 0.0 && passed_s >= l->time_s * (l->fixes_visits ? l->visits : 1))
        s->touch = s->touched;
    double shortest_s = fmin(s->window_s, s->shortest_s);
    if (l->time_s > 0.0 && l->fixes_visits && s->touched == s->touch)
        limits_fix_visits(l, passed_s, isfinite(shortest_s) ? shortest_s : 0.0);
}

static int next_batch(const struct series *s, const struct stats *stats, struct effort so_far)
{
    bool timed = s->limits.time_s > 0.0;
    int touches = s->touch - s->touched;
    if (timed && touches > 0)
        return s->touched == 0 ? 1 : touches;
    if (timed && s->n == 0)
        so_far.n = s->touched; /* for the pace */
    return touches + batch_size(&s->limits, stats, &so_far);
}

static bool time_is_up(const struct series *s, double passed_s)
{
    const struct limits *l = &s->limits;
    if (l->most_s > 0.0 && s->n == 0)
        return l->may_leave && passed_s + s->tried_s > l->most_s + LATE_S;
    return l->most_s > 0.0 && passed_s >= l->most_s;
}

int series_next(struct series *s, double now_s)
{
    struct stats stats = series_stats(s);
    struct effort so_far = effort(s, now_s);
    if (s->n == 0)
        s->ready_s = now_s;
    end_touches(s, so_far.passed_s);
    if (s->n > 0)
        s->stop = !s->limits.is_short && interrupt_name() != NULL
                      ? STOP_TIME
                      : stop_decide(&s->limits, &stats, &so_far);
    if (time_is_up(s, so_far.passed_s))
        s->stop = STOP_TIME;
    bool used_up = patience_used_up(s, so_far.passed_s) ||
                   s->invalid >= TRIES_PER_REPETITION * s->limits.max_repetition;
    if (isnan(s->overhead_us) || (s->stop == STOP_NONE && used_up))
        s->stop = STOP_UNSYNCHRONISED;
    return s->stop == STOP_NONE ? next_batch(s, &stats, so_far) : 0;
}

bool series_add_calls(struct series *s, double seconds, int calls)
{
    double us = seconds / calls * 1e6;
    /* An operation that takes about no time has times around the overhead. Much shorter ones are
     * due to a clock that was set, or to an interval without all of the operation. */
    if (us + s->limits.tick_s / calls * 1e6 < s->overhead_us / 2.0) {
        s->invalid++;
        return false;
    }
    if (s->touched < s->touch) {
        series_touch(s, seconds / calls);
        s->added++;
        return true;
    }
    if (s->n < s->limits.max_repetition)
        s->times_us[s->n++] = us - s->overhead_us;
    s->sum_s += seconds;
    return true;
}

bool series_add(struct series *s, double seconds)
{
    return series_add_calls(s, seconds, 1);
}

void series_keep(struct series *s)
{
    s->sure_n = s->n;
    s->sure_sum_s = s->sum_s;
}

void series_drop_since(struct series *s)
{
    s->invalid += s->n - s->sure_n;
    s->n = s->sure_n;
    s->sum_s = s->sure_sum_s;
    s->stop = STOP_NONE;
}

static double median_of(const double *us, double *sorted, int n)
{
    memcpy(sorted, us, (size_t)n * sizeof(double));
    return stats_median(sorted, n);
}

int warmup_of(const double *us, double *sorted, int n)
{
    int half = n / 2, slow = 0;
    double usual_us = median_of(us + half, sorted, n - half);
    for (int window; half >= WINDOW && slow < half; slow += window) {
        window = half - slow < WINDOW ? half - slow : WINDOW;
        if (median_of(us + slow, sorted, window) <= SLOW * usual_us)
            break;
    }
    while (slow > 0 && slow < half && us[slow] > SLOW * usual_us)
        slow++;
    return slow;
}

void series_warm(struct series *s)
{
    if (!s->limits.warms || s->n == 0)
        return;
    s->warmup = warmup_of(s->times_us, s->sorted, s->n);
    s->n -= s->warmup;
    memmove(s->times_us, s->times_us + s->warmup, (size_t)s->n * sizeof(double));
}
