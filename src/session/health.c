#include "session/health.h"

#include "base/file.h"
#include "context/library.h"
#include "context/tcp_pair.h"
#include "hosts/job.h"

/* Pairs that were slow in the rounds are measured again for about this time. */
static const double ALONE_S = 20.0;

enum { LOOKS_OF_PAIR = 3, TCP_VISITS = 7 };

/* All that rank 0 knows, and what each process needs. */
struct examination {
    struct session *session;
    struct health_hosts hosts;
    struct health health; /* rank 0; of the others: what is measured alone */
    struct health_run run;
    struct host_of *all; /* owned, as the next ones, rank 0: of each host */
    const char **names;
    struct link_rate *links;
    int *switches;
    double *shares;
    struct link_rate before[MAX_LINKS], after[MAX_LINKS], own_link;
    int link_count;
};

static void take_memory(struct examination *x)
{
    size_t n = (size_t)x->hosts.hosts;
    if (x->session->resources.rank != 0)
        return;
    allocated_array(&x->all, n);
    allocated_array(&x->names, n);
    allocated_array(&x->links, n);
    allocated_array(&x->switches, n);
    allocated_array(&x->shares, n);
    for (size_t i = 0; i < n; i++)
        x->names[i] = x->all[i].name;
    health_init(&x->health, x->hosts.hosts, x->names);
}

/* A switch has the number of its first host. */
static void gather_hosts(struct examination *x)
{
    LOCAL_TEXT name = { 0 };
    int len, rank = x->session->resources.rank;
    int second = rank_in(x->hosts.host) == 1 ? rank : -1;
    struct host_of own = { .ranks = { rank, -1 } };
    MPI_Get_processor_name(own.name, &len);
    MPI_Reduce(&second, &own.ranks[1], 1, MPI_INT, MPI_MAX, 0, x->hosts.host);
    if (x->hosts.own < 0)
        return;
    job_add_switch(&name, own.name);
    own.switch_hash = name.len == 0 ? 0 : hash_bytes(text_get(&name), name.len);
    MPI_Gather(&own, sizeof(own), MPI_BYTE, x->all, sizeof(own), MPI_BYTE, 0, x->hosts.leaders);
    x->health.switches = x->switches;
    for (int i = 0; i < x->hosts.hosts && x->hosts.own == 0; i++) {
        while (x->all[x->switches[i]].switch_hash != x->all[i].switch_hash)
            x->switches[i]++;
        if (x->all[i].switch_hash == 0)
            x->health.switches = NULL;
    }
}

/* First processes: the link that sent their messages in the rounds. */
static void gather_links(struct examination *x)
{
    struct link_rate *own = &x->own_link;
    double bytes = (double)x->run.rounds * (1 << 20);
    int count = x->link_count == 0 ? 0 : link_rates_read(SYSTEM_DIRECTORY, x->after);
    const struct link_rate *link = count != x->link_count || x->run.rounds == 0
                                       ? NULL
                                       : link_rates_served(x->before, x->after, count, bytes);
    if (link != NULL)
        *own = *link;
    MPI_Gather(own, sizeof(*own), MPI_BYTE, x->links, sizeof(*own), MPI_BYTE, 0, x->hosts.leaders);
}

/* The least share of a CPU of each host's processes. Waiting processes take none. */
static void gather_shares(struct examination *x)
{
    const struct resources *res = &x->session->resources;
    double least = res->hosts.oversubscribed ? 1.0 : cpu_use_share(&res->contention.suite);
    control_reduce(&res->clock, &least, 1, MPI_DOUBLE, MPI_MIN, x->hosts.host);
    if (x->hosts.own >= 0)
        MPI_Gather(&least, 1, MPI_DOUBLE, x->shares, 1, MPI_DOUBLE, 0, x->hosts.leaders);
}

/* As health_hosts_ask. */
static double ask_tcp(struct health_hosts *w, struct tcp *t, bool asks)
{
    double from_us = w->session->resources.clock.now() * 1e6;
    if (asks) {
        tcp_give(t, 0, w->out, HEALTH_LONG_BYTES);
        tcp_take(t, 0, w->in, HEALTH_SHORT_BYTES);
    } else {
        tcp_take(t, 0, w->in, HEALTH_LONG_BYTES);
        tcp_give(t, 0, w->out, HEALTH_SHORT_BYTES);
    }
    return w->session->resources.clock.now() * 1e6 - from_us;
}

/* In turn. The first ones do not count. */
static double share_of_pair(struct health_hosts *w, struct tcp *t, int peer)
{
    double mpi_us[TCP_VISITS + 1], tcp_us[TCP_VISITS + 1];
    bool asks = w->own < peer;
    for (int i = 0; i <= TCP_VISITS; i++) {
        mpi_us[i] = health_hosts_ask(w, peer, asks);
        tcp_us[i] = ask_tcp(w, t, asks);
    }
    double mpi = stats_median(mpi_us + 1, TCP_VISITS);
    return asks && t->broken == 0 ? stats_median(tcp_us + 1, TCP_VISITS) / mpi : NAN;
}

/* Long messages of MPI beside as many bytes through a TCP connection of skampi's own, in pairs of
 * hosts, by the interface that served this one. Rank 0: the median share of TCP's bandwidth that
 * MPI reaches, NaN if no pair could be connected. */
static void find_tcp_share(struct examination *x)
{
    struct health_hosts *w = &x->hosts;
    int peer = w->own % 2 == 0 ? w->own + 1 : w->own - 1;
    const struct tcp_pair pair = { .clock = &w->session->resources.clock,
                                   .comm = w->leaders,
                                   .other = peer,
                                   .listens = w->own < peer,
                                   .interface = x->own_link.name,
                                   .connections = 1 };
    struct tcp t = { .count = 0 };
    struct err unreachable = { "" };
    double share = NAN;
    if (peer < w->hosts && tcp_join(&t, &pair, &unreachable) == 0)
        share = share_of_pair(w, &t, peer);
    tcp_close(&t);
    MPI_Gather(&share, 1, MPI_DOUBLE, x->shares, 1, MPI_DOUBLE, 0, w->leaders);
    if (w->own == 0) /* gather_shares fills them again */
        x->run.tcp_share = stats_median(x->shares, w->hosts);
}

/* The facts of hosts that must agree with those of the baseline. */
static int read_baseline(struct examination *x, struct err *e)
{
    LOCAL_TEXT own = { 0 }, difference = { 0 };
    struct baseline b = { .text = NULL };
    x->run.baseline = x->session->request->baseline;
    x->run.tcp_share = NAN;
    x->run.together = x->run.usual = (struct health_together){ NAN, NAN, NAN };
    int rc = x->run.baseline == NULL ? 0 : baseline_read(&b, x->run.baseline, e);
    if (rc == 0 && x->run.baseline != NULL) {
        usual_add_class(x->session, CLASS_OF_HOSTS, &own);
        usual_add_difference(&b, text_get(&own), &difference);
        rc = difference.len == 0
                 ? health_baseline_use(&x->health, &x->run, &b, e)
                 : err_set(e, "'%s' is of another class: %s; skampi health --save writes a new one",
                           x->run.baseline, text_get(&difference));
    }
    baseline_release(&b);
    return rc;
}

/* First processes. The others answer, or wait. */
static void measure(struct examination *x)
{
    struct health_hosts *w = &x->hosts;
    x->link_count = LIBRARY_IS_SIMULATED ? 0 : link_rates_read(SYSTEM_DIRECTORY, x->before);
    health_hosts_rounds(w, &x->health, &x->run);
    gather_links(x);
    x->run.together.halves_us = health_hosts_halves(w);
    int tcp_serves = w->own == 0 && w->hosts > 1 && x->links[0].kernel;
    MPI_Bcast(&tcp_serves, 1, MPI_INT, 0, w->leaders);
    if (tcp_serves)
        find_tcp_share(x);
    double round_s = x->run.rounds == 0 ? 0.0 : x->run.rounds_s / x->run.rounds;
    double pairs = ALONE_S / (LOOKS_OF_PAIR * HEALTH_VISITS * fmax(0.5 * round_s, 1e-5));
    if (w->own == 0)
        health_find(&x->health, (int)fmax(pairs, 8.0));
    health_hosts_alone(w, &x->health, &x->run);
    health_hosts_end(w);
}

/* A state that is not good would pass for usual later. */
static int save(const struct examination *x, enum health_state state, struct err *e)
{
    const struct request *o = x->session->request;
    LOCAL_TEXT text = { 0 }, own = { 0 };
    if (o->save == NULL)
        return 0;
    if (state != HEALTH_GOOD && !o->force)
        return err_set(e, "'%s' is not saved: %s; --force saves it", o->save,
                       health_states[state].name);
    usual_add_class(x->session, CLASS_OF_HOSTS, &own);
    health_baseline_add(&text, &x->health, &x->run, text_get(&own));
    return health_baseline_write(o->save, &text, e);
}

/* Rank 0. Returns the state, or -1. */
static int conclude(struct examination *x, struct err *e)
{
    LOCAL_TEXT out = { 0 }, text = { 0 };
    const struct resources *res = &x->session->resources;
    const struct request *o = x->session->request;
    struct health_remarks remarks;
    x->run.processes = res->size;
    x->run.oversubscribed = res->hosts.oversubscribed;
    x->run.clock_us = res->global.after.found_s * 1e6;
    x->run.clock_bound_us = (res->global.after.found_s + res->global.bound_s) * 1e6;
    x->run.clock_unfit = res->global.after.unfit > 0.0;
    x->run.links = x->links;
    x->run.shares = x->shares;
    health_judge(&x->health);
    health_remarks_find(&remarks, &x->health, &x->run);
    health_text(&text, &x->health, &x->run, &remarks);
    if (o->openmetrics || o->json)
        (o->json ? health_json : health_metrics)(&out, &x->health, &x->run, &remarks);
    const enum health_state state = health_remarks_state(&remarks);
    fputs(text_get(out.len > 0 ? &out : &text), stdout);
    int rc = file_flush_output(e);
    health_remarks_release(&remarks);
    if (rc == 0 && o->outfile != NULL)
        rc = health_rows_write(x->session, &x->health, &x->run, x->all, &text, e);
    if (rc == 0)
        rc = save(x, state, e);
    return rc == 0 ? (int)state : rc;
}

static int examine(struct examination *x, struct err *e)
{
    struct resources *res = &x->session->resources;
    struct clock idle = res->clock;
    struct cpu_use used = { 0 };
    idle.naps = true;
    gather_hosts(x);
    contention_begin_turn(&res->contention, &used);
    contention_begin(&res->contention, res->clock.now());
    if (x->hosts.own >= 0)
        measure(x);
    else
        health_hosts_answer(&x->hosts);
    control_barrier(&idle, res->control);
    x->run.together.allreduce_us = health_hosts_allreduce(&x->hosts);
    contention_end(&res->contention, res->clock.now(), false);
    contention_end_turn(&res->contention, &idle, res->control, &used);
    contention_collect(&res->contention, res->control);
    gather_shares(x);
    return session_share_status(x->session, res->rank == 0 ? conclude(x, e) : 0, e);
}

int health_run(struct session *s, struct err *e)
{
    struct examination x = { .session = s };
    LOCAL_TEXT parameters = { 0 };
    const char *paths[] = { s->request->save, s->request->outfile };
    int able = 0;
    for (int i = 0; i < 2 && session_is_root(s) && able == 0; i++)
        able = paths[i] == NULL ? 0 : file_check_output(paths[i], e);
    if (able == 0 && paths[1] != NULL && strcmp(paths[1], "-") == 0)
        able = err_set(e, "-o of --health needs a file: standard output has what it says");
    if (ranks_agree(MPI_COMM_WORLD, able, e) != 0)
        return HEALTH_NO_FILE;
    health_rows_parameters(&parameters, s->resources.size, s->request->outfile != NULL);
    if (session_take(s, &parameters, "--health", e) != 0)
        return -1;
    global_clock_check(&s->resources.global, s->resources.control, s->resources.size);
    health_hosts_init(&x.hosts, s);
    take_memory(&x);
    int rc = session_is_root(s) ? read_baseline(&x, e) : 0;
    rc = ranks_agree(s->resources.control, rc, e) != 0 ? HEALTH_NO_FILE : examine(&x, e);
    health_release(&x.health);
    health_hosts_release(&x.hosts);
    free(x.all);
    free((void *)x.names);
    free(x.links);
    free(x.switches);
    free(x.shares);
    return rc;
}
