#include "patterns/arrival.h"

#include "model/permutation.h"

static struct arrival from_file(const struct run *r)
{
    const long *us = r->suite->named[FILE_ARRIVALS].list;
    long last_us = 0;
    for (int i = 0; i < r->size; i++)
        last_us = us[i] > last_us ? us[i] : last_us;
    return (struct arrival){ (double)us[r->rank] * 1e-6, (double)last_us * 1e-6 };
}

struct arrival arrival_of(const struct run *r, long repetition)
{
    const struct suite_options *x = &r->suite->options;
    const double late_s = (double)x->arrival_us * 1e-6;
    int last = r->size - 1, rank = r->rank;
    if (x->arrival == ARRIVE_TOGETHER || last < 1)
        return (struct arrival){ 0.0, 0.0 };
    if (x->arrival == ARRIVE_FILE)
        return from_file(r);
    if (x->arrival == ARRIVE_RANDOM)
        rank = permuted(rank, r->size, permutation_key(0, (uint64_t)repetition), false);
    double part = x->arrival == ARRIVE_LAST ? (double)(rank == last) : (double)rank / last;
    return (struct arrival){ part * late_s, late_s };
}
