#include "session/selftest.h"

#include "base/file.h"
#include "session/session.h"
#include "context/library.h"
#include "ops/registry.h"
#include "patterns/op.h"

#define LENGTHS "Variation = Length; Multiple_of = 1; End_Argument = 1048576;"

/* The measured suites: delayed calls; and types whose data are verified, a list in each line. */
static const char DELAYED[] =
    "@VERSION 4.2\n@MEMORY 16384\n@BASETYPE1 MPI_INT\n@BLOCKSIZE 2\n"
    "@TOPOLOGY1 Cartesian NOREORDER 1 yes\n"
    "@STANDARDERRORDEFAULT 0.001\n@MINREPDEFAULT 48\n@MAXREPDEFAULT 96\n@MEASUREMENTS\n"
    "* { Type = 272, 273, 274, 275, 276, 277, 278; Time_Suite = 0.04; Time_Measurement = 0.01; }\n"
    "derived-* { Type = 1, 3, 47, 55, 60, 64, 66; " LENGTHS "\n"
    "    Send_Datatype_Number = 31; Receive_Datatype_Number = 31; }\n";
static const struct {
    unsigned traits; /* of the types, among those that make a difference */
    const char *fields;
} KINDS[] = { { 0, "Send_Datatype_Number = 1; Receive_Datatype_Number = 1; " LENGTHS },
              { TYPE_REDUCES, LENGTHS },
              { TYPE_NEIGHBOURS, "Virtual_Topology_Number = 1; " LENGTHS } };

enum { LOOKS = 50, READINGS = 10000, LIES = 4, FEWEST = 20, TRIES = 3, DELAYS = 2 };
enum { NAME_WIDTH = 20, MOST_SIDES = 200 };
static const double MORE_US[DELAYS] = { 9.0, 90.0 };
enum { ADDED_1, ALONE = 2, MORE }; /* in the rows of a delayed call */

/* The allowed part of a delay, or time; and the standard errors that are sure. */
static const double ALLOWED_PART = 0.05, ALLOWED_US = 0.2, SURE = 5.0;

struct test {
    struct session *session;
    bool whole;                  /* of the machine; else of the data of a file's suites */
    enum selftest_verdict worst; /* rank 0 */
    size_t types, messages;      /* whose data were verified; lengths of all types; rank 0 */
};

/* For each longer delay the added time that is farthest off, and where; the least of all delays. */
struct finding {
    enum selftest_verdict verdict;
    double us[DELAYS], off_us[DELAYS], always_us;
    long process[DELAYS];
};

__attribute__((format(printf, 4, 5))) static void
print_line(struct test *t, enum selftest_verdict v, const char *name, const char *format, ...)
{
    LOCAL_TEXT line = { 0 };
    if (t->session->resources.rank != 0)
        return;
    text_add_own(&line, format);
    printf("  %-12s %-*s %s\n", selftest_verdicts[v], NAME_WIDTH, name, text_get(&line));
    t->worst = v > t->worst ? v : t->worst;
}

/* Judges one delay. A row with other programs on its CPU, or few repetitions, proves nothing. */
static enum selftest_verdict judge(const struct test *t, const struct row *row, double off,
                                   double error_us, double delay_us)
{
    const struct clock *c = &t->session->resources.clock;
    double allowed = fmax(ALLOWED_PART * delay_us, ALLOWED_US);
    double unsure = SURE * error_us + (c->tick_s + c->cost_s) * 1e6;
    if (t->session->resources.hosts.oversubscribed || row->stats.cleaned.count < FEWEST ||
        isnan(off + error_us))
        return SELFTEST_UNKNOWN;
    if (off > allowed + unsure)
        return row->contended == 0 ? SELFTEST_FAILED : SELFTEST_UNKNOWN;
    return off <= allowed && unsure <= allowed ? SELFTEST_PASSED : SELFTEST_UNKNOWN;
}

/* Judges the differences between delays. A part that is equal for each delay is the operation's:
 * the others have waited, and a process then takes another time. With a root, all from nothing to
 * the delay is possible: the work of the others may hide a part of it. */
static void look_at(const struct test *t, const struct suite *suite, const struct row *row,
                    struct finding *f)
{
    f->always_us = fmin(f->always_us, row->extra[ADDED_1].value - 1.0);
    for (int i = 0; i < DELAYS; i++) {
        struct extra_value more = row->extra[MORE + i];
        double off = fabs(more.value - MORE_US[i]);
        if ((suite->type->traits & TYPE_ROOTED) != 0)
            off = fmax(0.0, fmax(-more.value, more.value - MORE_US[i]));
        enum selftest_verdict v = judge(t, row, off, more.error, MORE_US[i]);
        f->verdict = v > f->verdict ? v : f->verdict;
        if (!(off <= f->off_us[i])) {
            f->us[i] = more.value;
            f->off_us[i] = off;
            f->process[i] = row->argument;
        }
    }
}

static int measure_suite(struct test *t, const struct suite *suite, struct finding *f,
                         struct err *e)
{
    struct session *s = t->session;
    const struct suite_job job = session_job(s, suite);
    struct suite_work *w = suite_begin(&job);
    enum suite_goes next = SUITE_GOES_ON;
    int rc = 0;
    while (next == SUITE_GOES_ON && rc == 0)
        rc = suite_turn(w, &next, e);
    const struct block *b = rc == 0 && session_is_root(s) ? suite_block(w) : NULL;
    if (b != NULL)
        *f = (struct finding){ .verdict = b->count > 0 ? SELFTEST_PASSED : SELFTEST_UNKNOWN,
                               .always_us = INFINITY,
                               .off_us = { -1.0, -1.0 } };
    for (size_t i = 0; b != NULL && i < b->count; i++)
        look_at(t, suite, &b->rows[i], f);
    suite_end(w);
    return rc;
}

/* Tests delays, and again if noise was too large. A failure is one that is found twice. */
static int test_delays(struct test *t, const struct suite *suite, struct err *e)
{
    struct finding f = { .verdict = SELFTEST_UNKNOWN };
    int rc = 0, failures = 0;
    for (int try = 0; try < TRIES && rc == 0 && f.verdict != SELFTEST_PASSED && failures < 2;
         try++) {
        rc = measure_suite(t, suite, &f, e);
        MPI_Bcast(&f.verdict, 1, MPI_INT, 0, t->session->resources.control);
        failures += f.verdict == SELFTEST_FAILED;
    }
    if (failures == 1 && f.verdict == SELFTEST_FAILED)
        f.verdict = SELFTEST_UNKNOWN;
    LOCAL_TEXT line = { 0 };
    for (int i = 0; i < DELAYS; i++)
        text_add(&line,
                 isnan(f.us[i]) ? "%g us more: no time, " : "%g us more: %.2f (process %ld), ",
                 MORE_US[i], f.us[i], f.process[i]);
    if (rc == 0)
        print_line(t, f.verdict, suite->type->name, "%sany delay: %.2f", text_get(&line),
                   f.always_us);
    return rc;
}

static void test_data(struct test *t, const struct suite *suite, long *list, size_t count)
{
    struct err why = { "" };
    const struct suite_job job = session_job(t->session, suite);
    struct verification v = { .arguments = list, .count = count, .until_s = INFINITY };
    if (suite_verify(&job, &v, &why) != 0)
        print_line(t, SELFTEST_FAILED, label_of(suite), "%s", why.text);
    t->types++;
    t->messages += v.done;
}

/* Tests the arguments on both sides of each power of two, which may be where a protocol ends. */
static void test_sides(struct test *t, const struct suite *suite)
{
    long list[MOST_SIDES];
    const struct range r = suite_range(&t->session->params, suite, t->session->resources.size);
    size_t n = 0;
    for (long power = 1; power <= r.last; power *= 2)
        for (long i = -1; i <= 1; i++) {
            long argument = quantum_down(power, r.quantum) + i * r.quantum;
            if (argument > (n == 0 ? 0 : list[n - 1]) && argument <= r.last)
                list[n++] = argument;
        }
    test_data(t, suite, list, n);
}

/* Tests the arguments that a suite has without refinement. */
static void test_plan(struct test *t, const struct suite *suite)
{
    struct plan *plan = plan_of_suite(&t->session->params, suite, t->session->resources.size);
    long *list;
    size_t count = 0;
    allocated_array(&list, plan_most(plan));
    while (plan_next(plan, &list[count]))
        count++;
    plan_free(plan);
    test_data(t, suite, list, count);
    free(list);
}

/* The step of the clock: half of the time that it shows passes in steps of at least this length. */
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

/* Tests the timer: a tick that is longer than single steps of the clock, on a process, fails. The
 * system may have the CPU during some looks. */
static void test_timer(struct test *t)
{
    const struct resources *res = &t->session->resources;
    const struct clock *c = &res->clock;
    double expected_s = c->tick_s + c->cost_s, step_s = INFINITY;
    for (int i = 0; i < LOOKS; i++)
        step_s = fmin(step_s, step_once(c));
    control_reduce(c, &step_s, 1, MPI_DOUBLE, MPI_MAX, res->control);
    enum selftest_verdict v = expected_s * 1e6 <= ALLOWED_US ? SELFTEST_PASSED : SELFTEST_UNKNOWN;
    print_line(t, step_s > LIES * expected_s ? SELFTEST_FAILED : v, "timer",
               "tick %.3f us, cost %.3f us, advances by %.3f us", c->tick_s * 1e6, c->cost_s * 1e6,
               step_s * 1e6);
}

static void test_machine(struct test *t)
{
    struct resources *res = &t->session->resources;
    test_timer(t);
    global_clock_check(&res->global, res->control, res->size);
    print_line(t, res->global.after.unfit > 0.0 ? SELFTEST_UNKNOWN : SELFTEST_PASSED, "clocks",
               "apart by %.3f us, cannot be more than %.3f us", res->global.after.found_s * 1e6,
               (res->global.after.found_s + res->global.bound_s) * 1e6);
    const struct warnings *w = &t->session->warnings;
    for (size_t i = 0; i < w->count && res->rank == 0; i++)
        printf("  %-12s %s\n", w->kinds[i], text_get(&w->lines[i]));
    if (w->count == 0)
        print_line(t, SELFTEST_PASSED, "binding", "each process has a core of its own");
}

/* Adds a suite for each operation of this kind whose messages can be verified, by one type. */
static void add_types(const struct registry *types, size_t kind, struct text *out)
{
    enum { DIFFERENCES = TYPE_REDUCES | TYPE_NEIGHBOURS };
    const char *apart = "* { Type =";
    for (size_t i = 0; i < types->count; i++) {
        const struct type_info *t = &types->types[i];
        const struct suite suite = { .type = t };
        bool here = t->application == NULL && (t->traits & TYPE_FILE) == 0 &&
                    (t->traits & DIFFERENCES) == KINDS[kind].traits;
        size_t first = 0;
        while (types->ops[first] != types->ops[i])
            first++;
        if (!here || first < i || !verify_is_possible(&suite, types->ops[i]))
            continue;
        text_add(out, "%s %d", apart, t->number);
        apart = ",";
    }
    text_add(out, "; %s }\n", KINDS[kind].fields);
}

static int begin(struct test *t, struct err *e)
{
    struct session *s = t->session;
    LOCAL_TEXT text = { 0 };
    if (!t->whole)
        return session_learn_machine(s, e);
    if (s->resources.size < 2)
        return err_set(e, "at least two processes are needed: mpirun -np 2 skampi --selftest");
    text_add(&text, "%s", DELAYED);
    for (size_t i = 0; i < sizeof(KINDS) / sizeof(*KINDS); i++)
        add_types(s->types, i, &text);
    if (session_take(s, &text, "the self test", e) != 0)
        return -1;
    test_machine(t);
    return 0;
}

static int test_suite(struct test *t, const struct suite *suite, struct err *e)
{
    const char *name = t->session->request->name; /* of the operations to test; NULL: of all */
    const struct op *op = registry_op(t->session->types, suite->type);
    bool delayed = t->whole && strcmp(suite->type->pattern->prefix, "delayed") == 0;
    if (suite->skip != NULL || (name != NULL && !text_has(suite->type->name, name)))
        return 0;
    if (delayed)
        return test_delays(t, suite, e);
    if (t->whole && !LIBRARY_IS_SIMULATED)
        test_sides(t, suite);
    if (!t->whole && verify_is_possible(suite, op))
        test_plan(t, suite);
    return 0;
}

int selftest_run(struct session *s, struct err *e)
{
    struct err why = { "" };
    struct test t = { .session = s, .whole = s->request->action == ACTION_SELFTEST };
    if (begin(&t, e) != 0)
        return -1;
    for (size_t i = 0; i < s->params.suite_count; i++)
        if (test_suite(&t, &s->params.suites[i], e) != 0)
            return -1;
    if (!t.whole || !LIBRARY_IS_SIMULATED)
        print_line(&t, SELFTEST_PASSED, "data", "%zu operations, %zu of their arguments", t.types,
                   t.messages);
    if (t.whole && s->resources.rank == 0) {
        printf("The self test: %s\n", selftest_verdicts[t.worst]);
        if (s->request->name == NULL && selftest_keep(t.worst, &why) != 0)
            fprintf(stderr, "skampi: the result is not kept: %s\n", why.text);
    }
    int rc = s->resources.rank == 0 ? file_flush_output(e) : 0;
    return session_share_status(s, rc == 0 ? (int)t.worst : rc, e);
}
