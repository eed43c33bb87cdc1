#include "cli/inform.h"

#include "base/file.h"
#include "base/json.h"
#include "results/log.h"
#include "results/out_file.h"
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

/* "  crashed  col_MPI_Scan (2 times)" */
static void print_suites(const struct recovery *r, const struct run_request *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct past *past = &r->past.suites[i];
        printf("  %-8s  %s", state_of(past), s->labels[i]);
        if (past->crashes > 0)
            printf(" (crashed %d time%s)", past->crashes, past->crashes == 1 ? "" : "s");
        int visits = history_passes(&r->past, i);
        if (past->state != SUITE_DONE && visits > 0)
            printf(", %d visit%s of each argument done", visits, visits == 1 ? "" : "s");
        printf(past->hung != NULL ? "; %s\n" : "\n", past->hung);
    }
}

static void print_run(const struct recovery *r, const struct run_request *s, bool complete)
{
    const char *state = r->merging ? "complete, but not merged with earlier runs; the next start "
                                     "merges it"
                        : complete ? "complete"
                                   : "not finished";
    size_t skipped = count_state(r, s, SUITE_SKIPPED);
    printf("%s: %s, %zu of %zu suites done, %zu failed, %zu given up, %zu left", s->out_path, state,
           count_state(r, s, SUITE_DONE), s->count, count_state(r, s, SUITE_FAILED),
           count_state(r, s, SUITE_GIVEN_UP), complete || r->merging ? 0 : r->left);
    printf(skipped > 0 ? ", %zu skipped\n" : "\n", skipped);
    print_suites(r, s);
}

/* Prints the file of another run, which gets another name when this run starts. */
static void print_other(const struct recovery *r, const struct run_request *s)
{
    const struct history *h = &r->past;
    printf("%s: results ", s->out_path);
    if (h->found && h->fingerprint != s->fingerprint)
        printf("of other parameters");
    else if (h->found && s->processes != PROCESSES_UNKNOWN && s->processes != h->processes)
        printf("of %d processes", h->processes);
    else
        printf("that '%s' does not mention", s->log_path);
    printf(", which will be kept; %zu suite%s left\n", s->count, s->count == 1 ? "" : "s");
}

struct reported {
    const struct recovery *r;
    const struct run_request *s;
};

static void add_reported(struct text *out, const void *of_, int i)
{
    const struct reported *of = of_;
    const struct past none = { 0 };
    const struct past *past = of->r->past.suites == NULL ? &none : &of->r->past.suites[i];
    json_add(out, "suite", of->s->labels[i]);
    json_add(out, "state", state_of(past));
    json_add_number(out, "visits", history_passes(&of->r->past, (size_t)i));
    json_add_number(out, "crashes", past->crashes);
    json_add(out, "why", past->hung != NULL ? past->hung : past->why);
}

/* A document "skampi-status/1". */
static void print_json(const struct recovery *r, const struct run_request *s, bool complete)
{
    const struct reported of = { r, s };
    bool ours = r->fate == OUT_RESUME || r->ended;
    LOCAL_TEXT out = { 0 };
    json_begin(&out, NULL, '{');
    json_add(&out, "schema", "skampi-status/1");
    json_add(&out, "file", s->out_path);
    json_add(&out, "state",
             complete              ? "complete"
             : ours                ? "not finished"
             : r->fate == OUT_KEEP ? "another run"
                                   : "nothing");
    json_add_boolean(&out, "is_running", log_is_locked(s->log_path));
    json_add_number(&out, "suites_left", complete || r->merging ? 0 : (long)r->left);
    json_add_list(&out, "suites", ours ? (int)s->count : 0, add_reported, &of);
    json_end(&out, '}');
    puts(text_get(&out));
}

static int print_found(const struct recovery *r, const struct run_request *s, bool json)
{
    bool complete = r->fate == OUT_RESUME ? r->finished && !r->merging : r->ended;
    if (json)
        print_json(r, s, complete);
    else if (r->fate == OUT_RESUME || r->ended)
        print_run(r, s, complete);
    else if (r->fate == OUT_KEEP)
        print_other(r, s);
    else
        printf("%s: nothing yet, %zu suite%s left\n", s->out_path, s->count,
               s->count == 1 ? "" : "s");
    return complete ? STATUS_COMPLETE : STATUS_UNFINISHED;
}

static int write_visits(const struct run_request *s, const struct registry *types, struct err *e)
{
    struct visits v;
    struct out_file out = { .fd = -1 };
    int log_fd = log_open(s->log_path, e);
    if (log_fd < 0)
        return -1;
    int rc = visits_read(&v, s->out_path, log_fd, types, e);
    if (rc == 0 && v.suites > 0)
        rc = out_file_resume(&out, s->out_path, v.recovery.end, v.recovery.again, e);
    if (rc == 0 && v.suites > 0)
        rc = out_file_append(&out, text_get(&v.blocks), e);
    if (rc == 0)
        printf("%s: %zu suite%s with some of the visits written\n", s->out_path, v.suites,
               v.suites == 1 ? "" : "s");
    out_file_release(&out);
    visits_release(&v);
    close(log_fd);
    return rc;
}

int visits_of(const char *path, const struct registry *types)
{
    struct visits v = { 0 };
    struct err e = { "" };
    const char *name = file_name(path);
    char *directory = strndup(path, (size_t)(name - path));
    int rc = directory == NULL ? err_no_memory(&e, strlen(path))
             : *directory != '\0' && chdir(directory) != 0
                 ? err_set(&e, "%s: %s", path, strerror(errno))
                 : visits_read(&v, name, -1, types, &e);
    if (rc == 0)
        rc = visits_print(&v, stdout, &e);
    if (rc != 0)
        fprintf(stderr, "skampi: %s\n", e.text);
    visits_release(&v);
    free(directory);
    return rc == 0 ? STATUS_COMPLETE : STATUS_REFUSED;
}

int status_print(const struct params *p, const struct request *o, const struct registry *types)
{
    struct err e = { "" };
    struct run_request s;
    struct recovery r = { 0 };
    int status = STATUS_REFUSED;
    int rc = run_request_init(&s, p, o, &e);
    s.processes = o->processes;
    if (rc == 0 && recovery_load(&r, &s, -1, &e) == 0)
        status = print_found(&r, &s, o->json);
    else
        fprintf(stderr, "skampi: %s\n", e.text);
    if (status == STATUS_UNFINISHED && o->write && r.fate == OUT_RESUME &&
        write_visits(&s, types, &e) != 0) {
        fprintf(stderr, "skampi: %s\n", e.text);
        status = STATUS_REFUSED;
    }
    if (log_is_locked(p->logfile)) {
        if (!o->json)
            printf("a run is in progress here\n");
        status = STATUS_UNFINISHED;
    }
    recovery_release(&r);
    run_request_release(&s);
    return status;
}
