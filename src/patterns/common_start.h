/* Measuring from a common start, for the patterns whose processes all start at the same instant. */
#pragma once

#include "patterns/pattern.h"

enum { EACH_PROCESS_STARTS = -1 };

/* The properties of a pattern; of: the state of its recorder. */
struct common_start {
    bool servers_only; /* a repetition's time is the longest of the processes that serve */
    /* Which processes count at start i of a batch, if servers_only does not say it. */
    bool (*counts)(const struct measurement *m, int i, const void *of);
    /* Does it make the calls? It may do something else instead. NULL: every process does. */
    bool (*works)(const struct measurement *m);
    int starts; /* of a repetition; 0: one; EACH_PROCESS_STARTS: as many as there are processes. The
                 * times of the processes are those after the last one. */
    /* Rank 0: a valid repetition's time from those of its starts; NULL: the first one's. */
    double (*value)(const double *us, int starts, void *of);
    bool closing_barrier; /* a barrier follows the call; the servers' time includes it */
    bool shared;          /* every process learns all times and late starts, not only rank 0 */
    double least_s;       /* least duration of a start, whatever the times say */
    /* Each repetition is a batch: the duration of the work after it is unknown. */
    bool alone;
    /* Rank 0: shall no repetition follow? NULL: never. */
    bool (*stops)(const void *of);
};

/* For the patterns' rows: such a row, and the parts of the info that follow from it. */
#define COMMON_START(...)                                                                          \
    .measure = common_start_measure, .common = &(const struct common_start)                        \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define STARTS_BY_CLOCK .start = START_CLOCK, .first_call_on = "the slowest process"

/* The info of a pattern that is a variant of another one. */
#define VARIANT_INFO(traits_, time_, ...)                                                          \
    .info = {                                                                                      \
        .traits = PATTERN_GLOBAL_CLOCK | (traits_), .time = time_, STARTS_BY_CLOCK, __VA_ARGS__    \
    }

/* The measure function of patterns that have such a row; and with another row. */
void common_start_measure(struct measurement *m, const struct op *op, struct series *s);
void common_start_measure_as(struct measurement *m, const struct op *op, struct series *s,
                             const struct common_start *w);

/* --- for common_start*.c --- */

/* Checks the global clock while a synchronised row is measured: at the end, and in between as often
 * as the recent behaviour of the clocks requires. Each check is called a look. Repetitions between
 * two looks are kept if the second one finds all clocks as expected, else dropped and repeated. */
struct clock_watch {
    double started_s;  /* start of the row, by the clock */
    double looked_s;   /* the time spent on looks since then */
    double since_s;    /* residual at the start of the repetitions since the latest look */
    double residual_s; /* maximum over the repetitions that are kept */
    int bad;           /* consecutive looks that found clocks apart */
};

struct clock_watch watch_start(const struct measurement *m);

/* Are there several consecutive bad looks, so that continuing is pointless? */
bool watch_gives_up(const struct clock_watch *w);

/* Is a look due before these repetitions (0: the row ends)? allowed_s: the error of the clocks. */
bool watch_wants_look(const struct clock_watch *w, const struct measurement *m,
                      const struct series *s, double allowed_s, int repetitions);

/* Collective over the run. Rank 0 keeps or drops the repetitions since the last look. */
void watch_look(struct clock_watch *w, struct measurement *m, struct series *s, double allowed_s);

/* Sets what the series says of the clocks. */
void watch_end(const struct clock_watch *w, const struct measurement *m, struct series *s);
