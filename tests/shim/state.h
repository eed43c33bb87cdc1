/* What the files of the shim share. */
#ifndef SKAMPI_SHIM_STATE_H
#define SKAMPI_SHIM_STATE_H

#include "settings.h"

#include <stdint.h>
#include <time.h>

/* A clock's error: it shows rate times the true time plus an offset. */
struct shim_line {
    double rate, offset_s;
};

/* Of this process; MPI's functions have no argument in which it could be passed on. */
struct shim_state {
    struct shim_settings settings;
    int rank; /* in MPI_COMM_WORLD, once it is known; before, -1: nothing is wrong yet */
    struct shim_line own;
    double last_s;   /* the latest reading */
    long readings;   /* until the clock is set back */
    uint64_t random; /* where the jitter's sequence is */
};
extern struct shim_state shim_state;

/* A reading of this rank's clock, with all its errors. */
double shim_read(void);

struct timespec shim_timespec(double seconds);

/* --- the machine: host_real.c or host_smpi.c, which also have what the program calls for
 * CLOCK_MONOTONIC --- */

/* The true time, for a reading; costs what reading a clock costs there. */
double shim_now(void);

/* Returns so many seconds later. */
void shim_hold(double seconds);

#endif
