#include "stats/series.h"

#include <math.h>

int values_init(struct values *v, int most, struct err *e)
{
    size_t bytes = (size_t)most * sizeof(double);
    *v = (struct values){ .list = malloc(bytes), .sorted = malloc(bytes), .most = most };
    return v->list == NULL || v->sorted == NULL ? err_no_memory(e, 2 * bytes) : 0;
}

void values_release(struct values *v)
{
    free(v->list);
    free(v->sorted);
    *v = (struct values){ 0 };
}

void values_keep(struct values *v, int first, int kept)
{
    v->n = first + kept < v->n ? first + kept : v->n;
    v->n -= first < v->n ? first : v->n;
    if (first > 0 && v->n > 0)
        memmove(v->list, v->list + first, (size_t)v->n * sizeof(double));
}

void values_add(struct values *v, double value)
{
    if (v->list != NULL && v->n < v->most)
        v->list[v->n++] = value;
}

double values_get(const struct values *v, int repetition)
{
    return repetition >= 0 && repetition < v->n ? v->list[repetition] : NAN;
}
