#include "stats/maxt.h"

#include "base/text.h"

enum { MAX_EXACT = 20000, MAX_ROUNDS = 4 };

/* Statistics that differ by less are equal: the order of a sum may change its last digits. */
#define SAME 1e-9
/* A sum of squares within the sides below this part of the total is rounding. */
#define ROUNDING 1e-12

struct table {
    size_t base, new, launches, points;
    double *values; /* launches x points, 0 where missing; of two sides, without the point's mean */
    double *squares; /* of each point, the sum over the launches; owned */
    double *totals;  /* of each point, the sum of the values; in the memory of squares, like: */
    double *counts;  /* of each point, the launches that have it */
    double *present; /* launches x points, 1 or 0 */
    bool complete;   /* nothing is missing */
};

struct statistics {
    double *sums, *counts; /* of the launches that are labelled NEW; sums owns the memory of all */
    double *differences, *errors, *sorted;
};

/* Subtracts a point's mean, for exact sums of squares; of pairs, the mean is what is tested. */
static void centre_point(struct table *t, size_t point)
{
    double sum = 0;
    for (size_t i = 0; i < t->launches; i++)
        sum += t->values[i * t->points + point];
    double mean = t->base == 0 || t->counts[point] == 0 ? 0 : sum / t->counts[point];
    t->totals[point] = t->base == 0 ? sum : 0;
    t->squares[point] = 0;
    for (size_t i = 0; i < t->launches; i++) {
        double *value = &t->values[i * t->points + point];
        *value -= mean * t->present[i * t->points + point];
        t->squares[point] += *value * *value;
    }
}

static void table_init(struct table *t, const struct maxt_plan *plan, double *values)
{
    *t = (struct table){ .base = plan->base,
                         .new = plan->new,
                         .launches = plan->base + plan->new,
                         .points = plan->points,
                         .values = values,
                         .complete = true };
    allocated_array(&t->squares, (3 + t->launches) * t->points);
    t->totals = t->squares + t->points;
    t->counts = t->totals + t->points;
    t->present = t->counts + t->points;
    for (size_t i = 0; i < t->launches * t->points; i++) {
        bool missing = isnan(values[i]);
        t->complete = t->complete && !missing;
        t->present[i] = missing ? 0 : 1;
        values[i] = missing ? 0 : values[i];
        t->counts[i % t->points] += t->present[i];
    }
    for (size_t k = 0; k < t->points; k++)
        centre_point(t, k);
}

static void statistics_init(struct statistics *s, size_t points)
{
    allocated_array(&s->sums, 5 * points);
    s->counts = s->sums + points;
    s->differences = s->counts + points;
    s->errors = s->differences + points;
    s->sorted = s->errors + points;
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

/* The difference of the means, and its pooled error; 0 without two sides or a degree of freedom. */
static void compare_point(const struct table *t, const struct statistics *s, size_t k)
{
    double new = t->complete ? (double)t->new : s->counts[k];
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

/* The mean of pairs, if the launches that are not labelled have the other sign. */
static void mean_of_point(const struct table *t, const struct statistics *s, size_t k)
{
    double all = t->counts[k];
    s->differences[k] = s->errors[k] = 0;
    if (all < 1.5)
        return;
    double mean = (2 * s->sums[k] - t->totals[k]) / all;
    double within = t->squares[k] - all * mean * mean;
    if (within < ROUNDING * t->squares[k])
        within = 0;
    s->differences[k] = mean;
    s->errors[k] = sqrt(within / (all - 1) / all);
}

static double ratio(double difference, double error)
{
    if (difference == 0)
        return 0;
    return error > 0 ? difference / error : copysign(INFINITY, difference);
}

/* The largest |T| with these COUNT launches as NEW; OBSERVED (or NULL) gets all points' values. */
static double largest(const struct table *t, struct statistics *s, const size_t *labelled,
                      size_t count, struct maxt *observed)
{
    memset(s->sums, 0, t->points * sizeof(double));
    memset(s->counts, 0, t->points * sizeof(double));
    for (size_t i = 0; i < count; i++) {
        add_to(s->sums, &t->values[labelled[i] * t->points], t->points);
        if (!t->complete)
            add_to(s->counts, &t->present[labelled[i] * t->points], t->points);
    }
    for (size_t k = 0; k < t->points; k++)
        (t->base == 0 ? mean_of_point : compare_point)(t, s, k);
    double s0 = median(s, t->points), most = 0;
    for (size_t k = 0; k < t->points; k++) {
        double value = ratio(s->differences[k], s->errors[k] + s0);
        most = fmax(most, fabs(value));
        if (observed != NULL) {
            observed->t[k] = value;
            observed->difference[k] = s->differences[k];
            observed->scale[k] = s->errors[k] + s0;
        }
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

/* Labels the launches of this relabeling; returns their number, for the first ones COUNT. Of random
 * ones, relabeling 0 is the observed one. */
static size_t label(const struct table *t, size_t *chosen, const struct maxt *m, size_t relabeling,
                    uint64_t *seed)
{
    size_t count = 0;
    if (t->base == 0) {
        uint64_t bits = m->exact ? ~(uint64_t)relabeling : 0;
        for (size_t i = 0; i < t->launches; i++) {
            if (!m->exact && i % 64 == 0)
                bits = relabeling == 0 ? ~(uint64_t)0 : next_random(seed);
            if ((bits >> (i % 64)) & 1)
                chosen[count++] = i;
        }
        return count;
    }
    for (size_t i = 0; relabeling == 0 && i < t->launches; i++)
        chosen[i] = m->exact ? i : (t->base + i) % t->launches;
    if (relabeling > 0 && m->exact)
        next_choice(chosen, t->new, t->launches);
    else if (relabeling > 0)
        shuffle(chosen, t->new, t->launches, seed);
    return t->new;
}

/* Are these labels, or those with the sides swapped, the observed ones? */
static bool are_observed(const struct table *t, const size_t *chosen, size_t count)
{
    if (t->base == 0)
        return count == 0 || count == t->launches;
    size_t own = 0;
    for (size_t i = 0; i < count; i++)
        own += chosen[i] >= t->base;
    return own == count || (own == 0 && t->base == t->new);
}

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* How many of the values, in descending order, are at least this one. */
static size_t at_least(const double *sorted, size_t count, double value)
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

/* Removes the significant differences that remain, now with a p of 0; false without any. */
static bool remove_found(struct maxt *m, struct table *t)
{
    bool found = false;
    for (size_t k = 0; k < t->points; k++)
        if (fabs(m->t[k]) > m->critical && m->p[k] > 0) {
            for (size_t i = t->base; i < t->launches; i++)
                t->values[i * t->points + k] -= m->difference[k] * t->present[i * t->points + k];
            centre_point(t, k);
            m->p[k] = 0;
            found = true;
        }
    return found;
}

/* Tests with memory for MOST, as many as relabelings, and CHOSEN, as many as launches. The largest
 * |T| of the observed labels counts as larger than all, also after differences are removed. */
static void test(struct maxt *m, struct table *t, struct statistics *s, double *most,
                 size_t *chosen, const struct maxt_plan *plan)
{
    for (size_t i = 0; i < t->new; i++)
        chosen[i] = t->base + i;
    largest(t, s, chosen, t->new, m);
    for (size_t k = 0; k < t->points; k++)
        m->p[k] = 1;
    size_t few = (size_t)(plan->alpha * (double)m->relabelings * (1 + SAME));
    if (few >= m->relabelings)
        few = m->relabelings - 1;
    for (int round = 0; round < MAX_ROUNDS; round++) {
        uint64_t seed = plan->seed;
        for (size_t r = 0; r < m->relabelings; r++) {
            size_t count = label(t, chosen, m, r, &seed);
            most[r] =
                are_observed(t, chosen, count) ? INFINITY : largest(t, s, chosen, count, NULL);
        }
        qsort(most, m->relabelings, sizeof *most, descending);
        m->critical = most[few] / (1 - SAME);
        if (!remove_found(m, t))
            break;
    }
    for (size_t k = 0; k < t->points; k++)
        m->p[k] = (double)at_least(most, m->relabelings, fabs(m->t[k])) / (double)m->relabelings;
}

/* All relabelings, or one more than MAX_EXACT. */
static size_t count_relabelings(const struct maxt_plan *plan)
{
    if (plan->base > 0)
        return choices(plan->base + plan->new, plan->new, MAX_EXACT);
    size_t all = 1;
    for (size_t i = 0; i < plan->new &&all <= MAX_EXACT; i++)
        all *= 2;
    return all;
}

void maxt_test(struct maxt *m, const struct maxt_plan *plan, double *values)
{
    struct table t;
    struct statistics s;
    double *most;
    size_t *chosen, all = count_relabelings(plan);
    *m = (struct maxt){ .exact = all <= MAX_EXACT };
    m->relabelings = m->exact ? all : plan->relabelings;
    allocated_array(&m->t, 4 * plan->points);
    m->p = m->t + plan->points;
    m->difference = m->p + plan->points;
    m->scale = m->difference + plan->points;
    allocated_array(&most, m->relabelings);
    allocated_array(&chosen, plan->base + plan->new);
    table_init(&t, plan, values);
    statistics_init(&s, plan->points);
    test(m, &t, &s, most, chosen, plan);
    free(s.sums);
    free(t.squares);
    free(chosen);
    free(most);
}

void maxt_release(struct maxt *m)
{
    free(m->t);
    *m = (struct maxt){ 0 };
}
