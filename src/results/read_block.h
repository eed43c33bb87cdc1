/* The block of one suite (manual 3.2), as read from a result file. Pure. */
#pragma once

#include "results/columns.h"
#include "results/extra_values.h"
#include "results/row_text.h"

/* The values of a row: its columns, then the values of "NAME=" after the numbers. */
enum row_value {
    VALUE_INVALID = COLUMN_KINDS,
    VALUE_WARMUP,
    VALUE_OUTLIERS,
    VALUE_CONTENDED,
    VALUE_UNSTEADY,
    VALUE_RESIDUAL,
    VALUE_LOW_MODE,
    VALUE_HIGH_MODE,
    VALUE_LOW_PERCENT,
    ROW_VALUES
};

/* One row. Missing numbers and those that are not finite are NaN. */
struct read_row {
    double arguments[MAX_ARGUMENTS];
    double values[ROW_VALUES];           /* counts are whole numbers, at least 0 */
    unsigned marks;                      /* bits of enum mark (table.h) */
    size_t first_node, nodes;            /* index in node_us, and count */
    struct extra_value extra[MAX_EXTRA]; /* those of the block's extra_names */
};

/* The detail that is a count, one of those before VALUE_RESIDUAL. */
enum detail count_detail(int value);

enum { BLOCK_LABEL_SIZE = 256, ROWS_IN_BLOCK = 200000 };

struct read_block {
    char label[BLOCK_LABEL_SIZE];
    long long offset;   /* where the block begins in its file, */
    size_t line;        /* and in which line */
    struct text header; /* lines "#...", each with its line end; without the label's line */
    struct text notes;  /* lines "#@NAME value" and their continuation lines */
    bool has_columns;
    struct columns columns;   /* once has_columns */
    struct read_row *results; /* owned */
    size_t count, capacity;
    struct extra_names extra_names; /* once has_columns */
    double *node_us;                /* owned */
    size_t node_count, node_capacity;
};

/* Begins a block. False if the label, which names files, is too long or invalid for that. */
bool read_block_begin(struct read_block *b, const char *label, size_t len);

/* Adds a header line, or the rest of a line that an editor or mailer has wrapped; false if no
 * header line precedes it. Several blanks between words become one. */
void read_block_add_header(struct read_block *b, const char *text);
bool read_block_continue_header(struct read_block *b, const char *text);

/* Adds the text after "#NAME" in the header; nothing without such a line. */
void read_block_fact(const struct read_block *b, const char *name, struct text *fact);

/* Call at the end of the header. Fails if the Format line cannot be used. */
int read_block_end_header(struct read_block *b, struct err *why);

/* Adds a row. 0: added; 1: skipped, for the reason in why; -1: out of memory. */
int read_block_add_row(struct read_block *b, const char *text, struct err *why);

/* Empties the block but keeps its memory for the next one. */
void read_block_reset(struct read_block *b);
void read_block_release(struct read_block *b);
