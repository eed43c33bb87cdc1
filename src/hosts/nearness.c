#include "hosts/nearness.h"

/* A process may be the nearest one if its time is at most this many times the shortest one. */
static const double NEAR = 1.5;

/* Times that differ by less are the same. */
static const double SAME = 1.001;

enum { MAX_AGAIN = 64, MAX_NEAR = 8 };

int nearness_choose(const double *latency_us, int processes, bool farthest)
{
    const double sign = farthest ? -1.0 : 1.0;
    int chosen = 1;
    for (int i = 2; i < processes; i++)
        if (sign * latency_us[i] < sign * latency_us[chosen])
            chosen = i;
    return chosen;
}

struct nearness nearness_start(const double *latency_us, bool *exact, int processes)
{
    return (struct nearness){ latency_us,   exact,         processes,        .first = 2,
                              .nearest = 1, .farthest = 1, .left = MAX_AGAIN };
}

/* The process with the longest time is the farthest once that time is accurate. */
static int may_be_farthest(const struct nearness *s)
{
    int farthest = nearness_choose(s->latency_us, s->processes, true);
    for (int i = 1; i < s->processes; i++)
        if (s->exact[i] && SAME * s->latency_us[i] >= s->latency_us[farthest])
            return 0;
    return farthest;
}

/* The shortest inexact time of the few that may really be the shortest. */
static int may_be_nearest(const struct nearness *s)
{
    int next = 0, exact = 0;
    double near_us = NEAR * s->latency_us[nearness_choose(s->latency_us, s->processes, false)];
    for (int i = 1; i < s->processes; i++) {
        if (s->latency_us[i] > near_us)
            continue;
        if (s->exact[i])
            exact++;
        else if (next == 0 || s->latency_us[i] < s->latency_us[next])
            next = i;
    }
    return exact < MAX_NEAR ? next : 0;
}

int nearness_next(struct nearness *s)
{
    if (s->processes < 2 || s->left == 0)
        return 0;
    s->left--;
    int next = may_be_farthest(s);
    next = next == 0 ? may_be_nearest(s) : next;
    if (next != 0)
        return next;
    const double *us = s->latency_us;
    for (; s->first < s->processes; s->first++) {
        int i = s->first;
        bool farther = us[i] > SAME * us[s->farthest], nearer = SAME * us[i] < us[s->nearest];
        if ((farther || nearer) && !s->exact[i])
            return i;
        s->farthest = farther ? i : s->farthest;
        s->nearest = nearer ? i : s->nearest;
    }
    return 0;
}
