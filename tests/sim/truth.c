/* The exact simulated time of each kind of measurement, by its definition in the manual and in
 * DESIGN, on whatever machine smpirun simulates. Nothing here comes from src: this is what skampi's
 * figures are compared with. The simulator's own clock costs nothing to read and is one for all.
 *
 * truth PARTNER CHUNKS LENGTH...
 * prints lines "TYPE LENGTH MICROSECONDS", for all types at every length; without chunks (0) only
 * for type 1, which is quick enough for thousands of lengths. */
#include <mpi.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG = 7, ASK = 8, STOP = 9, STEADY = 5 };

static const double PAUSE_S = 0.1; /* longer than anything takes that is still under way */
static const double LEAD_S = 1e-4; /* the client of a ping-pong waits for so long */

struct me {
    int rank, size, partner, chunks;
    int count; /* ints in a message */
    int *send, *receive, *counts, *places;
    MPI_Request *requests;
    MPI_Comm comm, made;
};

typedef void action(struct me *m);

static double now(void)
{
    return simgrid_get_clock();
}

/* --- ping-pong: what the server does, what the client does --- */

static int peer(const struct me *m)
{
    return m->rank == 0 ? m->partner : 0;
}

#define SENDS(name, call)                                                                          \
    static void name(struct me *m)                                                                 \
    {                                                                                              \
        call(m->send, m->count, MPI_INT, peer(m), TAG, m->comm);                                   \
    }
#define ISENDS(name, call)                                                                         \
    static void name(struct me *m)                                                                 \
    {                                                                                              \
        call(m->send, m->count, MPI_INT, peer(m), TAG, m->comm, m->requests);                      \
        MPI_Wait(m->requests, MPI_STATUS_IGNORE);                                                  \
    }
SENDS(p_send, MPI_Send)
SENDS(p_ssend, MPI_Ssend)
SENDS(p_bsend, MPI_Bsend)
ISENDS(p_isend, MPI_Isend)
ISENDS(p_issend, MPI_Issend)

static void p_recv(struct me *m)
{
    MPI_Recv(m->receive, m->count, MPI_INT, peer(m), TAG, m->comm, MPI_STATUS_IGNORE);
}

static void p_recv_any_tag(struct me *m)
{
    MPI_Recv(m->receive, m->count, MPI_INT, peer(m), MPI_ANY_TAG, m->comm, MPI_STATUS_IGNORE);
}

static void p_irecv(struct me *m)
{
    MPI_Irecv(m->receive, m->count, MPI_INT, peer(m), TAG, m->comm, m->requests);
    MPI_Wait(m->requests, MPI_STATUS_IGNORE);
}

static void p_iprobe(struct me *m)
{
    for (int there = 0; !there;)
        MPI_Iprobe(peer(m), TAG, m->comm, &there, MPI_STATUS_IGNORE);
    p_recv(m);
}

static void p_sendrecv(struct me *m)
{
    MPI_Sendrecv(m->send, m->count, MPI_INT, peer(m), TAG, m->receive, m->count, MPI_INT, peer(m),
                 TAG, m->comm, MPI_STATUS_IGNORE);
}

static void p_replace(struct me *m)
{
    MPI_Sendrecv_replace(m->send, m->count, MPI_INT, peer(m), TAG, peer(m), TAG, m->comm,
                         MPI_STATUS_IGNORE);
}

struct ping_pong {
    int type;
    action *send, *receive; /* receive NULL: both sides do the first at once, an exchange */
};

static const struct ping_pong ping_pongs[] = {
    { 1, p_send, p_recv },   { 2, p_send, p_recv_any_tag }, { 3, p_send, p_irecv },
    { 4, p_send, p_iprobe }, { 5, p_ssend, p_recv },        { 6, p_isend, p_recv },
    { 7, p_bsend, p_recv },  { 8, p_sendrecv, NULL },       { 9, p_replace, NULL },
    { 34, p_issend, p_recv }
};

/* --- collective operations --- */

static void k_nothing(struct me *m)
{
    (void)m;
}

static void k_bcast(struct me *m)
{
    MPI_Bcast(m->send, m->count, MPI_INT, 0, m->comm);
}

static void k_barrier(struct me *m)
{
    MPI_Barrier(m->comm);
}

static void k_reduce(struct me *m)
{
    MPI_Reduce(m->send, m->receive, m->count, MPI_INT, MPI_SUM, 0, m->comm);
}

static void k_alltoall(struct me *m)
{
    MPI_Alltoall(m->send, m->count, MPI_INT, m->receive, m->count, MPI_INT, m->comm);
}

static void k_scan(struct me *m)
{
    MPI_Scan(m->send, m->receive, m->count, MPI_INT, MPI_SUM, m->comm);
}

static void k_split(struct me *m)
{
    MPI_Comm_split(m->comm, m->rank % 2, m->rank, &m->made);
}

static void k_gather(struct me *m)
{
    MPI_Gather(m->send, m->count, MPI_INT, m->receive, m->count, MPI_INT, 0, m->comm);
}

static void k_scatter(struct me *m)
{
    MPI_Scatter(m->send, m->count, MPI_INT, m->receive, m->count, MPI_INT, 0, m->comm);
}

static void k_allreduce(struct me *m)
{
    MPI_Allreduce(m->send, m->receive, m->count, MPI_INT, MPI_SUM, m->comm);
}

static void k_reduce_bcast(struct me *m)
{
    k_reduce(m);
    MPI_Bcast(m->receive, m->count, MPI_INT, 0, m->comm);
}

static void k_reduce_scatter(struct me *m)
{
    MPI_Reduce_scatter(m->send, m->receive, m->counts, MPI_INT, MPI_SUM, m->comm);
}

static void k_allgather(struct me *m)
{
    MPI_Allgather(m->send, m->count, MPI_INT, m->receive, m->count, MPI_INT, m->comm);
}

static void k_scatterv(struct me *m)
{
    MPI_Scatterv(m->send, m->counts, m->places, MPI_INT, m->receive, m->count, MPI_INT, 0, m->comm);
}

static void k_gatherv(struct me *m)
{
    MPI_Gatherv(m->send, m->count, MPI_INT, m->receive, m->counts, m->places, MPI_INT, 0, m->comm);
}

static void k_allgatherv(struct me *m)
{
    MPI_Allgatherv(m->send, m->count, MPI_INT, m->receive, m->counts, m->places, MPI_INT, m->comm);
}

static void k_alltoallv(struct me *m)
{
    MPI_Alltoallv(m->send, m->counts, m->places, MPI_INT, m->receive, m->counts, m->places, MPI_INT,
                  m->comm);
}

static void k_reduce_scatterv(struct me *m)
{
    MPI_Reduce(m->send, m->receive, m->count * m->size, MPI_INT, MPI_SUM, 0, m->comm);
    MPI_Scatterv(m->receive, m->counts, m->places, MPI_INT, m->send, m->count, MPI_INT, 0, m->comm);
}

/* One's own part goes the way of a message, too. */
static void own_part(struct me *m)
{
    MPI_Sendrecv(m->send, m->count, MPI_INT, m->rank, TAG, m->receive, m->count, MPI_INT, m->rank,
                 TAG, m->comm, MPI_STATUS_IGNORE);
}

static void k_gather_recv(struct me *m)
{
    if (m->rank != 0) {
        MPI_Send(m->send, m->count, MPI_INT, 0, TAG, m->comm);
        return;
    }
    own_part(m);
    for (int i = 1; i < m->size; i++)
        MPI_Recv(m->receive + m->places[i], m->count, MPI_INT, i, TAG, m->comm, MPI_STATUS_IGNORE);
}

static void k_gather_irecv(struct me *m)
{
    if (m->rank != 0) {
        MPI_Isend(m->send, m->count, MPI_INT, 0, TAG, m->comm, m->requests);
        MPI_Wait(m->requests, MPI_STATUS_IGNORE);
        return;
    }
    for (int i = 1; i < m->size; i++)
        MPI_Irecv(m->receive + m->places[i], m->count, MPI_INT, i, TAG, m->comm, m->requests + i);
    own_part(m);
    MPI_Waitall(m->size - 1, m->requests + 1, MPI_STATUSES_IGNORE);
}

static void k_bcast_send(struct me *m)
{
    if (m->rank != 0)
        MPI_Recv(m->send, m->count, MPI_INT, 0, TAG, m->comm, MPI_STATUS_IGNORE);
    for (int i = 1; m->rank == 0 && i < m->size; i++)
        MPI_Send(m->send, m->count, MPI_INT, i, TAG, m->comm);
}

static void k_bcast_isend(struct me *m)
{
    if (m->rank != 0) {
        MPI_Recv(m->send, m->count, MPI_INT, 0, TAG, m->comm, MPI_STATUS_IGNORE);
        return;
    }
    for (int i = 1; i < m->size; i++)
        MPI_Isend(m->send, m->count, MPI_INT, i, TAG, m->comm, m->requests + i);
    MPI_Waitall(m->size - 1, m->requests + 1, MPI_STATUSES_IGNORE);
}

/* Everybody begins with itself; then it sends upwards and receives from below. */
static void k_alltoall_isend(struct me *m)
{
    for (int i = 0; i < m->size; i++) {
        int from = (m->rank - i + m->size) % m->size;
        MPI_Irecv(m->receive + m->places[from], m->count, MPI_INT, from, TAG, m->comm,
                  m->requests + i);
    }
    for (int i = 0; i < m->size; i++) {
        int to = (m->rank + i) % m->size;
        MPI_Isend(m->send + m->places[to], m->count, MPI_INT, to, TAG, m->comm,
                  m->requests + m->size + i);
    }
    MPI_Waitall(2 * m->size, m->requests, MPI_STATUSES_IGNORE);
}

static void k_dup(struct me *m)
{
    MPI_Comm_dup(m->comm, &m->made);
}

static void k_cart(struct me *m)
{
    int dims[2] = { 0, 0 }, periods[2] = { 0, 0 };
    MPI_Dims_create(m->size, 2, dims);
    MPI_Cart_create(m->comm, 2, dims, periods, 0, &m->made);
}

/* Neighbours one row up and down on the periodic grid of MPI_Dims_create. */
static void rows(const struct me *m, int *to, int *from)
{
    int dims[2] = { 0, 0 };
    MPI_Dims_create(m->size, 2, dims);
    *to = (m->rank + dims[1]) % m->size;
    *from = (m->rank - dims[1] + m->size) % m->size;
}

static void k_grid_replace(struct me *m)
{
    int to, from;
    rows(m, &to, &from);
    MPI_Sendrecv_replace(m->send, m->count, MPI_INT, to, TAG, from, TAG, m->comm,
                         MPI_STATUS_IGNORE);
}

static void k_grid_isend(struct me *m)
{
    int to, from;
    rows(m, &to, &from);
    MPI_Irecv(m->receive, m->count, MPI_INT, from, TAG, m->comm, m->requests);
    MPI_Isend(m->send, m->count, MPI_INT, to, TAG, m->comm, m->requests + 1);
    MPI_Waitall(2, m->requests, MPI_STATUSES_IGNORE);
}

static void k_ring(struct me *m)
{
    int to = (m->rank + 1) % m->size, from = (m->rank + m->size - 1) % m->size;
    if (m->rank == 0)
        MPI_Send(m->send, m->count, MPI_INT, to, TAG, m->comm);
    MPI_Recv(m->receive, m->count, MPI_INT, from, TAG, m->comm, MPI_STATUS_IGNORE);
    if (m->rank != 0)
        MPI_Send(m->send, m->count, MPI_INT, to, TAG, m->comm);
}

struct collective {
    int barrier_measured, synchronised; /* type numbers */
    action *act;
};

static const struct collective collectives[] = {
    { 17, 47, k_bcast },           { 18, 49, k_barrier },        { 19, 54, k_reduce },
    { 20, 55, k_alltoall },        { 21, 56, k_scan },           { 22, 57, k_split },
    { 23, 58, k_nothing },         { 31, 59, k_nothing },        { 33, 48, k_gather },
    { 35, 60, k_scatter },         { 36, 61, k_allreduce },      { 37, 62, k_reduce_bcast },
    { 38, 63, k_reduce_scatter },  { 39, 64, k_allgather },      { 40, 65, k_scatterv },
    { 41, 66, k_gatherv },         { 42, 67, k_allgatherv },     { 43, 68, k_alltoallv },
    { 44, 69, k_reduce_scatterv }, { 45, 70, k_gather_recv },    { 46, 71, k_gather_irecv },
    { 72, 73, k_bcast_send },      { 74, 75, k_alltoall_isend }, { 76, 77, k_dup },
    { 78, 79, k_alltoall_isend },  { 80, 81, k_bcast_isend },    { 82, 83, k_cart },
    { 86, 87, k_grid_replace },    { 88, 89, k_grid_isend },     { 90, 91, k_ring },
};

/* --- master and workers --- */

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
    MPI_Send(m->send, m->count, MPI_INT, worker, TAG, m->comm);
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

#define IN_TURN(name, call)                                                                        \
    static void name(struct me *m)                                                                 \
    {                                                                                              \
        for (int dealt = 0; dealt < m->chunks; dealt++) {                                          \
            int worker = 1 + dealt % (m->size - 1);                                                \
            asked(m, worker, MPI_STATUS_IGNORE);                                                   \
            call(m->send, m->count, MPI_INT, worker, TAG, m->comm);                                \
        }                                                                                          \
    }
IN_TURN(w_send, MPI_Send)
IN_TURN(w_ssend, MPI_Ssend)
IN_TURN(w_bsend, MPI_Bsend)

static void w_isend(struct me *m)
{
    for (int dealt = 0; dealt < m->chunks; dealt++) {
        int worker = 1 + dealt % (m->size - 1);
        asked(m, worker, MPI_STATUS_IGNORE);
        MPI_Wait(m->requests + worker, MPI_STATUS_IGNORE);
        MPI_Isend(m->send, m->count, MPI_INT, worker, TAG, m->comm, m->requests + worker);
    }
    MPI_Waitall(m->size - 1, m->requests + 1, MPI_STATUSES_IGNORE);
}

struct master {
    int type;
    action *deal_out;
    int posted; /* receives for all workers' requests are posted beforehand */
};

static const struct master masters[] = { { 10, w_some, 1 },       { 11, w_any, 1 },
                                         { 12, w_any_source, 0 }, { 13, w_send, 0 },
                                         { 14, w_ssend, 0 },      { 15, w_isend, 0 },
                                         { 16, w_bsend, 0 },      { 30, k_nothing, 0 } };

static void worker(struct me *m)
{
    MPI_Status status = { 0 };
    while (status.MPI_TAG != STOP) {
        MPI_Ssend(m->send, 0, MPI_INT, 0, ASK, m->comm);
        MPI_Recv(m->receive, m->count, MPI_INT, 0, MPI_ANY_TAG, m->comm, &status);
    }
}

/* --- the definitions --- */

/* The same instant for all: when everybody has long been idle. */
static double common_instant(const struct me *m)
{
    double own = now(), latest;
    MPI_Allreduce(&own, &latest, 1, MPI_DOUBLE, MPI_MAX, m->comm);
    return latest + PAUSE_S;
}

static void sleep_to(double instant)
{
    sg_actor_sleep_for(instant - now());
}

/* The server's round trip; its partner has long been waiting, or in an exchange starts with it. */
static double ping_pong_time(struct me *m, const struct ping_pong *p)
{
    double start = common_instant(m);
    if (m->rank != 0 && m->rank != m->partner)
        return 0.0;
    sleep_to(m->rank == 0 && p->receive != NULL ? start + LEAD_S : start);
    start = now();
    action *first = m->rank == 0 || p->receive == NULL ? p->send : p->receive;
    first(m);
    if (p->receive != NULL)
        (m->rank == 0 ? p->receive : p->send)(m);
    double time = now() - start;
    sleep_to(start + PAUSE_S);
    return time;
}

/* From the master's start to the last chunk; all workers have long been asking. */
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

/* Who asked first when they were stopped before may matter: the habit counts. */
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

static void give_back(struct me *m)
{
    if (m->made != MPI_COMM_NULL)
        MPI_Comm_free(&m->made);
}

/* The root's start until it has left the closing barrier, when that has become a habit. */
static double barrier_time(struct me *m, action *act)
{
    double time = 0.0;
    for (int i = 0; i < STEADY; i++) {
        double start = now();
        act(m);
        MPI_Barrier(m->comm);
        time = now() - start;
        give_back(m);
    }
    return time;
}

/* A common start until the last process is done. */
static double synchronised_time(struct me *m, action *act)
{
    double start = common_instant(m), own, longest;
    sleep_to(start);
    act(m);
    own = now() - start;
    sleep_to(start + PAUSE_S); /* what comes next must not disturb those that are not done */
    give_back(m);
    MPI_Allreduce(&own, &longest, 1, MPI_DOUBLE, MPI_MAX, m->comm);
    return longest;
}

static void tell(const struct me *m, int type, double seconds)
{
    if (m->rank == 0)
        printf("%d %d %.6f\n", type, m->count * (int)sizeof(int), seconds * 1e6);
}

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

static void all(struct me *m)
{
    for (size_t i = 0; i < (m->chunks > 0 ? COUNT(ping_pongs) : 1); i++)
        tell(m, ping_pongs[i].type, ping_pong_time(m, &ping_pongs[i]));
    if (m->chunks == 0)
        return;
    for (size_t i = 0; i < COUNT(masters); i++)
        tell(m, masters[i].type, master_time(m, &masters[i]));
    for (size_t i = 0; i < COUNT(collectives); i++) {
        tell(m, collectives[i].barrier_measured, barrier_time(m, collectives[i].act));
        tell(m, collectives[i].synchronised, synchronised_time(m, collectives[i].act));
    }
}

/* Memory for messages of a length; the buffer for MPI_Bsend has room for a chunk per worker. */
static void with_length(struct me *m, int bytes)
{
    size_t processes = (size_t)m->size, message = (size_t)bytes;
    int attached = (int)(2 * processes * (message + MPI_BSEND_OVERHEAD)), size;
    void *buffer = malloc((size_t)attached);
    m->count = bytes / (int)sizeof(int);
    m->send = calloc(processes, message);
    m->receive = calloc(processes, message);
    m->counts = malloc(2 * processes * sizeof(int));
    m->places = m->counts + m->size;
    m->requests = malloc(2 * processes * sizeof(MPI_Request));
    for (int i = 0; i < m->size; i++) {
        m->counts[i] = m->count;
        m->places[i] = i * m->count;
    }
    MPI_Buffer_attach(buffer, attached);
    all(m);
    MPI_Buffer_detach(&buffer, &size);
    free(buffer);
    free(m->send);
    free(m->receive);
    free(m->counts);
    free(m->requests);
}

int main(int argc, char **argv)
{
    struct me m = { .comm = MPI_COMM_WORLD, .made = MPI_COMM_NULL };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(m.comm, &m.rank);
    MPI_Comm_size(m.comm, &m.size);
    if (argc < 4) {
        fputs("usage: truth PARTNER CHUNKS LENGTH...\n", stderr);
        return 2;
    }
    m.partner = atoi(argv[1]);
    m.chunks = atoi(argv[2]);
    for (int i = 3; i < argc; i++)
        with_length(&m, atoi(argv[i]));
    MPI_Finalize();
    return 0;
}
