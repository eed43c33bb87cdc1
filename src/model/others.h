/* The types that the key as measures by the definition of another benchmark, so that the time of a
 * row, or what follows from it, is the number that this benchmark prints. */
#pragma once

#include "model/suite.h"

/* The numbers that the benchmark prints for a length. */
enum figure {
    FIGURE_TIME,   /* one time */
    FIGURE_SPREAD, /* of the processes: mean, shortest, longest */
    FIGURE_SPREAD_AND_BANDWIDTH,
    FIGURE_BANDWIDTH,
    FIGURE_BANDWIDTH_AND_RATE,
    FIGURE_TIME_AND_BANDWIDTH,
    FIGURES
};

struct other {
    enum benchmark benchmark;
    int type;
    const char *program; /* "osu_bcast" */
    enum figure figure;
    const char *keys; /* of Parameters, as the benchmark has them by default; NULL: none */
    bool half;        /* a round trip counts as two messages */
    bool in_a_row;    /* calls follow each other without a barrier between them */
    bool of_all;      /* the length that it prints is that of all parts together */
    int messages;     /* of the length, in its bandwidth; 0: one */
};

/* Rows by their number; NULL after the last. */
const struct other *other_get(size_t i);

/* By the name of its program ("osu_bcast", "Bcast"; case ignored); NULL without a match. */
const struct other *other_find(enum benchmark benchmark, const char *program);

/* The suite's; NULL if it has as=no, or its type none. Accesses in windows have another one. */
const struct other *other_of(const struct suite *s);

/* Adds the types that it has, "types 1, 47". */
void other_add_types(struct text *out, enum benchmark benchmark);

/* "OSU 7.4" */
const char *benchmark_name(enum benchmark benchmark);

/* Into how many equal parts the time of a call is divided. */
int suite_shares(const struct suite *s);
