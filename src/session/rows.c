#include "session/session.h"

#include "base/json.h"
#include "base/version.h"
#include "context/library.h"
#include "merge/pass_rows.h"

#include <unistd.h>

static const double REDRAW_S = 0.1;

/* On a terminal: rows that are not final are dim, and long lines are cut, so that their number is
 * known. */
#define DIM    "\033[?7l\033[2m"
#define BRIGHT "\033[0m\033[?7h"

/* The first line of the library's text, up to a comma. */
static void add_library(struct text *out)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int len;
    MPI_Get_library_version(library, &len);
    for (char *c = library; *c != '\0'; c++)
        *c = *c == '\t' ? ' ' : *c;
    text_add_printable(out, library, strcspn(library, ",\n"));
}

/* Ends the object, which has a line of its own. */
static void end_line(struct text *out)
{
    json_end(out, '}');
    for (size_t i = 0; i < out->len; i++)
        out->s[i] = out->s[i] == '\n' ? ' ' : out->s[i];
    text_add(out, "\n");
}

static void add_json_head(const struct session *s, struct text *out)
{
    const struct resources *res = &s->resources;
    const struct request *o = s->request;
    LOCAL_TEXT library = { 0 }, hosts = { 0 };
    add_library(&library);
    hosts_summary(&res->hosts, &hosts);
    json_begin(out, NULL, '{');
    json_add(out, "schema", "skampi-head/1");
    json_add(out, "skampi", SKAMPI_VERSION);
    json_add(out, "mpi_library", text_get(&library));
    json_add_number(out, "processes", res->size);
    json_add(out, "hosts", text_get(&hosts));
    json_add_real(out, "clock_tick_us", res->clock.tick_s * 1e6);
    json_add_real(out, "clock_bound_us", res->global.bound_s * 1e6);
    json_begin(out, "command", '[');
    for (int i = 1; i < o->command_count; i++)
        json_add(out, NULL, o->command[i]);
    json_end(out, ']');
    json_begin(out, "suites", '[');
    for (size_t i = 0; i < s->params.suite_count; i++)
        json_add(out, NULL, label_of(&s->params.suites[i]));
    json_end(out, ']');
    end_line(out);
}

/* The first line, or JSON object; out is empty before. */
static void add_first(const struct session *s, struct text *out)
{
    const struct resources *res = &s->resources;
    if (s->request->json) {
        add_json_head(s, out);
        return;
    }
    text_add(out, "# skampi " SKAMPI_VERSION ", ");
    add_library(out);
    text_add(out, "; %d processes%s: ", res->size,
             res->hosts.oversubscribed ? ", more than CPUs" : "");
    hosts_summary(&res->hosts, out);
    text_add(out, "; clocks: ");
    if (res->global.bound_s > 0.0)
        text_add(out, "within %.2g us, ", res->global.bound_s * 1e6);
    text_add(out, "ticks of %.3g us\n", res->clock.tick_s * 1e6);
}

void rows_miss(struct session *s, const char *format, ...)
{
    LOCAL_TEXT line = { 0 };
    text_add_own(&line, format);
    json_add(&s->view.missing, NULL, text_get(&line));
}

static void begin_end(struct text *out, bool complete, const char *why)
{
    json_begin(out, NULL, '{');
    json_add(out, "schema", "skampi-end/1");
    json_add_boolean(out, "complete", complete);
    json_add(out, "stopped", why);
}

static void add_json_end(struct session *s, const char *why, struct text *out)
{
    for (int i = 0; i < s->rounds.left; i++)
        rows_miss(s, "%s: not finished", label_of(&s->params.suites[s->rounds.suites[i]]));
    if (s->missing.names.len > 0)
        rows_miss(s, "not reached: %s", text_get(&s->missing.names));
    begin_end(out, s->complete && why == NULL && s->view.missing.len == 0, why);
    json_add_real(out, "seconds", s->resources.clock.now() - s->resources.shares.started_s);
    json_add(out, "usual", s->usual.meaning.len > 0 ? text_get(&s->usual.meaning) : NULL);
    json_begin(out, "missing", '[');
    text_add(out, "%s", text_get(&s->view.missing));
    json_end(out, ']');
    end_line(out);
}

void rows_add_stopped(struct text *out, const char *why)
{
    text_add(out, "# stopped: %s\n", why);
}

void rows_add_json_stopped(struct text *out, const char *why)
{
    begin_end(out, false, why);
    end_line(out);
}

/* Moves to the first line that was drawn, and clears the rest of the terminal. */
static void erase(struct rows_view *v)
{
    if (v->drawn > 0)
        printf("\033[%zuA\r\033[J", v->drawn);
    v->drawn = 0;
}

void rows_begin(struct session *s)
{
    LOCAL_TEXT head = { 0 };
    struct rows_view *v = &s->view;
    bool wanted = s->request->text != NULL && (!s->request->quiet || s->store.out_path == NULL);
    v->on = (wanted || s->request->json) && !request_prints_results(s->request);
    v->lines = s->request->json ? 0 : system_terminal_lines(STDOUT_FILENO);
    if (v->on)
        add_first(s, &head);
    fputs(text_get(&head), stdout);
    fflush(stdout);
}

/* In the columns of another benchmark, if the suite measures by its definition. */
static void add_head(struct text *out, const struct block *b)
{
    if (b->suite->options.as != BY_ITSELF)
        as_add_head(out, b->suite);
    else
        table_add_suite(out, b);
}

static void add_row(struct text *out, const struct session *s, const struct table_row *row)
{
    struct usual u;
    struct table_row with = *row;
    const struct table_row *r = &with;
    with.usual = usual_of_row(s, row, &u) ? &u : NULL;
    bool judged = with.usual != NULL && row->visits == 0 && (row->marks & MARK_CONTENDED) == 0;
    with.times = judged ? usual_times(&u, row->row->stats.cleaned.mean_us, s->usual.level) : 0.0;
    if (s->request->json)
        table_add_json(out, r);
    else if (r->b->suite->options.as != BY_ITSELF)
        as_add_row(out, r);
    else
        table_add_row(out, r);
}

/* Adds the rows so far of a suite that is not final, each from its visits; at most that many lines.
 * Returns their number. */
static size_t add_so_far(struct text *out, const struct session *s, const struct block *b,
                         size_t most)
{
    struct pass_rows rows;
    struct row all;
    size_t lines = 0;
    pass_rows_init(&rows, b);
    for (; lines < most && pass_rows_next(&rows, &all) != NULL; lines++) {
        struct table_row r = { .b = b,
                               .row = &all,
                               .marks = row_marks(b, &all),
                               .visits = all.passes > 0 ? all.passes : 1,
                               .wanted = visits_count(b->suite, s->resources.size) };
        add_row(out, s, &r);
    }
    pass_rows_release(&rows);
    return lines;
}

static const struct block *unfinished(const struct session *s, size_t i)
{
    const struct block *b = s->work[i] == NULL ? NULL : suite_block(s->work[i]);
    return b != NULL && b->count > 0 ? b : NULL;
}

void rows_draw(struct session *s, bool now)
{
    struct rows_view *v = &s->view;
    LOCAL_TEXT text = { 0 };
    if (!v->on || v->lines == 0 || (!now && s->resources.clock.now() - v->drawn_s < REDRAW_S))
        return;
    enum { HEAD = 3 }; /* lines of a suite, at most */
    size_t lines = 0, most = (size_t)v->lines - 1;
    for (size_t i = 0; i < s->params.suite_count; i++) {
        const struct block *b = unfinished(s, i);
        if (b == NULL || lines + HEAD >= most)
            continue;
        add_head(&text, b);
        lines += b->suite->options.as != BY_ITSELF ? HEAD : HEAD - 1;
        lines += add_so_far(&text, s, b, most - lines);
    }
    erase(v);
    printf(DIM "%s" BRIGHT, text_get(&text));
    fflush(stdout);
    v->drawn = lines;
    v->drawn_s = s->resources.clock.now();
}

void rows_pass(struct session *s, const struct suite *suite)
{
    const struct block *b = unfinished(s, (size_t)(suite - s->params.suites));
    LOCAL_TEXT text = { 0 };
    if (!s->view.on || !s->request->json || b == NULL)
        return;
    add_so_far(&text, s, b, SIZE_MAX);
    fputs(text_get(&text), stdout);
    fflush(stdout);
}

void rows_print(struct session *s, const struct block *b)
{
    struct rows_view *v = &s->view;
    LOCAL_TEXT text = { 0 };
    if (!v->on)
        return;
    erase(v);
    if (!s->request->json)
        add_head(&text, b);
    for (size_t i = 0; i < b->count; i++) {
        struct table_row r = { .b = b, .row = &b->rows[i], .marks = row_marks(b, &b->rows[i]) };
        v->marks |= r.marks;
        if ((r.marks & MARK_EMPTY) != 0)
            rows_miss(s, "%s at argument %ld: " ROW_EMPTY, label_of(b->suite), b->rows[i].argument);
        add_row(&text, s, &r);
    }
    v->rows += b->count;
    fputs(text_get(&text), stdout);
    fflush(stdout);
}

void rows_so_far(const struct session *s, struct text *out)
{
    out->len = 0;
    for (size_t i = 0; i < s->params.suite_count && s->view.on && s->view.lines == 0; i++) {
        const struct block *b = s->request->json ? NULL : unfinished(s, i);
        if (b == NULL)
            continue;
        add_head(out, b);
        add_so_far(out, s, b, SIZE_MAX);
    }
}

void rows_end(struct session *s, const char *why)
{
    struct rows_view *v = &s->view;
    LOCAL_TEXT text = { 0 };
    if (!v->on)
        return;
    erase(v);
    v->lines = 0;
    if (why != NULL)
        rows_so_far(s, &text);
    double seconds = s->resources.clock.now() - s->resources.shares.started_s;
    if (v->rows > 0) {
        table_add_meaning(&text, s->params.suites, s->params.suite_count);
        if (s->usual.meaning.len > 0)
            text_add(&text, "# usual: %s\n", text_get(&s->usual.meaning));
        text_add(&text, "# +-: within this launch; launches differ by more: skampi launch\n");
    }
    if (why != NULL)
        text_add(&text, "# stopped by %s after %s", why, duration_of(seconds));
    else if (s->missing.late && s->missing.names.len > 0)
        text_add(&text, "# stopped by %s: ", s->request->seconds != NULL ? "-t" : "@TIMERUN");
    else
        text_add(&text, "# done in %.1f s: ", seconds);
    if (why == NULL)
        missing_add_text(&s->missing, &text);
    table_add_marks(&text, v->marks);
    text_add(&text, "\n");
    if (s->request->json) {
        text_release(&text);
        add_json_end(s, why, &text);
    }
    fputs(text_get(&text), stdout);
    fflush(stdout);
}
