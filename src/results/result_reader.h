/* Reads a result file block by block, with memory for one block and the header. The file may be of
 * this or an older version, complete or not, edited or damaged: unusable parts are skipped and
 * reported with their line. The only errors are a file that cannot be read at all, and lack of
 * memory. Its rules are those of the report's SKaMPI::Read::Output. */
#pragma once

#include "results/lines.h"
#include "results/read_block.h"

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

int reader_open(struct result_reader *r, const char *path, struct faults *faults, struct err *e);

/* The next complete block. 1: a block; 0: the end of the file; -1: e is set. */
int reader_next(struct result_reader *r, struct read_block *b, struct err *e);

/* Where a block begins. */
struct place {
    const char *label; /* borrowed */
    long long offset;
    size_t line;
};

/* Reads the block again. Also fails if it is no longer there. */
int reader_read_at(struct result_reader *r, const struct place *place, struct read_block *b,
                   struct err *e);

void reader_release(struct result_reader *r);
