/* A row as it is written: numbers, then after '#' details NAME=value. Pure. */
#ifndef SKAMPI_RESULTS_ROW_TEXT_H
#define SKAMPI_RESULTS_ROW_TEXT_H

#include "base/text.h"

/* A time in microseconds, after what comes before it; "nan", never "-nan": gnuplot leaves such a
 * point out. */
void row_add_time(struct text *out, const char *before, double us);

/* Time, error and number of repetitions. */
void row_add_summary(struct text *out, const char *before, double us, double error_us,
                     double count);

/* Details come after row_begin_details: a word, a number with six decimals, a whole number. */
void row_begin_details(struct text *out);
void row_add_word(struct text *out, const char *name, const char *word);
void row_add_number(struct text *out, const char *name, double number);
void row_add_count(struct text *out, const char *name, double count);

void row_end(struct text *out);

/* The details of a row's text, from its '#'; "" without. */
const char *row_details(const char *row);

/* The number of that name among them; NaN if there is none. */
double row_read_number(const char *details, const char *name);

#endif
