#include "session/progress.h"

#include "hosts/system.h"
#include "model/parameters.h"

#include <unistd.h>

/* Before this part of the run, at most that much, is done, the time left rests on the estimate. */
static const double TRUST_PART = 0.02, TRUST_S = 1.0;

/* The weight of a turn is halved after this part of the run so far, and at least this time. */
static const double HALVED_PART = 0.5, HALVED_S = 1.0;

void progress_init(struct progress *g, const struct outlook *x, bool quiet, double (*now)(void))
{
    const struct params *p = x->params;
    *g = (struct progress){ .quiet = quiet, .now = now, .params = p, .outlook = *x };
    g->terminal = system_terminal_lines(STDERR_FILENO) > 0;
    g->started_s = g->seen_s = now();
    allocated_array(&g->suites, p->suite_count);
}

void progress_release(struct progress *g)
{
    free(g->suites);
    g->suites = NULL;
}

static double pass_s(const struct progress *g, size_t suite)
{
    int passes = visits_count(&g->params->suites[suite], g->outlook.processes);
    return g->suites[suite].all.seconds / passes;
}

void progress_expect(struct progress *g, size_t suite, int passes)
{
    struct expected *x = &g->suites[suite];
    x->passes = passes;
    if (g->quiet)
        return;
    x->all = estimate_suite(&g->outlook, &g->params->suites[suite]);
    x->left_s = fmax(0.0, x->all.seconds - passes * pass_s(g, suite));
    g->all_s += x->left_s;
    g->to_do_s = g->all_s;
}

const char *progress_duration(double seconds, char *buffer, size_t size)
{
    long whole = (long)(seconds + 0.5);
    if (whole < 60)
        snprintf(buffer, size, "%ld s", whole);
    else if (whole < 3600)
        snprintf(buffer, size, "%ld:%02ld min", whole / 60, whole % 60);
    else
        snprintf(buffer, size, "%ld:%02ld:%02ld h", whole / 3600, whole / 60 % 60, whole % 60);
    return buffer;
}

static double left_s(const struct progress *g)
{
    double sum_s = 0.0;
    for (size_t i = 0; i < g->params->suite_count; i++)
        sum_s += g->suites[i].left_s;
    return sum_s;
}

double progress_left_s(const struct progress *g, double part_s)
{
    double to_do_s = fmax(0.0, left_s(g) - part_s), trust_s = fmin(TRUST_S, TRUST_PART * g->all_s);
    double spent_s = g->spent_s + g->now() - g->seen_s, done_s = g->done_s + g->to_do_s - to_do_s;
    return (spent_s + trust_s) / (done_s + trust_s) * to_do_s;
}

/* "[ 3/90] col_MPI_Bcast-length-SM   12 s, about 1:20 min left" */
static void print_line(const struct progress *g, double part_s)
{
    double elapsed = g->now() - g->started_s;
    size_t suites = g->params->suite_count;
    int width = snprintf(NULL, 0, "%zu", suites);
    LOCAL_TEXT name = { 0 };
    text_add(&name, "%s", label_of(&g->params->suites[g->suite]));
    int passes = g->suites[g->suite].passes;
    if (passes > 0)
        text_add(&name, " (pass %d)", passes + 1);
    fprintf(stderr, "%s[%*zu/%zu] %-44s %9s, %s %s left%s", g->terminal ? "\r" : "", width,
            g->suite + 1, suites, text_get(&name), duration_of(elapsed),
            g->spent_s > 0.0 ? "about" : "at least", duration_of(progress_left_s(g, part_s)),
            g->terminal ? "\033[K" : "\n");
    fflush(stderr);
}

/* Begins another round at a suite that does not come after the one before: one line for it. */
void progress_begin_turn(struct progress *g, size_t suite)
{
    struct expected *x = &g->suites[suite];
    bool again = x->begun && suite <= g->suite, first = !x->begun;
    g->suite = suite;
    x->begun = true;
    if (!g->quiet && (g->terminal || again || first))
        print_line(g, 0.0);
}

void progress_argument(struct progress *g, size_t done)
{
    const struct expected *x = &g->suites[g->suite];
    double before_s = x->all.seconds - x->left_s;
    double part_s = x->all.seconds * fmin((double)done / x->all.rows, 1.0) - before_s;
    if (!g->quiet && g->terminal)
        print_line(g, fmin(fmax(part_s, 0.0), x->left_s));
}

void progress_end_turn(struct progress *g, bool more)
{
    struct expected *x = &g->suites[g->suite];
    x->passes++;
    x->left_s = more ? fmax(0.0, x->left_s - pass_s(g, g->suite)) : 0.0;
    double now_s = g->now(), turn_s = now_s - g->seen_s, to_do_s = left_s(g);
    double kept = exp2(-turn_s / (HALVED_PART * (now_s - g->started_s) + HALVED_S));
    g->spent_s = kept * g->spent_s + turn_s;
    g->done_s = kept * g->done_s + g->to_do_s - to_do_s;
    g->seen_s = now_s;
    g->to_do_s = to_do_s;
}

void progress_end(struct progress *g, const char *where, const char *shares)
{
    if (g->quiet)
        return;
    size_t suites = g->params->suite_count;
    fputs(g->terminal ? "\r\033[K" : "", stderr);
    text_print_to(stderr, "skampi: %zu suite%s in %s, results in %s\n", suites, plural(suites),
                  duration_of(g->now() - g->started_s), where);
    fprintf(stderr, "skampi: time spent: %s\n", shares);
}
