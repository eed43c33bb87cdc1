/* What a process knows of its parent's clock in the trees of the global clock: the latest
 * sightings, and the line through them.
 *
 * The line is fitted to all sightings that are kept. A sighting counts less the longer its round
 * trip took, and the older it is: since then the clock may have bent away from the line. A sighting
 * where the line does not forecast it is checked by a second one. If both are off, the clock has
 * changed: older sightings are forgotten, and the line is learnt anew. It is right when another
 * sighting confirms it. */
#ifndef SKAMPI_CLOCK_LINK_H
#define SKAMPI_CLOCK_LINK_H

#include "clock/line.h"

#include <stdbool.h>

enum { SIGHTINGS_MOST = 24 };

enum link_kind { LINK_NONE, LINK_HOST, LINK_MESSAGES, LINK_KINDS };

struct link {
    enum link_kind kind; /* LINK_NONE: rank 0, or not known yet */
    bool global;         /* the two clocks are said to be one, and nothing has contradicted it:
                          * the line only serves to notice a change */
    bool suspect;        /* the latest sighting was off, and waits for a second one */
    bool learning;       /* since a change, its drift is not known yet */
    bool confirmed;      /* the latest sighting was where the line put it */
    bool uncertain;      /* but the line is not known as well as it can be */
    double grain_s;      /* of a clock whose readings stand still meanwhile (clock_grain) */
    double scatter_s;    /* of the sightings about the line, when it was last learnt */
    double bend;         /* by how much the drift changed lately, per second */
    struct sighting seen[SIGHTINGS_MOST]; /* the parent's clock minus the own one */
    int count;
    struct line line;
    struct sighting doubted;                     /* while suspect */
    double old_drift, old_drift_error, old_at_s; /* before the change, while learning */
};

/* One sighting more, and the line through all of them. */
void link_learn(struct link *k, struct sighting seen);

/* The time is over in which a drift is learnt: ends that, unless the clock has just changed again.
 */
void link_learnt(struct link *k);

/* The line that the parent's clock is known by: none where the two are one. */
struct line link_line(const struct link *k);

/* How far what is seen lies off the line. */
double link_deviation(const struct link *k, const struct sighting *seen);

/* How far sightings are usually off it; not less than the grain of the clocks. */
double link_scatter(const struct link *k);

/* How far a sighting of a line that is right may lie off it. */
double link_tolerance(const struct link *k, const struct sighting *seen);

/* One sighting more: the line follows it. If it is not where the line is forecast to be, the link
 * is suspect; if the next one is not there either, the clock has changed: true, and the link is
 * learning. */
bool link_check(struct link *k, struct sighting seen);

/* Does the latest sighting confirm the line? If not, another one follows in the same check. */
bool link_is_right(const struct link *k);

/* And is the line known well? If not, some more sightings help; while messages have to wait for a
 * CPU, they do not. */
bool link_is_certain(const struct link *k);

/* Is the line as good as it gets? The drift is known well; or there is none, and one that matters
 * would have been noticed, which by messages it would not. */
bool link_is_settled(const struct link *k);

#endif
