/* Spreads: how irregular collectives divide the elements that the regular operation would send
 * into parts of unequal size. No MPI. */
#ifndef SKAMPI_MODEL_SPREADING_H
#define SKAMPI_MODEL_SPREADING_H

#include "model/parameters.h"

/* Divides total elements into n parts and sets where each begins; the counts add up to total. The
 * same on all processes. */
void spread_divide(const struct suite_options *x, int n, long total, int *counts, int *begins);

#endif
