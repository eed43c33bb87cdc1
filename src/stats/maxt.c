#include "stats/maxt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_EXACT = 20000 };

/* Statistics that differ by less are equal: the order of a sum may change its last digits. */
#define SAME 1e-9
/* A sum of squares within the sides below this part of the total is rounding. */
#define ROUNDING 1e-12

struct table {
    size_t base, new, launches, points;
    double *values;  /* launches x points, each point's mean subtracted, 0 where missing */
    double *squares; /* of each point, the sum over the launches; owned */
    double *counts;  /* of each point, the launches that have it; in the memory of squares */
    double *present; /* launches x points, 1 or 0; there, too; NULL if nothing is missing */
};

struct statistics {
    double *sums, *counts; /* of the launches that are labelled NEW; sums owns the memory of all */
    double *differences, *errors, *sorted;
};

static void *allocate(size_t count, size_t size, struct err *e)
{
    void *memory = calloc(count, size);
    if (memory == NULL)
        err_no_memory(e, (unsigned long long)count * size);
    return memory;
}

/* Subtracts the point's mean, so that sums of squares lose no digits. */
static void centre_point(struct table *t, size_t point)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < t->launches; i++) {
        double value = t->values[i * t->points + point];
        if (!isnan(value)) {
            sum += value;
            count++;
        }
    }
    for (size_t i = 0; i < t->launches; i++) {
        double *value = &t->values[i * t->points + point];
        t->present[i * t->points + point] = isnan(*value) ? 0 : 1;
        *value = isnan(*value) ? 0 : *value - sum / count;
        t->squares[point] += *value * *value;
    }
    t->counts[point] = count;
}

static int table_init(struct table *t, const struct maxt_plan *plan, double *values, struct err *e)
{
    *t = (struct table){ plan->base, plan->new, plan->base + plan->new, plan->points, values, NULL,
                         NULL,       NULL };
    t->squares = allocate((2 + t->launches) * t->points, sizeof(double), e);
    if (t->squares == NULL)
        return -1;
    t->counts = t->squares + t->points;
    t->present = t->counts + t->points;
    bool complete = true;
    for (size_t k = 0; k < t->points; k++) {
        centre_point(t, k);
        complete = complete && t->counts[k] == (double)t->launches;
    }
    if (complete)
        t->present = NULL;
    return 0;
}

static int statistics_init(struct statistics *s, size_t points, struct err *e)
{
    s->sums = allocate(5 * points, sizeof(double), e);
    if (s->sums == NULL)
        return -1;
    s->counts = s->sums + points;
    s->differences = s->counts + points;
    s->errors = s->differences + points;
    s->sorted = s->errors + points;
    return 0;
}

static void add_to(double *restrict sums, const double *restrict row, size_t points)
{
    for (size_t k = 0; k < points; k++)
        sums[k] += row[k];
}

/* The element that a sorted array has at this place (quickselect); changes the order. */
static double nth(double *a, size_t count, size_t place)
{
    size_t low = 0, high = count - 1;
    while (low < high) {
        double pivot = a[low + (high - low) / 2];
        size_t i = low, j = high;
        while (i <= j) {
            while (a[i] < pivot)
                i++;
            while (a[j] > pivot)
                j--;
            if (i > j)
                break;
            double other = a[i];
            a[i++] = a[j];
            a[j] = other;
            if (j == 0)
                break;
            j--;
        }
        if (place <= j)
            high = j;
        else if (place >= i)
            low = i;
        else
            return a[place];
    }
    return a[low];
}

static double median(const struct statistics *s, size_t count)
{
    memcpy(s->sorted, s->errors, count * sizeof(double));
    double upper = nth(s->sorted, count, count / 2);
    return count % 2 == 1 ? upper : (upper + nth(s->sorted, count, count / 2 - 1)) / 2;
}

/* The difference of the means and its pooled standard error. Without two sides, or a degree of
 * freedom, both are 0. */
static void compare_point(const struct table *t, const struct statistics *s, size_t k)
{
    double new = t->present == NULL ? (double)t->new : s->counts[k];
    double all = t->counts[k], base = all - new;
    s->differences[k] = s->errors[k] = 0;
    if (new < 0.5 || base < 0.5 || all < 2.5)
        return;
    double mean = s->sums[k] / new, other = -s->sums[k] / base; /* the values' sum is 0 */
    double within = t->squares[k] - s->sums[k] * (mean - other);
    if (within < ROUNDING * t->squares[k])
        within = 0;
    s->differences[k] = mean - other;
    s->errors[k] = sqrt(within / (all - 2) * (1 / new + 1 / base));
}

static double ratio(double difference, double error)
{
    if (difference == 0)
        return 0;
    return error > 0 ? difference / error : copysign(INFINITY, difference);
}

/* Labels these launches NEW. Returns the largest |T|; with OBSERVED, also stores each T. */
static double largest(const struct table *t, struct statistics *s, const size_t *labelled,
                      double *observed)
{
    memset(s->sums, 0, t->points * sizeof(double));
    memset(s->counts, 0, t->points * sizeof(double));
    for (size_t i = 0; i < t->new; i++) {
        add_to(s->sums, &t->values[labelled[i] * t->points], t->points);
        if (t->present != NULL)
            add_to(s->counts, &t->present[labelled[i] * t->points], t->points);
    }
    for (size_t k = 0; k < t->points; k++)
        compare_point(t, s, k);
    double s0 = median(s, t->points), most = 0;
    for (size_t k = 0; k < t->points; k++) {
        double value = ratio(s->differences[k], s->errors[k] + s0);
        most = fmax(most, fabs(value));
        if (observed != NULL)
            observed[k] = value;
    }
    return most;
}

/* C(n, k), or one more than LIMIT if it is larger than LIMIT. */
static size_t choices(size_t n, size_t k, size_t limit)
{
    double count = 1;
    for (size_t i = 1; i <= k; i++) {
        count = count * (double)(n - k + i) / (double)i;
        if (count > (double)limit)
            return limit + 1;
    }
    return (size_t)(count + 0.5);
}

/* The next of the combinations in lexical order; false after the last one. */
static bool next_choice(size_t *chosen, size_t k, size_t n)
{
    for (size_t i = k; i-- > 0;)
        if (chosen[i] < n - k + i) {
            chosen[i]++;
            for (size_t j = i + 1; j < k; j++)
                chosen[j] = chosen[j - 1] + 1;
            return true;
        }
    return false;
}

/* SplitMix64 (Steele, Lea and Flood, 2014). */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* The first k of all places of a shuffled deck. */
static void shuffle(size_t *deck, size_t k, size_t n, uint64_t *state)
{
    for (size_t i = 0; i < k; i++) {
        size_t j = i + (size_t)(next_random(state) % (n - i));
        size_t other = deck[i];
        deck[i] = deck[j];
        deck[j] = other;
    }
}

/* The largest |T| of each relabeling; of random ones, the first is the observed one. CHOSEN has
 * room for all launches. */
static void relabel(const struct table *t, struct statistics *s, size_t *chosen, struct maxt *m,
                    double *most, uint64_t seed)
{
    for (size_t i = 0; i < t->launches; i++)
        chosen[i] = m->exact ? i : (t->base + i) % t->launches;
    for (size_t r = 0; r < m->relabelings; r++) {
        most[r] = largest(t, s, chosen, NULL);
        if (m->exact)
            next_choice(chosen, t->new, t->launches);
        else
            shuffle(chosen, t->new, t->launches, &seed);
    }
}

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* How many of the values, in descending order, are at least this one. */
static size_t count_at_least(const double *sorted, size_t count, double value)
{
    size_t low = 0, high = count;
    double least = isinf(value) ? value : value * (1 - SAME);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sorted[middle] >= least)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The smallest of the values that at most this share of them reaches. */
static double critical(const double *sorted, size_t count, double alpha)
{
    for (size_t i = (size_t)(alpha * (double)count * (1 + SAME)); i > 0; i--)
        if ((double)count_at_least(sorted, count, sorted[i - 1]) <=
            alpha * (double)count * (1 + SAME))
            return sorted[i - 1];
    return INFINITY;
}

/* With the memory of MOST, as many as relabelings, and CHOSEN, as many as launches. */
static void test(struct maxt *m, const struct table *t, struct statistics *s, double *most,
                 size_t *chosen, const struct maxt_plan *plan)
{
    for (size_t i = 0; i < t->new; i++)
        chosen[i] = t->base + i;
    largest(t, s, chosen, m->t);
    relabel(t, s, chosen, m, most, plan->seed);
    qsort(most, m->relabelings, sizeof *most, descending);
    m->critical = critical(most, m->relabelings, plan->alpha);
    for (size_t k = 0; k < t->points; k++)
        m->p[k] =
            (double)count_at_least(most, m->relabelings, fabs(m->t[k])) / (double)m->relabelings;
}

int maxt_test(struct maxt *m, const struct maxt_plan *plan, double *values, struct err *e)
{
    struct table t = { 0 };
    struct statistics s = { 0 };
    size_t all = choices(plan->base + plan->new, plan->new, MAX_EXACT);
    *m = (struct maxt){ .exact = all <= MAX_EXACT };
    m->relabelings = m->exact ? all : plan->relabelings;
    m->t = allocate(2 * plan->points, sizeof(double), e);
    double *most = allocate(m->relabelings, sizeof(double), e);
    size_t *chosen = allocate(plan->base + plan->new, sizeof(size_t), e);
    int rc = -1;
    if (m->t != NULL && most != NULL && chosen != NULL && table_init(&t, plan, values, e) == 0 &&
        statistics_init(&s, plan->points, e) == 0) {
        m->p = m->t + plan->points;
        test(m, &t, &s, most, chosen, plan);
        rc = 0;
    }
    free(s.sums);
    free(t.squares);
    free(chosen);
    free(most);
    return rc;
}

void maxt_release(struct maxt *m)
{
    free(m->t);
    *m = (struct maxt){ 0 };
}
