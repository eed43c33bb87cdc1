/* Numbers without small divisors. A library may choose its algorithm by divisibility, say by
 * whether the length is a power of two or a multiple of the number of processes; powers and round
 * numbers then show only its special cases. Pure. */
#ifndef SKAMPI_PLAN_IRREGULAR_H
#define SKAMPI_PLAN_IRREGULAR_H

/* Among the numbers at most reach away from near, the nearest one that no number from 2 to 31
 * divides, itself excepted; if there is none, the one with the largest smallest divisor. Above 0 if
 * near - reach is. */
long irregular_near(long near, long reach);

#endif
