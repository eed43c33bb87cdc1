/* A process's knowledge of its parent's clock in the trees of the global clock: the latest
 * sightings, and the line through them.
 *
 * The line is fitted to all sightings that are kept. A sighting has less weight the longer its
 * round trip took and the older it is: the clock may have bent away from the line since. A sighting
 * that differs from the line's forecast is checked by a second one. If both differ, the clock has
 * changed: older ones are dropped, and the line is learnt again, until one confirms it. */
#pragma once

#include "clock/clock.h"

enum { MAX_SIGHTINGS = 24 };

enum link_kind { LINK_NONE, LINK_HOST, LINK_MESSAGES, LINK_KINDS };

struct link {
    enum link_kind kind; /* LINK_NONE: rank 0, or not yet known */
    bool same;           /* both processes read one clock, so that nothing is to be learnt */
    bool global;    /* the library says that the two clocks are one, and no sighting contradicts it:
                       the line only serves to notice a change */
    bool suspect;   /* the latest sighting differed from the forecast; a second one decides */
    bool learning;  /* the clock changed; its new drift is not yet known */
    bool confirmed; /* the latest sighting agreed with the line */
    bool uncertain; /* the line is not known as well as it could be */
    double grain_s; /* of a clock that shows the same value in several readings (clock_grain) */
    double scatter_s; /* of the sightings around the line, when it was last learnt */
    double bend;      /* how fast the drift changed recently, per second */
    struct sighting seen[MAX_SIGHTINGS]; /* the parent's clock minus this process's */
    int count;
    struct line line;
    struct sighting doubted;                     /* while suspect */
    double old_drift, old_drift_error, old_at_s; /* before the change, while learning */
};

/* Adds a sighting and fits the line to all of them. */
void link_learn(struct link *k, struct sighting seen);

/* Ends the learning of a drift, its time being over, unless the clock has just changed again. */
void link_learnt(struct link *k);

/* The line to the parent's clock; zero if the two clocks are one. */
struct line link_line(const struct link *k);

/* The distance of a sighting from the line. */
double link_deviation(const struct link *k, const struct sighting *seen);

/* The error of the sighting with the fastest round trip; 0: there is none. */
double link_least_error(const struct link *k);

/* The usual distance of sightings from the line; at least the grain of the clocks. */
double link_scatter(const struct link *k);

/* The largest distance of a sighting from a line that is right. */
double link_tolerance(const struct link *k, const struct sighting *seen);

/* Adds a sighting; the line follows it. If it differs from the line's forecast, the link becomes
 * suspect. If the next one does, too, the clock has changed: returns true, and the link learns. */
bool link_check(struct link *k, struct sighting seen);

/* Does the latest sighting confirm the line? If not, another one is needed in the same check. */
bool link_is_right(const struct link *k);

/* Is the line also known well? If not, a few more sightings help, unless messages await a CPU. */
bool link_is_certain(const struct link *k);

/* Is the line as good as it can get? Its drift is known well; or it is 0, and a drift that matters
 * would have been noticed. Always false for links by messages, unless they are global. */
bool link_is_settled(const struct link *k);
