/* Messages of applications: the layouts of ddtbench (Schneider, Gerstenberger, Hoefler:
 * Application-oriented ping-pong benchmarking, Computing 2013). An application keeps its arrays in
 * one block of memory. A message is a sequence of parts of these arrays, in the order in which the
 * derived datatype sends them. Everything else follows from the parts: bytes, memory and pieces
 * here, the derived datatypes in context/application_types.h, the manual loops in src/loops. No
 * MPI. */
#pragma once

#include "base/err.h"

struct suite;

enum language { LANGUAGE_C, LANGUAGE_FORTRAN, LANGUAGE_COUNT }; /* of the loops */

enum {
    APPLICATION_NUMBERS = 12, /* of a case, at most */
    APPLICATION_CASES = 8,    /* of a test, at most */
    APPLICATION_PARTS = 9,    /* of a message, at most */
    APPLICATION_DIMS = 4,
    APPLICATION_LISTS = 2
};

/* The sizes of one message. */
struct application_case {
    const char *origin; /* the application run that it comes from */
    long k[APPLICATION_NUMBERS];
};

/* One array, and its part in the message: a box, or the runs of a list. Lengths are in elements;
 * the first dimension is contiguous. */
struct application_part {
    long long at; /* where the array begins, in bytes from the start of the memory */
    int dims;
    long size[APPLICATION_DIMS], from[APPLICATION_DIMS], count[APPLICATION_DIMS];
    int width;       /* of a run of the list: list[i] * width is its first element */
    const int *list; /* borrowed; NULL: a box */
    long runs;       /* with width > 0 instead of a box */
};

enum application_side { APPLICATION_SENDS, APPLICATION_RECEIVES, APPLICATION_SIDES };

struct application {
    const char *name;
    const char *constructor; /* of the derived datatype, in words */
    int element_bytes;       /* 4: float, 8: double */
    int unit;                /* elements that belong together; the datatype is built from units */
    bool all_processes;  /* each has a part of a matrix; k has their number after the case's own */
    bool subarray;       /* boxes are described by MPI_Type_create_subarray, not by vectors */
    const char *numbers; /* the numbers of a case, separated by commas */
    int number_count;
    const struct application_case *cases;
    size_t case_count;
    /* Part i of one side, without list and runs; at is counted from the end of the previous part's
     * array. The message consists of part_count parts from first_part on. */
    struct application_part (*part)(const long *k, enum application_side side, int i);
    int first_part, part_count;
    int lists; /* of random indices; list i has k[lists + i] distinct ones of 0 to k[i] - 1. Part i
                  with a width has list i, or the only one */
    const char *list_rule; /* that they fit, in words */
    long least, most;      /* of each number, and the same in words */
    const char *range;
    const char *(*objection)(const long *k); /* what else is impossible; or NULL */
};

/* Why these numbers are impossible; NULL: they are possible. */
const char *application_objection(const struct application *a, const long *k);

/* In the order of their type numbers: 15 tests between two processes, and one of all. */
extern const struct application applications[];
extern const size_t application_count;

/* Each array begins at a cache line of its own: the first place for one after these bytes. */
long long application_next_array(long long bytes);

/* Bytes of a message, and of the memory that holds the arrays. */
long long application_bytes(const struct application *a, const long *k);
long long application_memory(const struct application *a, const long *k);

/* A message with its lists. */
struct application_message {
    const struct application *application;
    const long *k;                 /* borrowed */
    int *lists[APPLICATION_LISTS]; /* owned */
    struct application_part parts[APPLICATION_SIDES][APPLICATION_PARTS];
    int count[APPLICATION_SIDES]; /* loops/fortran.f90 has the same struct */
};

/* The lists have a fixed seed; number chooses among them, from 0. */
enum { APPLICATION_SEED = 2026 };
/* Used in turn where only datatypes are built. */
enum { APPLICATION_LISTS_BUILT = 10 };
void application_message_init(struct application_message *m, const struct application *a,
                              const long *k, int number);
void application_message_release(struct application_message *m);

/* Calls take with each contiguous piece of the message, in bytes from the start of the memory and
 * in the order in which they are sent. Neighbouring pieces are one. */
typedef void application_piece(void *context, long long offset, long long bytes);
void application_pieces(const struct application_message *m, enum application_side side,
                        application_piece *take, void *context);

long long application_piece_count(const struct application_message *m, enum application_side side);

/* Where the box begins, in bytes from the start of the memory, and the distance between two
 * neighbours of a dimension in bytes. */
long long application_part_start(const struct application *a, const struct application_part *p);
long long application_part_stride(const struct application *a, const struct application_part *p,
                                  int dim);

/* The cases of suites that send messages of applications: their arguments are the bytes of the
 * cases of the test's table, or those of the suite's own case. */
int application_suite_cases(const struct suite *s); /* how many */

/* The number of a message of a length among the suite's cases, from 0; -1 for other lengths. */
int application_suite_case(const struct suite *s, long length, int processes);
struct application_case application_suite_numbers(const struct suite *s, int number, int processes);

/* The N of the first case and the nearest N that can be divided among the processes, unless a case
 * of the suite can be; otherwise 0. */
long application_suite_indivisible(const struct suite *s, int processes, long *nearest);

long application_suite_bytes(const struct suite *s, int number, int processes);

/* Can the case be divided among the processes? */
bool application_suite_divides(const struct suite *s, int number, int processes);
