#include "model/spreading.h"

#include "model/permutation.h"

#define NO_PART NULL, 0, 0, SPREAD_NO_NUMBER, 0
const struct form spread_forms[SPREADING_COUNT + 1] = {
    [SPREAD_UNIFORM] = { "uniform", NO_PART },
    [SPREAD_LINEAR] = { "linear", NO_PART },
    [SPREAD_GEOMETRIC] = { "geometric", "FACTOR", 1, 1000, SPREAD_NO_NUMBER, 8 },
    [SPREAD_ONE_LARGE] = { "one_large", "PERCENT", 1, 100, SPREAD_NO_NUMBER, 100 },
    [SPREAD_SPARSE] = { "sparse", "PARTS", 1, 1000000000, SPREAD_NO_NUMBER, 1000000000 },
    [SPREAD_RANDOM] = { "random", "SEED", 0, INT_MAX, SPREAD_NO_NUMBER, 9 },
    [SPREAD_TRANSPOSE] = { "transpose", NO_PART },
    [SPREAD_FILE] = { "file", "NAME", 0, 0, 0, 0 },
};

struct spread spread_of(const struct suite *s, long number)
{
    return (struct spread){ s->options.spread, number, s->named[FILE_PARTS].list,
                            s->options.in_place };
}

/* Weight of part i of n, relative to the others; of a file, its share i. */
static double weight_of(const struct spread *x, int n, int i)
{
    double share = (double)x->number / 100.0;
    long chosen = x->number < n ? x->number : n;
    switch (x->kind) {
    case SPREAD_LINEAR:
        return n - i;
    case SPREAD_GEOMETRIC:
        return pow((double)x->number, -i);
    case SPREAD_ONE_LARGE:
        return n == 1 || i == 0 ? share : (1.0 - share) / (n - 1);
    case SPREAD_SPARSE: /* the chosen ones, the first among them, are as far apart as possible */
        return i * chosen % n < chosen;
    case SPREAD_RANDOM: /* from 0 to below 1 */
        return (double)(permutation_key((uint64_t)x->number, (uint64_t)i) >> 11) * 0x1p-53;
    case SPREAD_FILE:
        return (double)x->shares[i];
    default:
        return 1.0;
    }
}

static long end_at(long total, double before, double sum)
{
    return before >= sum ? total : (long)floor((double)total * (before / sum) + 1e-6);
}

/* Divides the elements. Part i is that of rank first + i, or first - i, modulo n. */
static void divide(const struct spread *x, int n, long each, int first, int step, int *counts)
{
    double sum = 0.0, before = 0.0;
    long begin = 0, total = n * each;
    for (int i = 0; i < n; i++)
        sum += weight_of(x, n, i);
    for (int i = 0; i < n; i++) {
        before += weight_of(x, n, i);
        long end = i == n - 1 ? total : end_at(total, before, sum);
        counts[((first + step * i) % n + n) % n] = (int)(end - begin);
        begin = end;
    }
}

/* Rank 0, which is the root unless the suite says otherwise, has the last part. */
void spread_parts(const struct spread *x, int n, long each, int *counts)
{
    divide(x, n, each, x->kind == SPREAD_FILE ? 0 : 1, 1, counts);
}

static void take_entry(int from, int to, int row, int column, int count, int *counts)
{
    if (from == row)
        counts[to] = count;
    if (to == column)
        counts[from] = count;
}

/* Takes a row or column of the matrix, whose entries have all elements together. In place, the
 * upper half is that of a symmetric one. */
static void take_from_matrix(const struct spread *x, int n, long each, int row, int column,
                             int *counts)
{
    double sum = 0.0, before = 0.0;
    long begin = 0;
    for (int k = 0; k < n * n; k++)
        sum += (double)x->shares[k];
    for (int k = 0; k < n * n; k++) {
        before += (double)x->shares[k];
        long end = end_at((long)n * n * each, before, sum);
        if (!x->symmetric || k / n <= k % n)
            take_entry(k / n, k % n, row, column, (int)(end - begin), counts);
        if (x->symmetric && k / n < k % n)
            take_entry(k % n, k / n, row, column, (int)(end - begin), counts);
        begin = end;
    }
}

/* The rank after transposing the grid of processes with the most equal sides, row by row. */
static int transposed(int n, int rank, bool back)
{
    int side = 1;
    for (int i = 2; i <= n / i; i++)
        if (n % i == 0)
            side = i;
    int columns = back ? side : n / side;
    return rank % columns * (n / columns) + rank / columns;
}

void spread_counts(const struct spread *x, int n, int rank, bool sent, long each, int *counts)
{
    int other = x->kind == SPREAD_TRANSPOSE ? transposed(n, rank, !sent) : 0;
    if (x->kind == SPREAD_FILE)
        take_from_matrix(x, n, each, sent ? rank : -1, sent ? -1 : rank, counts);
    else if (x->kind == SPREAD_TRANSPOSE)
        for (int i = 0; i < n; i++)
            counts[i] = i == other ? (int)(n * each) : 0;
    else
        divide(x, n, each, sent ? rank + 1 : rank - 1, sent ? 1 : -1, counts);
}

/* The largest sum of a row, or of a column, of n x n shares, relative to the mean. */
static double fullest(const long *shares, int n, bool column)
{
    double most = 0.0, all = 0.0;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = 0; k < n; k++)
            sum += (double)shares[column ? k * n + i : i * n + k];
        most = fmax(most, sum);
        all += sum;
    }
    return most * n / all;
}

/* Each entry of a matrix may be rounded up by an element. */
int spread_messages(const struct suite *s, int n)
{
    const struct numbers *shares = &s->named[FILE_PARTS];
    if ((s->type->traits & TYPE_ALL_TO_ALL) == 0 || shares->count != n * n)
        return n;
    double most = fmax(fullest(shares->list, n, false), fullest(shares->list, n, true));
    return most > 1.0 ? (int)ceil(n * most) + n : n;
}

static double gini_of(const double *values, int count)
{
    double sum = 0.0, weighted = 0.0;
    for (int i = 0; i < count; i++) {
        sum += values[i];
        weighted += (i + 1.0) * values[i];
    }
    return 2.0 * weighted / (count * sum) - (count + 1.0) / count;
}

static uint64_t hash_of(const double *values, int count)
{
    uint64_t hash = HASH_OF_NOTHING;
    for (int i = 0; i < count; i++) {
        char text[32];
        int len = snprintf(text, sizeof(text), "%.9g ", values[i]);
        hash = hash_more(hash, text, (size_t)len);
    }
    return hash;
}

void inequality_of(const struct spread *x, int n, bool all_to_all, struct inequality *result)
{
    bool matrix = all_to_all && x->kind == SPREAD_FILE;
    int count = matrix ? n * n : n;
    double *values, sum = 0.0;
    allocated_array(&values, (size_t)count);
    for (int i = 0; i < count; i++) { /* of one process, or of all if they differ */
        values[i] = x->kind == SPREAD_TRANSPOSE ? i == 0 : weight_of(x, n, i);
        sum += values[i];
    }
    *result = (struct inequality){ .sent = 1.0, .received = 1.0, .hash = hash_of(values, count) };
    if (matrix) {
        result->sent = fullest(x->shares, n, false);
        result->received = fullest(x->shares, n, true);
    }
    qsort(values, (size_t)count, sizeof(*values), by_double);
    result->longest = values[count - 1] * count / sum;
    result->gini = gini_of(values, count);
    free(values);
}

void inequality_text(const struct spread *x, int n, bool all_to_all, struct text *out)
{
    struct inequality k;
    inequality_of(x, n, all_to_all, &k);
    text_add(out, "%s", spread_forms[x->kind].name);
    if (spread_forms[x->kind].max > 0)
        text_add(out, ":%ld", x->number);
    text_add(out, ", %d processes: longest %.3f", n, k.longest);
    if (all_to_all)
        text_add(out, ", sent %.3f, received %.3f", k.sent, k.received);
    text_add(out, " of the mean, Gini %.3f, hash %016" PRIx64, k.gini, k.hash);
}
