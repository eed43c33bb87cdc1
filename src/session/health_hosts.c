#include "session/health.h"

#include "context/library.h"
#include "model/matching.h"

enum { TAG_ASK = 1, TAG_ANSWER, TAG_END };
enum { SHORT = HEALTH_SHORT_BYTES, LONG = HEALTH_LONG_BYTES, COPY = 1 << 24 };
enum {
    LATENCIES = HEALTH_LATENCIES,
    MESSAGES = HEALTH_MESSAGES,
    VISIT_LATENCIES = 3,
    VISIT_MESSAGES = 2
};
enum { COPIES = HEALTH_COPIES, CHUNKS = 20, ADDITIONS = 1000000, ALLREDUCES = HEALTH_ALLREDUCES };

void health_hosts_init(struct health_hosts *w, const struct session *s)
{
    const struct global_clock *g = &s->resources.global;
    int processes;
    *w = (struct health_hosts){ .session = s, .leaders = g->leaders, .host = g->host, .own = -1 };
    MPI_Comm_size(w->host, &processes);
    w->has_second = processes > 1;
    if (w->leaders != MPI_COMM_NULL) {
        MPI_Comm_rank(w->leaders, &w->own);
        MPI_Comm_size(w->leaders, &w->hosts);
    }
    MPI_Bcast(&w->hosts, 1, MPI_INT, 0, s->resources.control);
    bool copies = w->own >= 0 && !LIBRARY_IS_SIMULATED;
    const size_t copied = copies ? 2 * (size_t)COPY : 0;
    allocated_array(&w->out, LONG);
    allocated_array(&w->in, LONG);
    allocated_array(&w->copy, copied);
    memset(w->out, 1, LONG);
    memset(w->copy, 1, copied);
}

void health_hosts_release(struct health_hosts *w)
{
    free(w->out);
    free(w->in);
    free(w->copy);
    *w = (struct health_hosts){ 0 };
}

static double now_us(const struct health_hosts *w)
{
    return w->session->resources.clock.now() * 1e6;
}

/* Sends a message of some bytes, and waits for a short answer. */
static double ask(struct health_hosts *w, MPI_Comm comm, int peer, int bytes)
{
    double from_us = now_us(w);
    MPI_Send(w->out, bytes, MPI_BYTE, peer, TAG_ASK, comm);
    MPI_Recv(w->in, SHORT, MPI_BYTE, peer, TAG_ANSWER, comm, MPI_STATUS_IGNORE);
    return now_us(w) - from_us;
}

/* Answers one message. Returns false if it says that there are no more. */
static bool answer(const struct health_hosts *w, MPI_Comm comm, int peer)
{
    MPI_Status status;
    MPI_Recv(w->in, LONG, MPI_BYTE, peer, MPI_ANY_TAG, comm, &status);
    if (status.MPI_TAG == TAG_END)
        return false;
    MPI_Send(w->out, SHORT, MPI_BYTE, peer, TAG_ANSWER, comm);
    return true;
}

/* Asks n times, after one message that does not count, or answers. The time from the start until
 * the answer: their median or, of two, the shorter one. */
static double ask_often(struct health_hosts *w, MPI_Comm comm, int peer, bool asks, int bytes,
                        int n)
{
    double list[LATENCIES + 1] = { 0.0 };
    for (int i = 0; i <= n; i++)
        if (asks)
            list[i] = ask(w, comm, peer, bytes);
        else
            answer(w, comm, peer);
    if (!asks)
        return 0.0;
    return n == 2 ? fmin(list[1], list[2]) : stats_median(list + 1, n);
}

double health_hosts_ask(struct health_hosts *w, int peer, bool asks)
{
    if (asks)
        return ask(w, w->leaders, peer, LONG);
    answer(w, w->leaders, peer);
    return 0.0;
}

void health_hosts_answer(const struct health_hosts *w)
{
    int rank = rank_in(w->host);
    while (rank == 1 && answer(w, w->host, 0))
        continue;
}

void health_hosts_end(const struct health_hosts *w)
{
    if (w->own >= 0 && w->has_second)
        MPI_Send(w->out, 0, MPI_BYTE, 1, TAG_END, w->host);
}

/* The values of this process's pair in a round; a process writes what it has timed itself. */
static void measure_round(struct health_hosts *w, int partner, double *latency, double *there)
{
    const struct {
        bool lower_asks;
        int bytes, n;
    } parts[] = { { true, SHORT, LATENCIES }, { true, LONG, MESSAGES }, { false, LONG, MESSAGES } };
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        bool asks = (w->own < partner) == parts[i].lower_asks;
        MPI_Barrier(w->leaders);
        if (partner == MATCHING_NONE)
            continue;
        double us = ask_often(w, w->leaders, partner, asks, parts[i].bytes, parts[i].n);
        if (asks)
            (parts[i].bytes == SHORT ? latency : there)[partner] = us;
    }
}

static double copy_us(const struct health_hosts *w)
{
    double list[COPIES];
    for (int i = 0; i < COPIES; i++) {
        double from_us = now_us(w);
        memcpy(w->copy + i % 2 * COPY, w->copy + (1 - i % 2) * COPY, COPY);
        list[i] = now_us(w) - from_us;
    }
    return stats_median(list, COPIES);
}

/* All of it counts, also what interrupts it. */
static double work_us(const struct health_hosts *w, int chunks)
{
    volatile double sum = 0.0;
    double from_us = now_us(w);
    for (int i = 0; i < chunks * ADDITIONS; i++)
        sum = sum + 1.0;
    return now_us(w) - from_us;
}

/* Measures a host by itself, at the places of its kinds. */
static void measure_host(struct health_hosts *w, double us[HOST_VALUES], bool visit)
{
    for (int i = 0; i < HOST_VALUES; i++)
        us[i] = NAN;
    if (w->has_second) {
        double round_us = ask_often(w, w->host, 1, true, SHORT, LATENCIES);
        us[HEALTH_NEAR - HEALTH_NEAR] = round_us / 2.0;
        us[HEALTH_NEAR_LONG - HEALTH_NEAR] =
            ask_often(w, w->host, 1, true, LONG, visit ? VISIT_MESSAGES : MESSAGES) -
            round_us / 2.0;
    }
    if (LIBRARY_IS_SIMULATED)
        return;
    us[HEALTH_COPY - HEALTH_NEAR] = copy_us(w);
    us[HEALTH_WORK - HEALTH_NEAR] = work_us(w, CHUNKS) / CHUNKS;
}

/* Rank 0: from a row of each host, its latencies, its times of long messages and its own values. A
 * long message's time is without that of its answer. */
static void fill_rounds(struct health *h, const double *rows)
{
    int n = h->hosts, row = 2 * n + HOST_VALUES;
    for (int a = 0; a < n; a++) {
        for (int k = 0; k < HOST_VALUES; k++)
            h->us[HEALTH_NEAR + k][a] = rows[a * row + 2 * n + k];
        for (int b = 0; b < n; b++) {
            double us = rows[a < b ? a * row + b : b * row + a] / 2.0;
            h->us[HEALTH_LATENCY][a * n + b] = a == b ? NAN : us;
            h->us[HEALTH_LONG][a * n + b] = a == b ? NAN : rows[a * row + n + b] - us;
        }
    }
}

/* The suites of pairs are the last ones, whose pairing is that of the rounds. */
static void measure_rounds(struct health_hosts *w, double *rows, struct health_run *run)
{
    const struct params *p = &w->session->params;
    const struct suite *pairs = &p->suites[p->suite_count - 1];
    run->rounds = w->hosts < 2 ? 0 : matching_count(pairs, w->hosts);
    MPI_Barrier(w->leaders);
    double from_us = now_us(w);
    for (int r = 0; r < run->rounds; r++)
        measure_round(w, matching_partner(pairs, w->hosts, r, w->own), rows, rows + w->hosts);
    MPI_Barrier(w->leaders);
    run->rounds_s = (now_us(w) - from_us) * 1e-6;
}

void health_hosts_rounds(struct health_hosts *w, struct health *h, struct health_run *run)
{
    size_t n = (size_t)w->hosts, row = 2 * n + HOST_VALUES;
    double *own, *at_root;
    allocated_array(&own, row);
    allocated_array(&at_root, w->own == 0 ? row * n : 0);
    MPI_Barrier(w->leaders); /* no message of the beginning is on its way any more */
    measure_host(w, own + 2 * n, false);
    measure_rounds(w, own, run);
    MPI_Gather(own, (int)row, MPI_DOUBLE, at_root, (int)row, MPI_DOUBLE, 0, w->leaders);
    if (w->own == 0)
        fill_rounds(h, at_root);
    free(own);
    free(at_root);
}

double health_hosts_halves(struct health_hosts *w)
{
    double list[MESSAGES + 1];
    int half = w->hosts / 2, peer = w->own < half ? w->own + half : w->own - half;
    if (w->own >= 2 * half)
        peer = MPI_PROC_NULL;
    for (int i = 0; i <= MESSAGES; i++) {
        MPI_Barrier(w->leaders);
        double from_us = now_us(w);
        MPI_Sendrecv(w->out, LONG, MPI_BYTE, peer, TAG_ASK, w->in, LONG, MPI_BYTE, peer, TAG_ASK,
                     w->leaders, MPI_STATUS_IGNORE);
        list[i] = now_us(w) - from_us;
    }
    double slowest_us = stats_median(list + 1, MESSAGES);
    control_reduce(&w->session->resources.clock, &slowest_us, 1, MPI_DOUBLE, MPI_MAX, w->leaders);
    return half > 0 ? slowest_us : NAN;
}

static void look(struct health_hosts *w, const struct health_look *l, double us[MOST_VALUES])
{
    if (l->b < 0) {
        measure_host(w, us, true);
        return;
    }
    bool is_a = w->own == l->a;
    int peer = is_a ? l->b : l->a;
    us[VALUE_LATENCY] = ask_often(w, w->leaders, peer, is_a, SHORT, VISIT_LATENCIES) / 2.0;
    us[VALUE_THERE] = ask_often(w, w->leaders, peer, is_a, LONG, VISIT_MESSAGES);
    us[VALUE_BACK] = ask_often(w, w->leaders, peer, !is_a, LONG, VISIT_MESSAGES);
}

/* Rank 0: the visits of the looks, whose values are all in one list. */
static void fill_looks(struct health *h, const double *values)
{
    for (int i = 0; i < h->look_count; i++)
        for (int v = 0; v < HEALTH_VISITS; v++)
            for (int k = 0; k < MOST_VALUES; k++) {
                struct health_look *l = &h->looks[i];
                double us = values[(v * h->look_count + i) * MOST_VALUES + k];
                double latency = values[(v * h->look_count + i) * MOST_VALUES + VALUE_LATENCY];
                bool answered = l->b >= 0 && k > VALUE_LATENCY;
                l->us[v][k] = us - (answered ? latency : 0.0);
            }
}

void health_hosts_alone(struct health_hosts *w, struct health *h, struct health_run *run)
{
    MPI_Bcast(&h->look_count, 1, MPI_INT, 0, w->leaders);
    size_t looks = (size_t)h->look_count, count = looks * HEALTH_VISITS * MOST_VALUES;
    double *values;
    allocated_array(&values, count);
    if (w->own != 0)
        allocated_array(&h->looks, looks);
    for (int i = 0; i < h->look_count; i++)
        MPI_Bcast(&h->looks[i].a, 2, MPI_INT, 0, w->leaders);
    double from_us = now_us(w);
    for (int v = 0; v < HEALTH_VISITS; v++)
        for (int i = 0; i < h->look_count; i++) {
            const struct health_look *l = &h->looks[i];
            MPI_Barrier(w->leaders); /* one look at a time */
            if (w->own == l->a || w->own == l->b)
                look(w, l, &values[(v * h->look_count + i) * MOST_VALUES]);
        }
    MPI_Reduce(w->own == 0 ? MPI_IN_PLACE : values, values, (int)count, MPI_DOUBLE, MPI_SUM, 0,
               w->leaders);
    run->alone_s = (now_us(w) - from_us) * 1e-6;
    if (w->own == 0)
        fill_looks(h, values);
    free(values);
}

double health_hosts_allreduce(const struct health_hosts *w)
{
    double list[ALLREDUCES], one = 1.0, sum;
    const struct resources *res = &w->session->resources;
    for (int i = -2; i < ALLREDUCES; i++) {
        double from_us = now_us(w);
        MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, res->world);
        list[i < 0 ? 0 : i] = now_us(w) - from_us;
    }
    double slowest_us = stats_median(list, ALLREDUCES);
    control_reduce(&res->clock, &slowest_us, 1, MPI_DOUBLE, MPI_MAX, res->world);
    return slowest_us;
}
