#include "session/health_tcp.h"

#include "context/tcp_pair.h"

enum { VISITS = 7 };

/* As health_hosts_ask. */
static double ask_tcp(struct health_hosts *w, struct tcp *t, bool asks)
{
    double from_us = w->session->resources.clock.now() * 1e6;
    if (asks)
        tcp_give(t, 0, w->out, HEALTH_LONG_BYTES);
    else
        tcp_take(t, 0, w->in, HEALTH_LONG_BYTES);
    if (asks)
        tcp_take(t, 0, w->in, HEALTH_SHORT_BYTES);
    else
        tcp_give(t, 0, w->out, HEALTH_SHORT_BYTES);
    return w->session->resources.clock.now() * 1e6 - from_us;
}

/* In turn. The first ones do not count. */
static double share_of_pair(struct health_hosts *w, struct tcp *t, int peer)
{
    double mpi_us[VISITS + 1], tcp_us[VISITS + 1];
    bool asks = w->own < peer;
    for (int i = 0; i <= VISITS; i++) {
        mpi_us[i] = health_hosts_ask(w, peer, asks);
        tcp_us[i] = ask_tcp(w, t, asks);
    }
    stats_sort(mpi_us + 1, VISITS);
    stats_sort(tcp_us + 1, VISITS);
    return asks && t->broken == 0 ? stats_percentile(tcp_us + 1, VISITS, 0.5) /
                                        stats_percentile(mpi_us + 1, VISITS, 0.5)
                                  : NAN;
}

static double median_of(double *list, int n)
{
    int known = 0;
    for (int i = 0; i < n; i++)
        if (!isnan(list[i]))
            list[known++] = list[i];
    stats_sort(list, known);
    return known == 0 ? NAN : stats_percentile(list, known, 0.5);
}

int health_tcp_compare(struct health_hosts *w, const char *interface, struct health_run *run,
                       struct err *e)
{
    int peer = w->own % 2 == 0 ? w->own + 1 : w->own - 1;
    const struct tcp_pair pair = { .clock = &w->session->resources.clock,
                                   .comm = w->leaders,
                                   .other = peer,
                                   .listens = w->own < peer,
                                   .interface = interface,
                                   .connections = 1 };
    struct tcp t = { .count = 0 };
    struct err unreachable = { "" };
    double share = NAN, *all = w->own == 0 ? calloc((size_t)w->hosts, sizeof(*all)) : &share;
    if (ranks_agree(w->leaders, all != NULL ? 0 : err_no_memory(e, (unsigned)w->hosts), e) != 0)
        return -1;
    if (peer < w->hosts && tcp_join(&t, &pair, &unreachable) == 0)
        share = share_of_pair(w, &t, peer);
    tcp_close(&t);
    MPI_Gather(&share, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, w->leaders);
    if (w->own == 0) {
        run->tcp_share = median_of(all, w->hosts);
        free(all);
    }
    return 0;
}
