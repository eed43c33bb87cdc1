#include "plan/segments.h"

#define NOISE_GAIN 4.0 /* noise changes the next prediction by this factor more */
#define TURN       8.0 /* a curve that turns is off a neighbour's line by this part or more */

static int depth_of(const struct point *points, size_t b, size_t c)
{
    return points[b].depth > points[c].depth ? points[b].depth : points[c].depth;
}

void segments_add(struct segments *s, long argument, double time_us, size_t before)
{
    grow_for_one(&s->points, s->count, &s->capacity, sizeof(*s->points));
    struct point *points = s->points;
    size_t number = s->count++;
    size_t after = before == NOBODY ? NOBODY : points[before].after;
    points[number] = (struct point){ argument, time_us, 0, before, after, 0.0 };
    if (before != NOBODY)
        points[before].after = number;
    if (after != NOBODY) {
        points[after].before = number;
        points[number].depth = depth_of(points, before, after) + 1;
    }
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

/* The prediction of the line through two points at a third one. */
static double predicted(const struct point *from, const struct point *via, const struct point *at)
{
    double slope = (via->time_us - from->time_us) / (double)(via->argument - from->argument);
    return via->time_us + slope * (double)(at->argument - via->argument);
}

/* By how much that is too long, relative to the time measured there. */
static double excess(const struct point *from, const struct point *through, const struct point *at)
{
    return (predicted(from, through, at) - at->time_us) / at->time_us;
}

/* The error that the lines of the two neighbouring segments predict for the segment from b to c.
 * The line from a to b predicts the time at c, that from c to d the time at b; each error is
 * relative to the time at the predicted end (the paper writes t_b and t_c without saying which
 * error is meant). The paper takes the smaller one, since a neighbour with a jump inside predicts
 * nonsense; a neighbour that is missing or unknown predicts nothing.
 *
 * If the two disagree, the smaller one may be small by chance: the lines of two protocols often
 * meet near the change of protocol, and then a jump of any size between b and c remains unseen. So
 * this goes beyond the paper: if b is on the line through z and a, the two points before it, no
 * jump is there, and the error of their line at c counts, less what noise may add to it; so does
 * the error at b if c is on the line through d and e, the two points after it. A kink at b or c
 * looks the same, and costs the few points that distinguish it from a jump. */
static double neighbours_estimate(const struct segments *s, size_t segment, double error)
{
    const struct point *b = &s->points[segment], *c = &s->points[b->after];
    const struct point *a = known_point(s, b->before), *d = known_point(s, c->after);
    double forth = a == NULL ? INFINITY : fabs(excess(a, b, c));
    double back = d == NULL ? INFINITY : fabs(excess(d, c, b));
    const struct point *z = a == NULL ? NULL : known_point(s, a->before);
    const struct point *e = d == NULL ? NULL : known_point(s, d->after);
    double before = z == NULL ? INFINITY : fabs(excess(z, a, b));
    double after = e == NULL ? INFINITY : fabs(excess(e, d, c));
    double estimate = fmin(forth, back);
    if (before < error)
        estimate = fmax(estimate, forth - NOISE_GAIN * before);
    if (after < error)
        estimate = fmax(estimate, back - NOISE_GAIN * after);
    return estimate;
}

/* The segment's relative length bounds a jump, so that it is not split forever, unless b is 0. */
double segment_estimate(const struct segments *s, size_t segment, const struct plan_spec *spec)
{
    double estimate = neighbours_estimate(s, segment, spec->error);
    double b = (double)s->points[segment].argument;
    return b > 0.0 ? fmin(estimate, segment_length(s, segment) / b) : estimate;
}

/* The excess if the first segment were as long as the second. */
static double even_excess(const struct point *from, const struct point *through,
                          const struct point *at)
{
    double second = (double)(at->argument - through->argument);
    return excess(from, through, at) * 2.0 * second / (double)(at->argument - from->argument);
}

/* How urgent a split is. Where both predictions err on the same side, the segment bends: their mean
 * is eight times the distance between the line and a cubic curve through the four points. Where
 * they do not, they cancel out, and half of the estimate remains: it may be a jump. */
double segment_urgency(const struct segments *s, size_t segment, double estimate)
{
    const struct point *b = &s->points[segment], *c = &s->points[b->after];
    const struct point *a = known_point(s, b->before), *d = known_point(s, c->after);
    if (a == NULL || d == NULL)
        return estimate;
    return fmax(estimate / 2.0, fabs(even_excess(a, b, c) + even_excess(d, c, b)) / 2.0);
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

/* The distance of the lines on both sides, the smaller one of both ends. */
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

/* The supporting point, or NULL if the times jump before it. */
static const struct point *calm_support(const struct segments *s, size_t end, bool before,
                                        double length)
{
    const struct point *points = s->points, *far = support(s, end, before, length);
    for (size_t at = end; far != NULL && &points[at] != far;) {
        size_t next = before ? points[at].before : points[at].after;
        if (fabs(points[before ? next : at].jump) > 0.0)
            return NULL;
        at = next;
    }
    return far;
}

/* If the curve bends to one side, it is between the line and that through each neighbour: the
 * smaller error is a bound. If it turns within the segment, only the larger one is, unless the
 * other is so small that the neighbour is on the line. */
double segment_bound(const struct segments *s, size_t segment)
{
    const struct point *b = &s->points[segment], *c = &s->points[b->after];
    double length = segment_length(s, segment);
    const struct point *a = calm_support(s, segment, true, length);
    const struct point *d = calm_support(s, b->after, false, length);
    if (a == NULL && d == NULL) {
        a = known_point(s, b->before);
        d = known_point(s, c->after);
    }
    double forth = a == NULL ? NAN : excess(a, b, c);
    double back = d == NULL ? NAN : excess(d, c, b);
    double smaller = fmin(fabs(forth), fabs(back));
    if (isnan(smaller))
        return INFINITY;
    return forth * back < 0.0 ? fmin(fmax(fabs(forth), fabs(back)), TURN * smaller) : smaller;
}

static long limited(long n, long from, long to)
{
    long most = n > to ? to : n;
    return n < from ? from : most;
}

/* An irregular multiple of the quantum near the middle, at most an eighth of the segment away. */
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
    double half = (double)(c - b) / 2.0; /* on the scale */
    if (scale_is_log(spec->scale) && b > 0)
        half = sqrt((double)b) * sqrt((double)c) - (double)b;
    long at = limited((long)floor(half / (double)quantum), gap, steps - gap);
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
