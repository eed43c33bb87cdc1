/* Master and workers. */
#include "truth.h"

#include <stdlib.h>

enum { ASK = 8, STOP = 9, STEADY = 5 };

static void ask(struct me *m, int worker)
{
    MPI_Irecv(m->receive, 0, MPI_INT, worker, ASK, m->comm, m->requests + worker);
}

static void asked(const struct me *m, int worker, MPI_Status *status)
{
    MPI_Recv(m->receive, 0, MPI_INT, worker, ASK, m->comm, status);
}

static void deal(struct me *m, int worker)
{
    MPI_Send(TO(worker));
}

static void w_some(struct me *m)
{
    int *which = malloc(sizeof(int) * (size_t)m->size), ready;
    for (int dealt = 0; dealt < m->chunks;) {
        MPI_Waitsome(m->size - 1, m->requests + 1, &ready, which, MPI_STATUSES_IGNORE);
        for (int i = 0; i < ready && dealt < m->chunks; i++, dealt++) {
            deal(m, which[i] + 1);
            ask(m, which[i] + 1);
        }
    }
    free(which);
}

static void w_any(struct me *m)
{
    for (int dealt = 0, which; dealt < m->chunks; dealt++) {
        MPI_Waitany(m->size - 1, m->requests + 1, &which, MPI_STATUS_IGNORE);
        deal(m, which + 1);
        ask(m, which + 1);
    }
}

static void w_any_source(struct me *m)
{
    for (int dealt = 0; dealt < m->chunks; dealt++) {
        MPI_Status status;
        asked(m, MPI_ANY_SOURCE, &status);
        deal(m, status.MPI_SOURCE);
    }
}

#define ROUND_ROBIN(name, call)                                                                    \
    static void name(struct me *m)                                                                 \
    {                                                                                              \
        for (int dealt = 0; dealt < m->chunks; dealt++) {                                          \
            int worker = 1 + dealt % (m->size - 1);                                                \
            asked(m, worker, MPI_STATUS_IGNORE);                                                   \
            call(TO(worker));                                                                      \
        }                                                                                          \
    }
ROUND_ROBIN(w_send, MPI_Send)
ROUND_ROBIN(w_ssend, MPI_Ssend)
ROUND_ROBIN(w_bsend, MPI_Bsend)

static void w_isend(struct me *m)
{
    for (int dealt = 0; dealt < m->chunks; dealt++) {
        int worker = 1 + dealt % (m->size - 1);
        asked(m, worker, MPI_STATUS_IGNORE);
        MPI_Wait(m->requests + worker, MPI_STATUS_IGNORE);
        MPI_Isend(TO(worker), m->requests + worker);
    }
    MPI_Waitall(m->size - 1, m->requests + 1, MPI_STATUSES_IGNORE);
}

static const struct master {
    int type;
    action *deal_out;
    int posted; /* receives for all workers' requests are posted beforehand */
} masters[] = {
    { 10, w_some, 1 },  { 11, w_any, 1 },   { 12, w_any_source, 0 }, { 13, w_send, 0 },
    { 14, w_ssend, 0 }, { 15, w_isend, 0 }, { 16, w_bsend, 0 },      { 30, nothing, 0 }
};

static void worker(struct me *m)
{
    MPI_Status status = { 0 };
    while (status.MPI_TAG != STOP) {
        MPI_Ssend(m->send, 0, MPI_INT, 0, ASK, m->comm);
        MPI_Recv(m->receive, m->count, MPI_INT, 0, MPI_ANY_TAG, m->comm, &status);
    }
}

/* From the master's start to the last chunk; all workers asked for work long before. */
static double master_once(struct me *m, const struct master *w)
{
    sleep_to(now() + PAUSE_S);
    for (int i = 1; i < m->size; i++) {
        m->requests[i] = MPI_REQUEST_NULL;
        if (w->posted)
            ask(m, i);
    }
    double start = now();
    w->deal_out(m);
    double time = now() - start;
    for (int i = 1; i < m->size; i++) {
        if (w->posted)
            MPI_Wait(m->requests + i, MPI_STATUS_IGNORE);
        else
            asked(m, i, MPI_STATUS_IGNORE);
        MPI_Send(m->send, 0, MPI_INT, i, STOP, m->comm);
    }
    return time;
}

/* The order in which workers asked when they were last stopped may matter, so the steady state is
 * measured. */
static double master_time(struct me *m, const struct master *w)
{
    double time = 0.0;
    for (int i = 0; i < STEADY; i++)
        if (m->rank == 0)
            time = master_once(m, w);
        else
            worker(m);
    return time;
}

void report_masters(struct me *m)
{
    for (size_t i = 0; i < COUNT(masters); i++)
        report(m, masters[i].type, master_time(m, &masters[i]));
}
