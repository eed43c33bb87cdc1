/* What takes the core from a process (types 270 and 271 of the internal pattern): detours, found by
 * time stamps, and quanta of time with less work than usual. */
#pragma once

#include "patterns/op.h"

enum { QUANTA = 512, QUANTA_LAGS = QUANTA / 2 };

/* What a process found in all of a series. */
struct noise {
    double looks, looked_s, lost_s, squares; /* of what was lost in each look, for its scatter */
    double longest_s, count;   /* of detours; of quanta: the most in a row, and how many lost */
    double pairs[QUANTA_LAGS]; /* by distance: the correlation of quanta that lost */
};

/* The additional values of the two types. */
extern const struct extra_info detours_extra[], quanta_extra[];

/* Looks n times on this process; what was lost in each, in microseconds. */
void noise_detours(struct noise *d, const struct clock *c, double *us, int n);
void noise_quanta(struct noise *d, const struct clock *c, double *us, int n);

/* Sets the additional values of the row. which: one of the lists above. */
void noise_conclude(const struct noise *d, const struct extra_info *which, struct extra_value *to);
