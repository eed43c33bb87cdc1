#include "results/block.h"

#include "model/suite.h"

/* A copy of n times, owned by the caller; NULL if there are none, or no memory. */
static double *copied(const double *times, int n)
{
    size_t bytes = (size_t)n * sizeof(double);
    double *copy = times == NULL || n == 0 ? NULL : malloc(bytes);
    return copy == NULL ? NULL : memcpy(copy, times, bytes);
}

static void row_release(struct row *r)
{
    free(r->node_us);
    free(r->visit_us);
}

int block_append(struct block *b, const struct row *row, struct err *e)
{
    struct row copy = *row;
    copy.node_us = copied(row->node_us, row->nodes);
    copy.visit_us = copied(row->visit_us, row->passes);
    if ((row->nodes > 0 && copy.node_us == NULL) ||
        (row->visit_us != NULL && row->passes > 0 && copy.visit_us == NULL) ||
        !grow_for_one(&b->rows, b->count, &b->capacity, sizeof(*b->rows))) {
        row_release(&copy);
        return err_no_memory(e, 2 * (b->count + 1) * sizeof(*b->rows));
    }
    b->rows[b->count++] = copy;
    return 0;
}

int row_compare(const struct row *x, const struct row *y)
{
    if (x->argument != y->argument)
        return x->argument < y->argument ? -1 : 1;
    return (x->partner_argument > y->partner_argument) -
           (x->partner_argument < y->partner_argument);
}

static int by_argument(const void *a, const void *b)
{
    return row_compare(a, b);
}

void block_sort(struct block *b)
{
    qsort(b->rows, b->count, sizeof(*b->rows), by_argument);
}

size_t block_empty_rows(const struct block *b)
{
    size_t empty = 0;
    for (size_t i = 0; i < b->count; i++)
        empty += b->rows[i].stats.cleaned.count == 0;
    return empty;
}

bool row_is_apart(const struct block *b, const struct row *r, double least_us)
{
    double calls = fmax(1.0, b->suite->options.loop); /* the time is that of one of them */
    double asked_us = b->suite->standard_error * r->stats.cleaned.mean_us * calls;
    return asked_us > 0.0 && r->residual_us > fmax(asked_us / 2.0, least_us);
}

size_t block_apart_rows(const struct block *b, double least_us)
{
    size_t apart = 0;
    for (size_t i = 0; i < b->count; i++)
        apart += row_is_apart(b, &b->rows[i], least_us);
    return apart;
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
