#include "stats/own_times.h"

#include <math.h>
#include <stdlib.h>

int own_times_init(struct own_times *o, int most, struct err *e)
{
    size_t bytes = (size_t)most * sizeof(double);
    *o = (struct own_times){ .us = malloc(bytes), .sorted = malloc(bytes), .most = most };
    return o->us == NULL || o->sorted == NULL ? err_no_memory(e, 2 * bytes) : 0;
}

void own_times_release(struct own_times *o)
{
    free(o->us);
    free(o->sorted);
    *o = (struct own_times){ 0 };
}

void own_times_cut(struct own_times *o, int kept)
{
    o->n = kept < o->n ? kept : o->n;
}

void own_times_add(struct own_times *o, double seconds)
{
    if (o->us != NULL && o->n < o->most)
        o->us[o->n++] = seconds * 1e6;
}

void own_times_clear(struct own_times *o)
{
    o->n = 0;
}

double own_times_get(const struct own_times *o, int repetition)
{
    return repetition >= 0 && repetition < o->n ? o->us[repetition] : NAN;
}
