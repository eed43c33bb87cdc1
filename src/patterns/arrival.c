#include "patterns/arrival.h"

#include "model/permutation.h"

static struct arrival from_file(const struct measurement *m)
{
    const long *us = m->suite->named[FILE_ARRIVALS].list;
    long last_us = 0;
    for (int i = 0; i < m->size; i++)
        last_us = us[i] > last_us ? us[i] : last_us;
    return (struct arrival){ (double)us[m->rank] * 1e-6, (double)last_us * 1e-6 };
}

struct arrival arrival_of(const struct measurement *m, long repetition)
{
    const struct suite_options *x = &m->suite->options;
    const double late_s = (double)x->arrival_us * 1e-6;
    int last = m->size - 1, rank = m->rank;
    if (x->arrival == ARRIVE_TOGETHER || last < 1)
        return (struct arrival){ 0.0, 0.0 };
    if (x->arrival == ARRIVE_FILE)
        return from_file(m);
    if (x->arrival == ARRIVE_RANDOM)
        rank = permuted(rank, m->size, permutation_key(0, (uint64_t)repetition), false);
    double part = x->arrival == ARRIVE_LAST ? (double)(rank == last) : (double)rank / last;
    return (struct arrival){ part * late_s, late_s };
}
