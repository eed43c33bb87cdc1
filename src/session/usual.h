/* The usual values of the rows that are printed, by --baseline or SKAMPI_BASELINE. Rank 0 only. */
#pragma once

#include "results/table.h"

struct session;

struct usual_rows {
    struct baseline baseline; /* no rows: none is named, or it is of another class */
    double level;             /* of a statement about one of the rows of all suites */
    struct text meaning;      /* for the end: what usual is, or why it is unknown */
};

/* Reads the baseline, if one is named. */
int usual_begin(struct session *s, struct err *e);
void usual_release(struct usual_rows *v);

/* Finds the usual range of a row of a suite of this run; false: unknown. */
bool usual_of_row(const struct session *s, const struct table_row *r, struct usual *u);

/* --- also for health --- */

/* Adds the facts of this run that must agree with those of a baseline, as its lines @CLASS: those
 * of hosts, also if there are others, or of times. */
enum { CLASS_OF_HOSTS = 1, CLASS_OF_TIMES = 2 };
void usual_add_class(const struct session *s, int most, struct text *out);

/* Adds the first one that does not, "HARDWARE is 'A' in it, 'B' here"; nothing if all do. */
void usual_add_difference(const struct baseline *b, const char *class_lines, struct text *out);
