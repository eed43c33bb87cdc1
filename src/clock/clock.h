/* The clock of a run, waiting for an instant, and lines between two clocks. A field of the run
 * holds the clock: tests use others. */
#pragma once

#include <stdbool.h>

/* The relation of two clocks: a line fitted to sightings of their offset (Hunold and Carpen-Amarie,
 * "Hierarchical Clock Synchronization in MPI", CLUSTER 2018: offset and drift). A sighting is one
 * clock minus another, when the other one showed at_s. */
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

struct clock {
    double (*now)(void);     /* seconds since an arbitrary instant; processes differ in it */
    double tick_s;           /* smallest observed step */
    double cost_s;           /* of one call of now */
    double noise_s;          /* largest delay of a reading, which varies; 0: too small to notice */
    int readings;            /* that clock_read needs to show an instant without noise; 0, 1: one */
    double sleep_late_s;     /* by which a short sleep usually ends late */
    double sleep_gain;       /* a second of this clock is 1 + sleep_gain seconds of sleep */
    double gain, gain_error; /* seconds that it gains on the host's clock in a second */
    struct sighting first;   /* of the host's clock, when it was calibrated */
    double wait_most_s;      /* the longest wait, unless the clock was set; 0: unlimited */
    bool yield;              /* yield the CPU while waiting: other processes need it */
    bool naps;               /* sleep while waiting for control messages: other programs need it */
};

/* Measures tick, cost, noise and sleep_late with now. Takes about a millisecond. */
void clock_calibrate(struct clock *c);

/* Measures gain and sleep_gain, once the clock was calibrated some milliseconds ago. */
void clock_compare(struct clock *c);

/* Returns once the clock shows instant_s or more, with the value read then: timing can start
 * without another reading. Sleeps while the instant is far away, then spins or yields. If the clock
 * is set back, the wait ends as soon as that is noticed, and the value is less than instant_s. */
double clock_wait_until(const struct clock *c, double instant_s);

/* The instant of the call. If readings are noisy, of several ones at intervals of cost_s the latest
 * shows it: it is off by noise_s, as the result of clock_wait_until is, so that it cancels out. */
double clock_read(const struct clock *c);

void clock_sleep(double seconds);

/* CLOCK_MONOTONIC in seconds, usable as now. On most systems all processes of a host share it:
 * comparing clocks through it needs no messages and does not depend on their delays. */
double hostclock_now(void);

/* Does it equal the host's clock except for an offset, as far as clock_compare shows? */
bool clock_is_host(const struct clock *c);

/* The rate of the clock, compared again, if it is off the host's by more than 1 %; otherwise 1. */
double clock_rate(struct clock *c);

/* The clock minus the host's, when the host's showed at_s. Takes a few microseconds. */
struct sighting hostclock_sight(const struct clock *c);

/* The tick of a clock that shows a value in several successive readings; 0 if all differ. */
double clock_grain(const struct clock *c);
