#include "plan/plan.h"

#include "plan/queue.h"
#include "plan/segments.h"
#include "plan/sweep.h"

#include <math.h>
#include <stdlib.h>

struct plan {
    struct plan_spec spec;
    struct sweep sweep;
    size_t given;  /* arguments handed out */
    bool waiting;  /* for the result of the last argument */
    long argument; /* the last one handed out */
    size_t split;  /* the segment that the argument splits, unless it belongs to the sweep */
    struct segments segments; /* those of the sweep in order, then those of the refinement */
    size_t short_one;         /* a segment of the sweep that is probed first */
    struct queue queue;       /* segments to be split */
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

struct plan *plan_new_listed(const long *arguments, size_t count, struct err *e)
{
    struct plan *p = calloc(1, sizeof(*p));
    if (p == NULL) {
        err_no_memory(e, sizeof(*p));
        return NULL;
    }
    p->spec = (struct plan_spec){ .scale = SCALE_FIXED_LINEAR, .quantum = 1 };
    if (sweep_init_listed(&p->sweep, arguments, count, e) != 0) {
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
    segments_release(&p->segments);
    free(p);
}

/* The times inside a segment of the sweep that was not split are unknown. */
static bool is_probed(const struct plan *p, size_t segment)
{
    return segment + 1 >= p->sweep.count || p->segments.points[segment].after != segment + 1;
}

static bool has_room(const struct plan *p, size_t segment)
{
    long middle;
    return p->segments.points[segment].after != NOBODY &&
           segment_middle(&p->segments, segment, &p->spec, &middle);
}

static bool is_splittable(const struct plan *p, size_t segment)
{
    return has_room(p, segment) && segment_is_known(&p->segments, segment);
}

/* Half of the sweep's segments are probed before anything else, so that the rest have probed
 * neighbours: every other one from the last but two, because the last two take the most time, and a
 * short one, the cheapest. */
static bool is_probed_first(const struct plan *p, size_t segment)
{
    bool is_other = (p->sweep.count - segment) % 2 == 0 && segment + 2 < p->sweep.count;
    return !is_probed(p, segment) && (is_other || segment == p->short_one);
}

/* The segment to split first has the highest level. */
enum level { LEVEL_DONE, LEVEL_LONG, LEVEL_PROBE, LEVEL_INACCURATE, LEVEL_PROBE_FIRST };

static struct rank rank_of(const struct plan *p, size_t segment)
{
    const struct segments *s = &p->segments;
    if (!is_splittable(p, segment))
        return (struct rank){ LEVEL_DONE, 0.0, 0.0 };
    double length = segment_length(s, segment);
    double estimate = segment_estimate(s, segment, &p->spec);
    if (is_probed_first(p, segment))
        return (struct rank){ LEVEL_PROBE_FIRST, estimate, length };
    if (estimate >= p->spec.error)
        return (struct rank){ LEVEL_INACCURATE, estimate, length };
    if (!is_probed(p, segment))
        return (struct rank){ LEVEL_PROBE, -length, 0.0 };
    if (length > p->spec.max_distance)
        return (struct rank){ LEVEL_LONG, length, 0.0 };
    return (struct rank){ LEVEL_DONE, 0.0, 0.0 };
}

static int queue_segment(struct plan *p, size_t segment, struct err *e)
{
    struct rank rank = rank_of(p, segment);
    if (rank.level != LEVEL_DONE)
        return queue_set(&p->queue, segment, rank, e);
    queue_remove(&p->queue, segment);
    return 0;
}

/* The first segment with room that is not probed first anyway. */
static size_t short_one(const struct plan *p)
{
    size_t segment = 0, count = p->sweep.count;
    while (segment + 1 < count && !has_room(p, segment))
        segment++;
    return (count - segment) % 2 == 0 && segment + 2 < count ? segment + 1 : segment;
}

/* The last point of the sweep ranks all segments. */
static int add_swept(struct plan *p, double time_us, struct err *e)
{
    struct segments *s = &p->segments;
    if (segments_add(s, p->argument, time_us, s->count == 0 ? NOBODY : s->count - 1, e) != 0)
        return -1;
    if (s->count < p->sweep.count)
        return 0;
    p->short_one = short_one(p);
    for (size_t i = 0; i < s->count; i++)
        if (queue_segment(p, i, e) != 0)
            return -1;
    return 0;
}

/* A point that splits a segment changes the estimates of both parts, of the two segments before
 * them and of the two after them. */
static int add_refined(struct plan *p, double time_us, struct err *e)
{
    const struct segments *s = &p->segments;
    size_t segment = p->split;
    if (segments_add(&p->segments, p->argument, time_us, p->split, e) != 0)
        return -1;
    for (int i = 0; i < 2 && s->points[segment].before != NOBODY; i++)
        segment = s->points[segment].before;
    for (int i = 0; i < 6 && segment != NOBODY; i++, segment = s->points[segment].after)
        if (queue_segment(p, segment, e) != 0)
            return -1;
    return 0;
}

/* Takes the result of the argument that was handed out last. */
static int settle(struct plan *p, double time_us, struct err *e)
{
    bool known = isfinite(time_us) && time_us > 0.0;
    p->waiting = false;
    if (!scale_is_dynamic(p->spec.scale))
        return 0;
    bool swept = p->segments.count < p->sweep.count;
    return (swept ? add_swept : add_refined)(p, known ? time_us : NAN, e);
}

bool plan_next(struct plan *p, long *argument)
{
    struct err ignored = { { 0 } };
    if (p->waiting && settle(p, NAN, &ignored) != 0)
        return false;
    if (p->given < p->sweep.count)
        p->argument = p->sweep.arguments[p->given];
    else if (p->given >= plan_most(p) || !queue_first(&p->queue, &p->split) ||
             !segment_middle(&p->segments, p->split, &p->spec, &p->argument))
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

static double largest_estimate(const struct plan *p)
{
    const struct segments *s = &p->segments;
    double largest = 0.0;
    for (size_t i = 0; i < s->count; i++)
        if (is_splittable(p, i))
            largest = fmax(largest, segment_estimate(s, i, &p->spec));
    return largest;
}

static enum plan_end plan_end(const struct plan *p)
{
    if (p->given >= p->sweep.count && p->queue.count == 0)
        return PLAN_DONE;
    return p->given >= plan_most(p) ? PLAN_AT_MAX_STEPS : PLAN_STOPPED;
}

struct plan_outcome plan_outcome(const struct plan *p)
{
    struct plan_outcome o = { .sweep = p->sweep.whole,
                              .kept = p->sweep.count,
                              .swept = p->given < p->sweep.count ? p->given : p->sweep.count,
                              .estimate = largest_estimate(p),
                              .end = plan_end(p) };
    for (size_t i = 0; i + 1 < p->sweep.count && i + 1 < p->segments.count; i++) {
        bool probed = is_probed(p, i);
        o.probed += probed;
        o.segments += probed || has_room(p, i);
    }
    return o;
}

size_t plan_most(const struct plan *p)
{
    const struct plan_spec *spec = &p->spec;
    if (!scale_is_dynamic(spec->scale) || p->sweep.count == 0)
        return p->sweep.count;
    unsigned long multiples = (unsigned long)((spec->last - spec->first) / spec->quantum) + 1;
    return multiples < (unsigned long)spec->max_steps ? multiples : (unsigned long)spec->max_steps;
}
