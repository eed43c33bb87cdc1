#include "plan/plan.h"

#include "model/algorithms.h"
#include "model/argument_range.h"
#include "model/suite.h"
#include "plan/segments.h"
#include "plan/sweep.h"

#define LEAST_JUMP 0.1

struct plan {
    struct plan_spec spec;
    struct sweep sweep;
    size_t given;  /* arguments handed out */
    bool waiting;  /* for the result of the last argument */
    long argument; /* the last one handed out */
    size_t before; /* the point that it follows: the segment that it splits, unless it is swept */
    struct segments segments; /* the points of the sweep in order, then those of the refinement */
    size_t short_one;         /* a segment of the sweep that is probed first */
    struct rank *ranks;       /* owned; of the segments, once the sweep is measured */
    size_t *highest; /* owned; a tree: [1] is the segment that ranks highest, [i] the higher
                        one of [2 * i] and [2 * i + 1], and [room + n] is n */
    size_t room;     /* for segments; a power of 2 */
};

struct plan *plan_new(const struct plan_spec *spec)
{
    struct plan *p;
    struct err refused = { "" };
    allocated_array(&p, 1);
    p->spec = *spec;
    sweep_init(&p->sweep, spec, &refused);
    return p;
}

void plan_free(struct plan *p)
{
    if (p == NULL)
        return;
    sweep_release(&p->sweep);
    segments_release(&p->segments);
    free(p->ranks);
    free(p->highest);
    free(p);
}

static bool has_room(const struct plan *p, size_t segment)
{
    long middle;
    return p->segments.points[segment].after != NOBODY &&
           segment_middle(&p->segments, segment, &p->spec, &middle);
}

/* Is the segment split before any part of a segment? If the points suffice for all of the sweep's
 * segments, those that bend are, and half of the others, so that the rest have probed neighbours:
 * every other one from the last but two, because the last two take the most time, and a short one,
 * the cheapest. With fewer points, no segment is, since estimates need points. */
static bool is_probed_first(const struct plan *p, size_t segment, double urgency)
{
    bool is_other = (p->sweep.count - segment) % 2 == 0 && segment + 2 < p->sweep.count;
    return segment_depth(&p->segments, segment) == 0 && plan_most(p) + 1 >= 2 * p->sweep.count &&
           (is_other || segment == p->short_one || urgency >= p->spec.error);
}

/* A segment of the sweep and both its parts are split: nothing else shows what is inside. */
enum { PROBED = 2 };

/* The highest level is split first; among equal ones, the higher first, then second. No NaN. */
enum level { LEVEL_DONE, LEVEL_LONG, LEVEL_PROBE, LEVEL_INACCURATE, LEVEL_PROBE_FIRST };
struct rank {
    enum level level;
    double first, second;
};

static bool is_higher(const struct rank *x, const struct rank *y)
{
    if (x->level != y->level)
        return x->level > y->level;
    if (x->first < y->first || x->first > y->first)
        return x->first > y->first;
    return x->second > y->second;
}

static struct rank rank_of(const struct plan *p, size_t segment)
{
    const struct segments *s = &p->segments;
    if (!has_room(p, segment) || !segment_is_known(s, segment))
        return (struct rank){ LEVEL_DONE, 0.0, 0.0 };
    int depth = segment_depth(s, segment);
    double length = segment_length(s, segment);
    double estimate = segment_estimate(s, segment, &p->spec);
    double urgency = segment_urgency(s, segment, estimate);
    if (is_probed_first(p, segment, urgency))
        return (struct rank){ LEVEL_PROBE_FIRST, urgency, length };
    if (estimate >= p->spec.error)
        return (struct rank){ LEVEL_INACCURATE, urgency, length };
    if (depth < PROBED)
        return (struct rank){ LEVEL_PROBE, -depth, -length };
    if (length > p->spec.max_distance)
        return (struct rank){ LEVEL_LONG, length, 0.0 };
    return (struct rank){ LEVEL_DONE, 0.0, 0.0 };
}

/* Ranks a segment; of equal ranks, the first segment is the higher one. */
static void rank_segment(struct plan *p, size_t segment)
{
    p->ranks[segment] = rank_of(p, segment);
    for (size_t i = (p->room + segment) / 2; i > 0; i /= 2) {
        size_t first = p->highest[2 * i], second = p->highest[2 * i + 1];
        p->highest[i] = is_higher(&p->ranks[second], &p->ranks[first]) ? second : first;
    }
}

static size_t next_split(const struct plan *p)
{
    bool any = p->highest != NULL && p->ranks[p->highest[1]].level != LEVEL_DONE;
    return any ? p->highest[1] : NOBODY;
}

/* The first segment with room that is not probed first anyway. */
static size_t short_one(const struct plan *p)
{
    size_t segment = 0, count = p->sweep.count;
    while (segment + 1 < count && !has_room(p, segment))
        segment++;
    return (count - segment) % 2 == 0 && segment + 2 < count ? segment + 1 : segment;
}

/* Ranks all segments after the last point of the sweep; allocates for all points that the plan may
 * get, first as LEVEL_DONE. */
static void rank_all(struct plan *p)
{
    p->short_one = short_one(p);
    for (p->room = 1; p->room < plan_most(p);)
        p->room *= 2;
    allocated_array(&p->ranks, p->room);
    allocated_array(&p->highest, 2 * p->room);
    for (size_t i = 2 * p->room - 1; i > 0; i--)
        p->highest[i] = i >= p->room ? i - p->room : p->highest[2 * i];
    for (size_t i = 0; i < p->segments.count; i++)
        rank_segment(p, i);
}

/* Ranks again after a split, which changes the estimates of both parts, of the two segments before
 * them and of the two after them. */
static void rank_around(struct plan *p, size_t segment)
{
    const struct point *points = p->segments.points;
    for (int i = 0; i < 2 && points[segment].before != NOBODY; i++)
        segment = points[segment].before;
    for (int i = 0; i < 6 && segment != NOBODY; i++, segment = points[segment].after)
        rank_segment(p, segment);
}

void plan_measured(struct plan *p, double time_us)
{
    bool known = isfinite(time_us) && time_us > 0.0;
    p->waiting = false;
    if (!scale_is_dynamic(p->spec.scale))
        return;
    segments_add(&p->segments, p->argument, known ? time_us : NAN, p->before);
    if (p->segments.count == p->sweep.count)
        rank_all(p);
    if (p->segments.count > p->sweep.count)
        rank_around(p, p->before);
}

bool plan_next(struct plan *p, long *argument)
{
    if (p->waiting)
        plan_measured(p, NAN);
    if (p->given < p->sweep.count) {
        p->before = p->given == 0 ? NOBODY : p->given - 1;
        p->argument = p->sweep.arguments[p->given];
    } else {
        p->before = p->given < plan_most(p) ? next_split(p) : NOBODY;
        if (p->before == NOBODY || !segment_middle(&p->segments, p->before, &p->spec, &p->argument))
            return false;
    }
    p->given++;
    p->waiting = true;
    *argument = p->argument;
    return true;
}

void plan_give_back(struct plan *p)
{
    p->given -= p->waiting;
    p->waiting = false;
}

bool plan_peek(const struct plan *p, long *argument)
{
    if (p->given >= p->sweep.count)
        return false;
    *argument = p->sweep.arguments[p->given];
    return true;
}

bool plan_is_refined(const struct plan *p, long argument)
{
    return scale_is_dynamic(p->spec.scale) && !sweep_contains(&p->sweep, argument);
}

/* Adds a jump; keeps the highest ones, in their order, and the height of the next. */
static void add_jump(struct plan_outcome *o, struct plan_jump jump)
{
    for (size_t i = 0; i < PLAN_JUMPS; i++)
        if (i >= o->jump_count || fabs(jump.height) > fabs(o->jumps[i].height)) {
            struct plan_jump next = o->jumps[i];
            o->jumps[i] = jump;
            jump = next;
        }
    if (o->jump_count++ >= PLAN_JUMPS)
        o->lower = fmax(o->lower, fabs(jump.height));
}

/* The height of a jump between known points; 0 without one. In a long segment, a bend may look like
 * a small jump. */
static double jump_of(const struct plan *p, size_t segment)
{
    const struct segments *s = &p->segments;
    if (!segment_is_known(s, segment))
        return 0.0;
    double height = segment_jump(s, segment), error = p->spec.error;
    double least = fmax(LEAST_JUMP, 2.0 * error);
    if (segment_length(s, segment) < error * (double)s->points[segment].argument) /* a short one */
        least = fmin(least, 3.0 * error);
    return fabs(height) > least ? height : 0.0;
}

/* Adds a segment; where the times jump, the error of a line does not belong to the curve. */
static void add_segment(struct plan_outcome *o, const struct plan *p, size_t segment)
{
    const struct segments *s = &p->segments;
    const struct point *b = &s->points[segment];
    if (fabs(b->jump) > 0.0)
        add_jump(o, (struct plan_jump){ b->argument, s->points[b->after].argument, b->jump });
    else if (segment_is_known(s, segment) && segment_length(s, segment) > (double)p->spec.quantum)
        o->bound = fmax(o->bound, segment_bound(s, segment));
}

static enum plan_end plan_end(const struct plan *p)
{
    if (p->given >= p->sweep.count && next_split(p) == NOBODY)
        return PLAN_DONE;
    return p->given >= plan_most(p) ? PLAN_AT_MAX_STEPS : PLAN_STOPPED;
}

struct plan_outcome plan_outcome(const struct plan *p)
{
    struct plan_outcome o = { .sweep = p->sweep.count,
                              .swept = p->given < p->sweep.count ? p->given : p->sweep.count,
                              .end = plan_end(p) };
    for (size_t i = 0; i + 1 < p->sweep.count && i + 1 < p->segments.count; i++) {
        bool probed = p->segments.points[i].after != i + 1;
        o.probed += probed;
        o.segments += probed || has_room(p, i);
    }
    for (size_t i = 0; i < p->segments.count; i++)
        p->segments.points[i].jump = jump_of(p, i);
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
    unsigned long most =
        spec->max_steps > 0 ? (unsigned long)spec->max_steps : p->sweep.count + SWEEP_MORE;
    most = multiples < most ? multiples : most;
    return p->sweep.count > most ? p->sweep.count : most;
}

struct plan_spec plan_spec_of(const struct params *p, const struct suite *s, int processes)
{
    bool internal = (s->type->pattern->traits & PATTERN_PER_PROCESS) != 0;
    if (suite_arguments(s) == ARGUMENTS_NONE)
        return (struct plan_spec){ .scale = SCALE_FIXED_LINEAR,
                                   .first = (s->type->traits & TYPE_OF_OTHERS) != 0,
                                   .last = internal ? processes - 1 : 0,
                                   .quantum = 1,
                                   .stepwidth = 1.0,
                                   .error = s->standard_error };
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

/* A plan of these arguments, in their order, and no others. */
static struct plan *plan_of_list(const long *arguments, size_t count)
{
    const struct plan_spec none = { .scale = SCALE_FIXED_LINEAR, .first = 1, .quantum = 1 };
    struct plan *p = plan_new(&none);
    sweep_list(&p->sweep, arguments, count);
    return p;
}

/* The numbers of the key arguments, brought to multiples of the quantum. */
static struct plan *plan_of_numbers(const struct few_numbers *few, const struct plan_spec *spec)
{
    long arguments[APPLICATION_NUMBERS] = { 0 };
    size_t count = 0;
    for (int i = 0; i < few->count; i++) {
        long multiple = few->k[i] / spec->quantum * spec->quantum;
        if (multiple >= spec->first && multiple <= spec->last)
            arguments[count++] = multiple;
    }
    qsort(arguments, count, sizeof(*arguments), by_long);
    return plan_of_list(arguments, count);
}

static struct plan *plan_of_algorithms(const struct params *p, const struct suite *s)
{
    long *arguments;
    allocated_array(&arguments, s->algorithms.count);
    struct plan *plan = plan_of_list(arguments, algorithm_arguments(p, s, arguments));
    free(arguments);
    return plan;
}

struct plan *plan_of_suite(const struct params *p, const struct suite *s, int processes)
{
    struct plan_spec spec = plan_spec_of(p, s, processes);
    if (suite_arguments(s) == ARGUMENTS_NAMES)
        return plan_of_algorithms(p, s);
    if (suite_has_list(s))
        return plan_of_numbers(&s->options.arguments, &spec);
    if (s->type->application == NULL)
        return plan_new(&spec);
    const struct application_arguments all = application_suite_arguments(p, s, processes);
    return plan_of_list(all.list, (size_t)all.count);
}
