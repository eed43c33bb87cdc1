/* Checks the global clock while a synchronised row is measured: at the end, and in between as often
 * as the recent behaviour of the clocks requires. Each check is called a look. Repetitions between
 * two looks are kept if the second one finds all clocks where they were expected; otherwise they
 * are dropped and repeated. */
#pragma once

#include "context/measurement.h"
#include "stats/series.h"

/* The state on rank 0 of the measurement. */
struct clock_watch {
    double started_s;  /* start of the row, by the clock */
    double looked_s;   /* the time spent on looks since then */
    double since_s;    /* residual at the start of the repetitions since the latest look */
    double residual_s; /* maximum over the repetitions that are kept */
    int bad;           /* consecutive looks that found clocks apart */
};

struct clock_watch watch_start(const struct measurement *m);

/* Is a look needed before the next batch, which has this number of repetitions (0: the row ends)?
 * allowed_s: the tolerated error of the clocks. */
bool watch_wants_look(const struct clock_watch *w, const struct measurement *m,
                      const struct series *s, double allowed_s, int repetitions);

/* Collective over the run. Rank 0 keeps or drops the repetitions since the last look. */
void watch_look(struct clock_watch *w, struct measurement *m, struct series *s, double allowed_s);

/* True after several consecutive bad looks: continuing is pointless. */
bool watch_gives_up(const struct clock_watch *w);

/* Stores the state of the clocks in the series. */
void watch_end(const struct clock_watch *w, const struct measurement *m, struct series *s);
