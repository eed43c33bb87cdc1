/* The relation of two clocks: a line fitted to sightings of their offset (Hunold and Carpen-Amarie,
 * "Hierarchical Clock Synchronization in MPI", CLUSTER 2018: offset and drift). */
#pragma once

/* One clock minus another, when the other one showed at_s. */
struct sighting {
    double at_s;
    double offset_s;
    double error_s; /* the true offset differs by at most this, disturbances aside */
};

/* One clock shows t + offset_s + drift * (t - at_s) when the other one shows t. */
struct line {
    double at_s;
    double offset_s;
    double drift; /* seconds gained per second; 0 if not significant */
    double
        error_s; /* weighted mean of the sightings' errors: bounds the error of the line at at_s */
    double scatter_s; /* of the sightings around a fitted line, root mean square */
};

double line_offset(const struct line *l, double at_s);
double line_map(const struct line *l, double at_s);

/* The inverse of a line; and the line from A to C, by the lines from A to B and from B to C. */
struct line line_inverse(const struct line *l);
struct line line_compose(const struct line *first, const struct line *then);

/* Least squares, weighted by the errors. If the drift is not significant it is 0. If the sightings
 * are too few to show one, it is the drift passed, which is 0 if unknown. */
struct line line_fit(const struct sighting *s, int n, double drift);

/* The standard error of such a line's drift; infinite for fewer than three sightings. */
double line_drift_error(const struct sighting *s, int n);

/* Combines several sightings of the same pair: the mean of the quarter with the smallest errors,
 * and of all that the grain of the clocks cannot tell from the smallest. Sorts s. n >= 1. */
struct sighting sighting_best(struct sighting *s, int n, double grain_s);
