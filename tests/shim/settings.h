/* The settings in SKAMPI_SHIM. No MPI here. */
#pragma once

#include <stdbool.h>

enum {
    MAX_SHIM_DELAYS = 16,
    MAX_SHIM_CHANGES = 8,
    SHIM_EVERY_RANK = -1,
    SHIM_ANY_SIZE = -1,
    SHIM_EVERY_CALL = 0
};

/* A rank's clock is set back after a number of readings. */
struct shim_step {
    long rank; /* or SHIM_EVERY_RANK */
    double back_s;
    long readings; /* 0: never */
};

/* A rank's process stops at random instants, as if another program had its CPU. */
struct shim_pause {
    long rank;              /* or SHIM_EVERY_RANK */
    double hold_s, every_s; /* every_s: on average; 0: never */
    bool regular;
};

enum shim_call {
    SHIM_ALLREDUCE,
    SHIM_ALLTOALL,
    SHIM_BARRIER,
    SHIM_BCAST,
    SHIM_COMM_DUP,
    SHIM_COMM_SPLIT,
    SHIM_REDUCE,
    SHIM_SEND,
    SHIM_CALLS
};

struct shim_delay {
    long rank; /* or SHIM_EVERY_RANK */
    enum shim_call call;
    double hold_s;
    long bytes; /* or SHIM_ANY_SIZE */
    long nth;   /* from 1, or SHIM_EVERY_CALL */
    long seen;  /* such calls so far */
};

/* From this true instant on, a clock is ahead by offset_s and faster by drift_ppm. */
struct shim_change {
    double from_s, offset_s, drift_ppm;
};

/* A rank's clock is wrong in its first reading after a call that took long. */
struct shim_within {
    long rank;
    double ahead_s, least_s; /* ahead_s: negative: it has lost time; least_s: 0: never */
};

struct shim_settings {
    double offset_s, drift_ppm, tick_s, jitter_s;
    double sine_ppm, sine_s;
    int n_changes;
    struct shim_change changes[MAX_SHIM_CHANGES];
    bool monotonic, lies, hasty;
    struct shim_within within;
    struct shim_step step;
    struct shim_pause pause;
    int n_delays;
    struct shim_delay delays[MAX_SHIM_DELAYS];
};

/* Reads the settings from text. Returns 0, or -1 after a message on stderr. */
int shim_settings_read(const char *text, struct shim_settings *s);
