#include "plan/segments.h"

#include "base/text.h"
#include "plan/irregular.h"

#include <math.h>
#include <stdlib.h>

#define NOISE_GAIN 4.0 /* noise changes the next prediction by this factor more */

int segments_add(struct segments *s, long argument, double time_us, size_t before, struct err *e)
{
    struct point *points = grow_for_one(s->points, s->count, &s->capacity, sizeof(*points));
    if (points == NULL)
        return err_no_memory(e, (s->count + 1) * sizeof(*points));
    s->points = points;
    size_t number = s->count++;
    size_t after = before == NOBODY ? NOBODY : points[before].after;
    points[number] = (struct point){ argument, time_us, before, after };
    if (before != NOBODY)
        points[before].after = number;
    if (after != NOBODY)
        points[after].before = number;
    return 0;
}

void segments_release(struct segments *s)
{
    free(s->points);
    *s = (struct segments){ 0 };
}

/* NULL if the point is missing or has no time. */
static const struct point *known_point(const struct segments *s, size_t point)
{
    return point != NOBODY && s->points[point].time_us > 0.0 ? &s->points[point] : NULL;
}

bool segment_is_known(const struct segments *s, size_t segment)
{
    return known_point(s, segment) != NULL && known_point(s, s->points[segment].after) != NULL;
}

double segment_length(const struct segments *s, size_t segment)
{
    const struct point *b = &s->points[segment];
    return (double)(s->points[b->after].argument - b->argument);
}

/* The error at a third point of the line through two, relative to the time measured there. */
static double prediction_error(const struct point *from, const struct point *through,
                               const struct point *at)
{
    double slope =
        (through->time_us - from->time_us) / (double)(through->argument - from->argument);
    double predicted = through->time_us + slope * (double)(at->argument - through->argument);
    return fabs(predicted - at->time_us) / at->time_us;
}

/* The error that the lines of the two neighbouring segments predict for the segment from b to c.
 * The line from a to b predicts the time at c, that from c to d the time at b; each error is
 * relative to the time at the predicted end (the paper writes t_b and t_c without saying which
 * error is meant). The paper takes the smaller one, since a neighbour with a jump inside predicts
 * nonsense; a neighbour that is missing or unknown predicts nothing.
 *
 * If the two disagree, the smaller one may be small by chance: the lines of two protocols often
 * meet near the change of protocol, and then a jump of any size between b and c remains unseen. So
 * this goes beyond the paper: if b is on the line through z and a, the two points before it, and c
 * is on the line through d and e, the two points after it, then no neighbour has a jump inside. The
 * larger error counts, less what noise may add to it. A kink at b or c looks the same, and costs
 * the few points that distinguish it from a jump. */
static double neighbours_estimate(const struct segments *s, size_t segment, double error)
{
    const struct point *b = &s->points[segment], *c = &s->points[b->after];
    const struct point *a = known_point(s, b->before), *d = known_point(s, c->after);
    double forth = a == NULL ? INFINITY : prediction_error(a, b, c);
    double back = d == NULL ? INFINITY : prediction_error(d, c, b);
    const struct point *z = a == NULL ? NULL : known_point(s, a->before);
    const struct point *e = d == NULL ? NULL : known_point(s, d->after);
    double smaller = fmin(forth, back);
    if (z == NULL || e == NULL)
        return smaller;
    double noise = fmax(prediction_error(z, a, b), prediction_error(e, d, c));
    if (noise >= error)
        return smaller;
    return fmax(smaller, fmax(forth, back) - NOISE_GAIN * noise);
}

/* The segment's relative length is a bound, so that a jump is not split forever. No such bound
 * exists if b is 0. */
double segment_estimate(const struct segments *s, size_t segment, const struct plan_spec *spec)
{
    double estimate = neighbours_estimate(s, segment, spec->error);
    double b = (double)s->points[segment].argument;
    return b > 0.0 ? fmin(estimate, segment_length(s, segment) / b) : estimate;
}

/* The middle on the scale, in multiples of the quantum above b. */
static long middle_steps(long b, long c, const struct plan_spec *spec)
{
    double raw = scale_is_log(spec->scale) && b > 0 ? sqrt((double)b) * sqrt((double)c) - (double)b
                                                    : (double)(c - b) / 2.0;
    return (long)floor(raw / (double)spec->quantum);
}

static long limited(long n, long from, long to)
{
    return n < from ? from : n > to ? to : n;
}

/* An irregular multiple of the quantum near the middle. It may be an eighth of the segment away. */
bool segment_middle(const struct segments *s, size_t segment, const struct plan_spec *spec,
                    long *middle)
{
    long b = s->points[segment].argument, c = s->points[s->points[segment].after].argument;
    long quantum = spec->quantum;
    double least = fmax(spec->min_distance, (double)quantum);
    if (2.0 * least > (double)(c - b))
        return false;
    long gap = (long)ceil(least / (double)quantum), steps = (c - b) / quantum;
    if (2 * gap > steps)
        return false;
    long at = limited(middle_steps(b, c, spec), gap, steps - gap);
    long reach = limited((steps + 4) / 8, 0, limited(at - gap, 0, steps - gap - at));
    *middle = irregular_near(b / quantum + at, reach) * quantum;
    return true;
}
