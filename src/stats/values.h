/* One value of each valid repetition of a series, in the order of the series. Memory for all of
 * them is allocated beforehand. */
#pragma once

#include "base/err.h"

struct values {
    double *list;   /* owned; NULL: not wanted */
    double *sorted; /* owned; scratch for as many */
    int n, most;
};

int values_init(struct values *v, int most, struct err *e);
void values_release(struct values *v);

/* Drops all but the first ones. */
void values_cut(struct values *v, int kept);

/* Values beyond the allocated number are dropped, as in the series. */
void values_add(struct values *v, double value);

/* NaN if the repetition does not exist. */
double values_get(const struct values *v, int repetition);
