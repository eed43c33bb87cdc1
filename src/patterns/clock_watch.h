/* Looks at the global clock while a synchronised row is measured: as often as what clocks have done
 * lately asks for, and at the end. Repetitions between two looks are kept if the second one finds
 * all clocks where they were expected to be; else they are dropped and repeated. */
#ifndef SKAMPI_PATTERNS_CLOCK_WATCH_H
#define SKAMPI_PATTERNS_CLOCK_WATCH_H

#include "context/run.h"
#include "stats/series.h"

/* On rank 0 of the run. */
struct clock_watch {
    double started_s;  /* the row, by the clock */
    double looked_s;   /* of the time since then */
    double since_s;    /* residual with which the repetitions since the latest look began */
    double residual_s; /* largest of the repetitions that are kept */
    int bad;           /* looks in a row that found clocks apart */
};

struct clock_watch watch_start(const struct run *r);

/* Does a look come before so many repetitions (0: the row ends)? allowed_s: by so much may clocks
 * be off. */
bool watch_wants_look(const struct clock_watch *w, const struct run *r, const struct series *s,
                      double allowed_s, int repetitions);

/* Collective over the run. Rank 0 decides what becomes of the repetitions since the last look. */
void watch_look(struct clock_watch *w, struct run *r, struct series *s, double allowed_s);

/* After several bad looks in a row there is no sense in going on. */
bool watch_gives_up(const struct clock_watch *w);

/* What the row says of its clocks. */
void watch_end(const struct clock_watch *w, const struct run *r, struct series *s);

#endif
