#include "plan/segments.h"

#define NOISE_GAIN 4.0 /* noise changes the next prediction by this factor more */

static int depth_of(const struct point *points, size_t b, size_t c)
{
    return points[b].depth > points[c].depth ? points[b].depth : points[c].depth;
}

int segments_add(struct segments *s, long argument, double time_us, size_t before, struct err *e)
{
    if (!grow_for_one(&s->points, s->count, &s->capacity, sizeof(*s->points)))
        return err_no_memory(e, (s->count + 1) * sizeof(*s->points));
    struct point *points = s->points;
    size_t number = s->count++;
    size_t after = before == NOBODY ? NOBODY : points[before].after;
    points[number] = (struct point){ argument, time_us, 0, before, after };
    if (before != NOBODY)
        points[before].after = number;
    if (after != NOBODY) {
        points[after].before = number;
        points[number].depth = depth_of(points, before, after) + 1;
    }
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

int segment_depth(const struct segments *s, size_t segment)
{
    return depth_of(s->points, segment, s->points[segment].after);
}

/* What the line through two points predicts at a third one. */
static double predicted(const struct point *from, const struct point *via, const struct point *at)
{
    double slope = (via->time_us - from->time_us) / (double)(via->argument - from->argument);
    return via->time_us + slope * (double)(at->argument - via->argument);
}

/* The error of that, relative to the time measured there. */
static double prediction_error(const struct point *from, const struct point *through,
                               const struct point *at)
{
    return fabs(predicted(from, through, at) - at->time_us) / at->time_us;
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

/* The segment's relative length is a bound, so that a jump is not split forever; none if b is 0. */
double segment_estimate(const struct segments *s, size_t segment, const struct plan_spec *spec)
{
    double estimate = neighbours_estimate(s, segment, spec->error);
    double b = (double)s->points[segment].argument;
    return b > 0.0 ? fmin(estimate, segment_length(s, segment) / b) : estimate;
}

/* The nearest point beyond the end of a segment that is half the segment's length away or more:
 * noise at a nearer one would turn the line too much. NULL if it is missing or unknown. */
static const struct point *support(const struct segments *s, size_t end, bool before, double length)
{
    const struct point *points = s->points;
    size_t at = end;
    do
        at = before ? points[at].before : points[at].after;
    while (at != NOBODY && 2.0 * (double)labs(points[at].argument - points[end].argument) < length);
    return known_point(s, at);
}

/* The lines on both sides are apart by as much at both ends at least. */
double segment_jump(const struct segments *s, size_t segment)
{
    const struct point *b = &s->points[segment], *c = &s->points[b->after];
    double length = segment_length(s, segment);
    const struct point *a = support(s, segment, true, length);
    const struct point *d = support(s, b->after, false, length);
    if (a == NULL || d == NULL)
        return 0.0;
    double left = predicted(a, b, c), at_b = predicted(d, c, b) / b->time_us - 1.0;
    double at_c = left > 0.0 ? c->time_us / left - 1.0 : INFINITY;
    if (at_b * at_c <= 0.0)
        return 0.0;
    return fabs(at_b) < fabs(at_c) ? at_b : at_c;
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

enum { NO_DIVISOR = 32 };

static int smallest_divisor(long n)
{
    int d = 2;
    while (d < NO_DIVISOR && (n <= d || n % d != 0))
        d++;
    return d;
}

/* Among 66 numbers in a row, one has no divisor up to 31: the search is short. */
long irregular_near(long near, long reach)
{
    long best = near;
    int divisor = smallest_divisor(near);
    for (long away = 1; away <= reach && divisor < NO_DIVISOR; away++)
        for (int side = 0; side < 2; side++) {
            long n = side == 0 ? near + away : near - away;
            int its = smallest_divisor(n);
            if (its > divisor) {
                divisor = its;
                best = n;
            }
        }
    return best;
}
