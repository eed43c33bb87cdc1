#include "../test.h"

#include "results/recovery.h"

#include "../text_files.h"

#define HEADER       "#@MACHINE x\n#@SUITES a b c\n"
#define BLOCK(label) "#-----\n#/*@in" label ".ski*/\n1 2\n#eol\n"
#define TRAILER      "#skampi finished.\n"
#define MERGED       HEADER "#skampi finished.-postprocessed\n"

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

/* Decides with these files, NULL: none: the result file, and the lines of the journal of a run with
 * HEADER, 2 processes and fingerprint 7. A first one of its order comes before the run begins. */
static int decide(struct recovery *r, const struct run_request *s, const char *lines,
                  const char *out, struct err *e)
{
    LOCAL_TEXT all = { 0 };
    LOCAL_TEXT journal = { 0 };
    remove_all();
    if (out != NULL)
        write_text("out", out);
    if (lines != NULL) {
        size_t order = strncmp(lines, "run-shuffle", 11) == 0 ? strcspn(lines, "\n") + 1 : 0;
        text_add(&all, "run-parameters %016d\nrun-processes 2 host:2\n%.*s #@H\nrun-begin out\n%s",
                 7, (int)order, lines, lines + order);
        for (char *line = strtok(all.s, "\n"); line != NULL; line = strtok(NULL, "\n"))
            text_add(&journal, "%s%s\n", *line == ' ' ? "" : "2026-01-31T23:59:59Z ", line);
        write_text("out.journal", journal.s);
    }
    return recovery_load(r, s, -1, e);
}

#define MEASURED(label) "suite-begin " label "\n 1 2\nsuite-end " label "\n"
#define CRASH           "suite-begin b\nsuite-crashed b x\n"
#define HUNG            "suite-crashed b argument 4 x\n"
#define SHUFFLED        "run-shuffle 5\n"
#define ANY             RETRIES_UNLIMITED
#define AGAIN           " (retried last)"

/* The content of the result file does not matter. */
static const struct {
    const char *lines, *order, *line;
    int max_retries;
} resume_cases[] = {
    { "", "a b c ", "resuming: 0 of 3 suites done", ANY },
    { MEASURED("a"), "b c ", "resuming: 1 of 3 suites done", ANY },
    { "suite-begin a\n", "b c a ", "resuming: 0 of 3 suites done; crashed: a" AGAIN, ANY },
    { CRASH MEASURED("a") MEASURED("c"), "b ", "resuming: 2 of 3 suites done; crashed: b" AGAIN,
      ANY },
    { CRASH CRASH "suite-begin a\n", "c a b ", "resuming: 0 of 3 suites done; crashed: a, b" AGAIN,
      ANY },
    { CRASH, "a c ", "resuming: 0 of 3 suites done; crashed, and not retried: b", 0 },
    { CRASH, "a c b ", "resuming: 0 of 3 suites done; crashed: b" AGAIN, 1 },
    { CRASH CRASH, "a c ", "resuming: 0 of 3 suites done; crashed, and not retried: b", 1 },
    { CRASH "suite-begin b\n", "a c ", "resuming: 0 of 3 suites done; crashed, and not retried: b",
      1 },
    { HUNG HUNG HUNG, "a c ", "resuming: 0 of 3 suites done; crashed, and not retried: b", ANY },
    { "suite-begin b\nsuite-failed b no room\n", "a c ", "resuming: 0 of 3 suites done", ANY },
    { "suite-begin b\nsuite-unwritten b full\n", "a b c ", "resuming: 0 of 3 suites done", 0 },
    { SHUFFLED, "c a b ", "resuming: 0 of 3 suites done", ANY },
    { SHUFFLED MEASURED("c"), "a b ", "resuming: 1 of 3 suites done", ANY },
    { SHUFFLED "suite-begin c\n", "a b c ", "resuming: 0 of 3 suites done; crashed: c" AGAIN, ANY },
    { MEASURED("a") " #end\nrun-end out\n", "",
      "'out' was complete except for its end; start again for a new run", ANY },
    { MEASURED("a") "merge-begin out\n #end\nrun-end out\n", "",
      "'out' is complete; its interrupted merge with earlier runs is done now", ANY },
};

static void check_order(const struct recovery *r, const char *expected)
{
    char order[64] = "";
    for (size_t i = 0; i < r->left; i++)
        strcat(strcat(order, labels[r->order[i]]), " ");
    assert_string_equal(order, expected);
}

TEST_IN_DIRECTORY(test_resumed)
{
    static const char *const files[] = { NULL,          "", HEADER, HEADER BLOCK("b"), "mine\n",
                                         HEADER TRAILER };
    for (size_t i = 0; i < COUNT(resume_cases) * COUNT(files); i++) {
        struct run_request s = start_of(2, 7);
        LOCAL_TEXT line = { 0 };
        LOCAL(recovery) r;
        s.max_retries = resume_cases[i / COUNT(files)].max_retries;
        SUCCEEDS(decide(&r, &s, resume_cases[i / COUNT(files)].lines, files[i % COUNT(files)], &e));
        assert_true(r.resumes);
        check_order(&r, resume_cases[i / COUNT(files)].order);
        recovery_describe(&r, &s, &line);
        assert_string_equal(text_get(&line), resume_cases[i / COUNT(files)].line);
        assert_true(recovery_has_failures(&r, &s) == (strstr(line.s, "not retried") != NULL ||
                                                      r.past.suites[1].state == SUITE_FAILED));
    }
}

#define WAY_OUT "start with --fresh, which keeps it under another name and starts over"
#define MISSING                                                                                    \
    "'out' is not finished, and has no 'out.journal' that says how to resume it; restore that, "   \
    "or " WAY_OUT
#define OTHER                                                                                      \
    "'out' is not finished, and was started with other parameters or labels, or by an older "      \
    "version; restore that, or " WAY_OUT
#define ENDED " #end\nrun-end out\n"

/* A new run, and whether a result file is kept; or a refusal, unless with --fresh. */
static const struct {
    const char *lines, *out;
    int processes;
    uint64_t fingerprint;
    bool keeps;
    const char *refusal;
} new_cases[] = {
    { NULL, NULL, 2, 7, false, NULL },
    { NULL, "", 2, 7, true, NULL },
    { NULL, HEADER TRAILER, 2, 7, true, NULL },
    { NULL, MERGED, 2, 7, true, NULL },
    { NULL, "hello", 2, 7, true, MISSING },
    { NULL, HEADER, 2, 7, true, MISSING },
    { NULL, HEADER TRAILER "mine\n", 2, 7, true, NULL },
    { MEASURED("a"), HEADER, 2, 8, true, OTHER },
    { MEASURED("a"), HEADER TRAILER, 2, 8, true, OTHER },
    { "", HEADER, 3, 7, true,
      "'out' is not finished, and was started with 2 processes, not 3; use the same number, "
      "or " WAY_OUT },
    { ENDED, HEADER TRAILER, 2, 8, true, NULL },
    { ENDED, HEADER, 3, 7, true, NULL },
    { "merge-begin out\n" ENDED, MERGED, 2, 7, true, NULL },
};

TEST_IN_DIRECTORY(test_new_runs)
{
    for (size_t i = 0; i < 2 * COUNT(new_cases); i++) {
        struct run_request s = start_of(new_cases[i / 2].processes, new_cases[i / 2].fingerprint);
        struct err e = { "" };
        LOCAL(recovery) r;
        s.fresh = i % 2 == 1;
        const char *refusal = s.fresh ? NULL : new_cases[i / 2].refusal;
        int rc = decide(&r, &s, new_cases[i / 2].lines, new_cases[i / 2].out, &e);
        assert_string_equal(e.text, refusal == NULL ? "" : refusal);
        assert_int_equal(rc, refusal == NULL ? 0 : -1);
        if (rc != 0)
            continue;
        assert_true(!r.resumes && r.keeps == new_cases[i / 2].keeps);
        check_order(&r, "a b c ");
        assert_true(r.past.suites[0].state == SUITE_LEFT);
    }
}

#define FACTS "#@SKIPPED c, needs 4 processes\n" BLOCK("a")

/* The states of a finished file's suites. */
TEST_IN_DIRECTORY(test_finished)
{
    static const struct {
        const char *out;
        bool finished;
        enum suite_state b;
    } files[] = {
        { HEADER FACTS "#@FAILED x y\n# b no room\n#@WALLTIME 1 s\n" TRAILER, true, SUITE_FAILED },
        { HEADER FACTS BLOCK("b") TRAILER, true, SUITE_DONE },
        { HEADER FACTS TRAILER, true, SUITE_GIVEN_UP },
        { "", false, SUITE_LEFT },
    };
    EACH(c, files) {
        struct run_request s = start_of(PROCESSES_UNKNOWN, 7);
        bool finished;
        LOCAL(recovery) r;
        assert_int_equal(decide(&r, &s, NULL, c->out, NO_ERR), 0);
        assert_int_equal(recovery_read_finished(&r, &s, &finished, NO_ERR), 0);
        assert_true(finished == c->finished && r.past.suites[1].state == c->b);
        assert_true(!finished || (r.past.suites[0].state == SUITE_DONE &&
                                  r.past.suites[2].state == SUITE_SKIPPED));
    }
}

TEST_IN_DIRECTORY(test_visits_and_hosts)
{
    static const char journal[] =
        MEASURED("a") "suite-begin b\nsuite-pass b 1 2\nsuite-pass b 1 2\n";
    struct run_request s = start_of(2, 7);
    LOCAL_TEXT line = { 0 };
    LOCAL(recovery) r;
    s.visits = (const int[]){ 5, 5, 1 };
    s.hosts = "host:1 more:1";
    assert_int_equal(decide(&r, &s, journal, HEADER, NO_ERR), 0);
    assert_true(r.other_hosts);
    recovery_describe(&r, &s, &line);
    assert_string_equal(text_get(&line),
                        "resuming: 1 of 3 suites done, 7 of 11 visits, on other hosts than before");
}
