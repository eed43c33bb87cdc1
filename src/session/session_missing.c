#include "session/session.h"

#include <ctype.h>

/* Arguments of a suite that are named. */
enum { NAMED = 32 };

/* The operation as a word, "alltoall" or "send-recv". */
static void add_word(struct text *out, const struct suite *s)
{
    for (const char *name = s->type->name; *name != '\0'; name++)
        if (strncmp(name, "MPI_", 4) == 0)
            name += 3;
        else
            text_add(out, "%c", tolower((unsigned char)*name));
}

void missing_skip(struct missing *m, const struct suite *s)
{
    text_add(&m->skipped, "%s", m->skipped.len > 0 ? ", " : "");
    add_word(&m->skipped, s);
}

static void add_argument(struct text *out, const struct suite *s, long argument)
{
    if (suite_arguments(s) == ARGUMENTS_NONE)
        return;
    text_add(out, " ");
    if (suite_varies(s, length))
        size_add(out, argument);
    else
        text_add(out, "%ld", argument);
}

/* Adds the arguments of the sweep that have no row; returns their number. */
static size_t add_names(struct text *out, struct plan *plan, const struct block *b)
{
    size_t count = 0;
    for (long argument; plan_next(plan, &argument);) { /* without times, nothing is refined */
        if (block_has(b, argument))
            continue;
        if (count == 0) {
            text_add(out, "%s", out->len > 0 ? "; " : "");
            add_word(out, b->suite);
        }
        text_add(out, "%s", count > 0 && count < NAMED ? "," : "");
        if (count++ < NAMED)
            add_argument(out, b->suite, argument);
    }
    if (count > NAMED)
        text_add(out, " and %zu more", count - NAMED);
    return count;
}

void missing_add(struct missing *m, const struct block *b, int processes)
{
    bool late = b->late && params_are_timed(b->params), early = b->hopeless || late;
    struct plan *plan = early ? plan_of_suite(b->params, b->suite, processes) : NULL;
    m->late = m->late || late;
    m->measured += b->count - block_empty_rows(b);
    m->wanted += b->count + (plan == NULL ? 0 : add_names(&m->names, plan, b));
    plan_free(plan);
}

void missing_add_text(const struct missing *m, struct text *out)
{
    if (m->measured < m->wanted)
        text_add(out, "%zu of ", m->measured);
    text_add(out, "%zu row%s", m->wanted, plural(m->wanted));
    if (m->names.len > 0)
        text_add(out, "; not reached: %s", text_get(&m->names));
    if (m->skipped.len > 0)
        text_add(out, "; skipped: %s", text_get(&m->skipped));
}
