/* All pairs at once: processes form pairs, and all pairs exchange messages from a common start. The
 * value is the slowest pair's time; the extra values show how far the pairs differ. Processes
 * without a partner communicate with MPI_PROC_NULL. Repetitions take several matchings in turn. */
#include "patterns/pairs.h"

#include "model/matching.h"
#include "patterns/common_start.h"
#include "patterns/op.h"
#include "results/fact.h"

enum { MEAN, FASTEST, BANDWIDTH, PAIRS, SLOWEST_RANK, SLOWEST_PARTNER };

static const struct extra_info extra[MAX_EXTRA + 1] = {
    [MEAN] = { "pair_mean", "microsec.", "mean over the pairs" },
    [FASTEST] = { "pair_fastest", "microsec.", "the fastest pair" },
    [BANDWIDTH] = { "pair_bandwidth", "MB/s",
                    "all bytes of a pair / t: mean over pairs and repetitions, uncut" },
    [PAIRS] = { "pairs", NULL, "number of pairs at once" },
    [SLOWEST_RANK] = { "slowest_rank", NULL, "lower rank of the pair that was slowest most often" },
    [SLOWEST_PARTNER] = { "slowest_partner", NULL, "higher rank of that pair" },
};

/* Varied over Groups, are the pairs with lower first ranks already enough? */
static bool is_beyond(const struct measurement *m, int matching, int first)
{
    int before = 0;
    if (m->at.groups == 0)
        return false;
    for (int rank = 0; rank < first; rank++)
        before += matching_partner(m->suite, m->size, matching, rank) > rank;
    return before >= m->at.groups;
}

static int partner_of(const struct measurement *m, int repetition, int rank)
{
    int matching = suite_arguments(m->suite) == ARGUMENTS_PAIRS
                       ? m->at.matching
                       : repetition % matching_count(m->suite, m->size);
    int partner = matching_partner(m->suite, m->size, matching, rank);
    return partner == MATCHING_NONE || is_beyond(m, matching, partner < rank ? partner : rank)
               ? MPI_PROC_NULL
               : partner;
}

int pairs_peer(const struct measurement *m)
{
    return partner_of(m, 0, m->rank);
}

bool pairs_serves(const struct measurement *m)
{
    return m->rank < m->peer;
}

/* Do both sides make the same calls? Then the later one determines a pair's time. */
static bool pairs_both(const struct measurement *m)
{
    return m->hooks->server_op == m->hooks->client_op;
}

struct pairs {
    struct group_times times; /* of rank 0; a pair is its lower rank * size + its partner */
    struct values bandwidth;  /* the mean over the pairs */
    int repetitions; /* performed so far, dropped ones included; the same on all processes */
    int pairs;       /* rank 0: in each matching */
};

static void init(void *of, struct measurement *m, const struct op *op)
{
    struct pairs *p = of;
    int paired = 0;
    for (int rank = 0; m->rank == 0 && rank < m->size; rank++)
        paired += partner_of(m, 0, rank) != MPI_PROC_NULL;
    p->pairs = paired / 2;
}

/* The time of this process's pair, on its lower rank; both processes of a pair call it. */
static double pairs_time(const struct measurement *m, double own_us, int partner)
{
    double other_us = own_us;
    if (!pairs_both(m) || partner == MPI_PROC_NULL)
        return own_us;
    control_swap(&m->resources->clock, &own_us, &other_us, sizeof(own_us), partner, m->control);
    return fmax(own_us, other_us);
}

static void take_repetition(const struct measurement *m, struct pairs *p, double own_us,
                            int repetition, bool valid)
{
    int partner = partner_of(m, repetition, m->rank);
    bool speaks = m->rank < partner;
    double us = pairs_time(m, own_us, partner);
    bool window = (m->suite->type->traits & TYPE_WINDOW) != 0;
    double bytes =
        (double)m->at.length * (window ? m->at.window * (pairs_both(m) ? 2.0 : 1.0) : 2.0);
    double rate = speaks && us > 0.0 ? bytes / us : 0.0;
    control_reduce(&m->resources->clock, &rate, 1, MPI_DOUBLE, MPI_SUM, m->control);
    struct parts all = parts_reduce(m, speaks, us, m->rank);
    int slowest = all.slowest.rank;
    if (!valid)
        return;
    group_times_add(&p->times, all.sum_us / p->pairs, all.fastest_us,
                    (double)slowest * m->size + partner_of(m, repetition, slowest));
    values_add(&p->bandwidth, rate / p->pairs);
}

static void batch(struct measurement *m, const struct repetitions *b, void *of)
{
    struct pairs *p = of;
    for (int i = 0; i < b->n; i++)
        take_repetition(m, p, b->own_us[i], p->repetitions + i,
                        m->rank == 0 && repetitions_valid(b, i));
    p->repetitions = (p->repetitions + b->n) % matching_count(m->suite, m->size);
}

static void before(struct measurement *m, int i, void *of)
{
    const struct pairs *p = of;
    m->peer = partner_of(m, p->repetitions + i, m->rank);
}

static bool counts(const struct measurement *m, int i, const void *of)
{
    const struct pairs *p = of;
    return pairs_both(m) || m->rank < partner_of(m, p->repetitions + i, m->rank);
}

static void conclude_pairs(struct measurement *m, double overhead_us, void *of)
{
    struct pairs *p = of;
    if (m->rank != 0)
        return;
    group_times_conclude(&p->times, recorded_how(m), overhead_us, &m->extra[MEAN]);
    /* Without a cut: the effective bandwidth is a mean over all matchings. */
    m->extra[BANDWIDTH] =
        extra_mean(&p->bandwidth, (struct summing){ .error = m->suite->options.error });
    int64_t slowest = (int64_t)group_times_slowest(&p->times);
    m->extra[PAIRS].value = p->pairs;
    m->extra[SLOWEST_RANK].value = (double)(slowest / m->size);
    m->extra[SLOWEST_PARTNER].value = (double)(slowest % m->size);
}

static void note(const struct measurement *m, struct text *out)
{
    LOCAL_TEXT idle = { 0 };
    if (matching_idle(m->suite, m->resources->size, &idle) > 0)
        fact_add(out, FACT_IDLE, text_get(&idle));
}

const struct pattern pairs_pattern = {
    PATTERN_INFO("pairs", "Pairs", "Pairs of processes, all at once", 20, .family = "p2p",
                 .variations = VARIES_LENGTH | VARIES_NODES | VARIES_GROUPS | VARIES_PAIRS,
                 .traits = PATTERN_GLOBAL_CLOCK | PATTERN_OWN_TIMES | PATTERN_STAGES |
                           PATTERN_THREADS | PATTERN_TAGS,
                 .options = OPTIONS(OPTION_PAIRS, OPTION_MATCHINGS, OPTION_METHOD, OPTION_LOOP,
                                    OPTION_COUNTS, OPTION_AS),
                 .time = TIME_PAIRS_ROUND_TRIP, .rate = RATE_BOTH_WAYS,
                 .processes = "all, in pairs", STARTS_BY_CLOCK, .extra = extra,
                 .variants = { [VARIANT_OTHER] = &mean_pair_pattern.info,
                               [VARIANT_MATRIX] = &matrix_pattern.info }),
    COMMON_START(.counts = counts),
    RECORDER(struct pairs, GROUP_TIMES + 1, .init = init, .before = before, .batch = batch,
             .conclude = conclude_pairs),
    .needs = HOOKS_SIDES_ALONE,
    .peer = pairs_peer,
    .serves = pairs_serves,
    .note = note,
};

/* All pairs (Variation = Pairs): in each round of a round robin, the pairs of a matching exchange
 * messages at the same time, from a common start, until the slowest of them is known exactly
 * enough. Each pair has a row with its own times. */
static const struct extra_info no_extra[1];

static void matrix_init(void *of, struct measurement *m, const struct op *op)
{
    if (m->rank == 0 && m->pairs == NULL)
        allocated_array(&m->pairs, (size_t)m->size);
}

static void matrix_batch(struct measurement *m, const struct repetitions *b, void *of)
{
    for (int i = 0; i < b->n; i++) {
        double us = pairs_time(m, b->own_us[i], m->peer);
        if (repetitions_valid(b, i))
            values_add(of, us);
    }
}

static void conclude_matrix(struct measurement *m, double overhead_us, void *of)
{
    const struct suite *s = m->suite;
    struct values *us = of; /* of this process's pair, on its lower rank */
    struct summing how = { s->cut_quantile, s->options.error, s->options.outliers };
    control_bcast(&m->resources->clock, &overhead_us, 1, MPI_DOUBLE, m->control);
    for (int i = 0; i < us->n; i++)
        us->list[i] -= overhead_us;
    struct pair_times own = { .stats = stats_of(us->list, us->n, how) };
    own.kept = kept_of(us->list, us->n - own.stats.outliers, own.kept_us);
    MPI_Gather(&own, sizeof(own), MPI_BYTE, m->pairs, sizeof(own), MPI_BYTE, 0, m->control);
}

static void matrix_note(const struct measurement *m, struct text *out)
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
    RECORDER(struct values, 1, .init = matrix_init, .batch = matrix_batch,
             .conclude = conclude_matrix),
    .needs = HOOKS_SIDES_ALONE,
    .peer = pairs_peer,
    .serves = pairs_serves,
    .note = matrix_note,
};
