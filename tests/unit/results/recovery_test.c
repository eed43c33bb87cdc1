#include "../test.h"

#include "results/recovery.h"

#include "base/text.h"

#include <inttypes.h>

#define HEADER       "#@MACHINE x\n#@SUITES a b c\n"
#define BLOCK(label) "#-----\n#/*@in" label ".ski*/\n1 2\n#eol\n"
#define SOME(label)  "#-----\n#/*@in" label ".ski*/\n#@PASSES 2 of 5: x\n1 2\n#eol\n"
#define TRAILER      "#skampi finished.\n"

static const char *const labels[] = { "a", "b", "c" };

static struct run_request start_of(int processes, uint64_t fingerprint)
{
    return (struct run_request){ .out_path = "out",
                                 .log_path = "log",
                                 .labels = labels,
                                 .count = 3,
                                 .hosts = "host:2",
                                 .processes = processes,
                                 .fingerprint = fingerprint,
                                 .max_retries = RETRIES_UNLIMITED };
}

/* The log of a run with HEADER, 2 processes and fingerprint 7, followed by these lines. A first one
 * of its order comes before the run begins. */
static char *log_with(const char *lines)
{
    struct text log = { 0 }, all = { 0 };
    size_t order = strncmp(lines, "run-shuffle", 11) == 0 ? strcspn(lines, "\n") + 1 : 0;
    text_add(&all,
             "run-parameters %016d\nrun-processes 2 host:2\nrun-header %zu %016" PRIx64
             "\n%.*srun-begin out\n%s",
             7, strlen(HEADER), hash_bytes(HEADER, strlen(HEADER)), (int)order, lines,
             lines + order);
    for (char *line = strtok(all.s, "\n"); line != NULL; line = strtok(NULL, "\n"))
        text_add(&log, "2026-01-31T23:59:59Z %s\n", line);
    text_release(&all);
    return text_take(&log);
}

static int decide(struct recovery *r, const struct run_request *s, const char *lines,
                  const char *out, struct err *e)
{
    LOCAL_STRING log = lines == NULL ? NULL : log_with(lines);
    const struct found f = { .out = (char *)out, .out_len = out == NULL ? 0 : strlen(out) };
    *r = (struct recovery){ 0 };
    int rc = history_read(&r->past, s, log, log == NULL ? 0 : strlen(log), e);
    if (rc == 0)
        rc = recovery_decide(r, s, &f, e);
    return rc;
}

#define MEASURED(label) "suite-begin " label "\nsuite-end " label "\n"
#define CRASH           "suite-begin b\nsuite-crashed b x\n"

#define SHUFFLED "run-shuffle 5\n"

struct resume_case {
    const char *lines, *out;
    const char *order, *line;
    int max_retries;
};

#define ANY   RETRIES_UNLIMITED
#define AGAIN " (retried last)"

static const struct resume_case resume_cases[] = {
    { "", HEADER, "a b c ", "resuming: 0 of 3 suites done", ANY },
    { MEASURED("a"), HEADER BLOCK("a"), "b c ", "resuming: 1 of 3 suites done", ANY },
    { "suite-begin a\n", HEADER BLOCK("a"), "b c ", "resuming: 1 of 3 suites done", ANY },
    { "suite-begin a\n", HEADER, "b c a ", "resuming: 0 of 3 suites done; crashed: a" AGAIN, ANY },
    { CRASH MEASURED("a") MEASURED("c"), HEADER BLOCK("a") BLOCK("c"), "b ",
      "resuming: 2 of 3 suites done; crashed: b" AGAIN, ANY },
    { CRASH CRASH "suite-begin a\n", HEADER, "c a b ",
      "resuming: 0 of 3 suites done; crashed: a, b" AGAIN, ANY },
    { CRASH, HEADER, "a c ", "resuming: 0 of 3 suites done; crashed, and not retried: b", 0 },
    { CRASH, HEADER, "a c b ", "resuming: 0 of 3 suites done; crashed: b" AGAIN, 1 },
    { CRASH CRASH, HEADER, "a c ", "resuming: 0 of 3 suites done; crashed, and not retried: b", 1 },
    { CRASH "suite-begin b\n", HEADER, "a c ",
      "resuming: 0 of 3 suites done; crashed, and not retried: b", 1 },
    { "suite-begin b\nsuite-failed b no room\n", HEADER, "a c ", "resuming: 0 of 3 suites done",
      ANY },
    { "suite-begin b\nsuite-unwritten b full\n", HEADER, "a b c ", "resuming: 0 of 3 suites done",
      0 },
    { MEASURED("a") MEASURED("b"), HEADER BLOCK("a"), "b c ",
      "resuming: 1 of 3 suites done; no longer in the result file, measured again: b", ANY },
    { MEASURED("a") "run-end out\n", HEADER BLOCK("a"), "b c ", "resuming: 1 of 3 suites done",
      ANY },
    { SHUFFLED, HEADER, "c a b ", "resuming: 0 of 3 suites done", ANY },
    { SHUFFLED MEASURED("c"), HEADER BLOCK("c"), "a b ", "resuming: 1 of 3 suites done", ANY },
    { SHUFFLED "suite-begin c\n", HEADER, "a b c ",
      "resuming: 0 of 3 suites done; crashed: c" AGAIN, ANY },
    { MEASURED("a"), HEADER BLOCK("a") TRAILER, "",
      "'out' was complete except for the log; start again for a new run", ANY },
};

static void check_order(const struct recovery *r, const char *expected)
{
    char order[64] = "";
    for (size_t i = 0; i < r->left; i++)
        strcat(strcat(order, labels[r->order[i]]), " ");
    assert_string_equal(order, expected);
}

TEST(test_resumed)
{
    for (size_t i = 0; i < COUNT(resume_cases); i++) {
        const struct resume_case *c = &resume_cases[i];
        struct run_request s = start_of(2, 7);
        LOCAL_TEXT line = { 0 };
        struct err e = { "" };
        LOCAL(recovery) r;
        s.max_retries = c->max_retries;
        assert_int_equal(decide(&r, &s, c->lines, c->out, &e), 0);
        assert_int_equal(r.fate, OUT_RESUME);
        check_order(&r, c->order);
        recovery_describe(&r, &s, &line);
        assert_string_equal(text_get(&line), c->line);
        assert_true(recovery_has_failures(&r, &s) ==
                    (strstr(c->lines, "failed") != NULL || strstr(c->line, "not retried") != NULL));
    }
}

struct fate_case {
    const char *lines, *out;
    enum out_fate fate;
    bool fresh;
};

/* A file that skampi may not have written is never removed. */
static const struct fate_case fate_cases[] = {
    { NULL, NULL, OUT_NONE, false },
    { MEASURED("a"), NULL, OUT_NONE, false },
    { MEASURED("a"), NULL, OUT_NONE, true },
    { NULL, "", OUT_KEEP, false },
    { "", "", OUT_EMPTY, false },
    { "", "", OUT_KEEP, true },
    { MEASURED("a"), "", OUT_KEEP, false },
    { "", "#", OUT_KEEP, false },
    { "", "#@MACH", OUT_KEEP, false },
    { MEASURED("a"), "#@MACH", OUT_KEEP, false },
    { NULL, "1 2\n" TRAILER, OUT_KEEP, false },
    { "", "1 2\n" TRAILER, OUT_KEEP, false },
    { "run-end out\n", HEADER TRAILER, OUT_KEEP, false },
    { "run-end out\n", "merged\n" TRAILER, OUT_KEEP, false },
    { MEASURED("a"), HEADER BLOCK("a"), OUT_KEEP, true },
    { NULL, "anything", OUT_KEEP, true },
};

TEST(test_fresh)
{
    for (size_t i = 0; i < COUNT(fate_cases); i++) {
        struct run_request s = start_of(2, 7);
        struct err e = { "" };
        LOCAL(recovery) r;
        s.fresh = fate_cases[i].fresh;
        assert_int_equal(decide(&r, &s, fate_cases[i].lines, fate_cases[i].out, &e), 0);
        assert_int_equal(r.fate, fate_cases[i].fate);
        check_order(&r, "a b c ");
    }
}

#define WAY_OUT "start with --fresh, which keeps it under another name and starts over"

struct refused_case {
    const char *lines, *out, *message;
    int processes;
    uint64_t fingerprint;
};

static const struct refused_case refused_cases[] = {
    { NULL, "hello",
      "'out' is not finished, and 'log' does not say how it was started; restore its log, "
      "or " WAY_OUT,
      2, 7 },
    { "run-begin out\n", HEADER,
      "'out' is not finished, and 'log' does not say how it was started; restore its log, "
      "or " WAY_OUT,
      2, 7 },
    { "", "hello",
      "'out' does not have the header that 'log' records; restore the right file, or " WAY_OUT, 2,
      7 },
    { "", "#x",
      "'out' does not have the header that 'log' records; restore the right file, or " WAY_OUT, 2,
      7 },
    { "", "#@MACHINE y\n#@SUITES a b c\n1",
      "'out' does not have the header that 'log' records; restore the right file, or " WAY_OUT, 2,
      7 },
    { "", HEADER,
      "'out' is not finished, and was started with other parameters or by an older version; "
      "restore that, or " WAY_OUT,
      2, 8 },
    { "", HEADER,
      "'out' is not finished, and was started with 2 processes, not 3; use the same number, "
      "or " WAY_OUT,
      3, 7 },
    { "", HEADER BLOCK("a") BLOCK("a"), "'out' has a suite 'a' twice; repair it, or " WAY_OUT, 2,
      7 },
    { "", HEADER BLOCK("d"),
      "'out' has a suite 'd' that the parameter file does not have; repair it, or " WAY_OUT, 2, 7 },
    { "", HEADER "1\n" BLOCK("a"), "'out' is damaged before its end; repair it, or " WAY_OUT, 2,
      7 },
};

TEST(test_refused)
{
    for (size_t i = 0; i < COUNT(refused_cases); i++) {
        const struct refused_case *c = &refused_cases[i];
        struct run_request s = start_of(c->processes, c->fingerprint);
        struct err e = { "" };
        LOCAL(recovery) r;
        assert_int_equal(decide(&r, &s, c->lines, c->out, &e), -1);
        assert_string_equal(e.text, c->message);
    }
}

struct ended_case {
    const char *lines, *out;
    int processes;
    uint64_t fingerprint;
    bool ended;
};

static const struct ended_case ended_cases[] = {
    { "run-end out\n", HEADER TRAILER, 2, 7, true },
    { "run-end out\n", HEADER TRAILER, PROCESSES_UNKNOWN, 7, true },
    { "run-end out\n", "merged\n" TRAILER, 2, 7, true },
    { "run-end out\n", HEADER TRAILER, 3, 7, false },
    { "run-end out\n", HEADER TRAILER, 2, 8, false },
    { "run-end out\n", NULL, 2, 7, false },
    { "", "#@MACHINE of another run\n" TRAILER, 2, 7, false },
};

/* Suites that a finished run did not measure have been given up. */
TEST(test_ended)
{
    for (size_t i = 0; i < COUNT(ended_cases); i++) {
        const struct ended_case *c = &ended_cases[i];
        struct run_request s = start_of(c->processes, c->fingerprint);
        struct err e = { "" };
        LOCAL(recovery) r;
        assert_int_equal(decide(&r, &s, c->lines, c->out, &e), 0);
        assert_int_equal(r.ended, c->ended);
        assert_int_equal(r.past.suites[0].state, c->ended ? SUITE_GIVEN_UP : SUITE_LEFT);
    }
}

#define MERGED HEADER BLOCK("a") "#skampi finished.-postprocessed\n"

struct merging_case {
    const char *lines, *out;
    uint64_t fingerprint;
    enum out_fate fate;
    bool merging;
};

/* The next launch completes an interrupted merge, unless the merge already has its name. */
static const struct merging_case merging_cases[] = {
    { MEASURED("a") "merge-begin out\n", HEADER BLOCK("a") TRAILER, 7, OUT_RESUME, true },
    { "merge-begin out\nrun-end out\n", HEADER BLOCK("a") TRAILER, 7, OUT_RESUME, true },
    { "merge-begin out\nrun-end out\n", HEADER BLOCK("a") TRAILER, 8, OUT_KEEP, false },
    { "merge-begin out\nrun-end out\n", MERGED, 7, OUT_KEEP, false },
    { "merge-begin out\nrun-end out\n", "#@MACHINE y\n" TRAILER, 7, OUT_KEEP, false },
    { "merge-begin out\nrun-end out\n", NULL, 7, OUT_NONE, false },
    { "merge-begin out\nrun-end out\nmerge-end out\n", HEADER TRAILER, 7, OUT_KEEP, false },
    { "merge-begin out\nrun-end out\nrun-resume out\nrun-end out\n", HEADER TRAILER, 7, OUT_KEEP,
      false },
    { "merge-begin out\n", HEADER BLOCK("a"), 7, OUT_RESUME, false },
    { "run-begin other\nmerge-begin other\n", HEADER TRAILER, 7, OUT_RESUME, false },
};

TEST(test_interrupted_merge)
{
    for (size_t i = 0; i < COUNT(merging_cases); i++) {
        const struct merging_case *c = &merging_cases[i];
        struct run_request s = start_of(2, c->fingerprint);
        LOCAL_TEXT line = { 0 };
        struct err e = { "" };
        LOCAL(recovery) r;
        assert_int_equal(decide(&r, &s, c->lines, c->out, &e), 0);
        assert_int_equal(r.fate, c->fate);
        assert_int_equal(r.merging, c->merging);
        assert_true(!c->merging || (r.finished && r.left == 0));
        recovery_describe(&r, &s, &line);
        assert_int_equal(
            strstr(text_get(&line), "its interrupted merge with earlier runs is done now") != NULL,
            c->merging);
    }
}

/* A finished file whose log lacks its end does not prevent a run with other parameters. */
TEST(test_finished_with_other_parameters)
{
    struct run_request s = start_of(2, 8);
    struct err e = { "" };
    LOCAL(recovery) r;
    assert_int_equal(decide(&r, &s, MEASURED("a"), HEADER BLOCK("a") TRAILER, &e), 0);
    assert_int_equal(r.fate, OUT_KEEP);
}

/* Suites with some of their visits are at the end of the file, and come again; the log has them. */
TEST(test_visits)
{
    static const struct {
        const char *out;
        bool again;
    } files[] = {
        { HEADER BLOCK("a"), false },
        { HEADER BLOCK("a") SOME("b") SOME("c"), true },
        { HEADER BLOCK("a") SOME("b") "#@x", false },
        { HEADER BLOCK("a") SOME("b") BLOCK("c"), false },
    };
    static const char log[] = MEASURED("a") "suite-begin b\nsuite-pass b 1 2\nsuite-pass b 1 2\n";
    for (size_t i = 0; i < COUNT(files); i++) {
        struct run_request s = start_of(2, 7);
        LOCAL_TEXT line = { 0 };
        struct err e = { "" };
        LOCAL(recovery) r;
        s.visits = (const int[]){ 5, 5, 1 };
        assert_int_equal(decide(&r, &s, log, files[i].out, &e), 0);
        assert_int_equal(r.end, strlen(HEADER BLOCK("a")));
        assert_true(r.again == files[i].again);
        check_order(&r, "b c ");
        recovery_describe(&r, &s, &line);
        assert_string_equal(text_get(&line), "resuming: 1 of 3 suites done, 7 of 11 visits");
    }
}

TEST(test_other_hosts)
{
    struct run_request s = start_of(2, 7);
    LOCAL_TEXT line = { 0 };
    struct err e = { "" };
    LOCAL(recovery) r;
    assert_int_equal(decide(&r, &s, "", HEADER, &e), 0);
    assert_false(r.other_hosts);
    recovery_release(&r);
    s.hosts = "host:1 more:1";
    assert_int_equal(decide(&r, &s, "", HEADER, &e), 0);
    assert_true(r.other_hosts);
    recovery_describe(&r, &s, &line);
    assert_string_equal(text_get(&line),
                        "resuming: 0 of 3 suites done, on other hosts than before");
}
