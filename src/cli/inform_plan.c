#include "cli/inform.h"

#include "base/json.h"
#include "results/times_file.h"
#include "model/argument_range.h"
#include "plan/plan.h"
#include "session/progress.h"
#include "model/parameters.h"

enum { INDENT = 6, MAX_SHOWN = 200 };

/* Prints the sweep: without times, nothing is refined. */
static void print_arguments(struct plan *plan, FILE *out)
{
    LOCAL_TEXT all = { 0 }, lines = { 0 };
    long argument, largest = 0;
    size_t count = 0;
    for (; plan_next(plan, &argument); count++) {
        if (count < MAX_SHOWN)
            text_add(&all, "%ld ", argument);
        largest = argument > largest ? argument : largest;
    }
    if (count > MAX_SHOWN)
        text_add(&all, "and %zu more up to %ld", count - MAX_SHOWN, largest);
    text_add(&lines, "%*s", INDENT, "");
    text_add_wrapped(&lines, text_get(&all), INDENT);
    fputs(text_get(&lines), out);
}

/* "message length, Dynamic_log: at most 32 arguments, the sweep being" */
static void print_variation(const struct suite *s, size_t most, FILE *out)
{
    const struct variation_info *v = variation_info(s->variation);
    bool counts = v->kind == ARGUMENTS_NUMBERS && v->word != NULL;
    fprintf(out, counts ? "%*snumber of " : "%*s", INDENT, "");
    fputs(counts ? v->word : v->text, out);
    if (v->kind == ARGUMENTS_NUMBERS)
        fprintf(out, ", %s: ", scale_name(suite_scale(s)));
    if (v->kind == ARGUMENTS_NAMES)
        fprintf(out, ": %zu of %s, of which those that fit:\n", s->algorithms.count,
                s->algorithms.variable);
    else if (v->kind == ARGUMENTS_PAIRS)
        fprintf(out, ", all of them in rounds: %zu\n", most);
    else if (scale_is_dynamic(s->scale))
        fprintf(out, "at most %zu arguments, the sweep being\n", most);
    else
        fprintf(out, "%zu argument%s\n", most, plural(most));
}

static void print_limits_of(const struct suite *s, FILE *out)
{
    double measurement_s = 60.0 * s->time_measurement_minutes;
    fprintf(out, "%*s%s ", INDENT, "",
            suite_arguments(s) == ARGUMENTS_NONE ? "limits:" : "limits of an argument:");
    if (measurement_s > 0.0)
        fprintf(out, "%g s, at most %d repetitions", measurement_s, s->max_repetition);
    else
        fprintf(out, "%d to %d repetitions, standard error %g %%", s->min_repetition,
                s->max_repetition, 100.0 * s->standard_error);
    if (s->time_suite_minutes > 0.0)
        fprintf(out, "; of the suite: %g s", 60.0 * s->time_suite_minutes);
    fputc('\n', out);
}

static void print_times(const struct suite *s, size_t arguments, int processes, FILE *out)
{
    unsigned traits = suite_pattern(s)->traits;
    int own = (traits & PATTERN_ONE_PAIR) != 0 ? 2 : processes;
    double rows = (double)arguments * ((traits & PATTERN_OWN_TIMES) != 0 ? own + 1.0 : 1.0);
    if (suite_keeps_times(s))
        fprintf(out,
                "%*stimes of at most %d repetitions: %lld KiB more per process; at most %.0f KiB "
                "in the file\n",
                INDENT, "", s->max_repetition, times_memory(s, arguments) / 1024 + 1,
                ceil(rows * (double)times_longest(s) / 1024));
}

static void print_suite(const struct params *p, const struct suite *s, int processes, FILE *out)
{
    struct plan *plan = plan_of_suite(p, s, processes);
    fprintf(out, "%s\n%*stype %d (%s), %lld KiB per process\n", label_of(s), INDENT, "",
            s->type->number, s->type->text, suite_memory(p, s, processes) / 1024);
    bool none = suite_arguments(s) == ARGUMENTS_NONE;
    if (s->other_variation)
        fprintf(out,
                none ? "%*sVariation and its arguments are ignored: nothing is varied\n"
                     : "%*sVariation and its arguments are ignored: varied over %s\n",
                INDENT, "", variation_info(s->variation)->name);
    if (!none) {
        print_variation(s, plan_most(plan), out);
        if (suite_arguments(s) != ARGUMENTS_PAIRS)
            print_arguments(plan, out);
    }
    print_limits_of(s, out);
    if (visits_count(s, processes) > 1)
        fprintf(out, "%*sin %d passes over all arguments, %d repetitions each at most\n", INDENT,
                "", visits_count(s, processes), visits_share(s, processes, 0));
    print_times(s, none ? 1 : plan_most(plan), processes, out);
    plan_free(plan);
}

/* The limits of a file: seconds of suites with a limit of time, repetitions of the others. */
struct allowed {
    double limited_s, repetitions;
    size_t limited, unlimited;
};

/* Time_Suite is checked between measurements: the last one adds to it. */
static void add_suite(struct allowed *a, const struct suite *s, size_t measurements)
{
    double measurement_s = 60.0 * s->time_measurement_minutes,
           suite_s = 60.0 * s->time_suite_minutes;
    double seconds = measurement_s > 0 ? (double)measurements * measurement_s : INFINITY;
    if (suite_s > 0)
        seconds = fmin(seconds, suite_s + measurement_s);
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

static double estimate_s(const struct params *p, int processes)
{
    const struct outlook x = outlook_of(p, processes);
    double seconds = ESTIMATE_START_S;
    for (size_t i = 0; i < p->suite_count; i++)
        if (p->suites[i].skip == NULL)
            seconds += estimate_suite(&x, &p->suites[i]).seconds;
    return seconds;
}

/* With @ABSOLUTE, the overhead is measured for each argument. A suite that is skipped is not
 * measured. */
static struct allowed allowed_of(const struct params *p, int processes)
{
    struct allowed a = { 0 };
    for (const struct suite *s = p->suites; s < p->suites + p->suite_count; s++) {
        struct plan *plan = s->skip != NULL ? NULL : plan_of_suite(p, s, processes);
        bool varies = plan != NULL && suite_arguments(s) != ARGUMENTS_NONE;
        size_t most = varies ? plan_most(plan) : plan != NULL;
        plan_free(plan);
        add_suite(&a, s, p->absolute ? 2 * most : most);
    }
    if (params_are_timed(p))
        a = (struct allowed){ .limited_s = 60.0 * p->time_run_minutes,
                              .limited = a.limited + a.unlimited };
    return a;
}

/* How long a launch may take, also for skampi-launch. One line: the sum of the time limits over
 * suites and arguments, and how many repetitions suites without a limit may make. Starting,
 * synchronising and checking data take more time. A second line estimates the run time. */
static void print_limits(const struct params *p, int processes, FILE *out)
{
    const struct allowed a = allowed_of(p, processes);
    fputs("time limits: ", out);
    if (a.limited > 0)
        fprintf(out, "at most %.1f s for %zu suite%s", a.limited_s, a.limited, plural(a.limited));
    if (a.limited > 0 && a.unlimited > 0)
        fputs("; ", out);
    if (a.unlimited > 0)
        fprintf(out, "none for %zu suite%s, of at most %.0f repetitions", a.unlimited,
                plural(a.unlimited), a.repetitions);
    fputs(a.limited + a.unlimited > 0 ? "\n" : "none\n", out);
    fprintf(out,
            "run time: about %s on a quiet machine, if a repetition takes %g us and %g ns per "
            "byte and process\n",
            duration_of(estimate_s(p, processes)), ESTIMATE_REPETITION_S * 1e6,
            ESTIMATE_BYTE_S * 1e9);
}

void plan_print(const struct params *p, int processes, FILE *out)
{
    fprintf(out, "%zu suite%s, planned for %d processes, @MEMORY %d KiB per process\n\n",
            p->suite_count, plural(p->suite_count), processes, p->memory_kib);
    for (const struct suite *s = p->suites; s < p->suites + p->suite_count + p->skipped_count; s++)
        if (s->skip != NULL)
            fprintf(out, "%s\n%*stype %d (%s)\n%*sskipped, %s\n", label_of(s), INDENT, "",
                    s->type->number, s->type->text, INDENT, "", s->skip);
        else
            print_suite(p, s, processes, out);
    fputc('\n', out);
    print_limits(p, processes, out);
}

struct planned {
    const struct params *p;
    int processes;
};

static void add_arguments(struct text *out, const struct planned *of, const struct suite *s)
{
    struct plan *plan = plan_of_suite(of->p, s, of->processes);
    long argument;
    json_begin(out, "arguments", '[');
    while (suite_arguments(s) != ARGUMENTS_NONE && plan_next(plan, &argument))
        json_add_number(out, NULL, argument);
    json_end(out, ']');
    json_add_number(out, "arguments_most", (long)plan_most(plan));
    plan_free(plan);
}

static void add_planned(struct text *out, const void *of_, int i)
{
    const struct planned *of = of_;
    const struct suite *s = &of->p->suites[i];
    json_add(out, "suite", label_of(s));
    json_add_number(out, "type", s->type->number);
    json_add_texts(out, { "operation", s->type->name }, { "skipped", s->skip });
    if (s->skip != NULL)
        return;
    if (suite_arguments(s) != ARGUMENTS_NONE) {
        json_add(out, "variation", variation_info(s->variation)->axis);
        json_add(out, "argument_unit", variation_info(s->variation)->unit);
    }
    add_arguments(out, of, s);
    json_add_number(out, "visits", visits_count(s, of->processes));
    json_add_number(out, "repetitions_most", s->max_repetition);
    json_add_number(out, "memory_bytes", (long)suite_memory(of->p, s, of->processes));
}

void plan_add_json(struct text *out, const struct params *p, int processes)
{
    const struct planned of = { p, processes };
    const struct allowed a = allowed_of(p, processes);
    json_begin(out, NULL, '{');
    json_add(out, "schema", "skampi-plan/1");
    json_add_number(out, "processes", processes);
    json_add_number(out, "memory_KiB", p->memory_kib);
    json_add_list(out, "suites", (int)(p->suite_count + p->skipped_count), add_planned, &of);
    json_add_real(out, "estimate_s", estimate_s(p, processes));
    if (a.limited > 0)
        json_add_real(out, "limited_s", a.limited_s);
    json_add_number(out, "suites_limited", (long)a.limited);
    json_add_number(out, "suites_unlimited", (long)a.unlimited);
    json_end(out, '}');
    text_add(out, "\n");
}
