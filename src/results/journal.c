#include "results/journal.h"

#include "results/block.h"
#include "results/fact.h"
#include "results/log.h"

struct journal_reader {
    struct journal *h;
    const struct run_request *start;
    struct text results;      /* lines of the result file that precede the current line */
    enum log_keyword keyword; /* of the current line */
};

/* Takes a number up to this last character. */
static bool take_number(const char **rest, int base, uint64_t most, char last, uint64_t *number)
{
    char *end;
    *number = strtoull(*rest, &end, base);
    bool good = end != *rest && *end == last && *number <= most;
    *rest = end + good;
    return good;
}

static void keep(char **where, const char *text)
{
    free(*where);
    *where = allocated(strdup(text));
}

static bool take_parameters(struct journal_reader *r, const char *rest)
{
    return take_number(&rest, 16, UINT64_MAX, '\0', &r->h->fingerprint);
}

static bool take_processes(struct journal_reader *r, const char *rest)
{
    uint64_t processes;
    bool good = take_number(&rest, 10, INT32_MAX, ' ', &processes) && processes > 0;
    r->h->processes = good ? (int)processes : 0;
    keep(&r->h->hosts, rest);
    return good;
}

static bool take_shuffle(struct journal_reader *r, const char *rest)
{
    uint64_t seed;
    bool good = take_number(&rest, 10, INT32_MAX, '\0', &seed) && seed > 0;
    r->h->seed = good ? (uint32_t)seed : 0;
    return good;
}

static void take_results(struct journal_reader *r)
{
    text_add_bytes(&r->h->out, text_get(&r->results), r->results.len);
}

static bool take_run_begin(struct journal_reader *r, const char *rest)
{
    r->h->begun = r->h->hosts != NULL && r->results.len > 0;
    take_results(r);
    return r->h->begun;
}

static bool take_run_resume(struct journal_reader *r, const char *rest)
{
    r->h->visits_len = 0;
    return true;
}

static bool take_run_visits(struct journal_reader *r, const char *rest)
{
    uint64_t len;
    bool good = take_number(&rest, 10, SIZE_MAX, ' ', &len) &&
                take_number(&rest, 16, UINT64_MAX, '\0', &r->h->visits_hash);
    r->h->visits_len = good ? (size_t)len : 0;
    return good;
}

static bool take_merge(struct journal_reader *r, const char *rest)
{
    r->h->merging = true;
    return true;
}

static bool take_run_end(struct journal_reader *r, const char *rest)
{
    r->h->ended = r->h->begun;
    take_results(r);
    return r->h->begun;
}

/* Takes a line that replaces one of the same length. */
static bool take_verified(struct journal_reader *r, const char *rest)
{
    uint64_t at;
    struct text *out = &r->h->out;
    if (!take_number(&rest, 10, out->len, ' ', &at))
        return false;
    size_t len = strlen(rest);
    if (len >= out->len - at || out->s[at + len] != '\n')
        return false;
    memcpy(out->s + at, rest, len);
    return true;
}

struct past *journal_suite(const struct journal *h, const struct run_request *s, const char *label,
                           size_t len)
{
    for (size_t i = 0; i < h->suite_count; i++)
        if (strlen(s->labels[i]) == len && memcmp(s->labels[i], label, len) == 0)
            return &h->suites[i];
    return NULL;
}

/* Takes a complete pass, which replaces its rows that were written before. */
static bool take_suite_pass(struct journal_reader *r, const char *rest)
{
    struct past *suite = journal_suite(r->h, r->start, rest, strcspn(rest, " "));
    const char *rows = strchr(rest, ' ');
    bool whole = r->keyword == LOG_SUITE_PASS;
    if (suite != NULL && rows != NULL) {
        if (whole)
            suite->passes.len = strcspn(text_get(&suite->passes), PASS_PART);
        text_add(&suite->passes, "%.*s%s\n", !whole, PASS_PART, rows + 1);
        suite->state = whole ? SUITE_LEFT : suite->state;
    }
    return rows != NULL;
}

void past_fail(struct past *past, const char *why)
{
    past->state = SUITE_FAILED;
    keep(&past->why, why + strspn(why, " "));
}

static bool take_suite(struct journal_reader *r, const char *rest)
{
    static const enum suite_state after[LOG_KEYWORDS] = {
        [LOG_SUITE_BEGIN] = SUITE_BEGUN,     [LOG_SUITE_END] = SUITE_DONE,
        [LOG_SUITE_AGAIN] = SUITE_BEGUN,     [LOG_SUITE_FAILED] = SUITE_FAILED,
        [LOG_SUITE_SKIPPED] = SUITE_SKIPPED, [LOG_SUITE_CRASHED] = SUITE_LEFT,
        [LOG_SUITE_UNWRITTEN] = SUITE_LEFT,  [LOG_SUITE_SILENT] = SUITE_BEGUN,
    };
    struct past *suite = journal_suite(r->h, r->start, rest, strcspn(rest, " "));
    if (suite != NULL && suite->state == SUITE_DONE) /* a failed sync does not undo its block */
        return true;
    if (r->keyword == LOG_SUITE_END)
        take_results(r);
    if (suite == NULL)
        return true;
    suite->state = after[r->keyword];
    suite->crashes += r->keyword == LOG_SUITE_CRASHED;
    const char *why = strstr(rest, " argument ");
    if (why != NULL && (r->keyword == LOG_SUITE_CRASHED || r->keyword == LOG_SUITE_SILENT)) {
        suite->hangs += r->keyword == LOG_SUITE_CRASHED;
        keep(&suite->hung, why + 1);
    }
    if (suite->state == SUITE_DONE)
        text_release(&suite->passes);
    if (suite->state == SUITE_FAILED)
        past_fail(suite, rest + strcspn(rest, " "));
    return true;
}

static bool take_line(struct journal_reader *r, const char *line)
{
    static bool (*const take[LOG_KEYWORDS])(struct journal_reader * r, const char *rest) = {
        [LOG_RUN_PARAMETERS] = take_parameters, [LOG_RUN_PROCESSES] = take_processes,
        [LOG_RUN_SHUFFLE] = take_shuffle,       [LOG_RUN_BEGIN] = take_run_begin,
        [LOG_RUN_RESUME] = take_run_resume,     [LOG_RUN_VISITS] = take_run_visits,
        [LOG_SUITE_BEGIN] = take_suite,         [LOG_SUITE_END] = take_suite,
        [LOG_SUITE_FAILED] = take_suite,        [LOG_SUITE_SKIPPED] = take_suite,
        [LOG_SUITE_CRASHED] = take_suite,       [LOG_SUITE_PASS] = take_suite_pass,
        [LOG_SUITE_AGAIN] = take_suite,         [LOG_SUITE_UNWRITTEN] = take_suite,
        [LOG_SUITE_ROW] = take_suite_pass,      [LOG_SUITE_SILENT] = take_suite,
        [LOG_SUITE_VERIFIED] = take_verified,   [LOG_MERGE_BEGIN] = take_merge,
        [LOG_RUN_END] = take_run_end,
    };
    const char *rest;
    if (*line == ' ') {
        text_add(&r->results, "%s\n", line + 1);
        return true;
    }
    r->keyword = log_split_line(line, &rest);
    bool good = r->keyword < LOG_KEYWORDS && take[r->keyword] != NULL && take[r->keyword](r, rest);
    text_release(&r->results);
    return good;
}

/* Turns the lines into strings. Text after the last newline is a torn line. */
static int take_lines(struct journal_reader *r, const struct text *all, struct err *e)
{
    unsigned long number = 1;
    if (all->len == 0)
        return 0;
    char *text = all->s, *end = text + all->len;
    for (char *newline; (newline = memchr(text, '\n', (size_t)(end - text))) != NULL; number++) {
        *newline = '\0';
        if (strlen(text) != (size_t)(newline - text) || !take_line(r, text))
            return err_set(e,
                           "'%s" JOURNAL_END "' is damaged in line %lu; repair it, or start with "
                           "--fresh, which keeps it under another name",
                           r->start->out_path, number);
        text = newline + 1;
    }
    return 0;
}

int journal_read(struct journal *h, const struct run_request *s, struct text *all, struct err *e)
{
    struct journal_reader r = { .h = h, .start = s };
    *h = (struct journal){ .suite_count = s->count };
    allocated_array(&h->suites, s->count);
    int rc = take_lines(&r, all, e);
    text_release(&r.results);
    return rc;
}

void journal_forget(struct journal *h)
{
    for (size_t i = 0; i < h->suite_count; i++) {
        text_release(&h->suites[i].passes);
        free(h->suites[i].hung);
        free(h->suites[i].why);
        h->suites[i] = (struct past){ SUITE_LEFT };
    }
}

int journal_passes(const struct journal *h, size_t suite)
{
    int passes = 0;
    const char *text = h->suites == NULL ? "" : text_get(&h->suites[suite].passes);
    for (; *text != '\0' && *text != *PASS_PART; text++)
        passes += *text == '\n';
    return passes;
}

void past_add_note(const struct past *past, struct text *notes)
{
    const char *state = past->state == SUITE_GIVEN_UP ? "given up; " : "";
    if (past->crashes > 0)
        fact_addf(notes, FACT_NOTE, past->hung == NULL ? "%scrashes: %d" : "%scrashes: %d; %s",
                  state, past->crashes, past->hung);
}

void journal_release(struct journal *h)
{
    journal_forget(h);
    text_release(&h->out);
    free(h->hosts);
    free(h->suites);
    *h = (struct journal){ 0 };
}
