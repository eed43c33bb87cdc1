/* Reads a result file, result list by result list, in memory that a single list and the header
 * need. The file may be of this or of an older version, complete or not, edited or damaged: what
 * cannot be used is left out and told, with its line; only a file that cannot be read at all, and
 * want of memory, are errors. It reads as the report's SKaMPI::Output does. */
#ifndef SKAMPI_RESULTS_RESULT_READER_H
#define SKAMPI_RESULTS_RESULT_READER_H

#include "results/faults.h"
#include "results/result_header.h"
#include "results/lines.h"
#include "results/result_list.h"

struct result_reader {
    struct lines lines;
    struct faults *faults; /* borrowed; NULL: nobody wants to know */
    struct header header;  /* as far as it was read */
    bool header_full;      /* there was too much of it */
    enum { FIELD_NONE, FIELD_OF_RUN, FIELD_OF_LIST } field; /* which "# " goes on */
    bool lists_begun;                                       /* what comes now is no header */
    bool inside;                                            /* of a list */
    bool skipping;                                          /* of a list that is left out */
    bool finished, postprocessed;                           /* what the last line says */
};

int reader_open(struct result_reader *r, const char *path, struct faults *faults, struct err *e);

/* The next complete list. 1: there is one; 0: the file ends; -1: e is set. */
int reader_next(struct result_reader *r, struct result_list *l, struct err *e);

/* The list that began at this place. Fails as well if it is not there any more. */
int reader_again(struct result_reader *r, const struct result_list *place, struct result_list *l,
                 struct err *e);

void reader_release(struct result_reader *r);

#endif
