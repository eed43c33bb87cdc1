#include "plan/plan.h"

#include "plan/queue.h"
#include "plan/sweep.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define NOBODY     SIZE_MAX
#define NOISE_GAIN 4.0 /* noise moves the next prediction by this factor more */

/* A measured point of a dynamic scale, in a list of neighbours. The segment from a point to the
 * next one has the point's number. */
struct point {
    long argument;
    double time_us;       /* NAN: unknown */
    size_t before, after; /* numbers of points, or NOBODY */
};

struct plan {
    struct plan_spec spec;
    struct sweep sweep;
    size_t given;         /* arguments handed out */
    bool waiting;         /* for the result of argument */
    long argument;        /* the last one handed out */
    size_t split;         /* the segment that argument splits, unless it is of the sweep */
    struct point *points; /* owned; the sweep's in their order, then the refinement's */
    size_t count, capacity;
    struct queue queue; /* segments to be split */
};

struct plan *plan_new(const struct plan_spec *spec, struct err *e)
{
    struct plan *p = calloc(1, sizeof(*p));
    if (p == NULL) {
        err_no_memory(e, sizeof(*p));
        return NULL;
    }
    p->spec = *spec;
    if (sweep_init(&p->sweep, spec, e) != 0) {
        plan_free(p);
        return NULL;
    }
    return p;
}

void plan_free(struct plan *p)
{
    if (p == NULL)
        return;
    sweep_release(&p->sweep);
    queue_release(&p->queue);
    free(p->points);
    free(p);
}

/* NULL for one that is missing or has no time. */
static const struct point *known_point(const struct plan *p, size_t point)
{
    return point != NOBODY && p->points[point].time_us > 0.0 ? &p->points[point] : NULL;
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
static double neighbours_estimate(const struct plan *p, size_t segment)
{
    const struct point *b = &p->points[segment], *c = &p->points[b->after];
    const struct point *a = known_point(p, b->before), *d = known_point(p, c->after);
    double forth = a == NULL ? INFINITY : prediction_error(a, b, c);
    double back = d == NULL ? INFINITY : prediction_error(d, c, b);
    const struct point *z = a == NULL ? NULL : known_point(p, a->before);
    const struct point *e = d == NULL ? NULL : known_point(p, d->after);
    double smaller = fmin(forth, back);
    if (z == NULL || e == NULL)
        return smaller;
    double noise = fmax(prediction_error(z, a, b), prediction_error(e, d, c));
    if (noise >= p->spec.error)
        return smaller;
    return fmax(smaller, fmax(forth, back) - NOISE_GAIN * noise);
}

/* The error of not splitting the segment from b to c (paper 4.2). The segment's relative length is
 * a bound, so that a jump is not split for ever; there is no such bound if b is 0. Without any
 * bound the error is unknown: infinite. */
static double segment_estimate(const struct plan *p, size_t segment)
{
    const struct point *b = &p->points[segment], *c = &p->points[b->after];
    double estimate = neighbours_estimate(p, segment);
    if (b->argument > 0)
        estimate = fmin(estimate, (double)(c->argument - b->argument) / (double)b->argument);
    return estimate;
}

/* Where to split: at the middle as the scale sees it, rounded to the quantum, at least the minimal
 * distance from both ends. False if no such place exists. */
static bool segment_middle(const struct plan *p, size_t segment, long *middle)
{
    long b = p->points[segment].argument, c = p->points[p->points[segment].after].argument;
    long quantum = p->spec.quantum;
    double least = fmax(p->spec.min_distance, (double)quantum);
    if (2.0 * least > (double)(c - b))
        return false;
    long gap = (long)ceil(least / (double)quantum) * quantum;
    if (gap > c - b - gap)
        return false;
    double raw = scale_is_log(p->spec.scale) && b > 0
                     ? sqrt((double)b) * sqrt((double)c) - (double)b
                     : (double)(c - b) / 2.0;
    *middle = b + (long)floor(raw / (double)quantum) * quantum;
    if (*middle < b + gap)
        *middle = b + gap;
    if (*middle > c - gap)
        *middle = c - gap;
    return true;
}

/* Segments whose estimate is too large come first, then those that are only too long. The others
 * are converged and leave the queue, as do those that cannot be split. */
static int segment_rank(struct plan *p, size_t segment, struct err *e)
{
    long middle;
    if (segment == NOBODY || p->points[segment].after == NOBODY)
        return 0;
    size_t after = p->points[segment].after;
    if (known_point(p, segment) == NULL || known_point(p, after) == NULL ||
        !segment_middle(p, segment, &middle)) {
        queue_remove(&p->queue, segment);
        return 0;
    }
    double length = (double)(p->points[after].argument - p->points[segment].argument);
    double estimate = segment_estimate(p, segment);
    if (estimate >= p->spec.error)
        return queue_set(&p->queue, segment, (struct rank){ 1, estimate, length }, e);
    if (length > p->spec.max_distance)
        return queue_set(&p->queue, segment, (struct rank){ 0, length, 0.0 }, e);
    queue_remove(&p->queue, segment);
    return 0;
}

static int points_reserve(struct plan *p, struct err *e)
{
    if (p->count < p->capacity)
        return 0;
    size_t capacity = p->capacity == 0 ? p->sweep.count : 2 * p->capacity;
    struct point *points = realloc(p->points, capacity * sizeof(*points));
    if (points == NULL)
        return err_no_memory(e, capacity * sizeof(*points));
    p->points = points;
    p->capacity = capacity;
    return 0;
}

/* Adds a point of the sweep; the last one ranks all segments. */
static int add_swept(struct plan *p, struct point point, struct err *e)
{
    bool last = p->count + 1 == p->sweep.count;
    point.before = p->count == 0 ? NOBODY : p->count - 1;
    point.after = last ? NOBODY : p->count + 1;
    p->points[p->count++] = point;
    for (size_t i = 0; last && i < p->count; i++)
        if (segment_rank(p, i, e) != 0)
            return -1;
    return 0;
}

/* Adds a point that splits a segment: this changes the estimates of both parts, of the two segments
 * before them and of the two after them. */
static int add_refined(struct plan *p, struct point point, struct err *e)
{
    size_t number = p->count++, segment = p->split;
    point.before = p->split;
    point.after = p->points[p->split].after;
    p->points[number] = point;
    p->points[point.before].after = number;
    p->points[point.after].before = number;
    for (int i = 0; i < 2 && p->points[segment].before != NOBODY; i++)
        segment = p->points[segment].before;
    for (int i = 0; i < 6 && segment != NOBODY; i++, segment = p->points[segment].after)
        if (segment_rank(p, segment, e) != 0)
            return -1;
    return 0;
}

/* Takes the result of the argument that was handed out last. */
static int settle(struct plan *p, double time_us, struct err *e)
{
    bool known = isfinite(time_us) && time_us > 0.0;
    struct point point = { .argument = p->argument, .time_us = known ? time_us : NAN };
    p->waiting = false;
    if (!scale_is_dynamic(p->spec.scale))
        return 0;
    if (points_reserve(p, e) != 0)
        return -1;
    return p->count < p->sweep.count ? add_swept(p, point, e) : add_refined(p, point, e);
}

bool plan_next(struct plan *p, long *argument)
{
    struct err ignored = { { 0 } };
    if (p->waiting && settle(p, NAN, &ignored) != 0)
        return false;
    if (p->given < p->sweep.count)
        p->argument = p->sweep.arguments[p->given];
    else if (p->given >= plan_most(p) || !queue_first(&p->queue, &p->split) ||
             !segment_middle(p, p->split, &p->argument))
        return false;
    p->given++;
    p->waiting = true;
    *argument = p->argument;
    return true;
}

int plan_measured(struct plan *p, long argument, double time_us, struct err *e)
{
    if (!p->waiting || argument != p->argument)
        return err_set(e, "no result is expected for the argument %ld", argument);
    return settle(p, time_us, e);
}

bool plan_is_refined(const struct plan *p, long argument)
{
    return !sweep_contains(&p->sweep, argument);
}

size_t plan_most(const struct plan *p)
{
    const struct plan_spec *spec = &p->spec;
    if (!scale_is_dynamic(spec->scale) || p->sweep.count == 0)
        return p->sweep.count;
    unsigned long multiples = (unsigned long)((spec->last - spec->first) / spec->quantum) + 1;
    return multiples < (unsigned long)spec->max_steps ? multiples : (unsigned long)spec->max_steps;
}
