/* Which argument is measured next (manual 2.1.4 Scale, paper 4.2). Pure: the caller asks for
 * arguments and passes their times. The plan begins with the sweep that the scale gives; then, on a
 * dynamic scale, it splits the segments between neighbouring points. If the points suffice for each
 * of the sweep's segments, those that bend are split first, and half of the others, because nothing
 * else shows what is inside. Next are the segments in which linear interpolation would be least
 * accurate, then the rest of the sweep's segments, and both parts of each. The estimate is the
 * paper's, with one exception: the paper uses the smaller of two predictions and so overlooks a
 * jump whose two lines happen to meet at a measured point. Here a prediction must be right if a
 * further point confirms its line. */
#pragma once

#include "model/catalog.h"

/* The points of the refinement, unless Max_Steps is written. */
enum { SWEEP_MORE = 16 };

struct plan_spec {
    enum scale scale;
    long first, last; /* inclusive, both multiples of quantum */
    long quantum;     /* every argument is a multiple of it; at least 1 */
    double stepwidth; /* distance (linear) or factor (log) of the sweep; may be a fraction */
    int max_steps; /* number of arguments up to which dynamic scales refine; 0: none is written */
    double min_distance; /* a segment shorter than twice this is never split */
    double max_distance; /* a segment longer than this is not yet converged */
    double error;        /* relative; a segment whose estimate is below it is converged */
};

struct plan; /* opaque */

/* Has no arguments if sweep_init refuses the sweep: the parameter file cannot be used then. */
enum { MAX_PLAN = 1000000 };
struct plan *plan_new(const struct plan_spec *spec);
void plan_free(struct plan *p);

/* The next argument; false if the suite is done. No argument comes twice. The time of the one
 * before is unknown unless plan_measured was called. */
bool plan_next(struct plan *p, long *argument);

/* The next argument, if it is of the sweep, without handing it out. */
bool plan_peek(const struct plan *p, long *argument);

/* The argument that plan_next gave last, which has no result, is the next one again. */
void plan_give_back(struct plan *p);

/* Takes the result of the argument that plan_next gave last. A time that is not positive and finite
 * counts as unknown: segments at it are not refined. */
void plan_measured(struct plan *p, double time_us);

/* Was the argument placed by the refinement, and not by the sweep? */
bool plan_is_refined(const struct plan *p, long argument);

/* Why a plan hands out no more arguments: it is done, or more would be needed. */
enum plan_end { PLAN_DONE, PLAN_AT_MAX_STEPS, PLAN_STOPPED };

/* Two neighbouring points between which the times jump; height relative to the times before it. */
struct plan_jump {
    long from, to;
    double height;
};

/* The outcome of a plan on a dynamic scale. */
enum { PLAN_JUMPS = 4 };
struct plan_outcome {
    size_t sweep;            /* arguments that Scale and Stepwidth give */
    size_t swept;            /* number of those that were handed out */
    size_t segments, probed; /* between arguments of the sweep, with room for a point: all, split */
    double bound;            /* estimated relative error of lines, except at jumps, or INFINITY */
    enum plan_end end;       /* PLAN_STOPPED: the caller did not ask for more */
    size_t jump_count;       /* of more than 10 %; in short segments, 3 * error */
    struct plan_jump jumps[PLAN_JUMPS]; /* the highest first */
    double lower;                       /* the most of the others */
};
struct plan_outcome plan_outcome(const struct plan *p);

/* The maximum number of measurements, for estimates: the sweep, or Max_Steps, if that is more. */
size_t plan_most(const struct plan *p);

/* From a suite of the parameter file to the plan of its arguments. */

/* For a number of processes. Simple operations have the argument 0, internal ones ranks. */
struct plan_spec plan_spec_of(const struct params *p, const struct suite *s, int processes);

/* The plan of these arguments, or of the cases of an application. */
struct plan *plan_of_suite(const struct params *p, const struct suite *s, int processes);
