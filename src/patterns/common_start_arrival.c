#include "patterns/common_start.h"

#include "model/permutation.h"

struct arrival arrival_of(const struct measurement *m, long repetition)
{
    const struct suite_options *x = &m->suite->options;
    const long *us = m->suite->named[FILE_ARRIVALS].list; /* with ARRIVE_FILE */
    double late_s = (double)x->arrival_us * 1e-6, last_s = 0.0;
    int last = m->size - 1, rank = m->rank;
    if (x->arrival == ARRIVE_TOGETHER || last < 1)
        return (struct arrival){ 0.0, 0.0 };
    for (int i = 0; x->arrival == ARRIVE_FILE && i < m->size; i++)
        last_s = fmax(last_s, (double)us[i] * 1e-6);
    if (x->arrival == ARRIVE_FILE)
        return (struct arrival){ (double)us[rank] * 1e-6, last_s };
    if (x->arrival == ARRIVE_RANDOM)
        rank = permuted(rank, m->size, permutation_key(0, (uint64_t)repetition), false);
    double part = x->arrival == ARRIVE_LAST ? (double)(rank == last) : (double)rank / last;
    return (struct arrival){ part * late_s, late_s };
}
