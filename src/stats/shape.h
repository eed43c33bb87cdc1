/* Do repetitions depend on each other, and have they two modes? Pure. */
#pragma once

#include <stdbool.h>

enum { SHAPE_LAGS = 10 };

/* The repetitions around two times, without the twentieth part at either end. */
struct modes {
    double low_us, high_us; /* means */
    int low, high;          /* numbers of repetitions; 0: there is one mode */
};

struct shape {
    double lags[SHAPE_LAGS]; /* autocorrelations of the ranks at lag 1, 2, ...: deviations from what
                              * independent repetitions have, in standard deviations; 0 for lags
                              * above half of them, or if quartiles differ by less than two ticks */
    bool unsteady;
    struct modes modes; /* of the repetitions of all visits */
};

/* The lags of n repetitions, in the order measured and in ascending order. */
struct shape shape_of(const double *times_us, const double *sorted_us, int n, double tick_us);

/* The modes of n sorted repetitions, at least 20. Times less than two ticks apart are one. */
struct modes modes_of(const double *sorted_us, int n, double tick_us);

/* The visits' times if they are around two, as of a machine that has several speeds: the division
 * with the largest variance between both parts, if these are 5 + 14 / (n - 3) standard deviations
 * within the parts apart, and least_us; of n normal times, at most 2 % are. n < 4: one mode. */
struct modes states_of(const double *sorted_us, int n, double least_us);

/* Do such deviations show dependence, and of n repetitions one that matters to the error? 1 % of
 * independent ones do. Those of several visits are added, divided by the root of their number. */
bool lags_show(const double *lags);
bool lags_are_large(const double *lags, double n);
