/* The slots in which measurements from a common start follow each other: length and number. */
#pragma once

#include "patterns/common_start.h"

/* What rank 0 knows about the operation so far. */
struct slots {
    double pad_s;      /* between the end of an operation and the next start */
    double announce_s; /* until all processes know the next batch */
    double rewrite_s;  /* to rewrite what is sent, on the slowest process */
    double finalize_s; /* to complete or undo a repetition after its time, on the slowest process */
    double typical_s;  /* until all processes are done with all calls; in the best batch, the upper
                          quartile of the repetitions */
    bool measured;     /* typical_s is measured, not a first estimate */
    double accuracy;   /* requested, relative; limits how late a process may start */
    double reading_s;  /* shorter delays cannot be noticed: a few clock readings */
    int lead_stretch, slot_stretch; /* factors, powers of two */
    int batch_split;                /* divides the least number in a batch; a power of two */
    double begun;                   /* slots that were announced */
    int in_time;    /* repetitions since the last late first start, or shorter lead */
    int each;       /* slots of a repetition */
    double *values; /* borrowed; room for the times of a batch */
    const struct common_start *how;
};

/* What a process needs, in seconds: the shortest of a batch; infinite: unknown. Rank 0 gets the
 * longest of all processes. NEED_EXIT: from the start of a slot until the call is done. */
enum { NEED_ANNOUNCE, NEED_REWRITE, NEED_FINALIZE, NEED_EXIT, NEEDS_COUNT };

/* A batch of n slots that is over: of each process, then the maximum over the processes. Times are
 * in microseconds per call; late is not 0 if a process was; needs follow the others. */
struct outcome {
    double *times_us, *late, *needs;
    int n;
};

/* The limit of lateness: what the accuracy allows. If processes share a CPU, none can start before
 * it gets one, so the limit is larger, and the slot has room for that. */
double slots_late_s(const struct slots *s, bool shared);

/* The most repetitions of a batch: there is room for the slots of one repetition in any case. */
int slots_most(int each);

/* At most n repetitions. A delayed process is late for the rest of the batch, so batches are
 * limited in time; those of long slots have at least ten, or fewer after many late starts. */
int slots_in_time(const struct slots *s, int n, double slot_s);

/* Error of the clocks: they may use a quarter of what the accuracy allows. */
double slots_allowed_s(const struct slots *s);

/* For a slot, without rewriting. A repetition alone may be as long as it is; the others wait for it
 * at the end of the batch. */
double slots_length_s(const struct slots *s);

/* Estimates that a disturbance has made much too long become shorter. Slots become longer if many
 * repetitions did not fit, and shorter again if they do; if the first one was late already, the
 * lead becomes longer instead. A delayed process spoils many slots but shows nothing about the
 * operation, so the time is taken from the best batch. A late process finds the others' part done,
 * so its time is too short for a slot. valid: the slots of valid repetitions. Changes the times. */
void slots_adapt(struct slots *slots, const struct outcome *b, int valid, int calls);

/* When processes start the call of a repetition, by the key arrival: so long after the agreed
 * instant does this process, and the last one of its communicator. */
struct arrival {
    double own_s, last_s;
};

/* In a repetition. All processes give the same number. */
struct arrival arrival_of(const struct run *r, long repetition);
