#include "merge/passes.h"

#include "merge/pass_rows.h"
#include "results/pass_text.h"

struct passes passes_start(const struct suite *s)
{
    return (struct passes){ .wanted = (size_t)s->options.passes };
}

bool passes_follow_plan(const struct passes *p)
{
    return p->arguments == 0;
}

bool passes_next(struct passes *p, struct plan *plan, const struct block *b, long *argument)
{
    if (p->arguments == 0) {
        if (plan_next(plan, argument))
            return true;
        p->arguments = b->count;
    }
    if (p->arguments == 0 || b->count >= p->wanted * p->arguments)
        return false;
    *argument = b->rows[b->count % p->arguments].argument;
    return true;
}

static size_t complete(const struct passes *p, const struct block *b)
{
    return p->arguments == 0 ? 0 : b->count / p->arguments;
}

bool passes_record(struct passes *p, const struct block *b, struct text *out)
{
    size_t done = complete(p, b);
    if (done <= p->recorded || done >= p->wanted)
        return false;
    p->recorded = done;
    pass_add_text(out, &b->rows[(done - 1) * p->arguments], p->arguments, b->first_call_us);
    return true;
}

/* The arguments of the first pass come from the plan, those of the others from the first. */
static bool is_expected(struct passes *p, struct plan *plan, const struct block *b, long argument)
{
    long expected;
    return passes_next(p, plan, b, &expected) && expected == argument;
}

static int take_row(struct passes *p, struct plan *plan, struct block *b, const struct row *row,
                    struct err *e)
{
    if (!is_expected(p, plan, b, row->argument))
        return 1;
    bool first = passes_follow_plan(p);
    if (block_append(b, row, e) != 0)
        return -1;
    return first ? plan_measured(plan, row->argument, row->stats.cleaned.mean_us, e) : 0;
}

/* One pass, one line. */
static int take_pass(struct passes *p, struct plan *plan, struct block *b, const char **at,
                     struct err *e)
{
    struct row row;
    size_t count;
    int rc = pass_read_head(at, &count, &b->first_call_us) && count > 0 ? 0 : 1;
    for (size_t i = 0; i < count && rc == 0; i++)
        rc = pass_read_row(at, &row) ? take_row(p, plan, b, &row, e) : 1;
    long none;
    if (rc == 0 && p->arguments == 0 && plan_next(plan, &none))
        rc = 1;
    if (rc == 0 && p->arguments == 0)
        p->arguments = b->count;
    return rc == 0 && b->count % p->arguments != 0 ? 1 : rc;
}

int passes_resume(struct passes *p, struct plan *plan, struct block *b, const char *past,
                  struct err *e)
{
    int rc = 0;
    while (past != NULL && *past != '\0' && rc == 0)
        rc = take_pass(p, plan, b, &past, e);
    p->recorded = complete(p, b);
    if (rc == 0)
        return 0;
    b->count = 0;
    b->first_call_us = -1.0;
    *p = (struct passes){ .wanted = p->wanted };
    return rc;
}

int passes_conclude(const struct passes *p, struct block *b, struct err *e)
{
    size_t arguments = p->arguments == 0 ? b->count : p->arguments;
    struct pass_rows rows;
    if (p->wanted < 2 || b->count == 0)
        return 0;
    if (pass_rows_init(&rows, b, arguments, e) != 0)
        return -1;
    for (size_t i = 0; i < arguments; i++)
        b->rows[i] = pass_rows_combine(&rows, i);
    b->count = arguments;
    pass_rows_release(&rows);
    return 0;
}
