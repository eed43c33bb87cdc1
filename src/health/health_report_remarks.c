#include "health/health_report.h"

__attribute__((format(printf, 4, 5))) static void
add(struct health_remarks *r, enum health_state state, int host, const char *format, ...)
{
    grow_for_one(&r->list, r->count, &r->capacity, sizeof(*r->list));
    struct health_remark *m = &r->list[r->count++];
    *m = (struct health_remark){ .state = state, .host = host };
    text_add_own(&m->text, format);
}

/* "bandwidth 2.01 times slower (1.98 to 2.05), limit 1.15" */
static void add_ratio(struct text *out, const struct health_suspect *s)
{
    text_add(out, "%s %.2f times slower (%.2f to %.2f), limit %.2f", health_kinds[s->kind].name,
             s->ratio, s->low, s->high, s->limit);
}

static void add_group(struct health_remarks *r, const struct health *h, int group)
{
    LOCAL_TEXT names = { 0 }, ratio = { 0 };
    const struct health_suspect *first = &h->suspects[group];
    int count = 0;
    for (int i = 0; i < h->suspect_count; i++)
        if (h->suspects[i].group == group) {
            text_add(&names, "%s%s", count == 0 ? "" : ",", h->names[h->suspects[i].host]);
            count++;
        }
    add_ratio(&ratio, first);
    if (first->fault == FAULT_FAR)
        add(r, HEALTH_GOOD, -1, "%s: near each other and farther from the rest, %s",
            text_get(&names), text_get(&ratio));
    else
        add(r, HEALTH_BAD, -1, "%s: their common switch or its uplink, %s; not between them",
            text_get(&names), text_get(&ratio));
}

/* The state of what is beyond a limit: it says nothing if processes waited for CPUs. */
static enum health_state beyond(const struct health *h, const struct health_run *run)
{
    bool disturbed = run->oversubscribed;
    for (int i = 0; i < h->hosts; i++)
        disturbed = disturbed || run->shares[i] < health_limit(LIMIT_SHARE);
    return disturbed ? HEALTH_UNKNOWN : HEALTH_BAD;
}

/* "2 groups of hosts (8 like h0, 8 like h8)" */
static void add_groups(struct text *out, const struct health *h, enum health_kind kind)
{
    const char *apart = "";
    text_add(out, "%d groups of hosts (", h->levels[kind].groups);
    for (int i = 0; i < h->hosts; i++) {
        bool first;
        int size = health_group_size(h, kind, i, &first);
        if (size == 0 || !first)
            continue;
        text_add(out, "%s%d like %s", apart, size, h->names[i]);
        apart = ", ";
    }
    text_add(out, ")");
}

#define ACROSS "%s: bandwidth within 1.00, across %.2f, in the rounds %.2f"

/* Says how much bandwidth is left across groups; by the baseline or, without one, by what matters.
 */
static void add_across(struct health_remarks *r, const struct health *h,
                       const struct health_run *run, const char *groups, bool slow)
{
    const double limit = health_kinds[HEALTH_LONG].few * run->usual.across;
    const double across = health_across(h, HEALTH_LONG),
                 rounds = exp(-h->levels[HEALTH_LONG].across);
    if (isnan(limit) && slow)
        add(r, HEALTH_LOOK, -1, ACROSS ": designed?", groups, 1.0 / across, rounds);
    else if (across > limit)
        add(r, beyond(h, run), -1, ACROSS "; %.2f in the baseline, limit %.2f", groups,
            1.0 / across, rounds, 1.0 / run->usual.across, 1.0 / limit);
    else if (!isnan(limit))
        add(r, HEALTH_GOOD, -1, ACROSS ", as usual", groups, 1.0 / across, rounds);
}

/* Says what hosts in groups have in common, and where a slow one can hide. */
static void add_classes(struct health_remarks *r, const struct health *h,
                        const struct health_run *run, enum health_kind kind)
{
    const struct health_level *l = &h->levels[kind];
    const struct health_kind_info *k = &health_kinds[kind];
    double most = health_limit(LIMIT_SCATTER), across = health_across(h, kind);
    double limit = exp(fmax(l->host_limit, l->pair_limit[CLASS_WITHIN]));
    LOCAL_TEXT groups = { 0 };
    if (h->hosts > 2 && limit > most)
        add(r, HEALTH_LOOK, -1,
            "%s: limits up to %.3g, above %.2g: a slow host can hide in the scatter", k->name,
            limit, most);
    if (l->groups == 0)
        return;
    add_groups(&groups, h, kind);
    bool slow = across > (h->hosts < HEALTH_SURE_HOSTS ? k->few : k->least);
    if (kind == HEALTH_LONG)
        add_across(r, h, run, text_get(&groups), slow || exp(l->pair_limit[CLASS_ACROSS]) > most);
    else if (slow)
        add(r, HEALTH_GOOD, -1, "%s: %s across is %.2f times that within", text_get(&groups),
            k->name, across);
}

static void add_fault(struct health_remarks *r, const struct health *h, int i)
{
    const struct health_suspect *s = &h->suspects[i];
    LOCAL_TEXT ratio = { 0 };
    const char *host = h->names[s->host], *other = s->other < 0 ? NULL : h->names[s->other];
    add_ratio(&ratio, s);
    if (s->group >= 0) {
        if (s->group == i)
            add_group(r, h, i);
    } else if (s->fault == FAULT_PAIR) {
        add(r, HEALTH_BAD, -1, "%s - %s: only this pair, %s", host, other, text_get(&ratio));
    } else if (s->fault == FAULT_UNKNOWN && s->since && s->limit == 0.0) {
        return; /* add_collisions counts them */
    } else if (s->fault == FAULT_UNKNOWN) {
        add(r, HEALTH_UNKNOWN, -1, "%s%s%s: %s", host, other == NULL ? "" : " - ",
            other == NULL ? "" : other,
            s->limit > 0.0 ? text_get(&ratio) : "no healthy host is left to compare it with");
    } else if (s->fault != FAULT_NONE) {
        bool alone = s->kind >= HEALTH_NEAR && s->fault == FAULT_HOST;
        add(r, HEALTH_BAD, s->host, "%s: %s, %s", host,
            alone ? "by itself" : health_faults[s->fault].what, text_get(&ratio));
    }
}

static void add_collisions(struct health_remarks *r, const struct health *h)
{
    int pairs = 0, hosts = 0, since = 0;
    for (int i = 0; i < h->suspect_count; i++) {
        const struct health_suspect *s = &h->suspects[i];
        pairs += s->fault == FAULT_NONE && s->other >= 0;
        hosts += s->fault == FAULT_NONE && s->other < 0;
        since += s->fault == FAULT_UNKNOWN && s->since && s->limit == 0.0;
    }
    if (since > 0)
        add(r, HEALTH_UNKNOWN, -1,
            "%d more hosts were slower than in the baseline; they were not measured alone", since);
    if (pairs > 0)
        add(r, HEALTH_GOOD, -1,
            "%d pair%s slow beside other messages, but not alone: colliding routes, or a "
            "disturbance",
            pairs, pairs == 1 ? " was" : "s were");
    if (hosts > 0)
        add(r, HEALTH_GOOD, -1, "%d host%s slow beside others, but not alone: a disturbance", hosts,
            hosts == 1 ? " was" : "s were");
    if (h->left > 0)
        add(r, HEALTH_UNKNOWN, -1,
            "%d more pairs were slow in the rounds; there was no time to measure them alone",
            h->left);
}

static double number_of(const struct link_rate *link, bool rails)
{
    return rails ? link->rails : link->mbit;
}

/* The number above 0 that most links have, of rails or as their rate. */
static double usual_of(const struct health *h, const struct health_run *run, bool rails)
{
    double usual = 0.0;
    for (int i = 0, most = 0; i < h->hosts; i++) {
        int count = 0;
        for (int j = 0; j < h->hosts; j++)
            count += number_of(&run->links[j], rails) == number_of(&run->links[i], rails);
        if (number_of(&run->links[i], rails) > 0.0 && count > most) {
            most = count;
            usual = number_of(&run->links[i], rails);
        }
    }
    return usual;
}

/* One connection often cannot fill a link, so TCP is held against TCP. */
static void add_tcp(struct health_remarks *r, const struct health *h, const struct health_run *run)
{
    const struct link_rate *k = &run->links[0];
    LOCAL_TEXT share = { 0 };
    bool poor = run->tcp_share < health_limit(LIMIT_TCP);
    if (isnan(run->tcp_share))
        text_add(&share, "no connection without MPI to compare it with");
    else
        text_add(&share, "MPI reaches %.0f %% of it without MPI", 100.0 * run->tcp_share);
    if (poor)
        text_add(&share, "; limit %.0f %%", 100.0 * health_limit(LIMIT_TCP));
    add(r, poor ? beyond(h, run) : HEALTH_GOOD, -1,
        "TCP serves messages between hosts (%s, %s%g Gbit/s); %s", k->name,
        k->mbit > 0.0 ? "" : "rate unknown: ", k->mbit / 1000.0, text_get(&share));
}

static void add_links(struct health_remarks *r, const struct health *h,
                      const struct health_run *run)
{
    const struct health_level *l = &h->levels[HEALTH_LONG];
    double usual = usual_of(h, run, false);
    double rails = usual_of(h, run, true);
    for (int i = 0; i < h->hosts && isfinite(l->reference); i++) {
        const struct link_rate *k = &run->links[i];
        double mbit = 8.0 * (1 << 20) / exp(l->reference + fmin(l->from[i], l->to[i]));
        if (k->mbit > 0.0 && k->mbit < usual)
            add(r, HEALTH_BAD, i, "%s: link %s runs at %g Gbit/s, others at %g", h->names[i],
                k->name, k->mbit / 1000.0, usual / 1000.0);
        else if (k->rails > 0.0 && k->rails < rails)
            add(r, HEALTH_BAD, i, "%s: %g active link%s like %s, others have %g", h->names[i],
                k->rails, plural(k->rails), k->name, rails);
        else if (k->mbit > 0.0 && !k->kernel && mbit < health_limit(LIMIT_LINK) * k->mbit)
            add(r, HEALTH_BAD, i,
                "%s: bandwidth is %.0f %% of its link %s, %g Gbit/s; limit %.0f %%", h->names[i],
                100.0 * mbit / k->mbit, k->name, k->mbit / 1000.0,
                100.0 * health_limit(LIMIT_LINK));
    }
    if (h->hosts > 1 && run->links[0].kernel)
        add_tcp(r, h, run);
}

static void add_since(struct health_remarks *r, enum health_state state, const char *what,
                      double times, double limit)
{
    if (times > limit)
        add(r, state, -1, "%s takes %.1f times as long as in the baseline, limit %g", what, times,
            limit);
}

/* Adds what needs no other host to compare with. */
static void add_absolute(struct health_remarks *r, const struct health *h,
                         const struct health_run *run)
{
    double near_us = exp(h->levels[HEALTH_NEAR].reference);
    double copy_us = exp(h->levels[HEALTH_COPY].reference) / 16.0;
    double long_us = exp(h->levels[HEALTH_NEAR_LONG].reference);
    enum health_state state = beyond(h, run);
    if (near_us > health_limit(LIMIT_NEAR_MOST) && isfinite(copy_us))
        add(r, state, -1, "latency within hosts is %.1f us, limit %.0f us: is shared memory used?",
            near_us, health_limit(LIMIT_NEAR_MOST));
    if (long_us > health_limit(LIMIT_NEAR_COPIES) * copy_us)
        add(r, state, -1, "1 MiB within hosts takes %.1f times a copy of it, limit %.0f",
            long_us / copy_us, health_limit(LIMIT_NEAR_COPIES));
    for (int i = 0; i < h->hosts; i++)
        if (run->shares[i] < health_limit(LIMIT_SHARE))
            add(r, HEALTH_UNKNOWN, -1,
                "%s: a process had %.0f %% of a CPU: other programs run there", h->names[i],
                100.0 * run->shares[i]);
    if (run->clock_unfit)
        add(r, HEALTH_UNKNOWN, -1, "clocks are apart by %.1f us and do not hold still",
            run->clock_us);
    add_since(r, state, "Allreduce", run->together.allreduce_us / run->usual.allreduce_us,
              health_limit(LIMIT_ALLREDUCE));
    add_since(r, state, "what halves of the hosts exchange at once",
              run->together.halves_us / run->usual.halves_us, health_limit(LIMIT_HALVES));
}

void health_remarks_find(struct health_remarks *r, const struct health *h,
                         const struct health_run *run)
{
    *r = (struct health_remarks){ 0 };
    for (int i = 0; i < h->suspect_count; i++)
        add_fault(r, h, i);
    for (enum health_kind k = 0; k < HEALTH_KINDS; k++)
        add_classes(r, h, run, k);
    add_links(r, h, run);
    add_absolute(r, h, run);
    add_collisions(r, h);
    if (h->hosts == 1)
        add(r, HEALTH_GOOD, -1, "one host: only what is within it was measured");
    if (h->hosts == 2 && run->baseline == NULL)
        add(r, HEALTH_UNKNOWN, -1,
            "with two hosts, only a baseline (--baseline) or a third host says which one is slow");
}

void health_remarks_release(struct health_remarks *r)
{
    for (size_t i = 0; i < r->count; i++)
        text_release(&r->list[i].text);
    free(r->list);
    *r = (struct health_remarks){ 0 };
}

enum health_state health_remarks_state(const struct health_remarks *r)
{
    enum health_state worst = HEALTH_GOOD;
    for (size_t i = 0; i < r->count; i++)
        worst = r->list[i].state > worst ? r->list[i].state : worst;
    return worst;
}
