#include "session/session.h"

#include "model/buffer_size.h"
#include "results/blocks.h"
#include "results/format.h"

/* The part of the run's time that all verification takes at most. */
static const double PART = 0.02;

/* With @TIMERUN, data are not verified if this is too long: filling and comparing a byte. */
static const double BYTE_S = 10e-9;

/* A launch may end while it verifies. The next one tries this suite again, after all others. */
static const char BEGUN[] = "begun ", AGAIN[] = "begun again";

/* The next block of the result file whose data are to be verified; rank 0. */
struct unverified {
    int suite;        /* its index; -1: there is none */
    const char *line; /* of the fact */
    bool again;
    struct verification v;
};

static int set_fact(struct session *s, const char *line, enum fact f, const char *value,
                    struct err *e)
{
    LOCAL_TEXT text = { 0 };
    fact_add_wide(&text, f, value);
    return store_verify(&s->store, line, text_get(&text), e);
}

/* The rows' arguments without the empty message; of pairs, the rounds. */
static void take_arguments(struct unverified *u, const struct session *s, const char *end)
{
    const struct suite *suite = &s->params.suites[u->suite];
    const struct range range = suite_range(&s->params, suite, s->resources.size);
    long *sorted = NULL;
    size_t n = 0, capacity = 0;
    enum arguments kind = suite_arguments(suite);
    bool in_rows = kind == ARGUMENTS_NUMBERS || kind == ARGUMENTS_NAMES;
    long next = range.first;
    for (const char *line = u->line; line < end; line = line_next(line)) {
        if (in_rows && *line == '#')
            continue;
        long argument = in_rows ? strtol(line, NULL, 10) : next++;
        if (argument > range.last)
            break;
        if (argument == 0 && suite_varies(suite, length))
            continue;
        grow_for_one(&sorted, n, &capacity, sizeof(*sorted));
        sorted[n++] = argument;
    }
    verification_init(&u->v, sorted, n);
    free(sorted);
}

/* Is it left to be verified? Earlier launches' verdicts count, and two that ended meanwhile. */
static bool is_left(struct session *s, const struct blocks *b, struct unverified *u)
{
    const char *name = fact_info(FACT_VERIFIED)->name, *why = NULL;
    u->line = blocks_line(b, FACT_VERIFIED);
    const char *value = u->line == NULL ? "" : line_value(u->line, name);
    if (blocks_line(b, FACT_WRONGDATA) != NULL)
        why = "wrong data arrived: see WRONGDATA in the results";
    else if (strncmp(value, AGAIN, strlen(AGAIN)) == 0)
        why = "data not verified: two launches ended while they did that";
    if (why != NULL && !u->again) {
        s->complete = false;
        fprintf(stderr, "skampi: %s: %s\n", label_of(&s->params.suites[u->suite]), why);
    }
    const char *left = u->again ? BEGUN : "no ";
    return why == NULL && strncmp(value, left, strlen(left)) == 0;
}

static void find_next(struct session *s, struct blocks *b, struct unverified *u)
{
    size_t len;
    for (const char *label; (label = blocks_next(b, &len)) != NULL;) {
        u->suite = session_suite_index(&s->params, label, len);
        if (u->suite >= 0 && is_left(s, b, u)) {
            take_arguments(u, s, b->bytes + b->end);
            return;
        }
        u->suite = -1;
    }
    if (u->again)
        return;
    u->again = true;
    *b = (struct blocks){ .bytes = b->bytes, .len = b->len };
    find_next(s, b, u);
}

/* "5 of 14: 4, 65536, 1024, 64, 16" */
static int report(struct session *s, const struct unverified *u, const struct err *why,
                  struct err *e)
{
    const struct verification *v = &u->v;
    const char *label = label_of(&s->params.suites[u->suite]);
    LOCAL_TEXT value = { 0 };
    if (err_is_set(why)) {
        s->complete = false;
        fprintf(stderr, "skampi: %s: %s\n", label, why->text);
        int rc = store_log(&s->store, LOG_NOTE, e, "%s: %s", label, why->text);
        return rc == 0 ? set_fact(s, u->line, FACT_WRONGDATA, why->text, e) : rc;
    }
    text_add(&value, "%zu of %zu", v->done, v->count);
    for (size_t i = 0; i < v->done && v->done < v->count; i++)
        text_add(&value, "%s%ld", i == 0 ? ": " : ", ", v->arguments[i]);
    return set_fact(s, u->line, FACT_VERIFIED, text_get(&value), e);
}

static int verify_suite(struct session *s, struct unverified *u, struct err *e)
{
    const struct suite *suite = &s->params.suites[u->suite];
    const struct suite_job job = session_job(s, suite);
    struct err why = { "" };
    const char *mark = u->again ? AGAIN : BEGUN;
    int rc = session_is_root(s) ? set_fact(s, u->line, FACT_VERIFIED, mark, e) : 0;
    watchdog_arm(&s->watchdog, label_of(suite), 0.0);
    suite_verify(&job, &u->v, &why);
    watchdog_disarm(&s->watchdog);
    return rc == 0 && session_is_root(s) ? report(s, u, &why, e) : rc;
}

int session_verify(struct session *s, struct err *e)
{
    const struct clock *c = &s->resources.clock;
    const struct text *out = &s->store.out.bytes;
    struct blocks b = { .bytes = text_get(out),
                        .len = s->store.recovery.past.ended ? 0 : out->len };
    struct unverified u = { .again = false };
    double end_s = c->now() + PART * (c->now() - s->resources.shares.started_s);
    double left = (double)s->params.suite_count;
    int rc = 0;
    for (;; left -= left > 1.0) {
        u = (struct unverified){ .suite = -1, .again = u.again };
        if (session_is_root(s) && rc == 0)
            find_next(s, &b, &u);
        u.suite = rc == 0 ? u.suite : -1;
        idle_bcast(c, &u.suite, sizeof(u.suite), s->resources.control);
        if (u.suite < 0)
            break;
        u.v.until_s = c->now() + (end_s - c->now()) / left;
        u.v.byte_s = params_are_timed(&s->params) ? BYTE_S : 0.0;
        rc = verify_suite(s, &u, e);
        verification_release(&u.v);
    }
    return session_share_status(s, rc, e);
}
