/* Numbers as they may appear in a row. Pure. */
#ifndef SKAMPI_RESULTS_NUMBERS_H
#define SKAMPI_RESULTS_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

/* Reads a word of len bytes: a decimal number, possibly with an exponent. The result is NaN for
 * "nan", "inf", "infinity" and for numbers beyond the range of a double. False for any other word.
 */
bool number_read(const char *word, size_t len, double *number);

/* 2^53: a double holds whole numbers exactly up to here. */
#define NUMBER_LARGEST_COUNT 9007199254740992.0

/* Is it a count: a whole number, at least 0, that a double represents exactly? */
bool number_is_count(double number);

#endif
