/* Several runs become one result file (manual 2.1.1 @POSTPROC, paper 4.3). */
#pragma once

#include "merge/runs.h"

/* Writes the header of the first run, with the warnings of all, a field
 *
 *     #@POSTPROCESSED medians of 3 runs, ...; merged by ...
 *     # NAME DATE
 *
 * every suite that any run has (combine), a checksum and the trailer. Needs memory
 * for one suite of every run at a time. The caller checks whether out took it all. */
int merge_write(const struct runs *rs, const char *by, FILE *out, struct err *e);

/* Adds "NAME DATE", as that field has it. */
void merge_add_origin(struct text *out, const struct past_run *run);

/* Combines the blocks that several runs have of one suite: adds the whole block: separator,
 * header and notes as in the first one, a note "#@RUNS 3 of 5" and, for each argument that any of
 * them has,
 *
 *     argument time error count time_all error_all count_all [node times] # runs=3 of=5 within=...
 *
 * Times, including node times, are medians over the runs that have them, means of all calls are
 * means over them; counts are sums. The errors are those between the runs; within= is the median of
 * the runs' own errors. If only one run has the argument, the error is that run's own, and
 * error=within says so. of is the total number of runs. The blocks have the same number of
 * arguments. */
int combine(const struct read_block *blocks, size_t count, size_t of, struct text *out,
            struct err *e);

/* The notes of a suite's block, lines "#@NAME value": adds those of the first block; those whose
 * value may differ from run to run as their row in the table of facts says. */
void notes_combine(struct text *out, const struct read_block *blocks, size_t count);

/* The value of the first line "#@NAME value", up to the line end; NULL without one. */
const char *notes_value(const char *notes, const char *name);

/* In the notes of a run, files beside it get its directory's name unless the merge is in the same
 * directory, or its path is NULL. */
int notes_locate(struct text *notes, const char *run_path, const char *merged_path, struct err *e);

/* May two runs be merged? Adds a line for each difference in machine, number of processes or
 * parameters between other and first: "@PROCESSES is '4', not '2'". A field that only one of them
 * has is a difference, too. Hosts, dates, files and texts about user or run are ignored. */
void compare_headers(const struct header *first, const struct header *other, struct text *differs);

/* The meaning and setting of the block's measurements: equal for blocks of one suite. */
void compare_signature(const struct read_block *b, struct text *signature);

/* --- a merge as a file: under a temporary name until it is complete --- */

/* The kind of their temporary files (base/file.h). */
#define MERGE_KIND "merge"

/* Writes the merge to the disk, next to path. temporary gets its name; a failure leaves no file. */
int mergefile_prepare(const struct runs *rs, const char *by, const char *path,
                      struct text *temporary, struct err *e);

/* Renames it. Without overwrite it fails if the name is taken. A failure removes the file. */
int mergefile_put(const char *temporary, const char *path, bool overwrite, struct err *e);

/* Writes to a file that is not regular, and remains open. */
int mergefile_stream(const struct runs *rs, const char *by, FILE *out, const char *name,
                     struct err *e);
