/* Several result files, and where their suites are. Only headers and places are in memory. */
#pragma once

#include "results/result_reader.h"

#include <sys/stat.h>

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

/* Reads a file and adds it. Fails if it cannot be read, was added already (also as a copy), or is
 * not a result file. */
int runs_add(struct runs *rs, const char *path, const char *name, struct err *e);

/* Removes the last run; suites that only it has remain without a place. */
void runs_drop_last(struct runs *rs);

/* The rows of the suite in a run. 1: the run has it; 0: it does not; -1: e is set. */
int runs_read(const struct runs *rs, size_t run, size_t suite, struct read_block *b, struct err *e);

void runs_release(struct runs *rs);
