#include "results/block.h"

#include "model/suite.h"
#include "results/fact.h"

/* A copy of n times, owned by the caller; NULL if there are none. */
static double *copied(const double *times, int n)
{
    size_t bytes = (size_t)n * sizeof(double);
    return times == NULL || n == 0 ? NULL : memcpy(allocated(malloc(bytes)), times, bytes);
}

void row_release(struct row *r)
{
    free(r->node_us);
    free(r->visit_us);
    free(r->kept_us);
}

void block_append(struct block *b, const struct row *row)
{
    struct row copy = *row;
    copy.node_us = copied(row->node_us, row->nodes);
    copy.visit_us = copied(row->visit_us, row->passes);
    copy.kept_us = copied(row->kept_us, row->kept);
    grow_for_one(&b->rows, b->count, &b->capacity, sizeof(*b->rows));
    b->rows[b->count++] = copy;
}

int row_compare(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->argument != y->argument)
        return x->argument < y->argument ? -1 : 1;
    return (x->partner_argument > y->partner_argument) -
           (x->partner_argument < y->partner_argument);
}

void block_sort(struct block *b)
{
    qsort(b->rows, b->count, sizeof(*b->rows), row_compare);
}

bool block_has(const struct block *b, long asked)
{
    for (size_t i = 0; i < b->count; i++)
        if (b->rows[i].asked == asked)
            return true;
    return false;
}

size_t block_empty_rows(const struct block *b)
{
    size_t empty = 0;
    for (size_t i = 0; i < b->count; i++)
        empty += b->rows[i].stats.cleaned.count == 0;
    return empty;
}

/* The error that was asked for, of all calls that are timed as one. */
static double asked_us(const struct block *b, const struct row *r)
{
    return b->suite->standard_error * r->stats.cleaned.mean_us * fmax(1.0, b->suite->options.loop);
}

static bool residual_shows(const struct block *b, const struct row *r)
{
    double asked = asked_us(b, r);
    return asked > 0.0 && r->residual_us > fmax(asked / 2.0, b->least_us);
}

static bool starts_by_clock(const struct block *b)
{
    return (suite_pattern(b->suite)->traits & PATTERN_GLOBAL_CLOCK) != 0;
}

bool row_is_apart(const struct block *b, const struct row *r)
{
    double asked = asked_us(b, r);
    return residual_shows(b, r) || (starts_by_clock(b) && asked > 0.0 && b->bound_us > asked);
}

size_t block_apart_rows(const struct block *b)
{
    size_t apart = 0;
    for (size_t i = 0; i < b->count; i++)
        apart += residual_shows(b, &b->rows[i]);
    return apart;
}

void block_widen_errors(struct block *b)
{
    double bound_us = starts_by_clock(b) ? b->bound_us : 0.0;
    for (size_t i = 0; i < b->count; i++) {
        struct stats *s = &b->rows[i].stats;
        double least_us =
            fmax(b->rows[i].residual_us, bound_us) / fmax(1.0, b->suite->options.loop);
        bool apart = row_is_apart(b, &b->rows[i]);
        if (apart && s->cleaned.error_us < least_us)
            s->cleaned.error_us = least_us;
        if (apart && s->all.error_us < least_us)
            s->all.error_us = least_us;
        if (b->rows[i].stop == STOP_ACCURACY && !stats_are_accurate(s, b->suite->standard_error))
            b->rows[i].stop = STOP_CLOCK;
    }
}

void block_drop_rows(struct block *b, size_t kept)
{
    for (; b->count > kept; b->count--)
        row_release(&b->rows[b->count - 1]);
}

void block_release(struct block *b)
{
    block_drop_rows(b, 0);
    free(b->rows);
    text_release(&b->notes);
    *b = (struct block){ 0 };
}

void plan_add_notes(struct text *out, const struct plan_outcome *o)
{
    static const char *const ends[] = {
        [PLAN_AT_MAX_STEPS] = "ended by Max_Steps", [PLAN_STOPPED] = "ended by a limit of time"
    };
    LOCAL_TEXT notes = { 0 };
    fact_write(out, FACT_SWEEP, { .number = (double)o->swept }, { .number = (double)o->sweep },
               { .text = o->swept < o->sweep ? "ended by a limit of time" : NULL });
    for (size_t i = 0; i < o->jump_count && i < PLAN_JUMPS; i++)
        text_add(&notes, "%sbetween %ld and %ld a jump of about %.0f %%", i > 0 ? "; " : "",
                 o->jumps[i].from, o->jumps[i].to, 100.0 * o->jumps[i].height);
    if (o->jump_count > PLAN_JUMPS)
        text_add(&notes, "; %zu lower jumps of up to %.0f %%", o->jump_count - PLAN_JUMPS,
                 100.0 * o->lower);
    fact_write(out, FACT_INTERPOLATION, { .number = isfinite(o->bound) ? 100.0 * o->bound : NAN },
               { .number = (double)o->probed }, { .number = (double)o->segments },
               { .text = notes.len > 0 ? text_get(&notes) : NULL }, { .text = ends[o->end] });
}
