#include "model/inequality.h"

#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* For values in ascending order. */
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

/* Those of one process, or of all if they differ. */
static void fill(const struct spread *x, int n, int count, double *values)
{
    for (int i = 0; i < count; i++)
        values[i] = x->kind == SPREAD_TRANSPOSE ? i == 0 : spread_weight(x, n, i);
}

int inequality_of(const struct spread *x, int n, bool all_to_all, struct inequality *result)
{
    bool matrix = all_to_all && x->kind == SPREAD_FILE;
    int count = matrix ? n * n : n;
    double *values = malloc((size_t)count * sizeof(*values)), sum = 0.0;
    if (values == NULL)
        return -1;
    fill(x, n, count, values);
    *result = (struct inequality){ .sent = matrix ? spread_fullest(x->shares, n, false) : 1.0,
                                   .received = matrix ? spread_fullest(x->shares, n, true) : 1.0,
                                   .hash = hash_of(values, count) };
    for (int i = 0; i < count; i++)
        sum += values[i];
    qsort(values, (size_t)count, sizeof(*values), compare);
    result->longest = values[count - 1] * count / sum;
    result->gini = gini_of(values, count);
    free(values);
    return 0;
}

void inequality_text(const struct spread *x, int n, bool all_to_all, struct text *out)
{
    struct inequality k;
    if (inequality_of(x, n, all_to_all, &k) != 0)
        return;
    text_add(out, "%s", spread_info(x->kind)->name);
    if (spread_info(x->kind)->number != NULL)
        text_add(out, ":%ld", x->number);
    text_add(out, ", %d processes: longest %.3f", n, k.longest);
    if (all_to_all)
        text_add(out, ", sent %.3f, received %.3f", k.sent, k.received);
    text_add(out, " of the mean, Gini %.3f, hash %016" PRIx64, k.gini, k.hash);
}
