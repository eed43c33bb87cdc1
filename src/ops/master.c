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

static bool has_attached(const struct run *r)
{
    return r->rank == 0 && r->sizes.attached > 0;
}

static void master_free(struct run *r)
{
    struct master *m = r->state;
    void *buffer;
    int size;
    if (has_attached(r))
        MPI_Buffer_detach(&buffer, &size);
    free(m->requests);
    free(m->indices);
}

static int master_init(struct run *r, struct err *e)
{
    if (r->rank != 0)
        return 0;
    if (has_attached(r))
        MPI_Buffer_attach(r->attached, (int)r->sizes.attached);
    size_t n = (size_t)(r->size - 1);
    struct master *m = r->state;
    m->requests = malloc(n * sizeof(*m->requests));
    m->indices = malloc(n * sizeof(*m->indices));
    if (m->requests == NULL || m->indices == NULL)
        return err_no_memory(e, n * (sizeof(*m->requests) + sizeof(*m->indices)));
    for (size_t i = 0; i < n; i++)
        m->requests[i] = MPI_REQUEST_NULL;
    return 0;
}

CALLED(worker_send, MPI_Ssend(r->send.at, 0, r->send.type, 0, MW_TAG_WORK, r->comm))

static bool worker_receive(struct run *r)
{
    MPI_Status status;
    struct master *m = r->state;
    MPI_Recv(RECEIVED, 0, MPI_ANY_TAG, r->comm, &status);
    m->has_chunk |= status.MPI_TAG != MW_TAG_STOP;
    return status.MPI_TAG != MW_TAG_STOP;
}

/* Defines what the master does with one worker. */
#define WITH_WORKER(function, ...)                                                                 \
    static void function(struct run *r, int worker)                                                \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }

WITH_WORKER(send_chunk, MPI_Send(SENT, worker, MW_TAG_WORK, r->comm))
WITH_WORKER(send_stop, MPI_Send(r->send.at, 0, r->send.type, worker, MW_TAG_STOP, r->comm))
WITH_WORKER(receive_request, MPI_Recv(r->receive.at, 0, r->receive.type, worker, MW_TAG_WORK,
                                      r->comm, MPI_STATUS_IGNORE))

WITH_WORKER(await_request, struct master *m = r->state;
            MPI_Irecv(r->receive.at, 0, r->receive.type, worker, MW_TAG_WORK, r->comm,
                      &m->requests[worker - 1]))

/* MPI_Waitsome, MPI_Waitany: each worker always has a posted receive. */

static void await_all(struct run *r)
{
    for (int worker = 1; worker < r->size; worker++)
        await_request(r, worker);
}

/* A request that came too late for a chunk stays completed; its worker is only stopped. */
static void stop_awaited(struct run *r)
{
    struct master *m = r->state;
    MPI_Waitall(r->size - 1, m->requests, MPI_STATUSES_IGNORE);
    for (int worker = 1; worker < r->size; worker++)
        send_stop(r, worker);
}

static int dispatch_waitsome(struct run *r, int chunks)
{
    struct master *m = r->state;
    int ready;
    MPI_Waitsome(r->size - 1, m->requests, &ready, m->indices, MPI_STATUSES_IGNORE);
    int sent = ready < chunks ? ready : chunks;
    for (int i = 0; i < sent; i++) {
        send_chunk(r, m->indices[i] + 1);
        await_request(r, m->indices[i] + 1);
    }
    return sent;
}

static int dispatch_waitany(struct run *r, int chunks)
{
    struct master *m = r->state;
    int index;
    MPI_Waitany(r->size - 1, m->requests, &index, MPI_STATUS_IGNORE);
    send_chunk(r, index + 1);
    await_request(r, index + 1);
    return 1;
}

/* The other operations receive one request after the other, and at the end one more per worker. */

static void stop_in_turn(struct run *r)
{
    struct master *m = r->state;
    for (int worker = 1; worker < r->size; worker++) {
        receive_request(r, worker);
        send_stop(r, worker);
    }
    m->next = 0;
}

static int dispatch_any_source(struct run *r, int chunks)
{
    MPI_Status status;
    MPI_Recv(r->receive.at, 0, r->receive.type, MPI_ANY_SOURCE, MW_TAG_WORK, r->comm, &status);
    send_chunk(r, status.MPI_SOURCE);
    return 1;
}

/* The worker whose turn it is, after its request. */
static int next_request(struct run *r)
{
    struct master *m = r->state;
    int worker = m->next + 1;
    m->next = (m->next + 1) % (r->size - 1);
    receive_request(r, worker);
    return worker;
}

/* Defines how a chunk is sent by a call that needs no request. */
#define DISPATCHED(function, call)                                                                 \
    static int function(struct run *r, int chunks)                                                 \
    {                                                                                              \
        call(SENT, next_request(r), MW_TAG_WORK, r->comm);                                         \
        return 1;                                                                                  \
    }

DISPATCHED(dispatch_send, MPI_Send)
DISPATCHED(dispatch_ssend, MPI_Ssend)
DISPATCHED(dispatch_bsend, MPI_Bsend)

/* One send per worker may be pending; all are complete when the last chunk is dealt out. */
static int dispatch_isend(struct run *r, int chunks)
{
    struct master *m = r->state;
    int worker = next_request(r);
    MPI_Wait(&m->requests[worker - 1], MPI_STATUS_IGNORE);
    MPI_Isend(SENT, worker, MW_TAG_WORK, r->comm, &m->requests[worker - 1]);
    if (chunks == 1)
        MPI_Waitall(r->size - 1, m->requests, MPI_STATUSES_IGNORE);
    return 1;
}

/* The dummy deals out nothing: it measures the loop alone. */
static int dispatch_nothing(struct run *r, int chunks)
{
    return 1;
}

ORIGIN_OF(master, from_master, k->has_chunk ? 0 : MPI_PROC_NULL, message)

#define CHUNKS .origin = from_master
#define MASTER_WORKER(number, name, text, ready, dispatch, stop, ...)                              \
    OP(name, text, TYPE_HAS_LENGTH, ONE_LENGTH, ONE_LENGTH, .in = MW_TYPE(number),                 \
       .hooks = { .state = sizeof(struct master), .init = master_init, .free = master_free },      \
       .mw = { ready, dispatch, stop, worker_send, worker_receive }, .rewrite = rewrite_as_root,   \
       __VA_ARGS__)

static const struct op rows[] = {
    MASTER_WORKER(10, "MPI_Waitsome", "requests awaited with MPI_Waitsome, MPI_Send", await_all,
                  dispatch_waitsome, stop_awaited, CHUNKS),
    MASTER_WORKER(11, "MPI_Waitany", "requests awaited with MPI_Waitany, MPI_Send", await_all,
                  dispatch_waitany, stop_awaited, CHUNKS),
    MASTER_WORKER(12, "MPI_Recv_Any_Source", "MPI_Recv with MPI_ANY_SOURCE, MPI_Send", NULL,
                  dispatch_any_source, stop_in_turn, CHUNKS),
    MASTER_WORKER(13, "MPI_Send", "workers in turn, MPI_Send", NULL, dispatch_send, stop_in_turn,
                  CHUNKS),
    MASTER_WORKER(14, "MPI_Ssend", "workers in turn, MPI_Ssend", NULL, dispatch_ssend, stop_in_turn,
                  CHUNKS),
    MASTER_WORKER(15, "MPI_Isend", "workers in turn, MPI_Isend, completed by MPI_Waitall", NULL,
                  dispatch_isend, stop_in_turn, CHUNKS),
    MASTER_WORKER(16, "MPI_Bsend", "workers in turn, MPI_Bsend", NULL, dispatch_bsend, stop_in_turn,
                  .info.attached = { 0, 2 }, CHUNKS),
    MASTER_WORKER(30, "dummy", "the pattern without communication", NULL, dispatch_nothing,
                  stop_in_turn, .info.rate = RATE_NONE),
};

OP_FAMILY(master_family, rows);
