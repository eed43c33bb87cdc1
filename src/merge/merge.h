/* Several runs become one result file (manual 2.1.1 @POSTPROC, paper 4.3). */
#pragma once

#include "results/result_reader.h"

#include <sys/stat.h>

/* Several result files, and where their suites are. Only headers and places are in memory. */
struct past_block {
    struct place at; /* line 0: the run does not have the suite */
    uint64_t rows;   /* hash of all of them; 0 without any */
};

struct past_run {
    char *path; /* owned */
    char *name; /* owned; its name in the merged file */
    struct stat file;
    struct header header;
    bool finished, postprocessed;
    struct past_block *blocks; /* owned; block_count of them, by number of suite */
    size_t block_count;
    size_t suites;       /* that it has */
    struct text differs; /* lines: why it does not belong to the first run; "" if it does */
};

struct known_suite {
    char *label;           /* owned */
    size_t arguments;      /* columns */
    struct text signature; /* of the first run that has it */
};

struct runs {
    struct past_run *list; /* owned */
    size_t count, capacity;
    struct known_suite *suites; /* owned; in the order in which they were found */
    size_t suite_count, suite_capacity;
    struct faults *faults; /* borrowed; NULL: not wanted */
    const char *merged;    /* path of the merge; borrowed; NULL: unknown */
};

/* Reads and adds a file. Fails if it is unreadable, no result file, or a copy of an earlier one. */
int runs_add(struct runs *rs, const char *path, const char *name, struct err *e);

/* Removes the last run; suites that only it has remain without a place. */
void runs_drop_last(struct runs *rs);

/* The rows of the suite in a run. 1: the run has it; 0: it does not; -1: e is set. */
int runs_read(const struct runs *rs, size_t run, size_t suite, struct read_block *b, struct err *e);

void runs_release(struct runs *rs);

/* Adds the merge, a whole file: the header of the first run, with the warnings of all, a field
 *
 *     #@POSTPROCESSED medians of 3 runs, ...; merged by ...
 *     # NAME DATE
 *
 * every suite that any run has (combine), a checksum and the trailer. Besides that, needs memory
 * for one suite of every run at a time. */
int merge_add(struct text *out, const struct runs *rs, const char *by, struct err *e);

/* The kind of the temporary files of merges (base/file.h). */
#define MERGE_KIND "merge"

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
void combine(const struct read_block *blocks, size_t count, size_t of, struct text *out);

/* The notes of a suite's block, lines "#@NAME value": adds those of the first block; those whose
 * value may differ from run to run as their row in the table of facts says. */
void notes_combine(struct text *out, const struct read_block *blocks, size_t count);

/* The value of the first line "#@NAME value", up to the line end; NULL without one. */
const char *notes_value(const char *notes, const char *name);

/* In a run's notes, files get its directory's name, unless the merge is in it, or its path NULL. */
void notes_locate(struct text *notes, const char *run_path, const char *merged_path);

/* May two runs be merged? Adds a line for each difference in machine, number of processes or
 * parameters between other and first: "@PROCESSES is '4', not '2'". A field that only one of them
 * has is a difference, too. Hosts, dates, files and texts about user or run are ignored. */
void compare_headers(const struct header *first, const struct header *other, struct text *differs);

/* The meaning and setting of the block's measurements: equal for blocks of one suite. */
void compare_signature(const struct read_block *b, struct text *signature);
