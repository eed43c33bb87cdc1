#include "results/block.h"

#include "model/suite.h"

#include <math.h>

static int copy_node_times(struct row *row, struct err *e)
{
    if (row->nodes == 0) {
        row->node_us = NULL;
        return 0;
    }
    size_t bytes = (size_t)row->nodes * sizeof(double);
    const double *theirs = row->node_us;
    row->node_us = malloc(bytes);
    if (row->node_us == NULL)
        return err_no_memory(e, bytes);
    memcpy(row->node_us, theirs, bytes);
    return 0;
}

int block_append(struct block *b, const struct row *row, struct err *e)
{
    struct row copy = *row;
    if (!grow_for_one(&b->rows, b->count, &b->capacity, sizeof(*b->rows)))
        return err_no_memory(e, 2 * (b->count + 1) * sizeof(*b->rows));
    if (copy_node_times(&copy, e) != 0)
        return -1;
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

size_t block_apart_rows(const struct block *b, double least_us)
{
    size_t apart = 0;
    for (const struct row *r = b->rows; r < b->rows + b->count; r++) {
        double asked_us = b->suite->standard_error * r->stats.cleaned.mean_us;
        apart += asked_us > 0.0 && r->residual_us > fmax(asked_us / 2.0, least_us);
    }
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
    free(b->notes);
    free(b->times);
    *b = (struct block){ 0 };
}
