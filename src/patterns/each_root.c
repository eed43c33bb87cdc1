/* Collective operations with each process as the root (root=each). A repetition is one call for
 * each root, each from a common start; its time is the median over the roots. The extra values show
 * the fastest and the slowest root on average. */
#include "patterns/common_start.h"

enum { EXTRA_BEST, EXTRA_WORST, EXTRA_BEST_ROOT, EXTRA_WORST_ROOT };

static const struct extra_info extra[MAX_EXTRA + 1] = {
    [EXTRA_BEST] = { "best", "microsec.", "with the root that is fastest on average" },
    [EXTRA_WORST] = { "worst", "microsec.", "with the root that is slowest on average" },
    [EXTRA_BEST_ROOT] = { "best_root", NULL, "the rank of the fastest root" },
    [EXTRA_WORST_ROOT] = { "worst_root", NULL, "the rank of the slowest root" },
};

/* The times of the calls in which each process was the root. */
struct roots {
    struct values own_us;
    double *sorted; /* owned; rank 0: one time per root */
};

static void init(void *of, struct measurement *m, const struct op *op)
{
    struct roots *p = of;
    allocated_array(&p->sorted, (size_t)m->size);
}

static void release(void *of)
{
    free(((struct roots *)of)->sorted);
}

static double median(const double *us, int roots, void *of)
{
    struct roots *p = of;
    memcpy(p->sorted, us, (size_t)roots * sizeof(double));
    return stats_of(p->sorted, roots, (struct summing){ 0 }).median_us;
}

static void batch(struct measurement *m, const struct repetitions *b, void *of)
{
    struct roots *p = of;
    for (int i = 0; i < b->n; i += b->starts)
        if (repetitions_valid(b, i))
            values_add(&p->own_us, b->us[i + m->rank]);
}

static void conclude_roots(struct measurement *m, double overhead_us, void *of)
{
    const struct roots *p = of;
    struct extra_value own = recorded_mean(m, &p->own_us);
    for (int i = EXTRA_BEST; p->own_us.n == 0 && i <= EXTRA_WORST_ROOT; i++)
        m->extra[i] = (struct extra_value){ NAN, NAN };
    if (p->own_us.n == 0)
        return;
    m->extra[EXTRA_BEST_ROOT].value =
        extreme_send_home(m, own.value, MPI_MINLOC, own, overhead_us, &m->extra[EXTRA_BEST]);
    m->extra[EXTRA_WORST_ROOT].value =
        extreme_send_home(m, own.value, MPI_MAXLOC, own, overhead_us, &m->extra[EXTRA_WORST]);
}

const struct pattern each_root_pattern = {
    VARIANT_INFO(PATTERN_TOPOLOGY, TIME_MEDIAN_ROOT, .extra = extra),
    COMMON_START(.starts = EACH_PROCESS_STARTS, .value = median, .shared = true),
    RECORDER(struct roots, 1, .init = init, .batch = batch, .conclude = conclude_roots,
             .release = release),
};
