/* All pairs at once: processes form pairs (i, partner of i), and all pairs exchange messages from a
 * common start. The value is the slowest pair's round trip; the extra values show how far the pairs
 * differ. With an odd number of processes, the last one has no partner and communicates with
 * MPI_PROC_NULL. */
#include "patterns/op.h"
#include "patterns/syncol.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { EXTRA_MEAN, EXTRA_FASTEST, EXTRA_SLOWEST_RANK, EXTRA_SLOWEST_PARTNER };

static const struct extra_info extra[] = {
    [EXTRA_MEAN] = { "pair_mean", "microsec.", "mean over the pairs" },
    [EXTRA_FASTEST] = { "pair_fastest", "microsec.", "the fastest pair" },
    [EXTRA_SLOWEST_RANK] = { "slowest_rank", NULL,
                             "server of the pair that was slowest most often" },
    [EXTRA_SLOWEST_PARTNER] = { "slowest_partner", NULL, "client of that pair" },
    { NULL, NULL, NULL },
};

static int pairs_count(const struct run *r)
{
    return r->size / 2;
}

static bool is_left_over(const struct run *r, int rank)
{
    return rank >= 2 * pairs_count(r);
}

static int partner_of(const struct run *r, int rank)
{
    int half = pairs_count(r);
    if (is_left_over(r, rank))
        return MPI_PROC_NULL;
    if (r->suite->options.pairs == PAIRS_NEXT)
        return rank ^ 1;
    return rank < half ? rank + half : rank - half;
}

static int peer(const struct run *r)
{
    return partner_of(r, r->rank);
}

static bool serves(const struct run *r)
{
    return r->rank < peer(r);
}

/* Results of the pairs in the valid repetitions. */
struct pairs {
    double *mean_us, *fastest_us; /* owned, for the maximum number of repetitions; rank 0 */
    int *slowest;                 /* owned; server of the slowest pair; rank 0 */
    int n, most;
};

static int pairs_init(struct pairs *p, const struct run *r, struct err *e)
{
    size_t most = (size_t)r->suite->max_repetition;
    *p = (struct pairs){ .most = r->suite->max_repetition };
    if (r->rank != 0)
        return 0;
    p->mean_us = malloc(2 * most * sizeof(double));
    p->slowest = malloc(most * sizeof(int));
    if (p->mean_us == NULL || p->slowest == NULL)
        return err_no_memory(e, most * (2 * sizeof(double) + sizeof(int)));
    p->fastest_us = p->mean_us + most;
    return 0;
}

static void pairs_release(struct pairs *p)
{
    free(p->mean_us);
    free(p->slowest);
}

/* One repetition: the times of all pairs. */
struct slowest {
    double us;
    int rank;
};

static void reduce(const struct run *r, double own_us, double *sum, double *fastest,
                   struct slowest *slowest)
{
    bool counts = serves(r);
    double shortest = counts ? own_us : DBL_MAX;
    struct slowest own = { counts ? own_us : 0.0, r->rank };
    MPI_Reduce(&own_us, sum, 1, MPI_DOUBLE, MPI_SUM, 0, r->control);
    MPI_Reduce(&shortest, fastest, 1, MPI_DOUBLE, MPI_MIN, 0, r->control);
    MPI_Reduce(&own, slowest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, 0, r->control);
}

static void take_batch(struct run *r, const double *own_us, const double *late, int n,
                       void *context)
{
    struct pairs *p = context;
    for (int i = 0; i < n; i++) {
        double sum = 0.0, fastest = 0.0;
        struct slowest slowest = { 0.0, 0 };
        reduce(r, serves(r) ? own_us[i] : 0.0, &sum, &fastest, &slowest);
        if (r->rank != 0 || late[i] > 0.0 || p->n == p->most)
            continue;
        p->mean_us[p->n] = sum / pairs_count(r);
        p->fastest_us[p->n] = fastest;
        p->slowest[p->n++] = slowest.rank;
    }
}

static void cut(int kept, void *context)
{
    struct pairs *p = context;
    p->n = kept < p->n ? kept : p->n;
}

static struct extra_value cleaned(double *us, const struct pairs *p, const struct run *r,
                                  double overhead_us)
{
    struct summing how = { r->suite->cut_quantile, r->suite->options.error };
    struct stats s = stats_of(us, p->n, how);
    return (struct extra_value){ s.cleaned.mean_us - overhead_us, s.cleaned.error_us };
}

static int by_rank(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static int slowest_most_often(const struct pairs *p)
{
    int most = 0, often = 0, rank = 0;
    qsort(p->slowest, (size_t)p->n, sizeof(int), by_rank);
    for (int i = 0; i < p->n; i++) {
        often = i > 0 && p->slowest[i] == p->slowest[i - 1] ? often + 1 : 1;
        if (often > most) {
            most = often;
            rank = p->slowest[i];
        }
    }
    return rank;
}

static void conclude(struct run *r, const struct pairs *p, double overhead_us)
{
    int slowest = slowest_most_often(p);
    r->extra[EXTRA_MEAN] = cleaned(p->mean_us, p, r, overhead_us);
    r->extra[EXTRA_FASTEST] = cleaned(p->fastest_us, p, r, overhead_us);
    r->extra[EXTRA_SLOWEST_RANK].value = slowest;
    r->extra[EXTRA_SLOWEST_PARTNER].value = partner_of(r, slowest);
}

static int measure(struct run *r, const struct op *op, struct series *s, struct err *e)
{
    struct pairs p;
    struct common_start start = {
        .servers_only = true, .batch = take_batch, .cut = cut, .context = &p
    };
    int rc = ranks_agree(r->control, pairs_init(&p, r, e), e);
    if (rc == 0)
        rc = common_start_measure(r, op, s, &start, e);
    if (rc == 0 && r->rank == 0)
        conclude(r, &p, s->overhead_us);
    pairs_release(&p);
    return rc;
}

const struct pattern pairs_pattern = {
    .info = { .prefix = "pairs",
              .title = "Pairs",
              .variations = VARIES_LENGTH | VARIES_NODES,
              .traits = PATTERN_GLOBAL_CLOCK,
              .options = 1u << OPTION_PAIRS | 1u << OPTION_METHOD,
              .time_of = "full round trip of the slowest pair, all pairs at once",
              .first_call_on = "the slowest process",
              .extra = extra },
    .measure = measure,
    .can_measure = pattern_has_both_sides,
    .takes_part = pattern_all_take_part,
    .peer = peer,
    .serves = serves,
    .agree = pattern_all_agree,
};
