/* The result list of one suite (manual 3.2), as read from a result file. Pure. */
#ifndef SKAMPI_RESULTS_RESULT_LIST_H
#define SKAMPI_RESULTS_RESULT_LIST_H

#include "results/columns.h"
#include "results/extra_values.h"
#include "results/row_text.h"

#include <stdbool.h>

/* The values of a row: its columns, then what is in "NAME=" after the numbers. */
enum row_value {
    DETAIL_INVALID = COLUMN_KINDS,
    DETAIL_OUTLIERS,
    DETAIL_CONTENDED,
    DETAIL_UNSTEADY,
    DETAIL_RESIDUAL,
    DETAIL_LOW_MODE,
    DETAIL_HIGH_MODE,
    DETAIL_LOW_PERCENT,
    ROW_VALUES
};

/* One row. Missing numbers and those that are not finite are NaN. */
struct result {
    double arguments[MAX_ARGUMENTS];
    double values[ROW_VALUES]; /* counts are whole numbers, at least 0 */
    size_t first_node, nodes;  /* index in node_us, and count */
};

/* The name of a count among the details, those before DETAIL_RESIDUAL. */
const char *detail_name(int detail);

enum { LIST_LABEL_SIZE = 256, RESULTS_IN_LIST = 200000 };

struct result_list {
    char label[LIST_LABEL_SIZE];
    long long offset;   /* where the list begins in its file, */
    size_t line;        /* and in which line */
    struct text header; /* lines "#...", each with its line end; without the label's line */
    struct text notes;  /* lines "#@NAME value" and their continuation lines */
    bool has_columns;
    struct columns columns; /* once has_columns */
    struct result *results; /* owned */
    size_t count, capacity;
    struct extra_names extra_names; /* once has_columns */
    struct extra_value *extra;      /* owned; extra_names.count for each result */
    size_t extra_count, extra_capacity;
    double *node_us; /* owned */
    size_t node_count, node_capacity;
};

/* Begins a list. False if the label is not a valid file name (file names are made of labels), or is
 * too long. */
bool list_begin(struct result_list *l, const char *label, size_t len);

/* Adds a header line, or the rest of a line that an editor or mailer has wrapped; false if no
 * header line precedes it. Several blanks between words become one. */
void list_add_header(struct result_list *l, const char *text);
bool list_continue_header(struct result_list *l, const char *text);

/* The text after "#NAME" in the header (borrowed from fact); "" if there is no such line. */
const char *list_fact(const struct result_list *l, const char *name, struct text *fact);

/* Adds a row. 0: added; 1: skipped, for the reason in why; -1: out of memory. The first row ends
 * the header. */
int list_add_row(struct result_list *l, const char *text, struct err *why);

/* Call at the end of the header. Fails if the Format line cannot be used. */
int list_end_header(struct result_list *l, struct err *why);

/* Empties the list but keeps its memory for the next one. */
void list_reset(struct result_list *l);
void list_release(struct result_list *l);

#endif
