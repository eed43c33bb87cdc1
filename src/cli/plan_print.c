#include "cli/inform.h"
#include "merge/passes.h"
#include "results/times_text.h"
#include "model/parameters.h"

#include <math.h>

enum { WIDTH = 100, INDENT = 6, MAX_SHOWN = 200 };

/* Prints words with blanks between them, in lines of WIDTH columns. */
struct wrap {
    FILE *out;
    int column;
};

static void wrap_number(struct wrap *w, long number)
{
    char text[32];
    int wide = snprintf(text, sizeof(text), " %ld", number);
    if (w->column + wide > WIDTH) {
        fprintf(w->out, "\n%*s", INDENT - 1, "");
        w->column = INDENT - 1;
    }
    fputs(text, w->out);
    w->column += wide;
}

/* The sweep: without times, nothing is refined. Returns the largest argument. */
static long print_arguments(struct plan *plan, FILE *out)
{
    struct wrap w = { out, INDENT - 1 };
    struct err e = { "" };
    long argument, largest = 0;
    size_t count = 0;
    fprintf(out, "%*s", INDENT - 1, "");
    for (; plan_next(plan, &argument); count++) {
        if (count < MAX_SHOWN)
            wrap_number(&w, argument);
        largest = argument > largest ? argument : largest;
        if (plan_measured(plan, argument, NAN, &e) != 0)
            break;
    }
    if (count > MAX_SHOWN)
        fprintf(out, " and %zu more up to %ld", count - MAX_SHOWN, largest);
    fputc('\n', out);
    return largest;
}

/* "message length, Dynamic_log: at most 32 arguments, the sweep being" */
static void print_variation(const struct suite *s, size_t most, FILE *out)
{
    if (s->variation == VARY_ALGORITHM) {
        fprintf(out, "%*s%s: %zu of %s, of which those that fit:\n", INDENT, "",
                variation_info(s->variation)->text, s->algorithms.count, s->algorithms.variable);
        return;
    }
    if (s->variation == VARY_PAIRS) {
        fprintf(out, "%*s%s, all of them in rounds: %zu\n", INDENT, "",
                variation_info(s->variation)->text, most);
        return;
    }
    fprintf(out, "%*s%s, %s: ", INDENT, "", variation_info(s->variation)->text,
            scale_name(suite_scale(s)));
    if (scale_is_dynamic(s->scale))
        fprintf(out, "at most %zu arguments, the sweep being\n", most);
    else
        fprintf(out, "%zu argument%s\n", most, most == 1 ? "" : "s");
}

/* What a file says and the type has no use for. */
static void print_ignored(const struct suite *s, FILE *out)
{
    bool none = s->variation == VARY_NONE;
    if (s->other_variation)
        fprintf(out, "%*sVariation and its arguments are ignored: %s%s\n", INDENT, "",
                none ? "nothing is varied" : "varied over ",
                none ? "" : variation_info(s->variation)->name);
}

static void print_passes(const struct suite *s, int processes, FILE *out)
{
    int passes = passes_of(s, processes);
    if (passes > 1)
        fprintf(out, "%*sin %d passes over all arguments, %d repetitions each at most\n", INDENT,
                "", passes, passes_share(s, processes));
}

/* What histogram and raw add. */
static void print_times(const struct suite *s, size_t arguments, int processes, FILE *out)
{
    unsigned traits = suite_pattern(s)->traits;
    int own = (traits & PATTERN_OWN_TIMES) == 0 ? 0 : (traits & PATTERN_ONE_PAIR) ? 2 : processes;
    double rows = (double)arguments * (own + 1.0);
    if (suite_keeps_times(s))
        fprintf(out,
                "%*stimes of at most %d repetitions: %lld KiB more per process; at most %.0f KiB "
                "in the file\n",
                INDENT, "", s->max_repetition, times_memory(s, arguments) / 1024 + 1,
                ceil(rows * (double)times_longest(s) / 1024));
}

static void print_skipped(const struct suite *s, FILE *out)
{
    fprintf(out, "%s\n%*stype %d (%s)\n%*sskipped, %s\n", label_of(s), INDENT, "", s->type->number,
            s->type->text, INDENT, "", s->skip);
}

static void print_suite(const struct params *p, const struct suite *s, int processes, FILE *out)
{
    struct err e = { "" };
    struct plan *plan = plan_of_suite(p, s, processes, &e);
    fprintf(out, "%s\n%*stype %d (%s), %lld KiB per process\n", label_of(s), INDENT, "",
            s->type->number, s->type->text, suite_memory(p, s, processes) / 1024);
    print_ignored(s, out);
    if (plan == NULL) {
        fprintf(out, "%*s%s\n", INDENT, "", e.text);
    } else if (s->variation != VARY_NONE) {
        print_variation(s, plan_most(plan), out);
        if (s->variation != VARY_PAIRS)
            print_arguments(plan, out);
    }
    print_passes(s, processes, out);
    print_times(s, s->variation == VARY_NONE || plan == NULL ? 1 : plan_most(plan), processes, out);
    plan_free(plan);
}

void plan_print(const struct params *p, int processes, FILE *out)
{
    fprintf(out, "%zu suite%s, planned for %d processes, @MEMORY %d KiB per process\n",
            p->suite_count, p->suite_count == 1 ? "" : "s", processes, p->memory_kib);
    limits_print(p, processes, out);
    fputc('\n', out);
    for (size_t i = 0; i < p->suite_count + p->skipped_count; i++)
        if (p->suites[i].skip != NULL)
            print_skipped(&p->suites[i], out);
        else
            print_suite(p, &p->suites[i], processes, out);
}
