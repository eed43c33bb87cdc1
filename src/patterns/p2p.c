/* Ping-pong (manual 3.1.2): rank 0 is the server, and what is timed is its server_op, a full round
 * trip. Nothing but the operation happens between the two clock readings; how many repetitions
 * follow travels in a message of its own. The first repetition behind such a message is not
 * counted: the client may still be busy with the message. */
#include "patterns/p2p.h"

#include "measure/idle.h"
#include "patterns/pattern.h"

enum { TAG_BATCH = 1, TAG_LATENCY = 2, LATENCY_EXCHANGES = 64, LATENCY_BYTES = 4 };

/* One side's part of n + 1 repetitions. */
static void exchange(struct run *r, const struct op *op, struct series *s, int n)
{
    double (*now)(void) = r->machine->clock.now;
    void (*call)(struct run *) = r->rank == 0 ? op->hooks.server_op : op->hooks.client_op;
    for (int i = 0; i <= n; i++) {
        run_next_buffers(r);
        double start = now();
        call(r);
        r->own_time_s = now() - start;
        pattern_finalize(r, op);
        if (s != NULL && i > 0)
            series_add(s, r->own_time_s);
    }
}

static void measure_as_server(struct run *r, const struct op *op, struct series *s)
{
    int n = r->params->cache_warmup;
    if (n > 0) {
        MPI_Send(&n, 1, MPI_INT, r->partner, TAG_BATCH, r->control);
        exchange(r, op, NULL, n);
    }
    do {
        n = series_next(s);
        MPI_Send(&n, 1, MPI_INT, r->partner, TAG_BATCH, r->control);
        if (n > 0)
            exchange(r, op, s, n);
    } while (n > 0);
}

static void measure_as_client(struct run *r, const struct op *op)
{
    for (;;) {
        int n;
        MPI_Recv(&n, 1, MPI_INT, 0, TAG_BATCH, r->control, MPI_STATUS_IGNORE);
        if (n == 0)
            return;
        exchange(r, op, NULL, n);
    }
}

int p2p_measure(struct run *r, const struct op *op, struct series *s, struct err *e)
{
    (void)e;
    if (r->rank == 0)
        measure_as_server(r, op, s);
    else
        measure_as_client(r, op);
    return 0;
}

/* The first exchange is not counted: the other may have been asleep. */
void p2p_ask(struct machine *m, int other, double *us, int n)
{
    char message[LATENCY_BYTES] = "";
    for (int i = 0; i <= n; i++) {
        double start = m->clock.now();
        MPI_Send(message, LATENCY_BYTES, MPI_BYTE, other, TAG_LATENCY, m->control);
        MPI_Recv(message, LATENCY_BYTES, MPI_BYTE, other, TAG_LATENCY, m->control,
                 MPI_STATUS_IGNORE);
        us[i == 0 ? 0 : i - 1] = (m->clock.now() - start) * 1e6;
    }
}

void p2p_echo(struct machine *m, int n)
{
    char message[LATENCY_BYTES];
    MPI_Request request;
    for (int i = 0; i <= n; i++) {
        MPI_Irecv(message, LATENCY_BYTES, MPI_BYTE, 0, TAG_LATENCY, m->control, &request);
        if (i == 0)
            idle_wait(&m->clock, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Send(message, LATENCY_BYTES, MPI_BYTE, 0, TAG_LATENCY, m->control);
    }
}

static double shortest(const double *us, int n)
{
    double min = us[0];
    for (int i = 1; i < n; i++)
        min = us[i] < min ? us[i] : min;
    return min;
}

void p2p_latencies(struct machine *m)
{
    double us[LATENCY_EXCHANGES];
    if (m->rank != 0)
        p2p_echo(m, LATENCY_EXCHANGES);
    for (int other = 1; m->rank == 0 && other < m->size; other++) {
        p2p_ask(m, other, us, LATENCY_EXCHANGES);
        m->latency_us[other] = shortest(us, LATENCY_EXCHANGES);
    }
}

int p2p_partner(const struct machine *m, const struct extras *x, int processes)
{
    int chosen = 1;
    if (x->partner == PARTNER_RANK)
        return x->partner_rank;
    for (int i = 2; i < processes; i++) {
        bool farther = m->latency_us[i] > m->latency_us[chosen];
        bool nearer = m->latency_us[i] < m->latency_us[chosen];
        if (x->partner == PARTNER_NEAREST ? nearer : farther)
            chosen = i;
    }
    return chosen;
}
