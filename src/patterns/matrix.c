/* All pairs (Variation = Pairs): in each round of a round robin, the pairs of a matching exchange
 * messages at the same time, from a common start, until the slowest of them is known exactly
 * enough. Each pair has a row with its own times. */
#include "patterns/op.h"
#include "patterns/pairs.h"
#include "patterns/common_start.h"
#include "model/matching.h"
#include "results/fact.h"

#include <stdlib.h>
#include <string.h>

static const struct extra_info no_extra[] = { { NULL, NULL, NULL } };

/* Each pair's lower rank keeps its times. */
struct matrix {
    bool both;
    double *us; /* owned; per valid repetition */
    int n, most;
    double late[MAX_BATCH];
};

static int matrix_init(struct matrix *m, struct run *r, const struct op *op, struct err *e)
{
    size_t most = (size_t)r->suite->max_repetition, size = (size_t)r->size;
    *m = (struct matrix){ .both = pairs_both(op), .most = r->suite->max_repetition };
    m->us = malloc(most * sizeof(double));
    if (r->rank == 0 && r->pair_stats == NULL)
        r->pair_stats = malloc(size * sizeof(*r->pair_stats));
    if (m->us == NULL || (r->rank == 0 && r->pair_stats == NULL))
        return err_no_memory(e, most * sizeof(double) + size * sizeof(*r->pair_stats));
    return 0;
}

static void take_batch(struct run *r, const double *own_us, const double *late, int n,
                       void *context)
{
    struct matrix *m = context;
    if (late != NULL)
        memcpy(m->late, late, (size_t)n * sizeof(double));
    control_bcast(&r->machine->clock, m->late, n, MPI_DOUBLE, r->control);
    for (int i = 0; i < n; i++) {
        double us = pairs_time(r, m->both, own_us[i], r->peer);
        if (m->late[i] <= 0.0 && m->n < m->most)
            m->us[m->n++] = us;
    }
}

static void cut(int kept, void *context)
{
    struct matrix *m = context;
    m->n = kept < m->n ? kept : m->n;
}

/* Results are cleaned like those of a suite. */
static void conclude(struct run *r, struct matrix *m, double overhead_us)
{
    const struct suite *s = r->suite;
    struct summing how = { s->cut_quantile, s->options.error, s->options.outliers };
    control_bcast(&r->machine->clock, &overhead_us, 1, MPI_DOUBLE, r->control);
    for (int i = 0; i < m->n; i++)
        m->us[i] -= overhead_us;
    struct stats own = stats_of(m->us, m->n, how);
    MPI_Gather(&own, sizeof(own), MPI_BYTE, r->pair_stats, sizeof(own), MPI_BYTE, 0, r->control);
}

static int measure(struct run *r, const struct op *op, struct series *s, struct err *e)
{
    struct matrix m;
    struct common_start start = {
        .servers_only = true, .batch = take_batch, .cut = cut, .context = &m
    };
    int rc = run_agree(r, matrix_init(&m, r, op, e), e);
    if (rc == 0)
        rc = common_start_measure(r, op, s, &start, e);
    if (rc == 0)
        conclude(r, &m, s->overhead_us);
    free(m.us);
    return rc;
}

/* Where the processes are: processes of the same host have the same number, and so on. */
static void note_places(const struct run *r, struct text *out)
{
    const struct hosts *h = &r->machine->hosts;
    struct text value = { 0 };
    text_add(&value, "rank host socket core");
    for (int rank = 0; rank < r->size; rank++) {
        const struct place_of_rank *place = &h->ranks[rank];
        text_add(&value, "\n%d %s ", rank, place->host);
        text_add(&value, place->sockets == 1 ? "%d " : "any ", place->socket);
        text_add(&value, place->cores == 1 ? "%d" : "any", place->core);
    }
    fact_add_text(out, FACT_RANKPLACES, &value);
}

static void note(const struct run *r, struct text *out)
{
    int rounds = matching_count(r->suite, r->machine->size), pairs = r->machine->size / 2;
    fact_addf(out, FACT_ROUNDS, "%d of %d pairs each%s", rounds, pairs,
              r->machine->size % 2 == 0 ? "" : "; in each, another process idles");
    note_places(r, out);
}

const struct pattern matrix_pattern = {
    .info = { .prefix = "pairs",
              .title = "Pairs",
              .variations = VARIES_PAIRS,
              .traits = PATTERN_GLOBAL_CLOCK,
              .time = TIME_PAIR_ROUND_TRIP,
              .start = START_CLOCK,
              .first_call_on = "the slowest process",
              .extra = no_extra },
    .measure = measure,
    .can_measure = pattern_has_sides_without_prepare,
    .peer = pairs_peer,
    .serves = pairs_serves,
    .note = note,
};
