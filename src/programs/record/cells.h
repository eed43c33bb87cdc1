/* The cells of a process: calls of one kind with their numbers and times. They are in a file that
 * is mapped into memory, so that whoever ends the process, what it had is there. The manual defines
 * the file (chapter "What the calls of a program cost"); report/lib/SKaMPI/Profile reads it. */
#pragma once

#include <stdint.h>

enum { CELLS = 8192, ARRIVAL_BINS = 24, NAME_BYTES = 40, TEXT_BYTES = 3072, PART_HEAD = 4096 };

enum mark {
    MARK_DATA = 1, /* the call has bytes; the next mark is about them */
    MARK_GAPS = 2, /* the datatype has gaps */
    MARK_OP = 4,
    MARK_OWN_OP = 8,    /* made by MPI_Op_create */
    MARK_PLACE = 16,    /* the call may be in place */
    MARK_IN_PLACE = 32, /* and is */
    MARK_OCTAVE = 64    /* the table filled up: whole octaves of bytes */
};

/* ROOT_ELSEWHERE: of an intercommunicator; the process has no data, or is the root. */
enum root { ROOT_NONE, ROOT_FIXED, ROOT_ROTATING, ROOT_ELSEWHERE };

/* The common properties of calls. 24 bytes without gaps: it is compared as a whole. */
struct cell_key {
    int32_t call, processes, hosts, requests;
    int16_t bin; /* quarter octaves of bytes; -1: no byte */
    uint8_t root, marks;
    int32_t spare;
};

/* 256 bytes, the same on each machine of a kind. Times are in seconds. */
struct cell {
    struct cell_key key;
    int64_t calls, bytes;
    double sum_s, max_s;
    double spare;
    /* Calls after a barrier of the recorder, which are not in the sums above: how many, how long
     * the barriers took, and the calls. */
    int64_t split_calls;
    double split_wait_s, split_call_s, spare_too;
    /* Calls whose arrival is known on all processes: how many, and the last arrival minus the own
     * one: sum, and how often in [2^(i-1), 2^i) us; the first bin is what is shorter than 1 us. */
    int64_t arrivals;
    double lead_s;
    char name[NAME_BYTES];
    uint32_t histogram[ARRIVAL_BINS];
    char pad[8];
};

/* The other contents of the file. */
struct live {
    double seconds; /* from the end of MPI_Init to the last call */
    double own_s;   /* the recorder's own time in calls, estimated from one of 64 */
    int64_t calls, lost, entries;
};

struct part {
    char text[TEXT_BYTES]; /* lines as those of the text file's head */
    struct live live;
    char pad[PART_HEAD - TEXT_BYTES - sizeof(struct live)];
    struct cell cells[CELLS];
};

/* Opens a process's file to read and write, unless it is a link, another user's or not regular (as
 * file_open_own of skampi does). A descriptor; or -1 and errno. */
int part_file(const char *path, int flags);

/* The file of the process, filled with zeros, or memory if the disk has no room; or NULL. */
struct part *part_new(const char *path);

/* Removes the file too if the contents are no longer needed. */
void part_free(struct part *p, const char *path);

/* The cell of a key, made if it is missing; once the table is nearly full, of a coarser key. NULL
 * if it is full: the call is counted as lost. The names are those of the calls. */
struct cell *part_cell(struct part *p, const struct cell_key *key, const char *const *names);

/* floor(4 log2(bytes)), and the smallest number of bytes of a bin. */
int16_t bin_of(int64_t bytes);
int64_t bin_low(int bin);
