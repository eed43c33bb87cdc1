#include "plan/plan.h"

#include "model/algorithms.h"
#include "model/argument_range.h"
#include "plan/queue.h"
#include "plan/segments.h"
#include "plan/sweep.h"

#include <math.h>

#define LEAST_JUMP 0.1

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

/* These arguments, in ascending order, and no others. NULL without memory. */
static struct plan *new_listed(const long *arguments, size_t count, struct err *e)
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

static bool has_room(const struct plan *p, size_t segment)
{
    long middle;
    return p->segments.points[segment].after != NOBODY &&
           segment_middle(&p->segments, segment, &p->spec, &middle);
}

/* Half of the sweep's segments are probed before anything else, so that the rest have probed
 * neighbours: every other one from the last but two, because the last two take the most time, and a
 * short one, the cheapest. With fewer points to add than segments, none: the estimates need them.
 */
static bool is_probed_first(const struct plan *p, size_t segment)
{
    bool is_other = (p->sweep.count - segment) % 2 == 0 && segment + 2 < p->sweep.count;
    return segment_depth(&p->segments, segment) == 0 && plan_most(p) + 1 >= 2 * p->sweep.count &&
           (is_other || segment == p->short_one);
}

/* A segment of the sweep and both its parts are split, because nothing else shows what is inside.
 */
enum { PROBED = 2 };

/* The segment to split first has the highest level. */
enum level { LEVEL_DONE, LEVEL_LONG, LEVEL_PROBE, LEVEL_INACCURATE, LEVEL_PROBE_FIRST };

static struct rank rank_of(const struct plan *p, size_t segment)
{
    const struct segments *s = &p->segments;
    if (!has_room(p, segment) || !segment_is_known(s, segment))
        return (struct rank){ LEVEL_DONE, 0.0, 0.0 };
    int depth = segment_depth(s, segment);
    double length = segment_length(s, segment);
    double estimate = segment_estimate(s, segment, &p->spec);
    if (is_probed_first(p, segment))
        return (struct rank){ LEVEL_PROBE_FIRST, estimate, length };
    if (estimate >= p->spec.error)
        return (struct rank){ LEVEL_INACCURATE, estimate, length };
    if (depth < PROBED)
        return (struct rank){ LEVEL_PROBE, -depth, -length };
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
    return scale_is_dynamic(p->spec.scale) && !sweep_contains(&p->sweep, argument);
}

/* Keeps the highest ones, in their order. */
static void add_jump(struct plan_outcome *o, struct plan_jump jump)
{
    for (size_t i = 0; i < PLAN_JUMPS; i++)
        if (i >= o->jump_count || fabs(jump.height) > fabs(o->jumps[i].height)) {
            struct plan_jump next = o->jumps[i];
            o->jumps[i] = jump;
            jump = next;
        }
    o->jump_count++;
}

/* Where the times jump, the error of a line does not belong to the curve. In a long segment, a bend
 * may look like a small jump. */
static void add_segment(struct plan_outcome *o, const struct plan *p, size_t segment)
{
    const struct segments *s = &p->segments;
    const struct point *b = &s->points[segment];
    if (!segment_is_known(s, segment))
        return;
    double height = segment_jump(s, segment), error = p->spec.error;
    bool is_short = segment_length(s, segment) < error * (double)b->argument;
    double least = fmax(LEAST_JUMP, 2.0 * error);
    if (fabs(height) > (is_short ? fmin(least, 3.0 * error) : least))
        add_jump(o, (struct plan_jump){ b->argument, s->points[b->after].argument, height });
    else if (has_room(p, segment))
        o->estimate = fmax(o->estimate, segment_estimate(s, segment, &p->spec));
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
                              .end = plan_end(p) };
    for (size_t i = 0; i + 1 < p->sweep.count && i + 1 < p->segments.count; i++) {
        bool probed = p->segments.points[i].after != i + 1;
        o.probed += probed;
        o.segments += probed || has_room(p, i);
    }
    for (size_t i = 0; i < p->segments.count; i++)
        add_segment(&o, p, i);
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

static struct plan_spec without_variation(const struct suite *s, int processes)
{
    bool internal = (s->type->pattern->traits & PATTERN_PER_PROCESS) != 0;
    return (struct plan_spec){ .scale = SCALE_FIXED_LINEAR,
                               .first = s->type->traits & TYPE_OF_OTHERS ? 1 : 0,
                               .last = internal ? processes - 1 : 0,
                               .quantum = 1,
                               .stepwidth = 1.0,
                               .max_steps = processes,
                               .error = s->standard_error };
}

struct plan_spec plan_spec_of(const struct params *p, const struct suite *s, int processes)
{
    if (s->variation == VARY_NONE)
        return without_variation(s, processes);
    struct range range = suite_range(p, s, processes);
    return (struct plan_spec){ .scale = suite_scale(s),
                               .first = range.first,
                               .last = range.last,
                               .quantum = range.quantum,
                               .stepwidth = suite_stepwidth(s),
                               .max_steps = s->max_steps,
                               .min_distance = s->min_distance,
                               .max_distance = s->max_distance,
                               .error = s->standard_error };
}

static struct plan *plan_of_algorithms(const struct params *p, const struct suite *s, struct err *e)
{
    long *arguments = malloc((s->algorithms.count + 1) * sizeof(*arguments));
    if (arguments == NULL) {
        err_no_memory(e, s->algorithms.count * sizeof(*arguments));
        return NULL;
    }
    struct plan *plan = new_listed(arguments, algorithm_arguments(p, s, arguments), e);
    free(arguments);
    return plan;
}

struct plan *plan_of_suite(const struct params *p, const struct suite *s, int processes,
                           struct err *e)
{
    struct plan_spec spec = plan_spec_of(p, s, processes);
    long cases[APPLICATION_CASES];
    struct application_missing missing;
    if (s->variation == VARY_ALGORITHM)
        return plan_of_algorithms(p, s, e);
    if (s->type->application == NULL)
        return plan_new(&spec, e);
    int count = application_suite_arguments(p, s, processes, cases, &missing);
    return new_listed(cases, (size_t)count, e);
}
