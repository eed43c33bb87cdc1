#include "plan/sweep.h"

/* Steps and powers are rounded; a value that misses a multiple of the quantum by less than this
 * (relative, and at most a hundredth of the quantum) counts as the multiple. */
#define ROUNDING 1e-12

/* A raw argument, above 0, rounded down to the quantum; at least one quantum and at most last. */
static long bring(const struct plan_spec *spec, double raw)
{
    double exact = raw / (double)spec->quantum;
    double multiple = floor(exact + fmin(exact * ROUNDING, 0.01));
    if (multiple < 1.0)
        return spec->quantum;
    if (multiple >= (double)(spec->last / spec->quantum))
        return spec->last;
    return (long)multiple * spec->quantum;
}

static int too_many(const struct plan_spec *spec, double count, struct err *e)
{
    return err_set(e,
                   "the sweep from %ld to %ld by Stepwidth %.10g would have %.0f arguments, more "
                   "than %d",
                   spec->first, spec->last, spec->stepwidth, count, MAX_PLAN);
}

/* Steps shorter than the quantum lead to all its multiples, like steps of the quantum. */
static double linear_step(const struct plan_spec *spec)
{
    return fmax(spec->stepwidth, (double)spec->quantum);
}

static long linear_argument(const struct plan_spec *spec, unsigned long long k)
{
    return k == 0 ? spec->first : bring(spec, (double)spec->first + (double)k * linear_step(spec));
}

/* The number of steps that lead to last or below, except those that only rounding brings there. */
static unsigned long long linear_count(const struct plan_spec *spec)
{
    double span = (double)spec->last + (double)spec->quantum - (double)spec->first;
    unsigned long long count = (unsigned long long)ceil(span / linear_step(spec));
    while (count > 1 && linear_argument(spec, count - 2) == spec->last)
        count--;
    return count < 1 ? 1 : count;
}

static int linear_sweep(struct sweep *s, const struct plan_spec *spec, struct err *e)
{
    unsigned long long steps = linear_count(spec), count = steps;
    if (scale_is_dynamic(spec->scale) && linear_argument(spec, steps - 1) < spec->last)
        count++;
    if (count > MAX_PLAN)
        return too_many(spec, (double)count, e);
    allocated_array(&s->arguments, (size_t)count);
    for (unsigned long long k = 0; k < count; k++) {
        long argument = k < steps ? linear_argument(spec, k) : spec->last;
        if (s->count == 0 || s->arguments[s->count - 1] < argument)
            s->arguments[s->count++] = argument;
    }
    return 0;
}

/* The argument after current: that of the lowest power that rounds to more than current, or last.
 * If powers are closer together than the quantum, it is the next multiple. No power up to *tried
 * rounds to more than current; *tried is moved on. */
static long log_next(const struct plan_spec *spec, long current, double *tried)
{
    double target = (double)current + (double)spec->quantum;
    if (target >= (double)spec->last)
        return spec->last;
    if (target * (spec->stepwidth - 1.0) < (double)spec->quantum)
        return current + spec->quantum;
    double k = fmax(*tried + 1.0, floor(log(target) / log(spec->stepwidth)) - 1.0);
    for (;; k = fmax(k + 1.0, nextafter(k, INFINITY))) {
        long argument = bring(spec, pow(spec->stepwidth, k));
        *tried = k;
        if (argument > current)
            return argument;
    }
}

/* An approximate count: if powers are closer than the quantum, every multiple is an argument. */
static double log_count_about(const struct plan_spec *spec)
{
    double quantum = (double)spec->quantum, last = (double)spec->last;
    double first = fmax((double)spec->first, quantum);
    double sparse = fmin(last, fmax(first, quantum / (spec->stepwidth - 1.0)));
    return round((sparse - first) / quantum + log(last / sparse) / log(spec->stepwidth) + 2.0);
}

static int log_sweep(struct sweep *s, const struct plan_spec *spec, struct err *e)
{
    size_t capacity = 0;
    double tried = -1.0;
    for (long a = spec->first;; a = log_next(spec, a, &tried)) {
        grow_for_one(&s->arguments, s->count, &capacity, sizeof(*s->arguments));
        s->arguments[s->count++] = a;
        if (s->count > MAX_PLAN)
            return too_many(spec, log_count_about(spec), e);
        if (a >= spec->last)
            return 0;
    }
}

void sweep_list(struct sweep *s, const long *arguments, size_t count)
{
    allocated_array(&s->arguments, count);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || arguments[i] != arguments[i - 1])
            s->arguments[s->count++] = arguments[i];
}

int sweep_init(struct sweep *s, const struct plan_spec *spec, struct err *e)
{
    bool is_log = scale_is_log(spec->scale);
    *s = (struct sweep){ 0 };
    if (spec->first > spec->last)
        return 0;
    if (!isfinite(spec->stepwidth) || !(spec->stepwidth > (double)is_log))
        return err_set(e, "Stepwidth must be a number above %d on the scale %s", (int)is_log,
                       scale_name(spec->scale));
    int rc = is_log ? log_sweep(s, spec, e) : linear_sweep(s, spec, e);
    if (rc != 0)
        sweep_release(s);
    return rc;
}

void sweep_release(struct sweep *s)
{
    free(s->arguments);
    *s = (struct sweep){ 0 };
}

bool sweep_contains(const struct sweep *s, long argument)
{
    return s->count > 0 &&
           bsearch(&argument, s->arguments, s->count, sizeof(argument), by_long) != NULL;
}
