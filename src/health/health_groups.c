#include "health/health.h"

#include "stats/stats.h"

/* The least parts of pairs that are on the right side of what is near, within groups and across,
 * and of hosts that are in groups. */
static const double CLEAR = 0.9, GROUPED = 0.75;

enum { PASSES = 3 };

enum health_class health_class_of(const struct health *h, enum health_kind kind, int a, int b)
{
    const int *group = h->levels[kind].group;
    bool across = h->levels[kind].groups > 0 && group[a] >= 0 && group[b] >= 0;
    return across && group[a] != group[b] ? CLASS_ACROSS : CLASS_WITHIN;
}

double health_pair_time(const struct health *h, enum health_kind kind, int a, int b)
{
    bool across = health_class_of(h, kind, a, b) == CLASS_ACROSS;
    return log(h->us[kind][a * h->hosts + b]) - (across ? h->levels[kind].across : 0.0);
}

/* The time of the faster direction: routes of the other may have collided. */
static double distance(const struct health *h, enum health_kind kind, int a, int b)
{
    return fmin(h->us[kind][a * h->hosts + b], h->us[kind][b * h->hosts + a]);
}

/* Moves a host to the group with which it has most near pairs, beyond those that are not: it is
 * alone if there is none. votes: as many as there are hosts. */
static void settle(const struct health *h, enum health_kind kind, double most, int host,
                   double *votes)
{
    int *group = h->levels[kind].group, best = -1;
    for (int g = 0; g < h->hosts; g++)
        votes[g] = 0.0;
    for (int i = 0; i < h->hosts; i++)
        if (i != host && group[i] >= 0)
            votes[group[i]] += distance(h, kind, host, i) <= most ? 1.0 : -1.0;
    for (int g = 0; g < h->hosts; g++)
        if (votes[g] > 0.0 && (best < 0 || votes[g] > votes[best]))
            best = g;
    group[host] = best;
}

/* Puts each host with those that are near it and in no group, and settles all some times. */
static void form(const struct health *h, enum health_kind kind, double most, double *votes)
{
    int *group = h->levels[kind].group, n = h->hosts;
    for (int i = 0; i < n; i++)
        group[i] = -1;
    for (int i = 0; i < n; i++)
        for (int j = i; j < n && (group[i] < 0 || group[i] == i); j++)
            if (group[j] < 0 && (i == j || distance(h, kind, i, j) <= most))
                group[j] = i;
    for (int i = 0; i < PASSES * n; i++)
        settle(h, kind, most, i % n, votes);
}

int health_group_size(const struct health *h, enum health_kind kind, int host, bool *first)
{
    const int *group = h->levels[kind].group;
    int size = 0;
    *first = true;
    for (int i = 0; i < h->hosts && group[host] >= 0; i++) {
        size += group[i] == group[host];
        *first = *first && (i >= host || group[i] != group[host]);
    }
    return size;
}

/* Counts the groups of two hosts or more, if they have most hosts; hosts of smaller ones are in
 * none. smallest: the size of the smallest one. */
static int count(struct health *h, enum health_kind kind, int *smallest)
{
    int groups = 0, grouped = 0;
    *smallest = h->hosts;
    for (int i = 0; i < h->hosts; i++) {
        bool first;
        int size = health_group_size(h, kind, i, &first);
        if (size < 2) {
            h->levels[kind].group[i] = -1;
            continue;
        }
        grouped++;
        groups += first;
        *smallest = size < *smallest ? size : *smallest;
    }
    return grouped >= GROUPED * h->hosts ? groups : 0;
}

/* Is one of two groups rather slow, or far away, than one of many? */
static bool is_odd(const struct health *h, int groups, int smallest)
{
    return groups == 2 && 3 * smallest <= h->hosts;
}

/* How many pairs are near within groups, or not across; 0: too few, or there are no groups. */
static double clear_pairs(struct health *h, enum health_kind kind, double most)
{
    int all[HEALTH_CLASSES] = { 0 }, near[HEALTH_CLASSES] = { 0 }, smallest;
    const int *group = h->levels[kind].group;
    int groups = count(h, kind, &smallest);
    for (int a = 0; a < h->hosts && groups > 1; a++)
        for (int b = 0; b < a; b++)
            if (group[a] >= 0 && group[b] >= 0) {
                all[group[a] != group[b]]++;
                near[group[a] != group[b]] += distance(h, kind, a, b) <= most;
            }
    bool clear = near[CLASS_WITHIN] >= CLEAR * all[CLASS_WITHIN] &&
                 near[CLASS_ACROSS] <= (1.0 - CLEAR) * all[CLASS_ACROSS] &&
                 near[CLASS_ACROSS] <= (1.0 - CLEAR) * near[CLASS_WITHIN];
    int right = near[CLASS_WITHIN] + all[CLASS_ACROSS] - near[CLASS_ACROSS];
    if (!clear)
        return 0.0;
    return is_odd(h, groups, smallest) ? CLEAR * right : right;
}

/* The median of the logarithms of a class, without the pairs of one group. */
static double usual(const struct health *h, enum health_kind kind, enum health_class class, int but,
                    double *list)
{
    int n = 0, hosts = h->hosts;
    const int *group = h->levels[kind].group;
    for (int i = 0; i < hosts * hosts; i++) {
        int a = i / hosts, b = i % hosts;
        bool counts =
            a != b && h->us[kind][i] > 0.0 && (but < 0 || (group[a] != but && group[b] != but));
        if (counts && health_class_of(h, kind, a, b) == class)
            list[n++] = log(h->us[kind][i]);
    }
    return stats_median(list, n);
}

/* Returns what pairs across need more. If one of three or four groups is slow, so are half of these
 * pairs or more: then those of the others count. */
static double across(const struct health *h, enum health_kind kind, double *list)
{
    const struct health_level *l = &h->levels[kind];
    double least = usual(h, kind, CLASS_ACROSS, -1, list);
    for (int i = 0; i < h->hosts && (l->groups == 3 || l->groups == 4); i++)
        if (l->group[i] >= 0 && (i == 0 || l->group[i] != l->group[i - 1]))
            least = fmin(least, usual(h, kind, CLASS_ACROSS, l->group[i], list));
    return least - usual(h, kind, CLASS_WITHIN, -1, list);
}

/* Forms the clearest groups, for what is near from the nearest pairs to most; none if there are
 * none. */
static void search(struct health *h, enum health_kind kind, double *list)
{
    int n = 0;
    double most = 0.0, best = 0.0;
    for (int a = 0; a < h->hosts; a++)
        for (int b = 0; b < a; b++)
            if (isfinite(distance(h, kind, a, b)))
                list[n++] = distance(h, kind, a, b);
    stats_sort(list, n);
    for (int at = h->hosts / 2 - 1; at < n - 1 && h->hosts > 3; at += 1 + at / 16) {
        form(h, kind, list[at], list + n);
        double clear = clear_pairs(h, kind, list[at]);
        most = clear > best ? list[at] : most;
        best = fmax(best, clear);
    }
    form(h, kind, most, list + n);
}

double health_across(const struct health *h, enum health_kind kind)
{
    const struct health_level *l = &h->levels[kind];
    return l->groups > 0 ? exp(isnan(l->alone) ? l->across : l->alone) : NAN;
}

void health_find_groups(struct health *h, enum health_kind kind, double *list)
{
    struct health_level *l = &h->levels[kind];
    int smallest;
    for (int i = 0; i < h->hosts && h->switches != NULL; i++)
        l->group[i] = h->switches[i];
    l->groups = h->switches != NULL ? count(h, kind, &smallest) : 0;
    if (l->groups < 2) {
        search(h, kind, list);
        l->groups = count(h, kind, &smallest);
        l->groups = l->groups < 2 || is_odd(h, l->groups, smallest) ? 0 : l->groups;
    }
    l->across = l->groups > 0 ? across(h, kind, list) : 0.0;
}
