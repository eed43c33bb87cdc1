/* Numbers without small divisors. A library may choose its algorithm by divisibility, for example
 * by whether the length is a power of two or a multiple of the number of processes; powers and
 * round numbers then show only its special cases. Pure. */
#ifndef SKAMPI_PLAN_IRREGULAR_H
#define SKAMPI_PLAN_IRREGULAR_H

/* Among the numbers at most reach away from near: the nearest one that no number from 2 to 31
 * except itself divides; if none exists, the one with the largest smallest divisor. Positive if
 * near - reach is. */
long irregular_near(long near, long reach);

#endif
