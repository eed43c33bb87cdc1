/* The three turns of overlap's repetitions, and their overlap: the operation alone, p; the same
 * work alone, w; both, t. For a recorder, whose state begins with them (pattern.h). No MPI. */
#pragma once

#include "results/extra_values.h"

enum turn { ALONE, WORK_ALONE, BOTH, TURNS, GAIN = TURNS, KEPT };

/* The additional values of a row. */
enum { PURE, WORK, HIDDEN, OVERLAP, AVAILABILITY, AS_OSU, AS_IMB, OFF };

/* The times of the turns in each valid repetition, and what of them is hidden, p + w - t. */
struct turns {
    struct values of[KEPT];
};

/* How they are summarised, by which clock. */
struct turns_rule {
    struct summing how;
    double tick_us, cost_us; /* of reading the clock */
};

/* Adds a repetition with the times of its turns; works: there is work, not only clock readings. */
void turns_add(struct turns *t, const double us[TURNS], bool works, const struct turns_rule *rule);

struct extra_value turns_mean(const struct turns *t, int which, const struct turns_rule *rule);

/* Sets PURE to AVAILABILITY: of the process that took longest. */
void turns_conclude(const struct turns *t, bool works, const struct turns_rule *rule,
                    struct extra_value *extra);

/* As OSU says it, t: the sums over this number of processes; as IMB does, of one process. */
struct extra_value turns_as_osu(const struct turns *t, int processes,
                                const struct turns_rule *rule);
struct extra_value turns_as_imb(const struct turns *t, const struct turns_rule *rule);
