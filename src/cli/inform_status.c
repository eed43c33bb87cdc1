#include "cli/inform.h"

#include "base/file.h"
#include "base/json.h"
#include "results/log.h"
#include "session/visits.h"

static size_t count_state(const struct recovery *r, const struct run_request *s,
                          enum suite_state state)
{
    size_t n = 0;
    for (size_t i = 0; i < s->count; i++)
        n += r->past.suites[i].state == state;
    return n;
}

static const char *state_of(const struct past *past)
{
    static const char *const names[] = {
        [SUITE_LEFT] = "left",     [SUITE_BEGUN] = "now",       [SUITE_DONE] = "done",
        [SUITE_FAILED] = "failed", [SUITE_SKIPPED] = "skipped", [SUITE_GIVEN_UP] = "given up"
    };
    return past->state == SUITE_LEFT && past->crashes > 0 ? "crashed" : names[past->state];
}

/* The run in the result file. */
struct state {
    const struct run_request *s;
    struct recovery r;
    char other[32]; /* what is other than in this run; "": nothing, or there is no file */
    bool ours, complete;
};

static void print_run(const struct state *of, const struct run_request *s)
{
    const struct recovery *r = &of->r;
    const char *state = "not finished";
    if (of->complete)
        state = "complete";
    else if (r->past.merging)
        state = "complete, but not merged with earlier runs; the next start merges it";
    else if (r->past.ended)
        state = "complete, except for its end; the next start adds it";
    size_t skipped = count_state(r, s, SUITE_SKIPPED);
    text_print_to(stdout, "%s: %s, %zu of %zu suites done, %zu failed, %zu given up, %zu left",
                  s->out_path, state, count_state(r, s, SUITE_DONE), s->count,
                  count_state(r, s, SUITE_FAILED), count_state(r, s, SUITE_GIVEN_UP),
                  of->complete ? 0 : r->left);
    printf(skipped > 0 ? ", %zu skipped\n" : "\n", skipped);
    for (size_t i = 0; i < s->count; i++) {
        const struct past *past = &r->past.suites[i];
        printf("  %-8s  %s", state_of(past), s->labels[i]);
        if (past->crashes > 0)
            printf(" (crashed %d time%s)", past->crashes, plural(past->crashes));
        int visits = journal_passes(&r->past, i);
        if (past->state != SUITE_DONE && visits > 0)
            printf(", %d visit%s of each argument done", visits, plural(visits));
        printf(past->hung != NULL ? "; %s\n" : "\n", past->hung);
    }
}

static void add_reported(struct text *out, const void *of_, int i)
{
    const struct state *of = of_;
    const struct past none = { 0 };
    const struct past *past = of->r.past.suites == NULL ? &none : &of->r.past.suites[i];
    json_add_texts(out, { "suite", of->s->labels[i] }, { "state", state_of(past) });
    json_add_number(out, "visits", journal_passes(&of->r.past, (size_t)i));
    json_add_number(out, "crashes", past->crashes);
    json_add(out, "why", past->hung != NULL ? past->hung : past->why);
}

/* A document "skampi-status/1". */
static void print_json(const struct state *of, const struct run_request *s)
{
    const struct recovery *r = &of->r;
    LOCAL_TEXT out = { 0 };
    json_begin(&out, NULL, '{');
    json_add_texts(&out, { "schema", "skampi-status/1" }, { "file", s->out_path });
    const char *other = r->keeps ? "another run" : "nothing";
    const char *own = of->complete ? "complete" : "not finished";
    json_add(&out, "state", of->complete || of->ours ? own : other);
    json_add_boolean(&out, "is_running", log_is_locked(s->log_path));
    json_add_number(&out, "suites_left", of->complete ? 0 : (long)r->left);
    json_add_list(&out, "suites", of->ours ? (int)s->count : 0, add_reported, of);
    json_end(&out, '}');
    puts(text_get(&out));
}

static int print_found(const struct state *of, const struct run_request *s, bool json)
{
    if (json)
        print_json(of, s);
    else if (of->ours)
        print_run(of, s);
    else if (of->r.keeps)
        text_print_to(stdout, "%s: results of %s, which will be kept; %zu suite%s left\n",
                      s->out_path, of->other, s->count, plural(s->count));
    else
        text_print_to(stdout, "%s: nothing yet, %zu suite%s left\n", s->out_path, s->count,
                      plural(s->count));
    return of->complete ? STATUS_COMPLETE : STATUS_UNFINISHED;
}

/* Looks at a finished file, whose header has its parameters. */
static int compare_finished(struct state *of, const struct run_request *s,
                            const struct registry *types, struct err *e)
{
    struct visits v = { .out_path = s->out_path };
    struct err other = { "" };
    strcpy(of->other, "other parameters");
    int rc = recovery_read_finished(&of->r, s, &of->complete, e);
    if (rc == 0 && of->complete && visits_read_header(&v, types, &other) == 0) {
        bool same = v.start.processes == s->processes || s->processes == PROCESSES_UNKNOWN;
        if (v.fingerprint == s->fingerprint)
            snprintf(of->other, sizeof(of->other), "%d processes", v.start.processes);
        if (v.fingerprint == s->fingerprint && same)
            of->other[0] = '\0';
    }
    of->ours = of->complete = of->complete && of->other[0] == '\0';
    visits_release(&v);
    return rc;
}

static int write_visits(const struct run_request *s, const struct registry *types, struct err *e)
{
    struct visits v = { 0 };
    struct out_file out = { .fd = -1 };
    LOCAL_TEXT journal = { 0 };
    text_add(&journal, "%s" JOURNAL_END, s->out_path);
    const struct logs logs = { .journal = text_get(&journal),
                               .log_fd = -1,
                               .journal_fd = log_open(text_get(&journal), e) };
    if (logs.journal_fd < 0)
        return -1;
    int rc = visits_read(&v, s->out_path, logs.journal_fd, types, e);
    const struct out_expected x = recovery_expected(&v.recovery);
    if (rc == 0)
        rc = out_file_open(&out, s->out_path, &x, e);
    if (rc == 0)
        rc = visits_write(&v, &logs, &out, e);
    if (rc == 0)
        text_print_to(stdout, "%s: %zu suite%s with some of the visits written\n", s->out_path,
                      v.suites, plural(v.suites));
    out_file_release(&out);
    visits_release(&v);
    close(logs.journal_fd);
    return rc;
}

int visits_of(const char *path, const struct registry *types)
{
    struct visits v = { 0 };
    struct err e = { "" };
    LOCAL_TEXT directory = { 0 };
    int rc = 0;
    file_add_directory(path, &directory);
    if (chdir(directory.s) != 0) /* for files that suites name */
        rc = err_set(&e, "%s: %s", path, strerror(errno));
    if (rc == 0)
        rc = visits_read(&v, file_name(path), -1, types, &e);
    if (rc == 0)
        rc = visits_print(&v, stdout, &e);
    if (rc != 0)
        fprintf(stderr, "skampi: %s\n", e.text);
    visits_release(&v);
    return rc == 0 ? STATUS_COMPLETE : STATUS_REFUSED;
}

int status_print(const struct params *p, const struct request *o, const struct registry *types)
{
    struct err e = { "" };
    struct run_request s;
    struct state of = { .s = &s };
    int status = STATUS_REFUSED;
    run_request_init(&s, p, o);
    s.processes = o->processes;
    int rc = recovery_load(&of.r, &s, -1, &e);
    of.ours = of.r.resumes;
    if (rc == 0 && !of.ours)
        rc = compare_finished(&of, &s, types, &e);
    if (rc == 0)
        status = print_found(&of, &s, o->json);
    if (status == STATUS_UNFINISHED && o->write && of.r.resumes && write_visits(&s, types, &e) != 0)
        status = STATUS_REFUSED;
    if (err_is_set(&e))
        fprintf(stderr, "skampi: %s\n", e.text);
    if (log_is_locked(p->logfile)) {
        if (!o->json)
            printf("a run is in progress here\n");
        status = STATUS_UNFINISHED;
    }
    recovery_release(&of.r);
    run_request_release(&s);
    return status;
}
