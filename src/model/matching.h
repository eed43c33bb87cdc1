/* Pairings of processes (Parameters = "pairs=..."): the partner of each process, in one or several
 * matchings. In a matching, every process has at most one partner. No MPI. */
#pragma once

struct suite;
struct text;

enum { MATCHING_NONE = -1 };

/* The number of matchings that a suite uses in turn among a number of processes. */
int matching_count(const struct suite *s, int processes);

/* A process's partner in matching i; MATCHING_NONE: it idles. Constant time. */
int matching_partner(const struct suite *s, int processes, int i, int rank);

/* A process's partner in round i, from 0, of those in which every two meet once: one less than the
 * next even number. */
int matching_round(int processes, int i, int rank);

/* Adds the processes without a partner in any matching, "3, 5"; only the first few. Returns their
 * number. */
int matching_idle(const struct suite *s, int processes, struct text *out);

/* The maximum number of groups that work at once: groups of processes, or pairs; at least 1. */
int suite_groups(const struct suite *s, int processes);
