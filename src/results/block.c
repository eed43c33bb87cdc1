#include "results/block.h"

#include "model/suite.h"

int block_append(struct block *b, const struct row *row, struct err *e)
{
    size_t bytes = (size_t)row->nodes * sizeof(double);
    double *node_us = bytes == 0 ? NULL : malloc(bytes);
    if ((bytes > 0 && node_us == NULL) ||
        !grow_for_one(&b->rows, b->count, &b->capacity, sizeof(*b->rows))) {
        free(node_us);
        return err_no_memory(e, bytes + 2 * (b->count + 1) * sizeof(*b->rows));
    }
    if (bytes > 0)
        memcpy(node_us, row->node_us, bytes);
    b->rows[b->count] = *row;
    b->rows[b->count++].node_us = node_us;
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
        free(b->rows[b->count - 1].node_us);
}

void block_release(struct block *b)
{
    block_drop_rows(b, 0);
    free(b->rows);
    text_release(&b->notes);
    *b = (struct block){ 0 };
}
