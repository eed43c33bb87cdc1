#include "clock/link.h"

#include <math.h>
#include <string.h>

enum { ENOUGH = 9 }; /* sightings by the host's clock */

/* A line without drift is settled if a drift larger than NO_DRIFT would have been found; a line
 * with drift, if its drift is known to KNOWN_DRIFT: 0.5 us after 10 s. */
static const double NO_DRIFT = 5e-6, KNOWN_DRIFT = 0.05e-6;

/* A sighting may differ from the line by this distance, or this multiple of the usual scatter. */
static const double DEVIATION_LEAST_S = 20e-9, SCATTERS = 4.0;

/* The factor by which one error is much larger than another; the fastest drift of two clocks. */
static const double MUCH_LARGER = 2.0, MAX_DRIFT = 1e-3;

/* Differences below this count as zero. */
static const double RESOLUTION_S = 1e-9;

/* Every drift changes at least this fast, by temperature. A faster change shows in looks that are
 * this far apart. Each look halves the change known so far. */
static const double MIN_BEND = 1e-9, BEND_APART_S = 10e-3;

/* The least useful sighting between the oldest and the latest: its neighbours are close, by age. */
static int least_missed(const struct link *k)
{
    int least = 1;
    double smallest = INFINITY, now_s = k->seen[k->count - 1].at_s;
    for (int i = 1; i < k->count - 1; i++) {
        double gap = (k->seen[i + 1].at_s - k->seen[i - 1].at_s) / (now_s - k->seen[i - 1].at_s);
        if (gap < smallest) {
            smallest = gap;
            least = i;
        }
    }
    return least;
}

static void keep(struct link *k, struct sighting s)
{
    if (k->count == MAX_SIGHTINGS) {
        int i = least_missed(k);
        k->count--;
        memmove(&k->seen[i], &k->seen[i + 1], (size_t)(k->count - i) * sizeof(*k->seen));
    }
    k->seen[k->count++] = s;
}

double link_scatter(const struct link *k)
{
    return fmax(k->scatter_s, fmax(k->grain_s, RESOLUTION_S));
}

double link_least_error(const struct link *k)
{
    double least_s = k->count == 0 ? 0.0 : INFINITY;
    for (int i = 0; i < k->count; i++)
        least_s = fmin(least_s, k->seen[i].error_s);
    return least_s;
}

/* The delay of a round trip relative to the fastest one, in an unknown direction. */
static double longer(const struct link *k, const struct sighting *s)
{
    return fmax(s->error_s - link_least_error(k), 0.0);
}

/* Reduces the weight of old sightings, since when the clock may have bent. The scatter of a
 * sighting does not exceed what its round trip allows. */
static struct sighting weighed(const struct link *k, const struct sighting *s)
{
    double age_s = k->seen[k->count - 1].at_s - s->at_s;
    double bent_s = (fabs(k->bend) + MIN_BEND) * age_s * age_s / 2.0;
    struct sighting w = *s;
    w.error_s = hypot(fmin(link_scatter(k), s->error_s), longer(k, s) + bent_s);
    return w;
}

/* Half a round trip, averaged over the sightings with their weights. */
static double bound_of(const struct link *k, const struct sighting *weighed_ones)
{
    double sum = 0.0, weights = 0.0;
    for (int i = 0; i < k->count; i++) {
        double weight = 1.0 / (weighed_ones[i].error_s * weighed_ones[i].error_s);
        sum += weight * k->seen[i].error_s;
        weights += weight;
    }
    return sum / weights;
}

/* Fits the line. A global clock has no drift, and no significant offset. */
static void fit(struct link *k)
{
    struct sighting s[MAX_SIGHTINGS], newest = k->seen[k->count - 1];
    for (int i = 0; i < k->count; i++)
        s[i] = weighed(k, &k->seen[i]);
    k->line = line_fit(s, k->count, k->line.drift);
    k->line.error_s = bound_of(k, s);
    double drifted_s = fabs(k->line.drift) * (newest.at_s - k->seen[0].at_s);
    if (fabs(newest.offset_s) > newest.error_s || drifted_s > DEVIATION_LEAST_S)
        k->global = false;
    if (k->global)
        k->line.drift = 0.0;
}

struct line link_line(const struct link *k)
{
    const struct line same = { .error_s = k->line.error_s };
    return k->global ? same : k->line;
}

/* Standard error, from the deviations from the line; at least what is usual for such sightings. */
static double drift_error(const struct link *k)
{
    struct sighting s[MAX_SIGHTINGS];
    double weights = 0.0;
    if (k->count < 3)
        return MAX_DRIFT;
    for (int i = 0; i < k->count; i++) {
        s[i] = weighed(k, &k->seen[i]);
        weights += pow((s[i].at_s - k->line.at_s) / s[i].error_s, 2.0);
    }
    return fmin(fmax(line_drift_error(s, k->count), 1.0 / sqrt(weights)), MAX_DRIFT);
}

/* Standard error of the line at the time of its latest sighting. */
static double error_now(const struct link *k)
{
    double weights = 0.0, passed_s = k->seen[k->count - 1].at_s - k->line.at_s;
    for (int i = 0; i < k->count; i++) {
        struct sighting s = weighed(k, &k->seen[i]);
        weights += 1.0 / (s.error_s * s.error_s);
    }
    return hypot(1.0 / sqrt(weights), k->global ? 0.0 : drift_error(k) * passed_s);
}

double link_deviation(const struct link *k, const struct sighting *seen)
{
    return seen->offset_s - line_offset(&k->line, seen->at_s);
}

double link_tolerance(const struct link *k, const struct sighting *seen)
{
    double scatter_s = fmin(SCATTERS * k->scatter_s, seen->error_s);
    double usual_s = fmax(scatter_s, fmax(DEVIATION_LEAST_S, k->grain_s)); /* if not delayed */
    return k->kind == LINK_NONE ? 0.0 : usual_s + longer(k, seen);
}

/* The error of the line at at_s: its own error, and the change of its drift. */
static double forecast_error(const struct link *k, double at_s)
{
    double alone_s = fabs(at_s - k->seen[k->count - 1].at_s);
    double bent = (fabs(k->bend) + MIN_BEND) * alone_s / 2.0;
    double uncertain = k->global ? 0.0 : drift_error(k);
    double drifts_s = fmin(SCATTERS * (uncertain + bent), MAX_DRIFT) * alone_s;
    return hypot(SCATTERS * error_now(k), drifts_s);
}

/* A difference larger than half of both round trips is a change, however uncertain the line was. */
static bool is_usual(const struct link *k, const struct sighting *seen)
{
    double off_s = fabs(link_deviation(k, seen));
    double known_s = seen->error_s + k->line.error_s;
    double forecast_s = link_tolerance(k, seen) + forecast_error(k, seen->at_s);
    return off_s <= fmin(forecast_s, known_s + DEVIATION_LEAST_S);
}

/* Records how much the drift seems to have changed recently; may be 0. */
static void learn_bend(struct link *k, double bend)
{
    k->bend /= 2.0;
    if (fabs(bend) > fabs(k->bend))
        k->bend = bend;
}

static double sure_part(double difference, double scatter)
{
    return copysign(fmax(fabs(difference) - scatter, 0.0), difference);
}

static void forget_older(struct link *k)
{
    if (fabs(k->line.drift) > MAX_DRIFT) /* the clock was set while it was learnt */
        k->line.drift = 0.0;
    if (!k->learning) {
        k->old_drift = k->line.drift;
        k->old_drift_error = drift_error(k);
        k->old_at_s = k->seen[k->count - 1].at_s;
    }
    k->learning = true;
    k->global = false;
    k->count = 0;
    keep(k, k->doubted);
}

/* Looks for a bend: a clock that bends deviates from the line, which has an old drift. */
static void look_for_bend(struct link *k, const struct sighting *seen)
{
    double gap_s = k->count == 0 ? 0.0 : seen->at_s - k->seen[k->count - 1].at_s;
    double usual_s = SCATTERS * link_scatter(k) + longer(k, seen);
    if (k->learning)
        usual_s += SCATTERS * drift_error(k) * gap_s;
    if (gap_s >= BEND_APART_S)
        learn_bend(k, sure_part(link_deviation(k, seen), usual_s) / gap_s / gap_s);
}

void link_learn(struct link *k, struct sighting seen)
{
    keep(k, seen);
    fit(k);
    k->scatter_s = k->line.scatter_s;
}

/* Takes the bend into account: it is at most the scatter at the time of learning. */
static void end_learning(struct link *k)
{
    const struct sighting *first = &k->seen[0], *last = &k->seen[k->count - 1];
    double uncertain = 2.0 * (k->old_drift_error + drift_error(k));
    double turned = sure_part(k->line.drift - k->old_drift, uncertain);
    double bend = turned / fmax(last->at_s - k->old_at_s, BEND_APART_S);
    k->learning = false;
    k->scatter_s = k->line.scatter_s;
    double most = SCATTERS * link_scatter(k) / pow(last->at_s - first->at_s, 2.0);
    learn_bend(k, copysign(fmin(fabs(bend), most), bend));
}

void link_learnt(struct link *k)
{
    if (k->learning && k->count >= ENOUGH)
        end_learning(k);
}

bool link_check(struct link *k, struct sighting seen)
{
    bool usual = is_usual(k, &seen), changed = !usual && k->suspect;
    k->confirmed = usual && fabs(link_deviation(k, &seen)) <= link_tolerance(k, &seen);
    k->suspect = !usual && !changed;
    if (k->suspect) {
        k->doubted = seen;
        return false;
    }
    /* If a message had to wait for a CPU, its round trip may take a thousand times longer. Such a
     * sighting must not spoil a line that is known better, nor replace better sightings. */
    double known_s = k->line.error_s + forecast_error(k, seen.at_s);
    if (changed)
        forget_older(k);
    if (changed || seen.error_s <= MUCH_LARGER * known_s) {
        look_for_bend(k, &seen);
        keep(k, seen);
        fit(k);
    }
    /* A line that is known well has about the error of one sighting that was not delayed. */
    k->uncertain = error_now(k) > 1.5 * fmax(link_scatter(k), DEVIATION_LEAST_S / SCATTERS);
    if (k->learning && link_is_settled(k))
        end_learning(k);
    return changed;
}

bool link_is_right(const struct link *k)
{
    return k->kind == LINK_NONE || (k->confirmed && !k->suspect && !k->learning);
}

bool link_is_certain(const struct link *k)
{
    return k->kind == LINK_NONE || k->same || (link_is_right(k) && !k->uncertain);
}

bool link_is_settled(const struct link *k)
{
    double uncertain = SCATTERS * drift_error(k);
    if (k->kind == LINK_NONE || k->same)
        return true;
    if (k->kind == LINK_MESSAGES && !k->global)
        return false;
    return k->count >= ENOUGH || uncertain < (k->line.drift == 0.0 ? NO_DRIFT : KNOWN_DRIFT);
}
