#include "results/recovery.h"

#include "model/permutation.h"
#include "results/blocks.h"
#include "results/format.h"

#define WAY_OUT "start with --fresh, which keeps it under another name and starts over"

static bool has_header(const struct history *h, const struct found *f)
{
    return h->header_len > 0 && f->out_len >= h->header_len &&
           hash_bytes(f->out, h->header_len) == h->header_hash;
}

static bool same_processes(const struct history *h, const struct run_request *s)
{
    return s->processes == PROCESSES_UNKNOWN || s->processes == h->processes;
}

static bool same_parameters(const struct history *h, const struct run_request *s)
{
    return s->fingerprint == FINGERPRINT_UNKNOWN || h->fingerprint == s->fingerprint;
}

/* Does the unfinished result file belong to the run in the log, and to this launch? */
static int check_belongs(const struct history *h, const struct run_request *s,
                         const struct found *f, struct err *e)
{
    const char *out = s->out_path;
    if (!h->found || h->header_len == 0)
        return err_set(e,
                       "'%s' is not finished, and '%s' does not say how it was started; restore "
                       "its log, or " WAY_OUT,
                       out, s->log_path);
    if (!has_header(h, f))
        return err_set(
            e,
            "'%s' does not have the header that '%s' records; restore the right file, or " WAY_OUT,
            out, s->log_path);
    if (!same_parameters(h, s))
        return err_set(e,
                       "'%s' is not finished, and was started with other parameters or by an "
                       "older version; restore that, or " WAY_OUT,
                       out);
    if (!same_processes(h, s))
        return err_set(e,
                       "'%s' is not finished, and was started with %d processes, not %d; use the "
                       "same number, or " WAY_OUT,
                       out, h->processes, s->processes);
    return 0;
}

static bool same_run(const struct history *h, const struct run_request *s, const struct found *f)
{
    return h->found && has_header(h, f) && same_parameters(h, s) && same_processes(h, s);
}

/* Is the run complete, but was its merge with earlier runs interrupted before the rename? */
static bool is_unmerged(const struct history *h, const struct run_request *s, const struct found *f)
{
    return h->merging && same_run(h, s, f) && blocks_is_finished_text(f->out, f->out_len) &&
           !blocks_is_merged_text(f->out, f->out_len);
}

/* Is the file a finished run to be kept? If only the log's last lines are missing and the
 * parameters are the same, this launch completes the run instead. */
static bool is_earlier(const struct history *h, const struct run_request *s, const struct found *f)
{
    bool incomplete = same_run(h, s, f) && (!h->ended || is_unmerged(h, s, f));
    return blocks_is_finished_text(f->out, f->out_len) && !incomplete;
}

/* Is the file empty, announced by the log, and no suite done? A launch ended before the header. */
static bool is_empty_beginning(const struct history *h, const struct run_request *s,
                               const struct found *f)
{
    for (size_t i = 0; i < s->count; i++)
        if (h->suites[i].state == SUITE_DONE)
            return false;
    return f->out_len == 0 && h->found;
}

/* Is the file shorter than its header, or empty? It is kept, as its run is unknown. */
static bool is_torn(const struct history *h, const struct found *f)
{
    return f->out_len == 0 ||
           (h->found && f->out_len < h->header_len && line_begins_own_file(f->out, f->out_len));
}

static int choose_fate(struct recovery *r, const struct run_request *s, const struct found *f,
                       struct err *e)
{
    const struct history *h = &r->past;
    r->fate = OUT_NONE;
    if (f->out == NULL)
        return 0;
    r->fate = is_empty_beginning(h, s, f) && !s->fresh ? OUT_EMPTY : OUT_KEEP;
    r->ended = h->ended && h->fingerprint == s->fingerprint && same_processes(h, s) &&
               blocks_is_finished_text(f->out, f->out_len);
    if (s->fresh || is_earlier(h, s, f) || is_torn(h, f))
        return 0;
    r->fate = OUT_RESUME;
    r->merging = is_unmerged(h, s, f);
    return check_belongs(h, s, f, e);
}

static size_t suite_index(const struct run_request *s, const char *label, size_t len)
{
    size_t i = 0;
    while (i < s->count && (strlen(s->labels[i]) != len || memcmp(s->labels[i], label, len) != 0))
        i++;
    return i;
}

static int find_unfinished(struct recovery *r, struct blocks *b)
{
    size_t len;
    while (blocks_last_is_unfinished(b) && blocks_next(b, &len) != NULL)
        ;
    r->again = blocks_last_is_unfinished(b) && b->end == b->len;
    return 0;
}

static int find_blocks(struct recovery *r, const struct run_request *s, const struct found *f,
                       struct err *e)
{
    struct blocks b = { .bytes = f->out, .len = f->out_len, .end = r->past.header_len };
    size_t len;
    r->end = b.end;
    for (const char *label; (label = blocks_next(&b, &len)) != NULL; r->end = b.end) {
        if (blocks_last_is_unfinished(&b))
            return find_unfinished(r, &b);
        size_t i = suite_index(s, label, len);
        if (i == s->count || r->past.suites[i].news == NEWS_DONE)
            return err_set(e, "'%s' has a suite '%.*s' %s; repair it, or " WAY_OUT, s->out_path,
                           (int)len, label,
                           i == s->count ? "that the parameter file does not have" : "twice");
        r->past.suites[i].news = NEWS_DONE;
    }
    if (blocks_are_damaged(&b))
        return err_set(e, "'%s' is damaged before its end; repair it, or " WAY_OUT, s->out_path);
    r->finished = blocks_are_finished(&b);
    return 0;
}

static void update_suite(const struct run_request *s, struct past *past)
{
    bool in_file = past->news == NEWS_DONE;
    if (in_file) {
        past->news = past->state == SUITE_DONE ? NEWS_NONE : NEWS_DONE;
        past->state = SUITE_DONE;
    } else if (past->state == SUITE_DONE) {
        past->news = NEWS_LOST;
        past->state = SUITE_LEFT;
    } else if (past->state == SUITE_BEGUN) {
        past->news = NEWS_CRASHED;
        past->state = SUITE_LEFT;
        past->crashes++;
    }
    bool spent = s->max_retries >= 0 && past->crashes > s->max_retries;
    if (past->state == SUITE_LEFT && (spent || past->hangs >= HANGS_MOST))
        past->state = SUITE_GIVEN_UP;
}

/* Suites that crashed most often come last; the others in the order of the run. */
static void put_in_order(struct recovery *r, size_t suite)
{
    const struct past *suites = r->past.suites;
    size_t at = r->left++;
    for (; at > 0 && suites[r->order[at - 1]].crashes > suites[suite].crashes; at--)
        r->order[at] = r->order[at - 1];
    r->order[at] = suite;
}

static void find_left(struct recovery *r, const struct run_request *s)
{
    for (size_t k = 0; k < s->count; k++) {
        size_t i = shuffled(k, s->count, r->past.seed);
        r->done += r->past.suites[i].state == SUITE_DONE;
        if (r->past.suites[i].state == SUITE_LEFT && !r->finished)
            put_in_order(r, i);
    }
}

/* A finished run has given up the suites it has not measured; a new run measures all. */
static void take_all(struct recovery *r, const struct run_request *s)
{
    for (size_t i = 0; i < s->count && r->ended; i++)
        if (r->past.suites[i].state == SUITE_LEFT)
            r->past.suites[i].state = SUITE_GIVEN_UP;
    for (r->left = 0; r->left < s->count; r->left++)
        r->order[r->left] = shuffled(r->left, s->count, s->seed);
}

/* Fails the suites that ended an earlier launch, as the MPI library cannot do them; results that
 * are there remain. */
static int take_faults(struct recovery *r, const struct run_request *s)
{
    const char *line = s->faults == NULL ? "" : s->faults;
    for (size_t len; (len = strcspn(line, "\n")) > 0; line += len + 1) {
        size_t label = strcspn(line, " "), i = suite_index(s, line, label);
        struct past *past = i < s->count ? &r->past.suites[i] : NULL;
        LOCAL_TEXT why = { 0 };
        if (past == NULL || past->news == NEWS_DONE)
            continue;
        text_add_bytes(&why, line + label, len - label);
        if (!past_fail(past, text_get(&why)))
            return -1;
        past->news = NEWS_FAILED;
    }
    return 0;
}

static int find_rest(struct recovery *r, const struct run_request *s, const struct found *f,
                     struct err *e)
{
    if (find_blocks(r, s, f, e) != 0)
        return -1;
    r->other_hosts = s->hosts != NULL && strcmp(r->past.hosts, s->hosts) != 0;
    if (take_faults(r, s) != 0)
        return err_no_memory(e, strlen(s->faults));
    for (size_t i = 0; i < s->count; i++)
        update_suite(s, &r->past.suites[i]);
    find_left(r, s);
    return 0;
}

int recovery_decide(struct recovery *r, const struct run_request *s, const struct found *f,
                    struct err *e)
{
    r->order = calloc(s->count + 1, sizeof(*r->order));
    if (r->order == NULL)
        return err_no_memory(e, s->count * sizeof(*r->order));
    if (choose_fate(r, s, f, e) != 0)
        return -1;
    if (r->fate == OUT_RESUME)
        return find_rest(r, s, f, e);
    take_all(r, s);
    return 0;
}

bool recovery_has_failures(const struct recovery *r, const struct run_request *s)
{
    for (size_t i = 0; i < s->count && r->fate == OUT_RESUME; i++)
        if (r->past.suites[i].state == SUITE_FAILED || r->past.suites[i].state == SUITE_GIVEN_UP)
            return true;
    return false;
}

/* Suites in a state that have crashed so often, or those with the news. */
struct list {
    const char *before, *after;
    enum suite_state state;
    int crashes;
    enum news news;
};

/* Adds "; crashed: a, b (retried last)", or nothing if the list is empty. */
static void add_suites(const struct recovery *r, const struct run_request *s, const struct list *l,
                       struct text *out)
{
    const char *apart = l->before;
    for (size_t i = 0; i < s->count; i++) {
        const struct past *past = &r->past.suites[i];
        if (l->news != NEWS_NONE ? past->news != l->news
                                 : past->state != l->state || past->crashes < l->crashes)
            continue;
        text_add(out, "%s%s", apart, s->labels[i]);
        apart = ", ";
    }
    if (apart != l->before)
        text_add(out, "%s", l->after);
}

static void add_progress(const struct recovery *r, const struct run_request *s, struct text *out)
{
    int wanted = 0, done = 0;
    for (size_t i = 0; i < s->count && s->visits != NULL; i++) {
        int passes = history_passes(&r->past, i);
        bool all = passes > s->visits[i] || r->past.suites[i].state == SUITE_DONE;
        wanted += s->visits[i];
        done += all ? s->visits[i] : passes;
    }
    text_add(out, "resuming: %zu of %zu suites done", r->done, s->count);
    if (wanted > (int)s->count)
        text_add(out, ", %d of %d visits", done, wanted);
    text_add(out, "%s", r->other_hosts ? ", on other hosts than before" : "");
}

void recovery_describe(const struct recovery *r, const struct run_request *s, struct text *out)
{
    static const struct list lists[] = {
        { "; crashed: ", " (retried last)", SUITE_LEFT, 1, NEWS_NONE },
        { "; crashed, and not retried: ", "", SUITE_GIVEN_UP, 0, NEWS_NONE },
        { "; no longer in the result file, measured again: ", "", .news = NEWS_LOST },
    };
    if (r->fate != OUT_RESUME) {
        text_add(out, "fresh start, %zu suite%s", s->count, s->count == 1 ? "" : "s");
        return;
    }
    if (r->merging)
        text_add(out, "'%s' is complete; its interrupted merge with earlier runs is done now",
                 s->out_path);
    else if (r->finished)
        text_add(out, "'%s' was complete except for the log; start again for a new run",
                 s->out_path);
    else
        add_progress(r, s, out);
    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
        add_suites(r, s, &lists[i], out);
}

void recovery_release(struct recovery *r)
{
    history_release(&r->past);
    free(r->order);
    free(r->aside);
    *r = (struct recovery){ 0 };
}
