#include "health/health.h"

#include "stats/stats.h"

static const double FAMILY = 0.05;

/* How many of n values an interval of their median leaves out on each side: each side is wrong with
 * a probability of at most FAMILY / tests. Negative: there are too few values. */
static int left_out(int n, int tests)
{
    double term = pow(0.5, n), sum = term;
    int out = -1;
    while (sum * tests <= FAMILY && out + 1 < n / 2) {
        out++;
        term *= (double)(n - out) / (out + 1);
        sum += term;
    }
    return out;
}

static void find_interval(struct health_look *l, int value, double reference, int tests)
{
    double list[HEALTH_VISITS];
    int n = 0;
    for (int v = 0; v < HEALTH_VISITS; v++)
        if (l->us[v][value] > 0.0)
            list[n++] = log(l->us[v][value]) - reference;
    stats_sort(list, n);
    int out = left_out(n, tests);
    l->low[value] = l->middle[value] = l->high[value] = NAN;
    if (n == 0)
        return;
    l->middle[value] = stats_percentile(list, n, 0.5);
    l->low[value] = out < 0 ? -INFINITY : list[out];
    l->high[value] = out < 0 ? INFINITY : list[n - 1 - out];
}

static int values_of(const struct health_look *l)
{
    return l->b < 0 ? HOST_VALUES : PAIR_VALUES;
}

static enum health_kind kind_of(const struct health_look *l, int value)
{
    if (l->b < 0)
        return (enum health_kind)(HEALTH_NEAR + value);
    return value == VALUE_LATENCY ? HEALTH_LATENCY : HEALTH_LONG;
}

static enum health_class class_of(const struct health *h, const struct health_look *l, int value)
{
    return l->b < 0 ? CLASS_WITHIN : health_class_of(h, kind_of(l, value), l->a, l->b);
}

/* The median of the controls' times of a kind and class; NaN without a control. */
static double median_of(const struct health *h, enum health_kind kind, enum health_class class,
                        double *list)
{
    int n = 0;
    for (int i = 0; i < h->look_count; i++) {
        const struct health_look *l = &h->looks[i];
        for (int v = 0; v < values_of(l) && l->control; v++)
            for (int t = 0; t < HEALTH_VISITS && kind_of(l, v) == kind; t++)
                if (l->us[t][v] > 0.0 && class_of(h, l, v) == class)
                    list[n++] = log(l->us[t][v]);
    }
    return stats_median(list, n);
}

/* Finds what hosts and pairs within groups need; without a control, that is what they needed in the
 * rounds. Intervals are relative to this, and of pairs across to what these need beyond it. */
static void find_intervals(struct health *h, double references[HEALTH_KINDS])
{
    double *list;
    allocated_array(&list, (size_t)h->look_count * HEALTH_VISITS * 2);
    for (enum health_kind k = 0; k < HEALTH_KINDS; k++) {
        struct health_level *l = &h->levels[k];
        references[k] = median_of(h, k, CLASS_WITHIN, list);
        l->alone = median_of(h, k, CLASS_ACROSS, list) - references[k];
        references[k] = isnan(references[k]) ? l->reference : references[k];
    }
    free(list);
    for (int i = 0; i < h->look_count; i++)
        for (int v = 0; v < values_of(&h->looks[i]); v++) {
            struct health_look *look = &h->looks[i];
            const struct health_level *l = &h->levels[kind_of(look, v)];
            double across = isnan(l->alone) ? l->across : l->alone;
            across = class_of(h, look, v) == CLASS_WITHIN ? 0.0 : across;
            find_interval(look, v, references[kind_of(look, v)] + across,
                          PAIR_VALUES * h->suspect_count);
        }
}

static enum health_state state_of(const struct health_look *l, int value, double limit)
{
    if (isnan(l->middle[value]) || l->high[value] <= limit)
        return HEALTH_GOOD;
    return l->low[value] > limit ? HEALTH_BAD : HEALTH_UNKNOWN;
}

/* Keeps the value that is farthest beyond its limit for sure. */
static void keep_worst(struct health_suspect *s, const struct health_look *l, int value,
                       double limit, double shift)
{
    if (isnan(l->middle[value]) ||
        (s->limit > 0.0 && l->low[value] + shift - limit <= log(s->low) - log(s->limit)))
        return;
    s->kind = kind_of(l, value);
    s->ratio = exp(l->middle[value] + shift);
    s->low = exp(l->low[value] + shift);
    s->high = exp(l->high[value] + shift);
    s->limit = exp(limit);
}

/* A host's state in a value that is bad with both partners. One of them may show that only a pair
 * is slow: then *pair is that partner. */
static enum health_state with_two(struct health *h, struct health_suspect *s, int value, int *pair)
{
    const struct health_look *l[2] = { &h->looks[s->looks[0]], &h->looks[s->looks[1]] };
    enum health_state states[2], worse;
    for (int i = 0; i < 2; i++) {
        double limit = h->levels[kind_of(l[i], value)].host_limit;
        states[i] = state_of(l[i], value, limit);
        keep_worst(s, l[i], value, limit, 0.0);
    }
    worse = states[0] > states[1] ? states[0] : states[1];
    if (states[0] != HEALTH_GOOD && states[1] != HEALTH_GOOD)
        return states[0] == HEALTH_BAD && states[1] == HEALTH_BAD ? HEALTH_BAD : HEALTH_UNKNOWN;
    const struct health_look *bad = l[states[0] == HEALTH_BAD ? 0 : 1];
    if (worse == HEALTH_BAD &&
        bad->low[value] > h->levels[kind_of(bad, value)].pair_limit[class_of(h, bad, value)])
        *pair = bad->b;
    return worse == HEALTH_UNKNOWN ? HEALTH_UNKNOWN : HEALTH_GOOD;
}

/* The fault of the worst state of a suspect. */
static enum health_fault fault_of(enum health_state state, enum health_fault if_bad)
{
    if (state == HEALTH_BAD)
        return if_bad;
    return state == HEALTH_UNKNOWN ? FAULT_UNKNOWN : FAULT_NONE;
}

static enum health_fault host_fault(const enum health_state state[PAIR_VALUES])
{
    bool latency = state[VALUE_LATENCY] == HEALTH_BAD, there = state[VALUE_THERE] == HEALTH_BAD,
         back = state[VALUE_BACK] == HEALTH_BAD;
    if (there && back)
        return latency ? FAULT_HOST : FAULT_LINK;
    if (!there && !back)
        return latency ? FAULT_LATENCY : FAULT_NONE;
    if (latency)
        return FAULT_LINK;
    return there ? FAULT_SENDING : FAULT_RECEIVING;
}

/* With one partner only, a host can be found healthy, but not be named. */
static enum health_fault with_one(const struct health *h, const struct health_suspect *s)
{
    const struct health_look *l = &h->looks[s->looks[0]];
    for (int v = 0; v < PAIR_VALUES; v++)
        if (state_of(l, v, h->levels[kind_of(l, v)].host_limit) != HEALTH_GOOD)
            return FAULT_UNKNOWN;
    return FAULT_NONE;
}

static enum health_fault fault_between(struct health *h, struct health_suspect *s)
{
    enum health_state state[PAIR_VALUES];
    int pair = -1;
    bool unknown = false;
    if (s->looks[0] < 0 || (s->looks[1] < 0 && s->since))
        return FAULT_NONE;
    if (s->looks[1] < 0)
        return with_one(h, s);
    for (int v = 0; v < PAIR_VALUES; v++) {
        state[v] = with_two(h, s, v, &pair);
        unknown = unknown || state[v] == HEALTH_UNKNOWN;
    }
    enum health_fault fault = host_fault(state);
    if (fault != FAULT_NONE)
        return fault;
    s->other = pair;
    if (pair >= 0)
        return FAULT_PAIR;
    return unknown ? FAULT_UNKNOWN : FAULT_NONE;
}

static enum health_fault fault_within(struct health *h, struct health_suspect *s)
{
    enum health_state worst = HEALTH_GOOD;
    const struct health_look *l = &h->looks[s->looks[2]];
    for (int v = 0; v < HOST_VALUES && s->looks[2] >= 0 && h->hosts > 2; v++) {
        double limit = h->levels[kind_of(l, v)].host_limit;
        enum health_state state = state_of(l, v, limit);
        worst = state > worst ? state : worst;
        if (state != HEALTH_GOOD)
            keep_worst(s, l, v, limit, 0.0);
    }
    return fault_of(worst, FAULT_HOST);
}

/* Is a value of the host's measurements slower than in the baseline, for sure? */
static enum health_state since_baseline(struct health *h, struct health_suspect *s,
                                        const double references[HEALTH_KINDS])
{
    enum health_state worst = HEALTH_GOOD;
    for (int i = 0; i < 3; i++) {
        const struct health_look *l = &h->looks[s->looks[i] < 0 ? 0 : s->looks[i]];
        for (int v = 0; v < values_of(l) && s->looks[i] >= 0; v++) {
            enum health_kind k = kind_of(l, v);
            const double *usual = h->baseline[k][v == VALUE_BACK && l->b >= 0];
            if (usual == NULL || isnan(usual[s->host]))
                continue;
            double shift = references[k] - usual[s->host];
            enum health_state state = state_of(l, v, log(health_kinds[k].few) - shift);
            worst = state > worst ? state : worst;
            if (state != HEALTH_GOOD)
                keep_worst(s, l, v, log(health_kinds[k].few), shift);
        }
    }
    return worst;
}

static void judge_host(struct health *h, struct health_suspect *s,
                       const double references[HEALTH_KINDS])
{
    if (s->looks[0] < 0 && s->looks[2] < 0) {
        s->fault = FAULT_UNKNOWN;
        return;
    }
    enum health_fault within = fault_within(h, s), between = fault_between(h, s);
    s->fault = within == FAULT_HOST || between == FAULT_NONE ? within : between;
    if (!s->since || s->fault > FAULT_UNKNOWN)
        return;
    enum health_state since = since_baseline(h, s, references);
    if (since != HEALTH_GOOD)
        s->fault = fault_of(since, FAULT_BASELINE);
}

/* A pair is named if it is slow alone, and each of its hosts is not with another one. */
static void judge_pair(struct health *h, struct health_suspect *s)
{
    const struct health_look *own = &h->looks[s->looks[0]];
    enum health_state worst = HEALTH_GOOD;
    bool alike = s->looks[1] < 0 || s->looks[2] < 0;
    for (int v = 0; v < PAIR_VALUES; v++) {
        double limit = h->levels[kind_of(own, v)].pair_limit[class_of(h, own, v)];
        enum health_state state = state_of(own, v, limit);
        worst = state > worst ? state : worst;
        keep_worst(s, own, v, limit, 0.0);
        for (int i = 1; i < 3 && state == HEALTH_BAD && s->looks[i] >= 0; i++) {
            const struct health_look *l = &h->looks[s->looks[i]];
            int same = v == VALUE_LATENCY || i == 1 ? v : PAIR_VALUES - v;
            alike = alike || l->middle[same] > limit;
        }
    }
    s->fault = fault_of(worst, alike ? FAULT_UNKNOWN : FAULT_PAIR);
}

/* The group of a slow host, if it may be slow because of its group; else negative. */
static int group_of(const struct health *h, const struct health_suspect *s)
{
    bool link = s->fault == FAULT_HOST || s->fault == FAULT_LINK;
    bool between = s->other < 0 && s->kind < HEALTH_NEAR && (link || s->fault == FAULT_LATENCY);
    const struct health_level *level = &h->levels[link ? HEALTH_LONG : HEALTH_LATENCY];
    return between ? level->group[s->host] : -1;
}

/* Slow hosts that are near each other have something in common: a switch. If only short messages to
 * others take longer, that is their distance. */
static void find_groups(struct health *h)
{
    for (int i = 0; i < h->suspect_count; i++)
        for (int j = 0; j < h->suspect_count && h->suspects[i].group < 0; j++) {
            struct health_suspect *s = &h->suspects[i], *other = &h->suspects[j];
            bool far = s->fault == FAULT_LATENCY;
            if (i != j && group_of(h, s) >= 0 && group_of(h, s) == group_of(h, other) &&
                far == (other->fault == FAULT_LATENCY))
                s->group = i < j ? i : other->group;
        }
    for (int i = 0; i < h->suspect_count; i++)
        if (h->suspects[i].group >= 0)
            h->suspects[i].fault = h->suspects[i].fault == FAULT_LATENCY ? FAULT_FAR : FAULT_GROUP;
}

void health_judge(struct health *h)
{
    double references[HEALTH_KINDS];
    find_intervals(h, references);
    for (int i = 0; i < h->suspect_count; i++)
        if (h->suspects[i].other < 0)
            judge_host(h, &h->suspects[i], references);
        else
            judge_pair(h, &h->suspects[i]);
    find_groups(h);
}
