/* Random numbers, the same everywhere. For tests and tests/bench. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define GENERATED_COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

static const double TWO_PI = 6.283185307179586;

/* splitmix64; at least 0, below 1. */
static inline double generated_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static inline int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline void sort_values(double *values, int n)
{
    qsort(values, (size_t)n, sizeof(*values), by_size);
}

/* Box and Muller. */
static inline double generated_normal(uint64_t *state)
{
    double radius = sqrt(-2 * log1p(-generated_random(state)));
    return radius * cos(TWO_PI * generated_random(state));
}
