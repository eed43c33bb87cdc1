/* Declarations shared by the files of the shim. */
#pragma once

#include "settings.h"

#include <stdint.h>
#include <time.h>

/* A clock's error: its offset, and its share of the drift and its changes. */
struct shim_clock {
    double offset_s, share;
};

/* The state of this process, which MPI's functions have no argument for. */
struct shim_state {
    struct shim_settings settings;
    int rank; /* in MPI_COMM_WORLD once it is known; before, -1: the clock is right */
    struct shim_clock own;
    double last_s;      /* the latest reading */
    double last_true_s; /* its instant */
    double ahead_s;     /* of the next reading */
    long readings;      /* until the clock is set back */
    double pause_at_s;  /* the next true instant after which this process stops */
    uint64_t random;    /* state of the sequence for jitter and pauses */
};
extern struct shim_state shim_state;

/* A reading of this rank's clock, with all its errors. */
double shim_read(void);

struct timespec shim_timespec(double seconds);

/* The machine: host_real.c or host_smpi.c, which also define the function that the program
 * calls for CLOCK_MONOTONIC. */

/* The true time, for a reading; takes as long as reading a clock. */
double shim_now(void);

/* Returns a number of seconds later. */
void shim_hold(double seconds);
