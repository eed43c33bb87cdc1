#include "measure/link.h"

#include <math.h>

enum { ENOUGH = 9 }; /* sightings by the clock of the host */

/* No drift was found, and a larger one than this would have been; the drift that was found is no
 * farther off than this, 0.5 us after 10 s. */
static const double NO_DRIFT = 5e-6;
static const double KNOWN_DRIFT = 0.05e-6;

/* A line is mended when what is seen is so much, or so many times the usual scatter, off it. */
static const double RESIDUAL_LEAST_S = 20e-9;
static const double RESIDUAL_SCATTERS = 4.0;

static void keep(struct link *k, struct sighting s)
{
    if (k->count == SIGHTINGS_MOST) {
        for (int i = 1; i < SIGHTINGS_MOST; i++)
            k->seen[i - 1] = k->seen[i];
        k->count--;
    }
    k->seen[k->count++] = s;
}

/* What is said to be global has no offset that messages can tell, and no drift. */
static bool contradicts(const struct link *k, const struct line *line)
{
    const struct sighting *oldest = &k->seen[0], *newest = &k->seen[k->count - 1];
    return fabs(newest->offset_s) > newest->error_s ||
           fabs(line->drift) * (newest->at_s - oldest->at_s) > RESIDUAL_LEAST_S;
}

static void fit(struct link *k)
{
    k->line = line_fit(k->seen, k->count, k->line.drift);
    k->global = k->global && !contradicts(k, &k->line);
    if (k->global)
        k->line = (struct line){ 0 };
}

double link_deviation(const struct link *k, const struct sighting *seen)
{
    return seen->offset_s - line_offset(&k->line, seen->at_s);
}

/* What is seen may be so far off the line: more than sightings like it scatter. Half of a round
 * trip says nothing where a line is known better. */
static double tolerance(const struct link *k, const struct sighting *seen)
{
    double worse = seen->error_s > k->line.error_s ? seen->error_s / k->line.error_s : 1.0;
    double bound_s = RESIDUAL_SCATTERS * k->line.scatter_s * worse;
    return fmax(k->global ? seen->error_s : bound_s, RESIDUAL_LEAST_S);
}

static void forget_older(struct link *k)
{
    k->seen[0] = k->seen[k->count - 1];
    k->count = 1;
}

void link_learn(struct link *k, struct sighting seen)
{
    keep(k, seen);
    fit(k);
}

bool link_check(struct link *k, struct sighting seen)
{
    double tolerated_s = tolerance(k, &seen), drift = k->line.drift;
    bool off = fabs(link_deviation(k, &seen)) > tolerated_s;
    keep(k, seen);
    if (!off)
        return false;
    /* Older sightings help to know the drift, unless the clock has been set since. */
    fit(k);
    if (fabs(link_deviation(k, &seen)) > tolerated_s) {
        forget_older(k);
        k->line.drift = drift;
        fit(k);
    }
    return true;
}

bool link_is_settled(const struct link *k)
{
    double uncertain = RESIDUAL_SCATTERS * line_drift_error(k->seen, k->count);
    if (k->kind == LINK_NONE)
        return true;
    if (k->kind == LINK_MESSAGES && !k->global)
        return false;
    return k->count >= ENOUGH || uncertain < (k->line.drift == 0.0 ? NO_DRIFT : KNOWN_DRIFT);
}
