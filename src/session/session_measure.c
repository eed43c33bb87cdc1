#include "session/session.h"
#include "session/visits.h"
#include "base/file.h"
#include "base/interrupt.h"

/* An argument that is not finished after this many times its estimate, and this time, may hang. */
static const double SILENCE_ROWS = 20.0, SILENCE_LEAST_S = 120.0, SILENCE_SHOWN_S = 30.0;

const struct suite *session_next(struct session *s)
{
    int next = rounds_next(&s->rounds);
    return next < 0 ? NULL : &s->params.suites[next];
}

static int write_block(struct session *s, const char *label, struct block *b, struct err *e)
{
    LOCAL_TEXT text = { 0 };
    if (store_end_times(&s->store, label, &b->notes, e) != 0)
        return -1;
    output_block(&text, b);
    int rc = store_end_suite(&s->store, label, text_get(&text), e);
    session_print_news(s);
    return rc;
}

static int begin_suite(struct session *s, const struct suite *suite, const char *label,
                       struct err *e)
{
    if (!session_is_root(s))
        return 0;
    enum activity before = resources_enter(&s->resources, ACTIVITY_WRITING);
    progress_begin_turn(&s->progress, (size_t)(suite - s->params.suites));
    int rc = store_log(
        &s->store, s->work[suite - s->params.suites] != NULL ? LOG_SUITE_AGAIN : LOG_SUITE_BEGIN, e,
        "%s", label);
    if (rc == 0)
        watchdog_arm(&s->watchdog, label, suite_spent_s(s->work[suite - s->params.suites]));
    resources_enter(&s->resources, before);
    return rc;
}

static void end_turn(struct session *s, bool more)
{
    if (!session_is_root(s))
        return;
    watchdog_disarm(&s->watchdog);
    progress_end_turn(&s->progress, more);
}

/* Ends a suite, on rank 0; why is empty if the suite could be measured. */
static int end_suite(struct session *s, const char *label, struct block *b, const struct err *why,
                     struct err *e)
{
    enum activity before = resources_enter(&s->resources, ACTIVITY_WRITING);
    int rc;
    end_turn(s, false);
    if (err_is_set(why)) {
        fprintf(stderr, "skampi: %s: %s\n", label, why->text);
        rows_miss(s, "%s: %s", label, why->text);
        rc = store_fail_suite(&s->store, label, why->text, e);
    } else {
        session_print_empty_rows(label, b);
        if (!s->view.on) {
            session_print_clocks(s, label, b);
            session_print_contention(s, label);
        }
        rows_print(s, b);
        rc = write_block(s, label, b, e);
    }
    resources_enter(&s->resources, before);
    return rc;
}

/* Watches rank 0 on the other ranks, too: while it writes, and while all ranks measure. */
static void watch_rank_0(struct session *s, const char *label, double spent_s)
{
    if (!session_is_root(s))
        watchdog_arm(&s->watchdog, label, spent_s);
}

static void note_rows(struct session *s, const struct block *b)
{
    LOCAL_TEXT row = { 0 };
    s->watchdog.rows = s->silence.rows = NULL; /* they may expire meanwhile */
    if (s->store.out_path == NULL)
        rows_so_far(s, &s->rows);
    for (; s->store.out_path != NULL && s->rows_noted < b->count && !suite_keeps_times(b->suite);
         s->rows_noted++) {
        row.len = 0;
        text_add(&row, "%s ", label_of(b->suite));
        pass_add_text(&row, &b->rows[s->rows_noted], 1, b->first_call_us);
        log_line(&s->rows, time(NULL), LOG_SUITE_ROW, text_get(&row));
    }
    s->watchdog.rows = s->silence.rows = &s->rows;
}

static void watch_argument(void *context, const struct block *b, const long *argument)
{
    struct session *s = context;
    char at[32] = "";
    watchdog_disarm(&s->silence);
    if (argument != NULL)
        snprintf(at, sizeof(at), " at argument %ld", *argument);
    watchdog_name(&s->watchdog, label_of(b->suite), at);
    if (argument == NULL)
        return;
    if (session_is_root(s)) {
        progress_argument(&s->progress, b->count);
        rows_draw(s, b->count == 1);
        note_rows(s, b);
    }
    double row_s = estimate_row_s(&s->outlook, b->suite, *argument);
    s->silence.limit_s = fmax(s->view.on ? SILENCE_SHOWN_S : SILENCE_LEAST_S, SILENCE_ROWS * row_s);
    watchdog_arm(&s->silence, label_of(b->suite), 0.0);
    watchdog_name(&s->silence, label_of(b->suite), at);
}

static struct suite_work *work_on(struct session *s, const struct suite *suite)
{
    const struct past *past = session_past(s, suite);
    struct suite_job job = session_job(s, suite);
    job.store = session_is_root(s) ? &s->store : NULL;
    job.past = text_get(&past->passes);
    job.over = past->state == SUITE_GIVEN_UP;
    job.visit_s = s->outlook.visit_s;
    job.progress = watch_argument;
    job.context = s;
    struct suite_work **work = &s->work[suite - s->params.suites];
    if (*work == NULL)
        *work = suite_begin(&job);
    return *work;
}

static int finish_suite(struct session *s, const char *label, struct suite_work *w,
                        const struct err *why, struct err *e)
{
    struct block *b = suite_block(w);
    const struct past *past = session_past(s, b->suite);
    if (past->state == SUITE_GIVEN_UP)
        past_add_note(past, &b->notes);
    if (session_is_root(s))
        missing_add(&s->missing, b, s->resources.size);
    if (err_is_set(why) || s->missing.measured < s->missing.wanted || b->hopeless)
        s->complete = false;
    return session_is_root(s) ? end_suite(s, label, b, why, e) : 0;
}

/* Stops after a signal: all measurements reach the results, so that a reader needs no journal. */
static int stop(struct session *s, const char *label, struct err *e)
{
    struct visits v = { 0 };
    int rc = -1;
    if (session_is_root(s))
        rows_end(s, interrupt_name());
    if (session_is_root(s) && s->store.out_path == NULL)
        return session_share_status(s, err_set(e, "ended by %s", interrupt_name()), e);
    if (session_is_root(s) &&
        store_log(&s->store, LOG_SUITE_UNWRITTEN, e, "%s ended by %s", label, interrupt_name()) ==
            0 &&
        visits_read(&v, s->store.out_path, s->store.logs.journal_fd, s->types, e) == 0 &&
        visits_write(&v, &s->store.logs, &s->store.out, e) == 0)
        err_set(e,
                "ended by %s; %zu suite%s with some of the visits written to '%s'; start again to "
                "resume",
                interrupt_name(), v.suites, plural(v.suites), s->store.out_path);
    visits_release(&v);
    return session_share_status(s, rc, e);
}

/* With @TIMERUN, a turn has the same part of what is left as each suite after it; a first pass, as
 * the other first passes: it goes on in a later turn, if such of its round end early. */
static void limit_turn(const struct session *s, struct suite_work *w)
{
    if (s->end_s <= 0.0)
        return;
    const struct rounds *r = &s->rounds;
    int turns = r->left - r->at;
    bool returns = false;
    for (int i = r->at + 1; i < r->left && suite_is_in_first_pass(w); i++)
        if (suite_is_in_first_pass(s->work[r->suites[i]]))
            returns = returns || i < r->in_turn;
        else
            turns--;
    double now_s = s->resources.clock.now(), left_s = fmax(0.0, s->end_s - now_s);
    suite_end_at(w, now_s + left_s / turns, left_s > 0.0 && returns);
}

/* Keeps the rows of an unfinished first pass, which goes on in a turn, perhaps of a later run. */
static int keep_part(struct session *s, const struct block *b, size_t from, struct err *e)
{
    LOCAL_TEXT rows = { 0 };
    const char *label = label_of(b->suite);
    pass_add_text(&rows, &b->rows[from], b->count - from, b->first_call_us);
    if (b->count > from && !suite_keeps_times(b->suite) &&
        store_log(&s->store, LOG_SUITE_ROW, e, "%s %s", label, text_get(&rows)) != 0)
        return -1;
    return store_log(&s->store, LOG_SUITE_UNWRITTEN, e, "%s its turn is over", label);
}

int session_measure(struct session *s, const struct suite *suite, struct err *e)
{
    struct err why = { "" };
    enum suite_goes next = SUITE_OVER;
    const char *label = label_of(suite);
    watch_rank_0(s, label, 0.0);
    if (session_share_status(s, begin_suite(s, suite, label, e), e) != 0)
        return -1;
    watch_rank_0(s, label, suite_spent_s(s->work[suite - s->params.suites]));
    struct suite_work *w = work_on(s, suite);
    s->rows.len = 0;
    const size_t from = s->rows_noted = suite_block(w)->count;
    limit_turn(s, w);
    if (suite_turn(w, &next, &why) != 0)
        s->complete = false;
    if (next == SUITE_STOPPED)
        return stop(s, label, e);
    watch_rank_0(s, label, 0.0);
    int rc = 0;
    if (next == SUITE_OVER) {
        rc = finish_suite(s, label, w, &why, e);
        suite_end(w);
        s->work[suite - s->params.suites] = NULL;
        rounds_remove(&s->rounds);
    } else {
        rounds_go_on(&s->rounds);
        end_turn(s, true);
        if (session_is_root(s))
            rows_pass(s, suite);
        if (session_is_root(s) && suite_is_in_first_pass(w))
            rc = keep_part(s, suite_block(w), from, e);
    }
    if (rc == 0 && session_is_root(s))
        rc = file_flush_output(e);
    rc = session_share_status(s, rc, e);
    watchdog_disarm(&s->watchdog);
    return rc;
}
