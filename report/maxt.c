/* The permutation test of skampi-compare: single-step max-T over whole launches (Westfall and
 * Young, 1993), moderated by s0 as in SAM (Tusher et al., 2001). Needs no MPI.
 *
 *   skampi-maxt BASE NEW POINTS RELABELINGS SEED ALPHA < VALUES
 *
 * VALUES are native doubles: for each launch, those of BASE first, the logarithm of the time at
 * each point; NaN if it is missing. For each point
 *
 *   T = (mean of NEW - mean of BASE) / (s + s0)
 *
 * where s is the pooled standard error and s0 the median of s over the points, computed anew for
 * each relabeling. Prints the number of relabelings, "all" or "random", the smallest |T| that is
 * significant at ALPHA (inf if there is none), then T and the adjusted p of each point. All
 * relabelings are used if they are at most MAX_EXACT. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_EXACT = 20000, MAX_LAUNCHES = 1000, MAX_POINTS = 10000000, MAX_RELABELINGS = 10000000 };

/* Statistics that differ by less are equal: the order of a sum may change its last digits. */
#define SAME 1e-9
/* A sum of squares within the sides below this part of the total is rounding. */
#define ROUNDING 1e-12

struct table {
    size_t base, new, launches, points;
    double *values;  /* launches x points, each point's mean subtracted, 0 where missing; owned */
    double *present; /* launches x points, 1 or 0; owned; NULL if nothing is missing */
    double *squares; /* of each point, the sum over the launches; owned */
    double *counts;  /* of each point, the launches that have it; owned */
};

struct statistics {
    double *sums, *counts; /* of the launches that are labelled NEW */
    double *differences, *errors, *sorted;
};

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        fprintf(stderr, "skampi-maxt: out of memory\n");
        exit(1);
    }
    return memory;
}

static double *doubles(size_t count)
{
    return allocate(count, sizeof(double));
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

static void table_read(struct table *t)
{
    size_t wanted = t->launches * t->points;
    t->values = doubles(wanted);
    t->present = doubles(wanted);
    t->squares = doubles(t->points);
    t->counts = doubles(t->points);
    if (fread(t->values, sizeof(double), wanted, stdin) != wanted || getchar() != EOF) {
        fprintf(stderr, "skampi-maxt: expected %zu values\n", wanted);
        exit(2);
    }
    bool complete = true;
    for (size_t k = 0; k < t->points; k++) {
        centre_point(t, k);
        complete = complete && t->counts[k] == (double)t->launches;
    }
    if (complete) {
        free(t->present);
        t->present = NULL;
    }
}

static void table_release(struct table *t)
{
    free(t->values);
    free(t->present);
    free(t->squares);
    free(t->counts);
}

static void statistics_init(struct statistics *s, size_t points)
{
    s->sums = doubles(points);
    s->counts = doubles(points);
    s->differences = doubles(points);
    s->errors = doubles(points);
    s->sorted = doubles(points);
}

static void statistics_release(struct statistics *s)
{
    free(s->sums);
    free(s->counts);
    free(s->differences);
    free(s->errors);
    free(s->sorted);
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

/* The largest |T| of each relabeling; of random ones, the first is the observed one. */
static void relabel(const struct table *t, struct statistics *s, double *most, size_t count,
                    uint64_t seed)
{
    bool exact = choices(t->launches, t->new, MAX_EXACT) <= MAX_EXACT;
    size_t *chosen = allocate(t->launches, sizeof *chosen);
    for (size_t i = 0; i < t->launches; i++)
        chosen[i] = exact ? i : (t->base + i) % t->launches;
    for (size_t r = 0; r < count; r++) {
        most[r] = largest(t, s, chosen, NULL);
        if (exact)
            next_choice(chosen, t->new, t->launches);
        else
            shuffle(chosen, t->new, t->launches, &seed);
    }
    free(chosen);
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

static void test(const struct table *t, size_t relabelings, uint64_t seed, double alpha)
{
    size_t all = choices(t->launches, t->new, MAX_EXACT);
    bool exact = all <= MAX_EXACT;
    size_t count = exact ? all : relabelings;
    struct statistics s;
    statistics_init(&s, t->points);
    double *observed = doubles(t->points), *most = doubles(count);
    size_t *labelled = allocate(t->new, sizeof *labelled);
    for (size_t i = 0; i < t->new; i++)
        labelled[i] = t->base + i;
    largest(t, &s, labelled, observed);
    relabel(t, &s, most, count, seed);
    qsort(most, count, sizeof *most, descending);
    printf("%zu %s %.9g\n", count, exact ? "all" : "random", critical(most, count, alpha));
    for (size_t k = 0; k < t->points; k++)
        printf("%.9g %.9g\n", observed[k],
               (double)count_at_least(most, count, fabs(observed[k])) / (double)count);
    free(labelled);
    free(most);
    free(observed);
    statistics_release(&s);
}

static size_t whole(const char *text, size_t least, size_t most)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || value < least || value > most) {
        fprintf(stderr, "skampi-maxt: expected a number from %zu to %zu, got '%s'\n", least, most,
                text);
        exit(2);
    }
    return (size_t)value;
}

int main(int argc, char **argv)
{
    if (argc != 7) {
        fprintf(stderr, "usage: skampi-maxt BASE NEW POINTS RELABELINGS SEED ALPHA < VALUES\n");
        return 2;
    }
    struct table t = { .base = whole(argv[1], 1, MAX_LAUNCHES),
                       .new = whole(argv[2], 1, MAX_LAUNCHES),
                       .points = whole(argv[3], 1, MAX_POINTS) };
    t.launches = t.base + t.new;
    size_t relabelings = whole(argv[4], 1, MAX_RELABELINGS);
    size_t seed = whole(argv[5], 0, UINT32_MAX);
    char *end;
    double alpha = strtod(argv[6], &end);
    if (*end != '\0' || !(alpha > 0 && alpha < 1)) {
        fprintf(stderr, "skampi-maxt: expected ALPHA between 0 and 1, got '%s'\n", argv[6]);
        return 2;
    }
    table_read(&t);
    test(&t, relabelings, seed, alpha);
    table_release(&t);
    return fflush(stdout) == 0 ? 0 : 1;
}
