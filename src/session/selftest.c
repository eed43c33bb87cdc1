#include "session/selftest.h"

#include "session/parameter_file.h"
#include "session/session.h"
#include "ops/registry.h"

#include <math.h>

/* What is measured: delayed calls, and a type of each family whose data can be checked. */
static const char TEXT[] =
    "@VERSION 4.2\n@MEMORY 1024\n@BASETYPE1 MPI_INT\n@BLOCKSIZE 2\n"
    "@STANDARDERRORDEFAULT 0.001\n@MINREPDEFAULT 48\n@MAXREPDEFAULT 96\n@MEASUREMENTS\n"
    "* { Type = 272, 273, 274, 275, 276, 277, 278; Time_Suite = 0.04; Time_Measurement = 0.01; }\n"
    "* { Type = 1, 3, 165, 180, 201, 47, 55, 60, 64, 66, 70, 240, 318, 340, 344, 348, 360;\n"
    "    Default_Message_length = 256; Min_Repetition = 2; Max_Repetition = 2;\n"
    "    Send_Datatype_Number = 31; Receive_Datatype_Number = 31; }\n";

enum { LOOKS = 8, READINGS = 10000, LIES = 4, FEWEST = 20, TRIES = 3, DELAYS = 3, NAME_WIDTH = 26 };
static const double DELAYS_US[DELAYS] = { 1.0, 10.0, 100.0 };

/* Allowed is this part of a delay, or that time; sure are this many standard errors. */
static const double ALLOWED_PART = 0.05, ALLOWED_US = 0.2, SURE = 5.0, LATE_US = 2.0;

struct test {
    struct session *session;
    enum selftest_verdict worst; /* rank 0 */
};

/* What a suite showed: of each delay the added time that is farthest off, and on which process. */
struct finding {
    enum selftest_verdict verdict;
    double us[DELAYS], off_us[DELAYS];
    long process[DELAYS];
};

static void print_line(struct test *t, enum selftest_verdict v, const char *name, const char *text)
{
    if (t->session->machine.rank != 0)
        return;
    printf("  %-12s %-*s %s\n", selftest_verdict_name(v), NAME_WIDTH, name, text);
    t->worst = v > t->worst ? v : t->worst;
}

/* How far an added time is from what is possible: with a root between nothing and the delay, a part
 * of which may be hidden by what the others do. */
static double off_us(const struct suite *s, double us, double delay_us)
{
    if ((s->type->traits & TYPE_ROOTED) != 0)
        return fmax(0.0, fmax(-us, us - delay_us));
    return fabs(us - delay_us);
}

/* For one delay. A row with other programs on its CPU, or few repetitions, proves nothing; nor does
 * as much as a process that has waited may notice a message later, whose places in memory are in
 * its cache then: on distant CPUs, about the time of a short call. */
static enum selftest_verdict judge(const struct test *t, const struct row *row, double off,
                                   double error_us, double delay_us)
{
    const struct clock *c = &t->session->machine.clock;
    double allowed = fmax(ALLOWED_PART * delay_us, ALLOWED_US);
    double unsure = SURE * error_us + (c->tick_s + c->cost_s) * 1e6;
    if (t->session->machine.hosts.oversubscribed || row->stats.cleaned.count < FEWEST ||
        !(unsure <= allowed))
        return SELFTEST_UNKNOWN;
    if (off <= allowed)
        return SELFTEST_PASSED;
    double late_us = fmin(2.0 * row->extra[DELAYS - 1].value, LATE_US);
    bool sure = off > allowed + unsure + late_us && row->contended == 0;
    return sure ? SELFTEST_FAILED : SELFTEST_UNKNOWN;
}

static void look_at(const struct test *t, const struct suite *s, const struct row *row,
                    struct finding *f)
{
    const struct summary *all = &row->stats.cleaned;
    const struct extra_value added[DELAYS] = { row->extra[0],
                                               row->extra[1],
                                               { all->mean_us, all->error_us } };
    for (int i = 0; i < DELAYS; i++) {
        double off = off_us(s, added[i].value, DELAYS_US[i]);
        enum selftest_verdict v = judge(t, row, off, added[i].error, DELAYS_US[i]);
        f->verdict = v > f->verdict ? v : f->verdict;
        if (!(off <= f->off_us[i])) {
            f->us[i] = added[i].value;
            f->off_us[i] = off;
            f->process[i] = row->argument;
        }
    }
}

static struct finding find(const struct test *t, const struct block *b)
{
    struct finding f = { .verdict = b->count > 0 ? SELFTEST_PASSED : SELFTEST_UNKNOWN,
                         .off_us = { -1.0, -1.0, -1.0 } };
    for (size_t i = 0; i < b->count; i++)
        look_at(t, b->suite, &b->rows[i], &f);
    return f;
}

static void print_finding(struct test *t, const struct suite *s, const struct finding *f)
{
    struct text line = { 0 };
    for (int i = 0; i < DELAYS; i++)
        text_add(&line, isnan(f->us[i]) ? "%s%g us: no time" : "%s%g us: %.2f (process %ld)",
                 i == 0 ? "" : ", ", DELAYS_US[i], f->us[i], f->process[i]);
    print_line(t, f->verdict, s->type->name, text_get(&line));
    text_release(&line);
}

/* All passes of a suite, and its verified data; rank 0 gets what it found. */
static int measure(struct test *t, const struct suite *suite, struct finding *f, struct err *e)
{
    struct session *s = t->session;
    const struct suite_job job = { .machine = &s->machine,
                                   .params = &s->params,
                                   .suite = suite,
                                   .op = registry_op(s->types, suite->type),
                                   .dummy = registry_dummy(s->types, suite->type->pattern) };
    struct suite_work *w = suite_begin(&job, e);
    bool more = w != NULL;
    int rc = w == NULL ? -1 : 0;
    while (more && rc == 0)
        rc = suite_turn(w, &more, e);
    if (rc == 0 && s->machine.rank == 0)
        *f = find(t, suite_block(w));
    suite_end(w);
    return rc;
}

/* Again if noise was too large. */
static int test_delays(struct test *t, const struct suite *suite, struct err *e)
{
    struct finding f = { .verdict = SELFTEST_UNKNOWN };
    int rc = 0;
    for (int try = 0; try < TRIES && rc == 0 && f.verdict == SELFTEST_UNKNOWN; try++) {
        rc = measure(t, suite, &f, e);
        MPI_Bcast(&f.verdict, 1, MPI_INT, 0, t->session->machine.control);
    }
    if (rc == 0)
        print_finding(t, suite, &f);
    return rc;
}

static void test_data(struct test *t, const struct suite *suite)
{
    struct err why = { "" };
    struct finding f;
    char name[TYPE_LABEL_SIZE];
    int rc = measure(t, suite, &f, &why);
    print_line(t, rc == 0 ? SELFTEST_PASSED : SELFTEST_FAILED, type_label(suite->type, name),
               rc == 0 ? "data arrive as they were sent" : why.text);
}

/* Half of the time that readings of the clock show passes in steps of this length or more. */
static double step_once(const struct clock *c)
{
    double steps[READINGS], sum = 0.0, covered = 0.0, last = c->now();
    for (int i = 0; i < READINGS; i++) {
        double now = c->now();
        steps[i] = now - last;
        sum += steps[i];
        last = now;
    }
    stats_sort(steps, READINGS);
    int i = READINGS;
    while (i > 1 && covered < sum / 2.0)
        covered += steps[--i];
    return steps[i];
}

/* By how much the clock advances, the longest of all processes on rank 0. The system may have the
 * CPU during some looks. */
static double longest_step(const struct machine *m)
{
    double least = INFINITY, most = 0.0;
    for (int i = 0; i < LOOKS; i++)
        least = fmin(least, step_once(&m->clock));
    MPI_Reduce(&least, &most, 1, MPI_DOUBLE, MPI_MAX, 0, m->control);
    return most;
}

/* A tick that is longer than single steps of the clock look fails. */
static void test_timer(struct test *t)
{
    const struct clock *c = &t->session->machine.clock;
    double expected_s = c->tick_s + c->cost_s, step_s = longest_step(&t->session->machine);
    struct text line = { 0 };
    text_add(&line, "tick %.3f us, cost %.3f us, advances by %.3f us", c->tick_s * 1e6,
             c->cost_s * 1e6, step_s * 1e6);
    print_line(t,
               step_s > LIES * expected_s       ? SELFTEST_FAILED
               : expected_s * 1e6 <= ALLOWED_US ? SELFTEST_PASSED
                                                : SELFTEST_UNKNOWN,
               "timer", text_get(&line));
    text_release(&line);
}

static void test_machine(struct test *t)
{
    struct machine *m = &t->session->machine;
    struct text clocks = { 0 };
    test_timer(t);
    global_clock_check(&m->global, m->control, m->size);
    text_add(&clocks, "apart by %.3f us, cannot be more than %.3f us",
             m->global.after.found_s * 1e6, (m->global.after.found_s + m->global.bound_s) * 1e6);
    print_line(t, m->global.after.unfit > 0.0 ? SELFTEST_UNKNOWN : SELFTEST_PASSED, "clocks",
               text_get(&clocks));
    for (size_t i = 0; i < t->session->warnings.count && m->rank == 0; i++)
        printf("  %-12s %s\n", "warning", text_get(&t->session->warnings.lines[i]));
    if (t->session->warnings.count == 0)
        print_line(t, SELFTEST_PASSED, "binding", "each process has a core of its own");
    text_release(&clocks);
}

static int begin(struct session *s, struct err *e)
{
    struct parameter_file file = { .source = { "selftest", strdup(TEXT), sizeof(TEXT) - 1 },
                                   .comm = MPI_COMM_WORLD };
    struct catalog catalog = registry_catalog(s->types);
    int rc = file.source.bytes == NULL ? err_no_memory(e, sizeof(TEXT)) : 0;
    if (s->machine.size < 2)
        rc = err_set(e, "at least two processes are needed: mpirun -np 2 skampi --selftest");
    if (rc == 0 && parameter_file_use(&file, &s->params, &catalog, s->machine.size) != 0) {
        if (s->machine.rank == 0)
            parameter_file_complain(&file, stderr);
        rc = err_set(e, "the parameters of the self test cannot be used");
    }
    parameter_file_release(&file);
    if (ranks_agree(MPI_COMM_WORLD, rc, e) != 0)
        return -1;
    int few = s->machine.size < LATENCIES_FEW ? s->machine.size : LATENCIES_FEW;
    return session_learn_machine(s, few, e);
}

int selftest_run(struct session *s, enum selftest_verdict *verdict, struct err *e)
{
    struct test t = { .session = s };
    struct err kept = { "" };
    if (begin(s, e) != 0)
        return -1;
    test_machine(&t);
    for (size_t i = 0; i < s->params.suite_count; i++) {
        const struct suite *suite = &s->params.suites[i];
        if (suite->skip != NULL)
            continue;
        if (strcmp(suite->type->pattern->prefix, "delayed") != 0)
            test_data(&t, suite);
        else if (test_delays(&t, suite, e) != 0)
            return -1;
    }
    if (s->machine.rank == 0)
        printf("The self test: %s\n", selftest_verdict_name(t.worst));
    if (s->machine.rank == 0 && selftest_keep(t.worst, &kept) != 0)
        fprintf(stderr, "skampi: the result is not kept: %s\n", kept.text);
    MPI_Bcast(&t.worst, 1, MPI_INT, 0, s->machine.control);
    *verdict = t.worst;
    return 0;
}
