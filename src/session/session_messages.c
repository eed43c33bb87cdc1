#include "session/session.h"
#include "merge/postproc.h"

static void print_lines(const char *lines)
{
    for (; *lines != '\0'; lines += strcspn(lines, "\n") + 1)
        fprintf(stderr, "skampi: %.*s\n", (int)strcspn(lines, "\n"), lines);
}

void session_print_news(struct session *s)
{
    print_lines(text_get(&s->store.news));
    text_release(&s->store.news);
}

void session_print_start(const struct session *s, const struct run_request *start)
{
    const struct recovery *r = &s->store.recovery;
    LOCAL_TEXT line = { 0 };
    recovery_describe(r, start, &line);
    if (s->store.kept.len > 0)
        text_add(&line, "; '%s' is kept as '%s'", start->out_path, text_get(&s->store.kept));
    if (r->resumes || (!s->request->quiet && start->out_path != NULL))
        fprintf(stderr, "skampi: %s\n", text_get(&line));
}

void session_print_empty_rows(const char *label, const struct block *b)
{
    size_t empty = block_empty_rows(b);
    if (b->hopeless)
        fprintf(stderr, "skampi: %s: " BLOCK_HOPELESS "\n", label, HOPELESS_ROWS);
    if (empty > 0)
        fprintf(stderr, "skampi: %s: no result for %zu of %zu arguments: " ROW_EMPTY "\n", label,
                empty, b->count);
}

void session_print_clocks(struct session *s, const char *label, const struct block *b)
{
    size_t apart = block_apart_rows(b);
    s->rows_apart += apart;
    s->suites_apart += apart > 0;
    if (apart > 0 && s->suites_apart == 1)
        fprintf(
            stderr,
            "skampi: warning: clocks: %s: in %zu of %zu rows, they were apart (residual) by more "
            "than half of the requested error; skampi show marks these with '*'\n",
            label, apart, b->count);
}

void session_print_contention(const struct session *s, const char *label)
{
    const struct contention *c = &s->resources.contention;
    LOCAL_TEXT warning = { 0 };
    if (label == NULL)
        contention_run_warning(c, &warning);
    else if (c->suites == 1)
        contention_suite_warning(c, &warning);
    if (warning.len == 0)
        return;
    fputs(s->progress.terminal ? "\r\033[K" : "", stderr);
    fprintf(stderr, "skampi: warning: contended: ");
    if (label != NULL)
        fprintf(stderr, "%s: ", label);
    fprintf(stderr, "%s; affected rows have contended=1\n", text_get(&warning));
}

void session_print_end(struct session *s)
{
    LOCAL_TEXT shares = { 0 };
    rows_end(s, NULL);
    if (s->view.on)
        return;
    shares_text(&s->resources.shares, s->resources.clock.now(), false, &shares);
    progress_end(&s->progress, s->store.out_path, text_get(&shares));
    session_print_contention(s, NULL);
    if (s->suites_apart > 1)
        fprintf(stderr, "skampi: warning: clocks: they were apart in %zu rows of %zu suites\n",
                s->rows_apart, s->suites_apart);
}

static int log_lines(struct session *s, const char *lines, struct err *e)
{
    int rc = 0;
    for (; *lines != '\0' && rc == 0; lines += strcspn(lines, "\n") + 1)
        rc = store_log(&s->store, LOG_NOTE, e, "%.*s", (int)strcspn(lines, "\n"), lines);
    return rc;
}

int session_report_warnings(struct session *s, struct err *e)
{
    int rc = log_lines(s, text_get(&s->file_warnings), e);
    for (size_t i = 0; i < s->warnings.count && rc == 0; i++) {
        const char *kind = s->warnings.kinds[i], *line = text_get(&s->warnings.lines[i]);
        fprintf(stderr, "skampi: %s: %s\n", kind, line);
        bool is_note = strcmp(kind, "note") == 0; /* as the keyword says */
        rc = store_log(&s->store, LOG_NOTE, e, "%s%s", is_note ? "" : "warning: ", line);
    }
    return rc;
}

int session_report_merge(struct session *s, struct merge_report *merged, struct err *e)
{
    LOCAL_TEXT in_short = { 0 };
    merge_report_summary(merged, &in_short);
    if (!s->request->quiet)
        print_lines(text_get(&in_short));
    int rc = log_lines(s, text_get(&merged->each), e);
    return rc == 0 ? log_lines(s, text_get(&merged->result), e) : rc;
}
