#include "cli/inform.h"

#include "plan/plan.h"
#include "session/progress.h"
#include "model/parameters.h"

#include <math.h>

/* What the limits of a file allow: seconds of the suites that have a limit of time, and repetitions
 * of those that have none. */
struct allowed {
    double limited_s, repetitions;
    size_t limited, unlimited;
};

/* How many measurements a suite makes at most; with @ABSOLUTE, one of the overhead for each
 * argument. 0 if the suite is skipped or cannot be planned: then nothing is measured. */
static size_t measurements_of(const struct params *p, const struct suite *s, int processes)
{
    struct err e = { "" };
    struct plan *plan = s->skip != NULL ? NULL : plan_of_suite(p, s, processes, &e);
    size_t most = plan == NULL ? 0 : s->variation == VARY_NONE ? 1 : plan_most(plan);
    plan_free(plan);
    return p->absolute ? 2 * most : most;
}

/* Time_Suite is checked between measurements, so the last one adds to it. Infinite without a limit.
 */
static double limit_s(const struct suite *s, double measurements)
{
    double measurement_s = 60.0 * s->time_measurement_minutes,
           suite_s = 60.0 * s->time_suite_minutes;
    double all_s = measurement_s > 0 ? measurements * measurement_s : INFINITY;
    return suite_s > 0 ? fmin(all_s, suite_s + measurement_s) : all_s;
}

static void add_suite(struct allowed *a, const struct suite *s, size_t measurements)
{
    double seconds = limit_s(s, (double)measurements);
    if (measurements == 0)
        return;
    if (isinf(seconds)) {
        a->unlimited++;
        a->repetitions += (double)measurements * s->max_repetition;
    } else {
        a->limited++;
        a->limited_s += seconds;
    }
}

/* It rests on assumptions, so it says which. */
static void print_estimate(const struct params *p, int processes, FILE *out)
{
    double seconds = ESTIMATE_START_S;
    for (size_t i = 0; i < p->suite_count; i++)
        if (p->suites[i].skip == NULL)
            seconds += estimate_suite(p, &p->suites[i], processes).seconds;
    fprintf(out,
            "run time: about %s on a quiet machine, if a repetition takes %g us and %g ns per "
            "byte and process\n",
            duration_of(seconds), ESTIMATE_REPETITION_S * 1e6, ESTIMATE_BYTE_S * 1e9);
}

void limits_print(const struct params *p, int processes, FILE *out)
{
    struct allowed a = { 0 };
    for (size_t i = 0; i < p->suite_count; i++)
        add_suite(&a, &p->suites[i], measurements_of(p, &p->suites[i], processes));
    fputs("time limits: ", out);
    if (a.limited > 0)
        fprintf(out, "at most %.1f s for %zu suite%s", a.limited_s, a.limited,
                a.limited == 1 ? "" : "s");
    if (a.limited > 0 && a.unlimited > 0)
        fputs("; ", out);
    if (a.unlimited > 0)
        fprintf(out, "none for %zu suite%s, of at most %.0f repetitions", a.unlimited,
                a.unlimited == 1 ? "" : "s", a.repetitions);
    fputs(a.limited + a.unlimited > 0 ? "\n" : "none\n", out);
    print_estimate(p, processes, out);
}
