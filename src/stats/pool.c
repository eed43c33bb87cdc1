#include "stats/pool.h"

#include "model/permutation.h"
#include "stats/stats.h"

/* Sums of weights may be just above the part that was meant. */
static const double ROUNDING = 1e-9;

enum { SAMPLES = 200, SEED = 1 };

/* The mean of the values from one place to another, which may be within values. */
static double mean_between(const double *sorted_us, int n, double from, double to)
{
    double sum = 0, middle = sorted_us[(int)from];
    for (int i = (int)from; i < n && i < to; i++)
        sum += (fmin(i + 1, to) - fmax(i, from)) * (sorted_us[i] - middle);
    return middle + sum / (to - from);
}

int kept_of(const double *sorted_us, int n, double *kept_us)
{
    int kept = n < KEPT_MOST ? n : KEPT_MOST;
    double group = (double)n / kept;
    for (int i = 0; i < kept; i++) {
        double us =
            n <= KEPT_MOST ? sorted_us[i] : mean_between(sorted_us, n, i * group, (i + 1) * group);
        kept_us[i] = round(us * KEPT_DIGITS) / KEPT_DIGITS;
    }
    return kept;
}

static int by_time(const void *a, const void *b)
{
    const struct pooled *x = a, *y = b;
    if (x->us != y->us)
        return x->us < y->us ? -1 : 1;
    return (x->visit > y->visit) - (x->visit < y->visit);
}

void pool_sort(struct pooled *list, size_t n)
{
    qsort(list, n, sizeof(*list), by_time);
}

static double copies(const struct pooled *p, const int *repeated)
{
    return repeated == NULL ? 1 : repeated[p->visit];
}

/* From an end, the weights that the cut leaves: the first ones are dropped, one in part if it
 * counts several times. Returns where the rest begins, and how often its first one is dropped. */
static size_t cut_from(const struct pooled *list, size_t n, int step, double most,
                       const int *repeated, double *dropped)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const struct pooled *p = step > 0 ? &list[i] : &list[n - 1 - i];
        double count = copies(p, repeated);
        if (sum + count * p->weight > most) {
            *dropped = floor((most - sum) / p->weight);
            return i;
        }
        sum += count * p->weight;
    }
    *dropped = 0;
    return n - 1;
}

double pool_mean(const struct pooled *list, size_t n, double cut_quantile, const int *repeated,
                 double *repetitions)
{
    double all = 0, left = 0, sum = 0, below, above, middle = list[n / 2].us, rest = 0;
    for (size_t i = 0; i < n; i++)
        all += copies(&list[i], repeated) * list[i].weight;
    double most = fmin(cut_quantile + ROUNDING, 0.5 - ROUNDING) * all;
    size_t first = cut_from(list, n, 1, most, repeated, &below);
    size_t last = n - 1 - cut_from(list, n, -1, most, repeated, &above);
    for (size_t i = first; i <= last; i++) {
        double count = copies(&list[i], repeated) - (i == first ? below : 0);
        count -= i == last ? above : 0;
        rest += count * list[i].repetitions;
        left += count * list[i].weight;
        sum += count * list[i].weight * (list[i].us - middle);
    }
    if (repetitions != NULL)
        *repetitions = rest;
    return middle + sum / left;
}

double pool_percentile(const struct pooled *list, size_t n, double part)
{
    double all = 0, sum = 0;
    size_t i = 0;
    for (size_t k = 0; k < n; k++)
        all += list[k].weight;
    while (i + 1 < n && sum + list[i].weight < (part - ROUNDING) * all)
        sum += list[i++].weight;
    bool between = sum + list[i].weight <= (part + ROUNDING) * all && i + 1 < n;
    return between ? list[i].us + (list[i + 1].us - list[i].us) / 2 : list[i].us;
}

/* A random visit. The fastest and the slowest are as likely as two others: a state of the machine
 * may be twice as frequent as the visits show, and one that is the slowest visit's twice too. */
static int drawn(const struct pool_visits *v, uint64_t random)
{
    int of = (int)(random % (uint64_t)(v->count + 2));
    if (of < v->count)
        return of;
    return of == v->count ? v->fastest : v->slowest;
}

double pool_error(const struct pooled *list, size_t n, double cut_quantile,
                  const struct pool_visits *v)
{
    double squares = 0, mean = pool_mean(list, n, cut_quantile, NULL, NULL);
    for (int sample = 0; sample < SAMPLES; sample++) {
        for (int i = 0; i < v->count; i++)
            v->repeated[i] = 0;
        for (int i = 0; i < v->count; i++)
            v->repeated[drawn(v, permutation_key(SEED, (uint64_t)(sample * v->count + i)))]++;
        double by = pool_mean(list, n, cut_quantile, v->repeated, NULL) - mean;
        squares += by * by;
    }
    return sqrt(squares / SAMPLES * (v->count + 1) / (v->count - 1));
}
