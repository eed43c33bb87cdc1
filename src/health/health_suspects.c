#include "health/health.h"

/* The excess divided by the limit, as logarithms; 0 within the limit. */
static double beyond(double excess, double limit)
{
    return isfinite(excess) && excess > limit ? excess - limit : 0.0;
}

/* How far a host is beyond a limit; of kinds of pairs, or of others. */
static double host_beyond(const struct health *h, int host, bool pairs)
{
    double most = 0.0;
    for (enum health_kind k = 0; k < HEALTH_KINDS; k++)
        for (int d = 0; d < 2 && health_kinds[k].pairs == pairs && h->hosts > 2; d++)
            most = fmax(most, beyond(health_excess(h, k, host, d == 1), h->levels[k].host_limit));
    return most;
}

/* How far a host is slower than in the baseline, beyond what matters. */
static double since_beyond(const struct health *h, int host, bool pairs)
{
    double most = 0.0;
    for (enum health_kind k = 0; k < HEALTH_KINDS; k++)
        for (int d = 0; d < 2 && health_kinds[k].pairs == pairs; d++)
            if (h->baseline[k][d] != NULL)
                most =
                    fmax(most, beyond(h->levels[k].reference + health_excess(h, k, host, d == 1) -
                                          h->baseline[k][d][host],
                                      log(health_kinds[k].few)));
    return most;
}

static double pair_excess(const struct health *h, enum health_kind kind, int a, int b)
{
    const struct health_level *l = &h->levels[kind];
    return health_pair_time(h, kind, a, b) - l->reference - l->from[a] - l->to[b];
}

static double pair_beyond(const struct health *h, int a, int b)
{
    double most = 0.0;
    for (enum health_kind k = 0; k < HEALTH_KINDS && h->hosts > 2; k++)
        if (health_kinds[k].pairs) {
            double limit = h->levels[k].pair_limit[health_class_of(h, k, a, b)];
            most = fmax(most, beyond(pair_excess(h, k, a, b), limit));
            most = fmax(most, beyond(pair_excess(h, k, b, a), limit));
        }
    return most;
}

static struct health_suspect *add_suspect(struct health *h, int host, int other, double excess)
{
    struct health_suspect *s = &h->suspects[h->suspect_count++];
    *s = (struct health_suspect){
        .host = host, .other = other, .excess = excess, .group = -1, .looks = { -1, -1, -1 }
    };
    return s;
}

static void add_hosts(struct health *h, bool *slow)
{
    for (int i = 0; i < h->hosts; i++) {
        double excess = fmax(host_beyond(h, i, true), host_beyond(h, i, false));
        double since = fmax(since_beyond(h, i, true), since_beyond(h, i, false));
        slow[i] = host_beyond(h, i, true) > 0.0;
        if (excess > 0.0 || since > 0.0)
            add_suspect(h, i, -1, fmax(excess, since))->since = since > 0.0;
    }
}

/* On a disturbed machine, all hosts may look slow: the two that do least are partners of others. */
static void keep_two(const struct health *h, bool *slow)
{
    int fit = 0;
    for (int i = 0; i < h->hosts; i++)
        fit += !slow[i];
    for (; fit < 2 && fit < h->hosts; fit++) {
        int least = -1;
        for (int i = 0; i < h->hosts; i++)
            if (slow[i] && (least < 0 || host_beyond(h, i, true) < host_beyond(h, least, true)))
                least = i;
        slow[least] = false;
    }
}

static int by_excess(const void *a, const void *b)
{
    const struct health_suspect *x = a, *y = b;
    return (x->excess < y->excess) - (x->excess > y->excess);
}

/* The slowest pairs of hosts that are not slow themselves. */
static void add_pairs(struct health *h, const bool *slow, int most)
{
    int first = h->suspect_count;
    for (int a = 0; a < h->hosts; a++)
        for (int b = a + 1; b < h->hosts; b++)
            if (!slow[a] && !slow[b] && pair_beyond(h, a, b) > 0.0)
                add_suspect(h, a, b, pair_beyond(h, a, b));
    int pairs = h->suspect_count - first;
    qsort(&h->suspects[first], (size_t)pairs, sizeof(*h->suspects), by_excess);
    h->left = pairs > most ? pairs - most : 0;
    h->suspect_count -= h->left;
}

static int look_at(struct health *h, int a, int b, bool control)
{
    struct health_look *l = &h->looks[h->look_count];
    *l = (struct health_look){ .a = a, .b = b, .control = control };
    for (int v = 0; v < HEALTH_VISITS; v++)
        for (int i = 0; i < MOST_VALUES; i++)
            l->us[v][i] = NAN;
    return h->look_count++;
}

/* The next host after one that is healthy, as is their pair, and as near to it as another one, or
 * within a group; else a host of the other class. It is neither of two others. -1: none. */
static int partner_of(const struct health *h, const bool *slow, int host, int but, int nor)
{
    enum health_class class = but < 0 ? CLASS_WITHIN : health_class_of(h, HEALTH_LONG, host, but);
    for (int i = 1; i < 2 * h->hosts; i++) {
        int other = (host + i) % h->hosts;
        bool fits = !slow[other] && other != but && other != nor && other != host;
        bool alike = (health_class_of(h, HEALTH_LONG, host, other) == class) == (i < h->hosts);
        if (fits && alike && (slow[host] || h->hosts <= 3 || pair_beyond(h, host, other) == 0.0))
            return other;
    }
    return -1;
}

/* If most hosts are slower than in the baseline, some of them show that. */
enum { MOST_SINCE = 8, CLASS_LOOKS = 4 };

/* Two other pairings of a host, and the pair of those two as a control. */
static void look_at_host(struct health *h, struct health_suspect *s, const bool *slow)
{
    int host = s->host;
    if (host_beyond(h, host, true) > 0.0 || since_beyond(h, host, true) > 0.0) {
        int first = partner_of(h, slow, host, -1, -1);
        int second = first < 0 ? -1 : partner_of(h, slow, host, first, -1);
        if (first >= 0)
            s->looks[0] = look_at(h, host, first, false);
        if (second >= 0) {
            s->looks[1] = look_at(h, host, second, false);
            look_at(h, first, second, true);
        }
    }
    if (host_beyond(h, host, false) > 0.0 || since_beyond(h, host, false) > 0.0) {
        int other = partner_of(h, slow, host, -1, -1);
        s->looks[2] = look_at(h, host, -1, false);
        if (other >= 0)
            look_at(h, other, -1, true);
    }
}

static void look_at_pair(struct health *h, struct health_suspect *s, const bool *slow)
{
    int first = partner_of(h, slow, s->host, s->other, -1);
    int second = partner_of(h, slow, s->other, s->host, first);
    if (second < 0)
        second = partner_of(h, slow, s->other, s->host, -1);
    s->looks[0] = look_at(h, s->host, s->other, false);
    if (first >= 0)
        s->looks[1] = look_at(h, s->host, first, true);
    if (second >= 0)
        s->looks[2] = look_at(h, s->other, second, true);
}

/* Pairs within groups and across, of some hosts: what each class needs alone. */
static void look_at_classes(struct health *h, const bool *slow)
{
    for (enum health_kind k = 0; k < HEALTH_KINDS; k++)
        for (int i = 0; i < CLASS_LOOKS && i < h->hosts && h->levels[k].groups > 0; i++)
            for (int class = 0, found = 0; class < HEALTH_CLASSES; class ++, found = 0)
                for (int step = 1; step < h->hosts && !found; step++) {
                    int a = i * h->hosts / CLASS_LOOKS, b = (a + step) % h->hosts;
                    found = !slow[a] && !slow[b] && (int)health_class_of(h, k, a, b) == class;
                    if (found)
                        look_at(h, a, b, true);
                }
}

void health_find(struct health *h, int pairs)
{
    size_t n = (size_t)h->hosts;
    bool *slow;
    allocated_array(&slow, n);
    allocated_array(&h->suspects, n + n * (n - 1) / 2);
    health_find_levels(h);
    add_hosts(h, slow);
    keep_two(h, slow);
    add_pairs(h, slow, pairs);
    size_t looks = 5 * (size_t)h->suspect_count + CLASS_LOOKS * HEALTH_CLASSES * HEALTH_KINDS;
    allocated_array(&h->looks, looks);
    for (int i = 0, since = 0; i < h->suspect_count; i++) {
        struct health_suspect *s = &h->suspects[i];
        bool only_since = s->other < 0 && host_beyond(h, s->host, true) == 0.0 &&
                          host_beyond(h, s->host, false) == 0.0;
        if (only_since && since++ >= MOST_SINCE)
            continue;
        if (s->other < 0)
            look_at_host(h, s, slow);
        else
            look_at_pair(h, s, slow);
    }
    look_at_classes(h, slow);
    free(slow);
}
