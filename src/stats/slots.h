/* The slots in which repetitions from a common start follow each other. No MPI. */
#pragma once

#include "stats/series.h"

/* Rank 0's knowledge about the operation so far. */
struct slots {
    double pad_s;      /* noise of the clocks, or until another process yields the CPU */
    double announce_s; /* until all processes know the next batch */
    double rewrite_s;  /* to rewrite what is sent, on the slowest process */
    double between_s;  /* from the end of a repetition until the slowest process waits for the next
                          one: it completes or undoes the repetition, and notes it */
    double typical_s;  /* until all are done with all calls: upper quartile of the best batch */
    double longest_s;  /* in the last batch, for all except one of 32; of varying ones, all */
    double least_s;    /* how long a start may take at least, whatever the times say */
    bool measured;     /* typical_s is measured, not a first estimate */
    bool alone;        /* each repetition is a batch */
    bool varies;       /* starts take turns: in their work, or in the root */
    double accuracy;   /* requested, relative; limits how late a process may start */
    double reading_s;  /* shorter delays cannot be noticed: a few clock readings */
    double lead_stretch, slot_stretch; /* factors */
    int batch_split;                   /* divides the least number in a batch; a power of two */
    double begun;                      /* slots that were announced */
    int in_time; /* repetitions since the last late first start, or shorter lead */
    int each;    /* slots of a repetition */
};

/* The needs of a process, in seconds: the shortest of a batch; infinite: unknown. Rank 0 gets the
 * longest of all processes. NEED_EXIT: from the start of a slot until the call is done. */
enum { NEED_ANNOUNCE, NEED_REWRITE, NEED_BETWEEN, NEED_EXIT, NEEDS_COUNT };

/* A batch of n slots that is over: for each process, then the maximum over the processes. Times are
 * in microseconds per call; late is not 0 if a process was; needs follow the others. */
struct outcome {
    double *times_us, *late, *needs;
    int n;
};

/* Takes a first estimate, from a try: from the first process's beginning to the last one's end. */
void slots_first_try(struct slots *s, double span_s);

/* The limit of lateness: what the accuracy allows. If processes share a CPU, none can start before
 * it gets one, so the limit is larger, and the slot has room for that. */
double slots_late_s(const struct slots *s, bool shared);

/* The most repetitions of a batch, at least the slots of one repetition. */
int slots_most(int each);

/* The repetitions of the next batch at now_s by the clock; 0: the series ends. A batch ends within
 * the limit of time, and the first one soon: nothing is known yet about how long the slots have to
 * be, and a disturbance may have made them much too long. */
int slots_batch(const struct slots *s, struct series *series, double now_s, double slot_s);

/* The allowed error of the clocks: a quarter of the accuracy. */
double slots_allowed_s(const struct slots *s);

/* From an announcement until the first start, with rewriting. */
double slots_lead_s(const struct slots *s);

/* For a slot, without rewriting. A repetition alone may have any length; others wait at its end. */
double slots_length_s(const struct slots *s);

/* The time to rewrite data before each slot. */
double slots_rewrite_s(const struct slots *s);

/* Lead and slots follow the needs of the last batch. Slots become longer, too, if more than one
 * repetition of 16 did not fit, and shorter again if they do; if the first one was late already,
 * the lead becomes longer instead. A delayed process spoils many slots but shows nothing about the
 * operation, so typical times are taken from the best batch. A late process finds the others' part
 * done: its time is too short for a slot. valid: slots of valid repetitions. Changes the times. */
void slots_adapt(struct slots *slots, const struct outcome *b, int valid, int calls);
