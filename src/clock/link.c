#include "clock/link.h"

#include <math.h>

enum { ENOUGH = 9 }; /* sightings by the clock of the host */

/* No drift was found, and a larger one than this would have been; the drift that was found is no
 * farther off than this, 0.5 us after 10 s. */
static const double NO_DRIFT = 5e-6;
static const double KNOWN_DRIFT = 0.05e-6;

/* A line is mended when what is seen is so much, or so many times the usual scatter, off it. */
static const double RESIDUAL_LEAST_S = 20e-9;
static const double RESIDUAL_SCATTERS = 4.0;

/* One error is much larger than another one; two clocks do not drift apart faster. */
static const double MUCH_LARGER = 2.0;
static const double DRIFT_MOST = 1e-3;

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
        k->line = (struct line){ .error_s = k->line.error_s };
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

/* How far off the line may be by then: as its sightings, and more the longer ago they were. */
static double uncertainty(const struct link *k, double at_s)
{
    double drift = RESIDUAL_SCATTERS * line_drift_error(k->seen, k->count);
    double alone_s = fabs(at_s - k->seen[k->count - 1].at_s);
    return k->line.error_s + fmin(drift, DRIFT_MOST) * alone_s;
}

/* Half a round trip bounds what is seen: no disturbance makes it contradict a line that is right.
 */
static bool refutes(const struct link *k, const struct sighting *seen)
{
    return fabs(link_deviation(k, seen)) > seen->error_s + uncertainty(k, seen->at_s);
}

/* Where a message had to wait for a CPU, its round trip may take a thousand times longer: a line
 * that is known better is not to be spoilt by it, nor are the sightings that tell more. */
static bool tells_nothing(const struct link *k, const struct sighting *seen)
{
    return seen->error_s > MUCH_LARGER * uncertainty(k, seen->at_s) && !refutes(k, seen);
}

/* The line is off, or was learnt from much longer round trips. */
static bool tells_better(const struct link *k, const struct sighting *seen, double tolerated_s)
{
    return fabs(link_deviation(k, seen)) > tolerated_s || refutes(k, seen) ||
           MUCH_LARGER * seen->error_s < k->line.error_s;
}

/* What is still off the line through all sightings comes from a clock that has been set since, or
 * has another drift. */
static bool has_changed(const struct link *k, const struct sighting *seen, double tolerated_s)
{
    bool comparable = seen->error_s <= MUCH_LARGER * k->line.error_s;
    bool scatter_is_known = k->count > 3;
    double deviation_s = fabs(link_deviation(k, seen));
    return deviation_s > seen->error_s + k->line.error_s ||
           (comparable && scatter_is_known && deviation_s > tolerated_s);
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
    if (tells_nothing(k, &seen))
        return false;
    bool better = tells_better(k, &seen, tolerated_s);
    keep(k, seen);
    if (!better)
        return false;
    /* Older sightings help to know the drift. */
    fit(k);
    if (has_changed(k, &seen, tolerated_s)) {
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
