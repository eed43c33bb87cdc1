/* The text of a row: numbers, then details NAME=value after a '#'. Pure. */
#pragma once

#include "results/fact.h"

/* Adds the text before and a time in microseconds; "nan", never "-nan": gnuplot skips the point. */
void row_add_time(struct text *out, const char *before, double us);

/* Adds time, error and number of repetitions. */
void row_add_summary(struct text *out, const char *before, double us, double error_us,
                     double count);

/* The details after the '#' of a row: one table for writing, reading and documenting them. */
enum detail {
#define DETAIL(constant, ...) DETAIL_##constant,
#include "results/details.def"
#undef DETAIL
    DETAIL_COUNT
};

const struct fact_info *detail_info(enum detail d);

/* After row_begin_details, add a detail: a word; a known number or count; one of another table. */
void row_begin_details(struct text *out);
void row_add_word(struct text *out, enum detail d, const char *word);
void row_add_value(struct text *out, enum detail d, double number);
void row_add_number(struct text *out, const char *name, double number);
void row_add_count(struct text *out, const char *name, double count);

/* Two times, and the percentage of the repetitions at the lower one:
 * "modes=LOW:PERCENT,HIGH:PERCENT". */
struct row_modes {
    double low_us, high_us, low_percent;
};
void row_add_modes(struct text *out, enum detail detail, const struct row_modes *m);

/* "visits=TIME,TIME,..."; nothing without times. */
void row_add_times(struct text *out, enum detail d, const double *times_us, int count);

/* The details of a row's text, from its '#'; "" without one. */
const char *row_details(const char *row);

/* The value of the detail with that name, up to a blank; NULL without it. */
const char *row_find(const char *details, const char *name);

/* The number with that name in the details; NaN without it. */
double row_read_number(const char *details, const char *name);

/* The modes of the details; NaN without modes. */
struct row_modes row_read_modes(const char *details);

/* Reads a word of len bytes: a decimal number, possibly with an exponent. The result is NaN for
 * "nan", "inf", "infinity" and numbers beyond the range of a double. False for any other word. */
bool number_read(const char *word, size_t len, double *number);

/* 2^53: a double holds whole numbers exactly up to here. */
#define NUMBER_LARGEST_COUNT 9007199254740992.0

/* Is it a count: a whole number, at least 0, that a double represents exactly? */
bool number_is_count(double number);
