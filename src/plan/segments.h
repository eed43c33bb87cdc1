/* The measured points of a dynamic scale, and the segments between neighbours: how wrong a straight
 * line is there, and where to split (paper 4.2). Pure. */
#pragma once

#include "plan/plan.h"

#define NOBODY SIZE_MAX

/* A point in a list of neighbours. The segment from a point to the next has the point's number. */
struct point {
    long argument;
    double time_us;       /* NAN: unknown */
    int depth;            /* splits that led to it; 0: a point of the sweep */
    size_t before, after; /* numbers of points, or NOBODY */
    double jump;          /* the height of one in the segment, for its bound; 0: none */
};

struct segments {         /* {0} is empty */
    struct point *points; /* owned */
    size_t count, capacity;
};

/* Adds a point between the point before and its neighbour; NOBODY: the first. -1 without memory. */
void segments_add(struct segments *s, long argument, double time_us, size_t before);

/* Are the times at both ends known? */
bool segment_is_known(const struct segments *s, size_t segment);

double segment_length(const struct segments *s, size_t segment);

/* How often it was split off: 0 for a whole segment of the sweep, 1 for its first two parts. */
int segment_depth(const struct segments *s, size_t segment);

/* The error of not splitting a known segment, relative; infinite if nothing bounds it. */
double segment_estimate(const struct segments *s, size_t segment, const struct plan_spec *spec);

/* How urgently a segment with this estimate is to be split: the largest number first. */
double segment_urgency(const struct segments *s, size_t segment, double estimate);

/* The height of a jump within a known segment, relative to the times before it; negative: they
 * fall. 0: without a jump, since the lines on both sides meet in the segment, as a curve's do. */
double segment_jump(const struct segments *s, size_t segment);

/* How wrong a line is at most, relative, in a known segment without a jump, once the jumps are set,
 * if the curve turns once at most between two points; infinite if nothing bounds it. */
double segment_bound(const struct segments *s, size_t segment);

/* Where to split; false if no place is at least the minimal distance from both ends. */
bool segment_middle(const struct segments *s, size_t segment, const struct plan_spec *spec,
                    long *middle);

void segments_release(struct segments *s);

/* A library may choose its algorithm by divisibility, for example by whether the length is a power
 * of two or a multiple of the number of processes; powers and round numbers then show only its
 * special cases. Among the numbers at most reach away from near: the nearest one that no number
 * from 2 to 31 except itself divides; if none exists, the one with the largest smallest divisor.
 * Positive if near - reach is. */
long irregular_near(long near, long reach);
