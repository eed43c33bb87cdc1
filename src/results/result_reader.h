/* Reads a result file block by block, with memory for one block and the header. The file may be of
 * this or an older version, complete or not, edited or damaged: unusable parts are skipped and
 * reported with their line. The only errors are a file that cannot be read at all, and lack of
 * memory. Its rules are those of the report's SKaMPI::Read::Output. */
#pragma once

#include "results/columns.h"
#include "results/extra_values.h"
#include "results/row_text.h"

/* Enough for the node times of a million processes. */
enum { LINE_LONGEST = 16 * 1024 * 1024 };

/* A text file that is read line by line, in bounded memory. */
struct lines {
    const char *path; /* borrowed */
    FILE *file;       /* owned */
    struct text text; /* the current line, without its line end ("\n" or "\r\n") */
    size_t number;    /* of the current line, from 1 */
    long long offset; /* of its first byte */
    long long next;   /* of the next line */
    bool torn;        /* the last line has no line end */
    bool too_long;    /* bytes beyond LINE_LONGEST are skipped */
};

/* "FILE:LINE: fault". The reader continues after a fault; the message says what is skipped. */
struct faults {
    struct text lines; /* the first faults, each with its line end */
    size_t count;      /* of all faults */
};

/* Line 0 means the whole file. f may be NULL to ignore faults. */
void faults_add(struct faults *f, const char *path, size_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Drops the faults since this copy was made. f may be NULL. */
void faults_truncate(struct faults *f, const struct faults *before);

void faults_print(const struct faults *f, FILE *out);
void faults_release(struct faults *f);

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

/* Adds a header line; or continues the last one with what an editor or mailer has wrapped, false if
 * there is none. Several blanks between words become one. */
bool read_block_add_header(struct read_block *b, const char *text, bool continues);

/* Adds the text after "#NAME" in the header; nothing without such a line. */
void read_block_fact(const struct read_block *b, const char *name, struct text *fact);

/* Call at the end of the header. Fails if the Format line cannot be used. */
int read_block_end_header(struct read_block *b, struct err *why);

/* Adds a row. -1: it is skipped, for the reason in why. */
int read_block_add_row(struct read_block *b, const char *text, struct err *why);

/* Empties the block but keeps its memory for the next one. */
void read_block_reset(struct read_block *b);
void read_block_release(struct read_block *b);

/* The header facts of a result file: the fields "#@NAME value" before its blocks. */
struct header_field {
    char *name;        /* owned */
    struct text value; /* lines with "\n" between them */
};

struct header {
    struct header_field *fields; /* owned; in the order of the file */
    size_t count, capacity;
    size_t bytes; /* of all values */
};

/* The value of the first field with that name (borrowed), or NULL. */
const char *header_get(const struct header *h, const char *name);

void header_release(struct header *h);

struct result_reader {
    struct lines lines;
    struct faults *faults;        /* borrowed; NULL: ignore faults */
    struct header header;         /* fields read so far */
    bool header_full;             /* the rest of it is skipped */
    bool in_field;                /* "# " continues it */
    bool lists_begun;             /* the header has ended */
    bool inside;                  /* inside of a block */
    bool skipping;                /* inside of a block to be skipped */
    bool finished, postprocessed; /* according to the last line */
};

/* Accepts only plain files: others cannot be read twice. */
int reader_open(struct result_reader *r, const char *path, struct faults *faults, struct err *e);

/* The next complete block. 1: a block; 0: the end of the file; -1: e is set. */
int reader_next(struct result_reader *r, struct read_block *b, struct err *e);

/* The beginning of a block. */
struct place {
    const char *label; /* borrowed */
    long long offset;
    size_t line;
};

/* Reads the block again. Also fails if it is no longer there. */
int reader_read_at(struct result_reader *r, const struct place *place, struct read_block *b,
                   struct err *e);

void reader_release(struct result_reader *r);
