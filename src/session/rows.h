/* Prints rows on standard output while a run goes on, if it is asked for by words or as JSON: on a
 * terminal, also those that are not final, which are replaced; else each row once, when it is
 * final. Rank 0 only. */
#pragma once

#include "results/table.h"

struct session;

struct rows_view {
    bool on;
    int lines;    /* of the terminal; 0: rows that are not final are not printed */
    size_t drawn; /* lines of rows that are not final, the last ones on the terminal */
    double drawn_s;
    size_t rows; /* final ones */
    unsigned marks;
    struct text missing; /* JSON: what has no value, and why */
};

/* Prints the head, a line: library, processes and hosts, clocks. */
void rows_begin(struct session *s);

/* Prints the rows so far of suites that are not final. now: even if it was just done. */
void rows_draw(struct session *s, bool now);

/* As JSON: prints the rows so far of a suite after a pass. */
void rows_pass(struct session *s, const struct suite *suite);

/* Prints the final rows of a suite. */
void rows_print(struct session *s, const struct block *b);

/* The rows so far, which a hanging run prints; none on a terminal, which has them, or as JSON. */
void rows_so_far(const struct session *s, struct text *out);

/* Prints the rows so far as final, and the last line; why: the run was stopped; NULL: it is done.
 */
void rows_end(struct session *s, const char *why);

/* Adds a text to what is missing: "syncol_A: why". */
void rows_miss(struct session *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds the last line, or JSON object, of a run that a watchdog ends; out is empty before. */
void rows_add_stopped(struct text *out, const char *why);
void rows_add_json_stopped(struct text *out, const char *why);
