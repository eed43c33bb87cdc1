/* Rows on standard output: a table for people, with columns that scripts can rely on, or a JSON
 * object in each line. Pure. */
#pragma once

#include "results/block.h"
#include "health/baseline.h"

/* The marks of a row, as bits. */
enum mark {
    MARK_CLOCK = 1,
    MARK_CONTENDED = 2,
    MARK_UNSTEADY = 4,
    MARK_EMPTY = 8,
    MARK_TAIL = 16,
    MARK_FEW = 32
};
unsigned row_marks(const struct block *b, const struct row *r);

/* The marks as a detail of a row's text, "marks=!^": adds it, if there are any, and reads it. */
void row_add_marks(struct text *out, unsigned marks);
unsigned row_read_marks(const char *details);

/* A row of a suite: b has the suite and the number of processes. */
struct table_row {
    const struct block *b;
    const struct row *row;
    unsigned marks;
    int visits, wanted;        /* of the row so far; 0: it is final */
    const struct usual *usual; /* borrowed; NULL: unknown */
    double times;              /* the usual, if it is beyond; else 0 */
};

/* Two lines before the rows of a suite: its operation and time; the columns. */
void table_add_suite(struct text *out, const struct block *b);

/* "      1024     3.21     0.02     3.30     0.03     638  !": argument, time [us] and its standard
 * error, mean of all calls and its error, if something is cut, MB/s or, without a length, calls per
 * second, and marks. As many digits as the error permits. */
void table_add_row(struct text *out, const struct table_row *r);

/* Ends a row: its marks, what is usual and, if it is not final, its visits. */
void table_add_end(struct text *out, const struct table_row *r);

/* Adds a row as an object of "skampi-row/1" in a line. */
void table_add_json(struct text *out, const struct table_row *r);

/* "; !: processes waited for CPUs": the meanings of these marks. */
void table_add_marks(struct text *out, unsigned marks);

/* Adds a line that says what time and mean are, if a suite has both. */
void table_add_meaning(struct text *out, const struct suite *list, size_t count);

/* In the layout of the benchmark by whose definition a suite was measured (key as). */

/* Adds the lines before the rows: what is measured, how it differs from a suite without the key,
 * and the titles of the columns. Only for a suite with as=osu or imb. */
void as_add_head(struct text *out, const struct suite *s);

/* Adds a row of such a suite: the mean of all repetitions, and marks. */
void as_add_row(struct text *out, const struct table_row *r);
