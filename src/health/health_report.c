#include "health/health_report.h"

#include "base/json.h"

/* The host that is farthest from the usual one, in either direction. */
static int worst_host(const struct health *h, enum health_kind kind, double *excess)
{
    int worst = -1;
    *excess = -INFINITY;
    for (int i = 0; i < h->hosts; i++)
        for (int d = 0; d < 2; d++)
            if (health_excess(h, kind, i, d == 1) > *excess) {
                *excess = health_excess(h, kind, i, d == 1);
                worst = i;
            }
    return worst;
}

static void add_kind(struct text *out, const struct health *h, enum health_kind kind)
{
    const struct health_level *l = &h->levels[kind];
    bool is_rate = health_kinds[kind].bytes > 0;
    double excess, us = exp(l->reference);
    int worst = worst_host(h, kind, &excess);
    if (!isfinite(l->reference) || worst < 0)
        return;
    double shown = is_rate ? (double)health_kinds[kind].bytes / us : us;
    text_add(out, "  %-17s%10.2f %s", health_kinds[kind].name, shown, is_rate ? "MB/s" : "us");
    if (h->hosts > 2) {
        text_add(out, "%*s%8.2f  %-18s%6.2f", is_rate ? 1 : 3, "", exp(excess), h->names[worst],
                 exp(l->host_limit));
        if (health_kinds[kind].pairs)
            text_add(out, "%7.2f", exp(l->pair_limit[CLASS_WITHIN]));
    }
    text_add(out, "\n");
}

/* In one direction. */
static double halves_mbs(const struct health *h, const struct health_run *run)
{
    return h->hosts / 2 * (double)health_kinds[HEALTH_LONG].bytes / run->together.halves_us;
}

static double halves_share(const struct health *h, const struct health_run *run)
{
    return exp(h->levels[HEALTH_LONG].reference) / run->together.halves_us;
}

static double estimate_64_s(const struct health_run *run)
{
    return run->rounds > 0 ? 63.0 * run->rounds_s / run->rounds : 0.0;
}

static void add_head(struct text *out, const struct health *h, const struct health_run *run)
{
    text_add(out, "%d host%s, %d process%s", h->hosts, plural(h->hosts), run->processes,
             run->processes == 1 ? "" : "es");
    if (run->rounds > 0)
        text_add(out,
                 ": all pairs in %d round%s of %.2g s; %d measured again alone in %.2g s\n"
                 "64 hosts would take %.2g s (63 such rounds, an extrapolation) and what is again "
                 "measured alone",
                 run->rounds, plural(run->rounds), run->rounds_s / run->rounds, h->look_count,
                 run->alone_s, estimate_64_s(run));
    text_add(out, "\n\n  %-17s%16s", "", "usual value");
    if (h->hosts > 2)
        text_add(out, "%8s  %-18s%6s%7s", "slowest", "host", "limit", "pairs");
    text_add(out, "\n");
}

/* Adds the command that takes the host of a remark, by its short name, from Slurm. */
static void add_slurm(struct text *out, const struct health *h, const struct health_remark *m)
{
    if (m->state != HEALTH_BAD || m->host < 0)
        return;
    const char *text = text_get(&m->text), *why = strstr(text, ": ");
    const char *host = h->names[m->host];
    text_add(out, "scontrol update NodeName=%.*s State=DRAIN Reason=\"skampi health: %s\"",
             (int)strcspn(host, "."), host, why == NULL ? text : why + 2);
}

static void add_remark(struct text *out, const struct health *h, const struct health_remark *m)
{
    LOCAL_TEXT slurm = { 0 };
    text_add(out, "%-12s ", m->state == HEALTH_GOOD ? "note" : health_states[m->state].name);
    text_add_wrapped(out, text_get(&m->text), 13);
    add_slurm(&slurm, h, m);
    if (slurm.len > 0)
        text_add(out, "             %s\n", text_get(&slurm));
}

void health_text(struct text *out, const struct health *h, const struct health_run *run,
                 const struct health_remarks *r)
{
    add_head(out, h, run);
    for (enum health_kind k = 0; k < HEALTH_KINDS; k++)
        add_kind(out, h, k);
    text_add(out, "  %-17s%10.2f us\n", "Allreduce, 8 B", run->together.allreduce_us);
    if (isfinite(run->together.halves_us))
        text_add(out, "  %-17s%10.2f MB/s, %.2f of what its pairs reach alone\n", "between halves",
                 halves_mbs(h, run), halves_share(h, run));
    text_add(out, "  %-17s%10.2f us, at most %.2f\n\n", "clocks apart", run->clock_us,
             run->clock_bound_us);
    for (int state = HEALTH_BAD; state >= HEALTH_GOOD; state--)
        for (size_t i = 0; i < r->count; i++)
            if ((int)r->list[i].state == state)
                add_remark(out, h, &r->list[i]);
    text_add(out, "The hosts: %s\n", health_states[health_remarks_state(r)].name);
}

/* The source of the lists of remarks and of hosts. */
struct report {
    const struct health *h;
    const struct health_run *run;
    const struct health_remarks *r;
};

static void json_remark(struct text *out, const void *of, int i)
{
    const struct report *x = of;
    const struct health_remark *m = &x->r->list[i];
    LOCAL_TEXT slurm = { 0 };
    add_slurm(&slurm, x->h, m);
    json_add(out, "state", health_states[m->state].name);
    json_add(out, "text", text_get(&m->text));
    json_add(out, "host", m->host < 0 ? NULL : x->h->names[m->host]);
    json_add(out, "slurm", slurm.len == 0 ? NULL : text_get(&slurm));
}

static void json_suspect(struct text *out, const void *of, int i)
{
    const struct health *h = of;
    const struct health_suspect *s = &h->suspects[i];
    json_add(out, "host", h->names[s->host]);
    json_add(out, "partner", s->other < 0 ? NULL : h->names[s->other]);
    json_add(out, "fault", health_faults[s->fault].name);
    if (s->limit == 0.0)
        return;
    json_add(out, "value", health_kinds[s->kind].name);
    json_add_real(out, "ratio", s->ratio);
    json_add_real(out, "ratio_low", s->low);
    json_add_real(out, "ratio_high", s->high);
    json_add_real(out, "limit", s->limit);
}

static void json_kind(struct text *out, const void *of, int k)
{
    const struct health *h = of;
    const struct health_level *l = &h->levels[k];
    if (!isfinite(l->reference))
        return;
    json_add(out, "name", health_kinds[k].name);
    json_add(out, "about", health_kinds[k].what);
    json_add_real(out, "usual_us", exp(l->reference));
    if (h->hosts <= 2)
        return;
    json_add_real(out, "host_limit", exp(l->host_limit));
    if (health_kinds[k].pairs)
        json_add_real(out, "pair_limit", exp(l->pair_limit[CLASS_WITHIN]));
    if (l->groups == 0)
        return;
    json_add_number(out, "groups", l->groups);
    json_add_real(out, "across", exp(l->alone));
    json_add_real(out, "across_at_once", exp(l->across));
    json_add_real(out, "across_limit", exp(l->pair_limit[CLASS_ACROSS]));
}

static void json_host(struct text *out, const void *of, int i)
{
    const struct report *x = of;
    json_add(out, "host", x->h->names[i]);
    json_add_real(out, "cpu_share", x->run->shares[i]);
    if (x->run->links[i].name[0] != '\0')
        json_add(out, "link", x->run->links[i].name);
    if (x->run->links[i].mbit > 0.0)
        json_add_real(out, "link_mbit", x->run->links[i].mbit);
    if (x->run->links[i].rails > 0.0)
        json_add_real(out, "link_rails", x->run->links[i].rails);
    json_begin(out, "values", '[');
    for (enum health_kind k = 0; k < HEALTH_KINDS; k++) {
        const struct health_level *l = &x->h->levels[k];
        if (!isfinite(l->reference + l->from[i] + l->to[i]))
            continue;
        json_begin(out, NULL, '{');
        json_add(out, "name", health_kinds[k].name);
        json_add_real(out, "sending_us", exp(l->reference + l->from[i]));
        json_add_real(out, "receiving_us", exp(l->reference + l->to[i]));
        json_end(out, '}');
    }
    json_end(out, ']');
}

void health_json(struct text *out, const struct health *h, const struct health_run *run,
                 const struct health_remarks *r)
{
    const struct report all = { h, run, r };
    json_begin(out, NULL, '{');
    json_add(out, "schema", "skampi-hosts/1");
    json_add(out, "state", health_states[health_remarks_state(r)].name);
    json_add_number(out, "hosts_count", h->hosts);
    json_add_number(out, "processes", run->processes);
    json_add_number(out, "rounds", run->rounds);
    json_add_real(out, "rounds_s", run->rounds_s);
    json_add_real(out, "alone_s", run->alone_s);
    json_add_real(out, "estimate_64_hosts_s", estimate_64_s(run));
    json_add_real(out, "allreduce_us", run->together.allreduce_us);
    json_add_real(out, "bisection_mbs", halves_mbs(h, run));
    json_add_real(out, "bisection_share", halves_share(h, run));
    json_add_real(out, "tcp_share", run->tcp_share);
    json_add_real(out, "clocks_apart_us", run->clock_us);
    json_add(out, "baseline", run->baseline);
    json_add_list(out, "remarks", (int)r->count, json_remark, &all);
    json_add_list(out, "suspects", h->suspect_count, json_suspect, h);
    json_add_list(out, "values", HEALTH_KINDS, json_kind, h);
    json_add_list(out, "hosts", h->hosts, json_host, &all);
    json_end(out, '}');
    text_add(out, "\n");
}

static void add_family(struct text *out, const char *name, const char *help)
{
    text_add(out, "# HELP skampi_health_%s %s\n# TYPE skampi_health_%s gauge\n", name, help, name);
}

/* Adds a sample of a host and a kind, or of one of them. */
static void add_sample(struct text *out, const char *name, const char *host, const char *kind,
                       double value)
{
    text_add(out, "skampi_health_%s{", name);
    if (host != NULL)
        text_add(out, "host=\"%s\"", host);
    if (kind != NULL)
        text_add(out, "%skind=\"%s\"", host == NULL ? "" : ",", kind);
    text_add(out, "} %.9g\n", value);
}

/* Bad hosts by their remarks, and how much slower each host is than the usual one. */
static void add_hosts(struct text *out, const struct health *h, const struct health_remarks *r)
{
    add_family(out, "bad", "The host is named as bad.");
    for (int i = 0; i < h->hosts; i++) {
        bool bad = false;
        for (size_t m = 0; m < r->count; m++)
            bad = bad || (r->list[m].host == i && r->list[m].state == HEALTH_BAD);
        add_sample(out, "bad", h->names[i], NULL, bad);
    }
    add_family(out, "ratio", "Time of the slower direction by the usual time.");
    for (int i = 0; i < h->hosts; i++)
        for (enum health_kind k = 0; k < HEALTH_KINDS; k++) {
            double excess = fmax(health_excess(h, k, i, false), health_excess(h, k, i, true));
            if (isfinite(excess))
                add_sample(out, "ratio", h->names[i], health_kinds[k].name, exp(excess));
        }
}

void health_metrics(struct text *out, const struct health *h, const struct health_run *run,
                    const struct health_remarks *r)
{
    LOCAL_TEXT states = { 0 };
    for (int s = 0; s < HEALTH_STATES; s++)
        text_add(&states, "%d %s%s", s, health_states[s].name, s + 1 < HEALTH_STATES ? ", " : ".");
    const struct {
        const char *name, *help;
        double value;
    } rows[] = {
        { "state", text_get(&states), health_remarks_state(r) },
        { "allreduce_seconds", "MPI_Allreduce of 8 bytes.", run->together.allreduce_us * 1e-6 },
        { "bisection_bytes", "Bytes a second between halves, one way.", halves_mbs(h, run) * 1e6 },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (isfinite(rows[i].value)) {
            add_family(out, rows[i].name, rows[i].help);
            text_add(out, "skampi_health_%s %.9g\n", rows[i].name, rows[i].value);
        }
    add_hosts(out, h, r);
    add_family(out, "usual_seconds", "Time of most hosts or pairs.");
    for (enum health_kind k = 0; k < HEALTH_KINDS; k++)
        if (isfinite(h->levels[k].reference))
            add_sample(out, "usual_seconds", NULL, health_kinds[k].name,
                       exp(h->levels[k].reference) * 1e-6);
    text_add(out, "# EOF\n");
}

static void catalog_kind(struct text *out, const void *of, int k)
{
    const struct health_kind_info *i = &health_kinds[k];
    json_add_texts(out, { "name", i->name }, { "text", i->what }, { "todo", i->todo });
    json_add_real(out, "least", i->least);
    json_add_real(out, "few", i->few);
}

static void catalog_limit(struct text *out, const void *of, int i)
{
    const struct health_limit_info *l = &health_limits[i];
    json_add_texts(out, { "name", l->name }, { "line", l->line }, { "unit", l->unit },
                   { "against", l->against }, { "what", l->what }, { "todo", l->todo },
                   { "least", l->value < 0.0 ? "at least " : "" });
    json_add_real(out, "limit", fabs(l->value));
}

static void catalog_state(struct text *out, const void *of, int i)
{
    const struct health_state_info *s = &health_states[i];
    json_add_texts(out, { "name", s->name }, { "shown", s->shown }, { "text", s->what });
    json_add_number(out, "status", s->status);
}

void health_catalog(struct text *out)
{
    json_add_list(out, "health", HEALTH_KINDS, catalog_kind, NULL);
    json_add_list(out, "limits", HEALTH_LIMITS, catalog_limit, NULL);
    json_add_list(out, "states", HEALTH_STATES, catalog_state, NULL);
}
