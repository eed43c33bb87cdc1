/* Collective operations with each process as the root (root=each). A repetition is one call for
 * each root, each from a common start; its time is the median over the roots. The extra values show
 * the fastest and the slowest root on average. */
#include "patterns/op.h"
#include "patterns/common_start.h"
#include "patterns/send_home.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXTRA_BEST, EXTRA_WORST, EXTRA_BEST_ROOT, EXTRA_WORST_ROOT };

static const struct extra_info extra[] = {
    [EXTRA_BEST] = { "best", "microsec.", "with the root that is fastest on average" },
    [EXTRA_WORST] = { "worst", "microsec.", "with the root that is slowest on average" },
    [EXTRA_BEST_ROOT] = { "best_root", NULL, "the rank of the fastest root" },
    [EXTRA_WORST_ROOT] = { "worst_root", NULL, "the rank of the slowest root" },
    { NULL, NULL, NULL },
};

/* Each process keeps the times of the calls in which it was the root. */
struct roots {
    double *own_us; /* owned; per valid repetition */
    int n, most;
    double *batch_us; /* owned; rank 0: of the valid repetitions of a batch, one time per root */
    double *sorted;   /* owned; rank 0: one time per root */
    int batch;        /* repetitions in batch_us */
};

static int roots_init(struct roots *p, const struct run *r, struct err *e)
{
    size_t size = (size_t)r->size, most = (size_t)r->suite->max_repetition;
    size_t batch = size > MAX_BATCH ? size : MAX_BATCH;
    *p = (struct roots){ .most = r->suite->max_repetition };
    p->own_us = malloc(most * sizeof(double));
    if (r->rank == 0) {
        p->batch_us = malloc(batch * sizeof(double));
        p->sorted = malloc(size * sizeof(double));
    }
    if (p->own_us == NULL || (r->rank == 0 && (p->batch_us == NULL || p->sorted == NULL)))
        return err_no_memory(e, (most + batch + size) * sizeof(double));
    return 0;
}

static void roots_release(struct roots *p)
{
    free(p->own_us);
    free(p->batch_us);
    free(p->sorted);
}

/* Rank 0: the time of a repetition. */
static double median(const double *us, int roots, void *context)
{
    struct roots *p = context;
    size_t bytes = (size_t)roots * sizeof(double);
    memcpy(p->batch_us + (size_t)p->batch++ * (size_t)roots, us, bytes);
    memcpy(p->sorted, us, bytes);
    return stats_of(p->sorted, roots, (struct summing){ 0 }).median_us;
}

static void take_batch(struct run *r, const double *own_us, const double *late, int n,
                       void *context)
{
    struct roots *p = context;
    (void)own_us, (void)late, (void)n;
    control_bcast(&r->machine->clock, &p->batch, 1, MPI_INT, r->control);
    for (int i = 0; i < p->batch; i++) {
        const double *all = r->rank == 0 ? p->batch_us + (size_t)i * (size_t)r->size : NULL;
        double us;
        MPI_Scatter(all, 1, MPI_DOUBLE, &us, 1, MPI_DOUBLE, 0, r->control);
        if (p->n < p->most)
            p->own_us[p->n++] = us;
    }
    p->batch = 0;
}

static void cut(int kept, void *context)
{
    struct roots *p = context;
    p->n = kept < p->n ? kept : p->n;
}

/* The result with this process as the root, cleaned like the suite's times. */
static struct extra_value as_root(struct roots *p, const struct run *r)
{
    struct summing how = { r->suite->cut_quantile, r->suite->options.error, 0.0 };
    struct stats s = stats_of(p->own_us, p->n, how);
    return (struct extra_value){ s.cleaned.mean_us, s.cleaned.error_us };
}

static void conclude(struct run *r, struct roots *p, double overhead_us)
{
    struct extra_value own = as_root(p, r);
    for (int i = EXTRA_BEST; p->n == 0 && i <= EXTRA_WORST_ROOT; i++)
        r->extra[i] = (struct extra_value){ NAN, NAN };
    if (p->n == 0)
        return;
    r->extra[EXTRA_BEST_ROOT].value =
        extreme_send_home(r, own.value, MPI_MINLOC, own, &r->extra[EXTRA_BEST]);
    r->extra[EXTRA_WORST_ROOT].value =
        extreme_send_home(r, own.value, MPI_MAXLOC, own, &r->extra[EXTRA_WORST]);
    r->extra[EXTRA_BEST].value -= overhead_us;
    r->extra[EXTRA_WORST].value -= overhead_us;
}

static int measure(struct run *r, const struct op *op, struct series *s, struct err *e)
{
    struct roots p;
    struct common_start start = {
        .slots = r->size, .value = median, .batch = take_batch, .cut = cut, .context = &p
    };
    int rc = run_agree(r, roots_init(&p, r, e), e);
    if (rc == 0)
        rc = common_start_measure(r, op, s, &start, e);
    if (rc == 0)
        conclude(r, &p, s->overhead_us);
    roots_release(&p);
    return rc;
}

const struct pattern each_root_pattern = {
    .info = { .prefix = "syncol",
              .title = "Synchronous Collective",
              .variations = VARIES_LENGTH | VARIES_NODES,
              .traits = PATTERN_TOPOLOGY | PATTERN_GLOBAL_CLOCK,
              .time = TIME_MEDIAN_ROOT,
              .start = START_CLOCK,
              .first_call_on = "the slowest process",
              .extra = extra },
    .measure = measure,
    .can_measure = pattern_has_server_op,
};
