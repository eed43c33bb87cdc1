/* Reads a result file, result list by result list, in memory for a single list and the header. The
 * file may be of this or of an older version, complete or not, edited or damaged: unusable parts
 * are skipped and reported with their line; the only errors are a file that cannot be read at all,
 * and lack of memory. It reads like the report's SKaMPI::Output. */
#ifndef SKAMPI_RESULTS_RESULT_READER_H
#define SKAMPI_RESULTS_RESULT_READER_H

#include "results/faults.h"
#include "results/result_header.h"
#include "results/lines.h"
#include "results/result_list.h"

struct result_reader {
    struct lines lines;
    struct faults *faults;                                  /* borrowed; NULL: not wanted */
    struct header header;                                   /* as far as it was read */
    bool header_full;                                       /* the rest of it is skipped */
    enum { FIELD_NONE, FIELD_OF_RUN, FIELD_OF_LIST } field; /* which one "# " continues */
    bool lists_begun;                                       /* what follows is no header */
    bool inside;                                            /* of a list */
    bool skipping;                                          /* of a list that is skipped */
    bool finished, postprocessed;                           /* what the last line says */
};

int reader_open(struct result_reader *r, const char *path, struct faults *faults, struct err *e);

/* The next complete list. 1: a list; 0: the end of the file; -1: e is set. */
int reader_next(struct result_reader *r, struct result_list *l, struct err *e);

/* The list that began at this place. Also fails if it is not there any more. */
int reader_again(struct result_reader *r, const struct result_list *place, struct result_list *l,
                 struct err *e);

void reader_release(struct result_reader *r);

#endif
