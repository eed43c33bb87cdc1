/* All pairs (Variation = Pairs): in each round of a round robin, the pairs of a matching exchange
 * messages at the same time, from a common start, until the slowest of them is known exactly
 * enough. Each pair has a row with its own times. */
#include "patterns/common_start.h"
#include "patterns/pairs.h"
#include "model/matching.h"
#include "results/fact.h"

static const struct extra_info no_extra[1];

/* The times of each pair, on its lower rank. */
struct matrix {
    struct values us;
    bool both;
};

static int init(void *of, struct measurement *m, const struct op *op, struct err *e)
{
    struct matrix *matrix = of;
    matrix->both = pairs_both(op);
    return m->rank == 0 && m->pairs == NULL ? memory_take(&m->pairs, (size_t)m->size, e) : 0;
}

static void batch(struct measurement *m, const struct repetitions *b, void *of)
{
    struct matrix *matrix = of;
    for (int i = 0; i < b->n; i++) {
        double us = pairs_time(m, matrix->both, b->own_us[i], m->peer);
        if (repetitions_valid(b, i))
            values_add(&matrix->us, us);
    }
}

static void conclude_matrix(struct measurement *m, double overhead_us, void *of)
{
    const struct suite *s = m->suite;
    struct values *us = &((struct matrix *)of)->us;
    struct summing how = { s->cut_quantile, s->options.error, s->options.outliers };
    control_bcast(&m->resources->clock, &overhead_us, 1, MPI_DOUBLE, m->control);
    for (int i = 0; i < us->n; i++)
        us->list[i] -= overhead_us;
    struct pair_times own = { .stats = stats_of(us->list, us->n, how) };
    own.kept = kept_of(us->list, us->n - own.stats.outliers, own.kept_us);
    MPI_Gather(&own, sizeof(own), MPI_BYTE, m->pairs, sizeof(own), MPI_BYTE, 0, m->control);
}

static void note(const struct measurement *m, struct text *out)
{
    int rounds = matching_count(m->suite, m->resources->size), pairs = m->resources->size / 2;
    fact_addf(out, FACT_ROUNDS, "%d of %d pairs each%s", rounds, pairs,
              m->resources->size % 2 == 0 ? "" : "; in each, another process idles");
    /* Processes of one host have the same number, and so on. */
    struct text value = { 0 };
    for (int rank = 0; rank < m->resources->size; rank++) {
        const struct place_of_rank *place = &m->resources->hosts.ranks[rank];
        fact_fill(&value, FACT_RANKPLACES, { .number = rank }, { .text = place->host },
                  { .number = place->sockets == 1 ? (double)place->socket : NAN },
                  { .number = place->cores == 1 ? (double)place->core : NAN });
    }
    fact_add_text(out, FACT_RANKPLACES, &value);
}

const struct pattern matrix_pattern = {
    VARIANT_INFO(0, TIME_PAIR_ROUND_TRIP, .extra = no_extra),
    COMMON_START(.servers_only = true, .shared = true),
    RECORDER(struct matrix, 1, .init = init, .batch = batch, .conclude = conclude_matrix),
    .can_measure = pattern_has_sides_without_prepare,
    .peer = pairs_peer,
    .serves = pairs_serves,
    .note = note,
};
