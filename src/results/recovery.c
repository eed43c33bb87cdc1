#include "results/recovery.h"

#include "base/file.h"
#include "model/permutation.h"
#include "results/blocks.h"
#include "results/format.h"
#include "results/log.h"

#define WAY_OUT "start with --fresh, which keeps it under another name and starts over"

/* Reads an earlier run, which only a plain file can hold; NULL: it does not exist, or is a device.
 */
static int read_output(const char *path, struct text *out, struct err *e)
{
    struct stat st;
    if (lstat(path, &st) != 0)
        return errno == ENOENT ? 0 : err_not_written(e, path, errno);
    if (S_ISREG(st.st_mode))
        return file_read(path, OUT_LONGEST, out, e);
    if (S_ISLNK(st.st_mode) && (stat(path, &st) != 0 || S_ISREG(st.st_mode)))
        return err_set(e, "'%s' is a symbolic link; name another @OUTFILE, or one with -o", path);
    if (stat(path, &st) == 0 && (S_ISCHR(st.st_mode)))
        return 0;
    return err_set(e, "cannot write '%s': neither a plain file nor a device", path);
}

static bool same_processes(const struct journal *h, const struct run_request *s)
{
    return s->processes == PROCESSES_UNKNOWN || s->processes == h->processes;
}

static bool same_labels(const char *a, const char *b)
{
    const struct blocks in_a = { .bytes = a, .end = strlen(a) };
    const struct blocks in_b = { .bytes = b, .end = strlen(b) };
    a = blocks_line(&in_a, FACT_LABEL);
    b = blocks_line(&in_b, FACT_LABEL);
    const char *end = a == NULL || b == NULL ? NULL : strstr(a, "\n#@");
    return end == NULL ? a == b : strncmp(a, b, (size_t)(end - a) + 3) == 0;
}

static bool same_parameters(const struct journal *h, const struct run_request *s)
{
    return (s->fingerprint == FINGERPRINT_UNKNOWN || h->fingerprint == s->fingerprint) &&
           (s->header == NULL || h->out.len == 0 || same_labels(text_get(&h->out), s->header));
}

/* Does the unfinished run belong to this launch? */
static int check_belongs(const struct journal *h, const struct run_request *s, struct err *e)
{
    if (!h->begun)
        return err_set(e,
                       "'%s' is not finished, and has no '%s" JOURNAL_END
                       "' that says how to resume "
                       "it; restore that, or " WAY_OUT,
                       s->out_path, s->out_path);
    if (!same_parameters(h, s))
        return err_set(e,
                       "'%s' is not finished, and was started with other parameters or labels, "
                       "or by an older version; restore that, or " WAY_OUT,
                       s->out_path);
    if (!same_processes(h, s))
        return err_set(e,
                       "'%s' is not finished, and was started with %d processes, not %d; use the "
                       "same number, or " WAY_OUT,
                       s->out_path, h->processes, s->processes);
    return 0;
}

static int decide(struct recovery *r, const struct run_request *s, const struct text *out,
                  struct err *e)
{
    const struct journal *h = &r->past;
    enum trailer trailer = blocks_trailer(text_get(out), out->len);
    bool nothing = !h->begun && (out->len == 0 || trailer != TRAILER_MISSING);
    r->merged = h->ended && h->merging && trailer == TRAILER_OF_MERGE;
    r->keeps = out->s != NULL;
    if (s->fresh || nothing || r->merged ||
        (h->ended && !(same_parameters(h, s) && same_processes(h, s))))
        return 0;
    r->resumes = true;
    return check_belongs(h, s, e);
}

struct out_expected recovery_expected(const struct recovery *r)
{
    const struct journal *h = &r->past;
    return (struct out_expected){ text_get(&h->out), h->visits_len, h->visits_hash };
}

static int read_journal(struct journal *h, const struct run_request *s, int fd, struct err *e)
{
    LOCAL_TEXT path = { 0 }, all = { 0 };
    text_add(&path, "%s" JOURNAL_END, s->out_path);
    return log_read(fd, path.s, &all, e) == 0 ? journal_read(h, s, &all, e) : -1;
}

int recovery_load(struct recovery *r, const struct run_request *s, int journal_fd, struct err *e)
{
    LOCAL_TEXT out = { 0 };
    struct err ignored = { "" };
    *r = (struct recovery){ 0 };
    int rc = read_output(s->out_path, &out, e);
    if (rc == 0 && read_journal(&r->past, s, journal_fd, s->fresh ? &ignored : e) != 0) {
        journal_release(&r->past);
        r->damaged = s->fresh;
        rc = s->fresh ? 0 : -1;
    }
    if (rc == 0)
        rc = decide(r, s, &out, e);
    if (rc == 0)
        recovery_plan(r, s);
    return rc;
}

static void set_state(struct recovery *r, const struct run_request *s, const char *label,
                      size_t len, enum suite_state state)
{
    struct past *past = label == NULL ? NULL : journal_suite(&r->past, s, label, len);
    if (past != NULL)
        past->state = state;
}

/* Suites are done if they have a block, failed or skipped by the header facts, or were given up. */
static void take_states(struct recovery *r, const struct run_request *s, const struct text *out)
{
    struct blocks b = { .bytes = out->s, .len = out->len };
    bool failed = false;
    size_t len;
    for (size_t i = 0; i < s->count; i++)
        r->past.suites[i].state = SUITE_GIVEN_UP;
    for (const char *line = out->s; line != NULL; line = line_next(line)) {
        const char *value = line_value(line, fact_info(FACT_FAILED)->name);
        if (value == NULL && failed && line_kind_of(line) == LINE_FIELD_CONTINUED)
            value = line_continuation(line);
        failed = value != NULL;
        const char *skipped = line_value(line, fact_info(FACT_SKIPPED)->name);
        set_state(r, s, value, failed ? strcspn(value, " ") : 0, SUITE_FAILED);
        set_state(r, s, skipped, skipped == NULL ? 0 : strcspn(skipped, ","), SUITE_SKIPPED);
    }
    for (const char *label; (label = blocks_next(&b, &len)) != NULL;)
        set_state(r, s, label, len, SUITE_DONE);
}

int recovery_read_finished(struct recovery *r, const struct run_request *s, bool *finished,
                           struct err *e)
{
    LOCAL_TEXT out = { 0 };
    *finished = false;
    if ((r->past.begun && !r->merged) || !r->keeps)
        return 0;
    int rc = read_output(s->out_path, &out, e);
    *finished = blocks_trailer(text_get(&out), out.len) != TRAILER_MISSING;
    if (*finished)
        take_states(r, s, &out);
    return rc;
}

static void judge(struct recovery *r, const struct run_request *s, size_t suite)
{
    struct past *past = &r->past.suites[suite];
    if (past->state == SUITE_BEGUN) {
        r->crashed = s->labels[suite];
        past->crashes++;
        past->state = SUITE_LEFT;
    }
    bool spent = s->max_retries >= 0 && past->crashes > s->max_retries;
    if (past->state == SUITE_LEFT && (spent || past->hangs >= HANGS_MOST))
        past->state = SUITE_GIVEN_UP;
    r->done += past->state == SUITE_DONE;
    if (past->state != SUITE_LEFT || r->past.ended)
        return;
    /* Suites that crashed most often come last; the others in the order of the run. */
    size_t at = r->left++;
    for (; at > 0 && r->past.suites[r->order[at - 1]].crashes > past->crashes; at--)
        r->order[at] = r->order[at - 1];
    r->order[at] = suite;
}

void recovery_plan(struct recovery *r, const struct run_request *s)
{
    free(r->order);
    r->left = r->done = 0;
    allocated_array(&r->order, s->count);
    if (!r->resumes)
        journal_forget(&r->past);
    r->other_hosts = r->resumes && s->hosts != NULL && strcmp(r->past.hosts, s->hosts) != 0;
    for (size_t k = 0; k < s->count; k++) {
        size_t i = shuffled(k, s->count, r->resumes ? r->past.seed : s->seed);
        if (r->resumes)
            judge(r, s, i);
        else
            r->order[r->left++] = i;
    }
}

bool recovery_has_failures(const struct recovery *r, const struct run_request *s)
{
    for (size_t i = 0; i < s->count && r->resumes; i++)
        if (r->past.suites[i].state == SUITE_FAILED || r->past.suites[i].state == SUITE_GIVEN_UP)
            return true;
    return false;
}

/* Adds "; crashed: a, b (retried last)", or nothing: suites in a state that crashed so often. */
static void add_suites(const struct recovery *r, const struct run_request *s,
                       enum suite_state state, struct text *out)
{
    bool retried = state == SUITE_LEFT;
    const char *apart = retried ? "; crashed: " : "; crashed, and not retried: ", *before = apart;
    for (size_t i = 0; i < s->count; i++) {
        const struct past *past = &r->past.suites[i];
        if (past->state != state || past->crashes < retried)
            continue;
        text_add(out, "%s%s", apart, s->labels[i]);
        apart = ", ";
    }
    if (retried && apart != before)
        text_add(out, " (retried last)");
}

static void add_progress(const struct recovery *r, const struct run_request *s, struct text *out)
{
    int wanted = 0, done = 0;
    for (size_t i = 0; i < s->count && s->visits != NULL; i++) {
        int passes = journal_passes(&r->past, i);
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
    if (!r->resumes) {
        text_add(out, "fresh start, %zu suite%s", s->count, plural(s->count));
        return;
    }
    if (r->past.merging)
        text_add(out, "'%s' is complete; its interrupted merge with earlier runs is done now",
                 s->out_path);
    else if (r->past.ended)
        text_add(out, "'%s' was complete except for its end; start again for a new run",
                 s->out_path);
    else
        add_progress(r, s, out);
    add_suites(r, s, SUITE_LEFT, out);
    add_suites(r, s, SUITE_GIVEN_UP, out);
}

void recovery_release(struct recovery *r)
{
    journal_release(&r->past);
    free(r->order);
    *r = (struct recovery){ 0 };
}
