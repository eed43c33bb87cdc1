#include "results/history.h"

#include "results/block.h"
#include "results/fact.h"
#include "results/log.h"

struct log_reader {
    struct history *h;
    const struct run_request *start;
    struct history next;      /* lines about a run that is about to begin */
    struct text path;         /* of the result file, as it appears in the log */
    bool ours;                /* the current lines are about our result file */
    enum log_keyword keyword; /* of the current line */
};

static bool take_parameters(struct log_reader *r, const char *rest)
{
    char *end;
    r->next.fingerprint = strtoull(rest, &end, 16);
    return end == rest + 16 && *end == '\0';
}

static bool take_processes(struct log_reader *r, const char *rest)
{
    char *end;
    long processes = strtol(rest, &end, 10);
    if (processes < 1 || processes > INT32_MAX || *end != ' ')
        return false;
    free(r->next.hosts);
    r->next.processes = (int)processes;
    r->next.hosts = strdup(end + 1);
    return r->next.hosts != NULL;
}

static bool take_header(struct log_reader *r, const char *rest)
{
    char *end;
    r->next.header_len = strtoul(rest, &end, 10);
    if (end == rest || *end != ' ')
        return false;
    const char *hash = end + 1;
    r->next.header_hash = strtoull(hash, &end, 16);
    return end == hash + 16 && *end == '\0';
}

static bool take_shuffle(struct log_reader *r, const char *rest)
{
    char *end;
    unsigned long seed = strtoul(rest, &end, 10);
    r->next.seed = (uint32_t)seed;
    return end != rest && *end == '\0' && seed > 0 && seed <= INT32_MAX;
}

static bool is_ours(const struct log_reader *r, const char *path)
{
    return strcmp(path, text_get(&r->path)) == 0;
}

static void forget_next(struct log_reader *r)
{
    free(r->next.hosts);
    r->next = (struct history){ 0 };
}

static void forget_suites(struct history *h)
{
    for (size_t i = 0; i < h->suite_count; i++) {
        text_release(&h->suites[i].passes);
        free(h->suites[i].hung);
        free(h->suites[i].why);
        h->suites[i] = (struct past){ SUITE_LEFT };
    }
}

/* A new run with this file replaces everything that the log recorded about earlier ones. */
static bool take_run_begin(struct log_reader *r, const char *rest)
{
    struct past *suites = r->h->suites;
    r->ours = is_ours(r, rest);
    if (!r->ours) {
        forget_next(r);
        return true;
    }
    forget_suites(r->h);
    free(r->h->hosts);
    free(r->h->times);
    *r->h = r->next;
    r->h->found = true;
    r->h->suites = suites;
    r->h->suite_count = r->start->count;
    if (r->next.processes == 0 || r->next.hosts == NULL)
        r->h->header_len = 0;
    r->next = (struct history){ 0 };
    return true;
}

/* Takes a resumed run; if it continues on other hosts, their names precede this line. */
static bool take_run_resume(struct log_reader *r, const char *rest)
{
    r->ours = is_ours(r, rest) && r->h->found;
    r->h->ended = r->h->ended && !r->ours;
    r->h->merging = r->h->merging && !r->ours;
    if (r->ours && r->next.hosts != NULL) {
        free(r->h->hosts);
        r->h->hosts = r->next.hosts;
        r->next.hosts = NULL;
    }
    forget_next(r);
    return true;
}

static bool take_run_times(struct log_reader *r, const char *rest)
{
    if (!r->ours)
        return true;
    free(r->h->times);
    r->h->times = strdup(rest);
    return r->h->times != NULL;
}

static bool take_run_end(struct log_reader *r, const char *rest)
{
    if (r->ours)
        r->h->ended = true;
    return true;
}

static bool take_merge(struct log_reader *r, const char *rest)
{
    if (r->ours && is_ours(r, rest))
        r->h->merging = r->keyword == LOG_MERGE_BEGIN;
    return true;
}

/* The suite that a line is about; NULL if it is not a suite of this run. */
static struct past *suite_of(const struct log_reader *r, const char *rest)
{
    size_t len = strcspn(rest, " ");
    for (size_t i = 0; i < r->start->count && r->ours; i++)
        if (strlen(r->start->labels[i]) == len && memcmp(r->start->labels[i], rest, len) == 0)
            return &r->h->suites[i];
    return NULL;
}

/* Takes a complete pass, which replaces its rows that were written before. */
static bool take_suite_pass(struct log_reader *r, const char *rest)
{
    struct past *suite = suite_of(r, rest);
    const char *rows = strchr(rest, ' ');
    bool whole = r->keyword == LOG_SUITE_PASS;
    if (suite != NULL && rows != NULL) {
        if (whole)
            suite->passes.len = strcspn(text_get(&suite->passes), PASS_PART);
        text_add(&suite->passes, "%.*s%s\n", !whole, PASS_PART, rows + 1);
        suite->state = whole ? SUITE_LEFT : suite->state;
    }
    return rows != NULL && (suite == NULL || !suite->passes.failed);
}

bool past_fail(struct past *past, const char *why)
{
    free(past->why);
    past->state = SUITE_FAILED;
    past->why = strdup(why + strspn(why, " "));
    return past->why != NULL;
}

static bool take_suite(struct log_reader *r, const char *rest)
{
    static const enum suite_state after[LOG_KEYWORDS] = {
        [LOG_SUITE_BEGIN] = SUITE_BEGUN,     [LOG_SUITE_END] = SUITE_DONE,
        [LOG_SUITE_AGAIN] = SUITE_BEGUN,     [LOG_SUITE_FAILED] = SUITE_FAILED,
        [LOG_SUITE_SKIPPED] = SUITE_SKIPPED, [LOG_SUITE_CRASHED] = SUITE_LEFT,
        [LOG_SUITE_UNWRITTEN] = SUITE_LEFT,  [LOG_SUITE_SILENT] = SUITE_BEGUN,
    };
    struct past *suite = suite_of(r, rest);
    if (suite == NULL)
        return true;
    suite->state = after[r->keyword];
    suite->crashes += r->keyword == LOG_SUITE_CRASHED;
    const char *why = strstr(rest, " argument ");
    if (why != NULL && (r->keyword == LOG_SUITE_CRASHED || r->keyword == LOG_SUITE_SILENT)) {
        suite->hangs += r->keyword == LOG_SUITE_CRASHED;
        free(suite->hung);
        suite->hung = strdup(why + 1);
    }
    if (suite->state == SUITE_DONE)
        text_release(&suite->passes);
    return suite->state != SUITE_FAILED || past_fail(suite, rest + strcspn(rest, " "));
}

static bool take_line(struct log_reader *r, const char *line)
{
    static bool (*const take[LOG_KEYWORDS])(struct log_reader * r, const char *rest) = {
        [LOG_RUN_PARAMETERS] = take_parameters, [LOG_RUN_PROCESSES] = take_processes,
        [LOG_RUN_HEADER] = take_header,         [LOG_RUN_SHUFFLE] = take_shuffle,
        [LOG_RUN_BEGIN] = take_run_begin,       [LOG_RUN_RESUME] = take_run_resume,
        [LOG_RUN_TIMES] = take_run_times,       [LOG_SUITE_BEGIN] = take_suite,
        [LOG_SUITE_END] = take_suite,           [LOG_SUITE_FAILED] = take_suite,
        [LOG_SUITE_SKIPPED] = take_suite,       [LOG_SUITE_CRASHED] = take_suite,
        [LOG_SUITE_PASS] = take_suite_pass,     [LOG_SUITE_UNWRITTEN] = take_suite,
        [LOG_SUITE_AGAIN] = take_suite,         [LOG_MERGE_BEGIN] = take_merge,
        [LOG_SUITE_ROW] = take_suite_pass,      [LOG_SUITE_SILENT] = take_suite,
        [LOG_MERGE_END] = take_merge,           [LOG_RUN_END] = take_run_end,
    };
    const char *rest;
    r->keyword = log_split_line(line, &rest);
    if (r->keyword == LOG_KEYWORDS)
        return false;
    return take[r->keyword] == NULL || take[r->keyword](r, rest);
}

/* Turns the lines into strings. Text after the last newline is a torn line. */
static int take_lines(struct log_reader *r, char *text, size_t len, struct err *e)
{
    char *end = text + len;
    unsigned long number = 1;
    for (char *newline; (newline = memchr(text, '\n', (size_t)(end - text))) != NULL; number++) {
        *newline = '\0';
        if (strlen(text) != (size_t)(newline - text) || !take_line(r, text))
            return err_set(e,
                           "'%s' is damaged in line %lu; repair it, or start with --fresh, which "
                           "keeps it under another name",
                           r->start->log_path, number);
        text = newline + 1;
    }
    return 0;
}

int history_read(struct history *h, const struct run_request *s, const char *log, size_t len,
                 struct err *e)
{
    struct log_reader r = { .h = h, .start = s };
    LOCAL_TEXT copy = { 0 };
    *h = (struct history){ .suites = calloc(s->count + 1, sizeof(*h->suites)) };
    h->suite_count = h->suites == NULL ? 0 : s->count;
    text_add_printable(&r.path, s->out_path, strlen(s->out_path));
    text_add_bytes(&copy, log, len);
    int rc = h->suites == NULL || copy.failed || r.path.failed ? err_no_memory(e, len)
                                                               : take_lines(&r, copy.s, len, e);
    forget_next(&r);
    text_release(&r.path);
    return rc;
}

int history_passes(const struct history *h, size_t suite)
{
    int passes = 0;
    const char *text = h->suites == NULL ? "" : text_get(&h->suites[suite].passes);
    for (; *text != '\0' && *text != *PASS_PART; text++)
        passes += *text == '\n';
    return passes;
}

void past_add_note(const struct past *past, struct text *notes)
{
    if (past->crashes > 0)
        fact_addf(notes, FACT_NOTE, "%scrashes: %d%s%s",
                  past->state == SUITE_GIVEN_UP ? "given up; " : "", past->crashes,
                  past->hung == NULL ? "" : "; ", past->hung == NULL ? "" : past->hung);
}

void history_release(struct history *h)
{
    forget_suites(h);
    free(h->hosts);
    free(h->times);
    free(h->suites);
    *h = (struct history){ 0 };
}
