/* A clock as another one sees it: a line, known from sightings of their offset (Hunold and
 * Carpen-Amarie, "Hierarchical Clock Synchronization in MPI", CLUSTER 2018: offset and drift). */
#ifndef SKAMPI_CLOCK_LINE_H
#define SKAMPI_CLOCK_LINE_H

/* One clock minus another, when that other one showed at_s. */
struct sighting {
    double at_s;
    double offset_s;
    double error_s; /* the true offset is at most this far away, disturbances aside */
};

/* The one clock shows t + offset_s + drift * (t - at_s) when the other one shows t. */
struct line {
    double at_s;
    double offset_s;
    double drift;     /* seconds gained per second; 0 where none can be told from none */
    double error_s;   /* of the sightings, weighted as they count: at at_s, the line is at most this
                       * far off */
    double scatter_s; /* of the sightings about a line that was fitted, root mean square */
};

double line_offset(const struct line *l, double at_s);
double line_map(const struct line *l, double at_s);

/* The other way round, and: first from A to B, then from B to C. */
struct line line_inverse(const struct line *l);
struct line line_compose(const struct line *first, const struct line *then);

/* Least squares, weighted by the errors. One sighting, or several in which a drift cannot be told
 * from none: a line with that drift (0 when nothing is known better). */
struct line line_fit(const struct sighting *s, int n, double drift);

/* How far the drift of such a line may be off, standard error; infinite for fewer than three. */
double line_drift_error(const struct sighting *s, int n);

/* The sighting that stands for several of the same pair: the mean of the quarter with the smallest
 * errors, and of all whose errors are larger by less than the grain of the clocks, which cannot
 * tell them apart. Sorts them. n >= 1. */
struct sighting sighting_best(struct sighting *s, int n, double grain_s);

#endif
