/* Master-worker operations (manual table 3.3, code in 3.1.1): a worker asks for work with an empty
 * synchronous message and receives a chunk or the stop signal, which have different tags. */
#include "ops/arguments.h"

/* The master's state; worker w has index w - 1. */
struct master {
    MPI_Request *requests; /* of receives (Waitsome, Waitany), or of sends (Isend) */
    int *indices;          /* result of MPI_Waitsome */
    int next;              /* the next worker, if they take turns */
    bool has_chunk;        /* a worker: it has got one */
};

static void master_free(struct measurement *m)
{
    struct master *master = m->state;
    void *buffer;
    int size;
    if (m->rank == 0 && m->sizes.attached > 0)
        MPI_Buffer_detach(&buffer, &size);
    free(master->requests);
    free(master->indices);
}

static void master_init(struct measurement *m)
{
    if (m->rank != 0)
        return;
    if (m->sizes.attached > 0)
        MPI_Buffer_attach(m->attached, (int)m->sizes.attached);
    size_t n = (size_t)(m->size - 1);
    struct master *master = m->state;
    allocated_array(&master->requests, n);
    allocated_array(&master->indices, n);
    for (size_t i = 0; i < n; i++)
        master->requests[i] = MPI_REQUEST_NULL;
}

CALLED(worker_send, MPI_Ssend(m->send.at, 0, m->send.type, 0, MW_TAG_WORK, m->comm))

static bool worker_receive(struct measurement *m)
{
    MPI_Status status;
    struct master *master = m->state;
    MPI_Recv(RECEIVED, 0, MPI_ANY_TAG, m->comm, &status);
    master->has_chunk |= status.MPI_TAG != MW_TAG_STOP;
    return status.MPI_TAG != MW_TAG_STOP;
}

/* Messages between the master and one worker. */

static void send_chunk(struct measurement *m, int worker)
{
    MPI_Send(SENT, worker, MW_TAG_WORK, m->comm);
}

static void send_stop(struct measurement *m, int worker)
{
    MPI_Send(m->send.at, 0, m->send.type, worker, MW_TAG_STOP, m->comm);
}

static void receive_request(struct measurement *m, int worker)
{
    MPI_Recv(m->receive.at, 0, m->receive.type, worker, MW_TAG_WORK, m->comm, MPI_STATUS_IGNORE);
}

static void await_request(struct measurement *m, int worker)
{
    struct master *master = m->state;
    MPI_Irecv(m->receive.at, 0, m->receive.type, worker, MW_TAG_WORK, m->comm,
              &master->requests[worker - 1]);
}

/* MPI_Waitsome, MPI_Waitany: each worker always has a posted receive. */

static void await_all(struct measurement *m)
{
    for (int worker = 1; worker < m->size; worker++)
        await_request(m, worker);
}

/* Keeps a request that came too late for a chunk completed; its worker is only stopped. */
static void stop_awaited(struct measurement *m)
{
    struct master *master = m->state;
    MPI_Waitall(m->size - 1, master->requests, MPI_STATUSES_IGNORE);
    for (int worker = 1; worker < m->size; worker++)
        send_stop(m, worker);
}

static int dispatch_waitsome(struct measurement *m, int chunks)
{
    struct master *master = m->state;
    int ready;
    MPI_Waitsome(m->size - 1, master->requests, &ready, master->indices, MPI_STATUSES_IGNORE);
    int sent = ready < chunks ? ready : chunks;
    for (int i = 0; i < sent; i++) {
        send_chunk(m, master->indices[i] + 1);
        await_request(m, master->indices[i] + 1);
    }
    return sent;
}

static int dispatch_waitany(struct measurement *m, int chunks)
{
    struct master *master = m->state;
    int index;
    MPI_Waitany(m->size - 1, master->requests, &index, MPI_STATUS_IGNORE);
    send_chunk(m, index + 1);
    await_request(m, index + 1);
    return 1;
}

/* The other operations receive one request after the other, and at the end one more per worker. */

static void stop_in_turn(struct measurement *m)
{
    struct master *master = m->state;
    for (int worker = 1; worker < m->size; worker++) {
        receive_request(m, worker);
        send_stop(m, worker);
    }
    master->next = 0;
}

static int dispatch_any_source(struct measurement *m, int chunks)
{
    MPI_Status status;
    MPI_Recv(m->receive.at, 0, m->receive.type, MPI_ANY_SOURCE, MW_TAG_WORK, m->comm, &status);
    send_chunk(m, status.MPI_SOURCE);
    return 1;
}

static int next_request(struct measurement *m)
{
    struct master *master = m->state;
    int worker = master->next + 1;
    master->next = (master->next + 1) % (m->size - 1);
    receive_request(m, worker);
    return worker;
}

/* Defines how a chunk is sent by a call that needs no request. */
#define DISPATCHED(function, call)                                                                 \
    static int function(struct measurement *m, int chunks)                                         \
    {                                                                                              \
        call(SENT, next_request(m), MW_TAG_WORK, m->comm);                                         \
        return 1;                                                                                  \
    }

DISPATCHED(dispatch_send, MPI_Send)
DISPATCHED(dispatch_ssend, MPI_Ssend)
DISPATCHED(dispatch_bsend, MPI_Bsend)

/* One send per worker may be pending; all are complete when the last chunk is dealt out. */
static int dispatch_isend(struct measurement *m, int chunks)
{
    struct master *master = m->state;
    int worker = next_request(m);
    MPI_Wait(&master->requests[worker - 1], MPI_STATUS_IGNORE);
    MPI_Isend(SENT, worker, MW_TAG_WORK, m->comm, &master->requests[worker - 1]);
    if (chunks == 1)
        MPI_Waitall(m->size - 1, master->requests, MPI_STATUSES_IGNORE);
    return 1;
}

/* Deals out nothing: measures the loop alone. */
static int dispatch_nothing(struct measurement *m, int chunks)
{
    return 1;
}

ORIGIN_OF(master, from_master, k->has_chunk ? 0 : MPI_PROC_NULL, message)

#define MASTER                                                                                     \
    SENDS_ONE, RECEIVES_ONE,                                                                       \
        .rewrite = rewrite_as_root,                                                                \
        .hooks = { .state = sizeof(struct master), .init = master_init, .free = master_free },     \
        .mw.worker_send = worker_send, .mw.worker_receive = worker_receive
#define AWAITED_REQUESTS                                                                           \
    MASTER, .origin = from_master, .mw.master_receive_ready = await_all,                           \
            .mw.master_worker_stop = stop_awaited
#define IN_TURN MASTER, .origin = from_master, .mw.master_worker_stop = stop_in_turn

static const struct op rows[] = {
    OP("MPI_Waitsome", "requests awaited with MPI_Waitsome, MPI_Send", 0, AWAITED_REQUESTS,
       .in = MW_TYPE(10), .mw.master_dispatch = dispatch_waitsome),
    OP("MPI_Waitany", "requests awaited with MPI_Waitany, MPI_Send", 0, AWAITED_REQUESTS,
       .in = MW_TYPE(11), .mw.master_dispatch = dispatch_waitany),
    OP("MPI_Recv_Any_Source", "MPI_Recv with MPI_ANY_SOURCE, MPI_Send", 0, IN_TURN,
       .in = MW_TYPE(12), .mw.master_dispatch = dispatch_any_source),
    OP("MPI_Send", "workers in turn, MPI_Send", 0, IN_TURN, .in = MW_TYPE(13),
       .mw.master_dispatch = dispatch_send),
    OP("MPI_Ssend", "workers in turn, MPI_Ssend", 0, IN_TURN, .in = MW_TYPE(14),
       .mw.master_dispatch = dispatch_ssend),
    OP("MPI_Isend", "workers in turn, MPI_Isend, completed by MPI_Waitall", 0, IN_TURN,
       .in = MW_TYPE(15), .mw.master_dispatch = dispatch_isend),
    OP("MPI_Bsend", "workers in turn, MPI_Bsend", 0, IN_TURN, .in = MW_TYPE(16),
       .mw.master_dispatch = dispatch_bsend, .info.attached = { .per_process = 2 }),
    OP("dummy", "the pattern without communication", 0, MASTER, .in = MW_TYPE(30),
       .mw.master_dispatch = dispatch_nothing, .mw.master_worker_stop = stop_in_turn,
       .info.rate = RATE_NONE),
};

OP_FAMILY(master_family, rows);
