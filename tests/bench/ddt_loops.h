/* Loops of applications, written by hand from the layouts of ddtbench; bare_ddt times them. */
#ifndef BENCH_DDT_LOOPS_H
#define BENCH_DDT_LOOPS_H

#include <stdbool.h>

enum { ARRAYS = 9, LISTS = 2 };

struct exchange {
    const long *k;     /* borrowed; the numbers that describe the layout */
    int rank, size;    /* of MPI_COMM_WORLD */
    int buffers;       /* for messages: 1 or 2 */
    int turn;          /* FFT: the matrix that is sent; the other one receives */
    float *f[ARRAYS];  /* owned; the application's arrays: floats or doubles */
    double *d[ARRAYS]; /* owned */
    int *list[LISTS];  /* owned */
    void *message;     /* owned; the packed message */
    void *arrived;     /* where a message is received */
};

struct loops {
    const char *test;
    void (*arrays)(struct exchange *x);                /* allocates and writes them */
    void (*lists)(struct exchange *x, unsigned *seed); /* new lists; NULL: the test has none */
    void (*pack)(const struct exchange *x);            /* to message */
    void (*unpack)(const struct exchange *x);          /* from arrived; NULL: received into f[1] */
    bool transposes;                                   /* FFT: all processes take part */
};

const struct loops *loops_find(const char *test);

#endif
