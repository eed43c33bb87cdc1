/* What a process knows of its parent's clock in the trees of the global clock: the latest
 * sightings, and the line through them. */
#ifndef SKAMPI_CLOCK_LINK_H
#define SKAMPI_CLOCK_LINK_H

#include "clock/line.h"

#include <stdbool.h>

enum { SIGHTINGS_MOST = 24 };

enum link_kind { LINK_NONE, LINK_HOST, LINK_MESSAGES, LINK_KINDS };

struct link {
    enum link_kind kind; /* LINK_NONE: rank 0, or not known yet */
    bool global;         /* the two clocks are said to be one, and nothing has contradicted it */
    struct sighting seen[SIGHTINGS_MOST]; /* the parent's clock minus the own one; the latest */
    int count;
    struct line line;
};

/* One sighting more, and the line through all of them. */
void link_learn(struct link *k, struct sighting seen);

/* How far what is seen lies off the line. */
double link_deviation(const struct link *k, const struct sighting *seen);

/* One sighting more; the line is refreshed if what is seen lies farther off it than sightings
 * scatter, or is much more certain than the line: true. One that tells less than the line is not
 * kept. */
bool link_check(struct link *k, struct sighting seen);

/* Is the line as good as it gets? The drift is known well; or there is none, and one that matters
 * would have been noticed, which by messages it would not. */
bool link_is_settled(const struct link *k);

#endif
