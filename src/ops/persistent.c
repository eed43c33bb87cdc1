/* Persistent communication: requests are created before the measurement, and each repetition starts
 * and completes them. What creating and freeing them costs has types of its own. */
#include "context/library.h"
#include "ops/bound.h"
#include "ops/families.h"
#include "patterns/pattern.h"

enum { TAG = 1 };

enum { SEND, RECEIVE, ONE_OF_EACH };

static void bind_ping_pong(struct run *r, MPI_Request *q)
{
    MPI_Send_init(SENT, r->peer, TAG, r->comm, &q[SEND]);
    MPI_Recv_init(RECEIVED, r->peer, TAG, r->comm, &q[RECEIVE]);
}

static int ping_pong_init(struct run *r, struct err *e)
{
    return bound_init(r, ONE_OF_EACH, bind_ping_pong, e);
}

static void start_wait(MPI_Request *request)
{
    MPI_Start(request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
}

static void send_receive(struct run *r)
{
    MPI_Request *q = bound_requests(r);
    start_wait(&q[SEND]);
    start_wait(&q[RECEIVE]);
}

static void receive_send(struct run *r)
{
    MPI_Request *q = bound_requests(r);
    start_wait(&q[RECEIVE]);
    start_wait(&q[SEND]);
}

static void exchange(struct run *r)
{
    MPI_Request *q = bound_requests(r);
    MPI_Startall(ONE_OF_EACH, q);
    MPI_Waitall(ONE_OF_EACH, q, MPI_STATUSES_IGNORE);
}

/* To and from itself, so that no other process is needed; never started. */
static void create_send(struct run *r)
{
    MPI_Request request;
    MPI_Send_init(r->machine->buffers.block, 1, MPI_BYTE, r->rank, TAG, r->comm, &request);
    MPI_Request_free(&request);
}

static void create_receive(struct run *r)
{
    MPI_Request request;
    MPI_Recv_init(r->machine->buffers.block, 1, MPI_BYTE, r->rank, TAG, r->comm, &request);
    MPI_Request_free(&request);
}

static void collective(struct run *r)
{
    start_wait(bound_requests(r));
}

static void create(struct run *r, bind_function *bind)
{
    MPI_Request request;
    bind(r, &request);
    MPI_Request_free(&request);
}

/* Open MPI's MPIX_Reduce_init refuses equal buffers, even of empty messages. */
static inline char *result_of_reduce(const struct run *r)
{
    return r->receive == r->send ? r->receive + 1 : r->receive;
}

/* For a call: how its request is created, the init hook, and creating and freeing alone. */
#define CREATES_BY(operation, call, init, ...)                                                     \
    static void bind_##operation(struct run *r, MPI_Request *q)                                    \
    {                                                                                              \
        (void)r;                                                                                   \
        PERSISTENT_INIT(call, q, __VA_ARGS__);                                                     \
    }                                                                                              \
    static int init_##operation(struct run *r, struct err *e)                                      \
    {                                                                                              \
        return init;                                                                               \
    }                                                                                              \
    static void create_##operation(struct run *r)                                                  \
    {                                                                                              \
        create(r, bind_##operation);                                                               \
    }
#define CREATES(operation, call, ...)                                                              \
    CREATES_BY(operation, call, bound_init(r, 1, bind_##operation, e), __VA_ARGS__)

#define TABLES *bound_tables(r)

CREATES(barrier, Barrier, r->comm)
CREATES(bcast, Bcast, r->send, r->rank == r->root ? r->send_count : r->receive_count,
        r->rank == r->root ? r->send_type : r->receive_type, r->root, r->comm)
CREATES(gather, Gather, SENT, RECEIVED, r->root, r->comm)
CREATES(gatherv, Gatherv, SENT, RECEIVED_V, r->root, r->comm)
CREATES(scatter, Scatter, SENT, RECEIVED, r->root, r->comm)
CREATES(scatterv, Scatterv, SENT_V, RECEIVED, r->root, r->comm)
CREATES(allgather, Allgather, SENT, RECEIVED, r->comm)
CREATES(allgatherv, Allgatherv, SENT, RECEIVED_V, r->comm)
CREATES(alltoall, Alltoall, SENT, RECEIVED, r->comm)
CREATES(alltoallv, Alltoallv, SENT_V, RECEIVED_V, r->comm)
CREATES_BY(alltoallw, Alltoallw, bound_init_w(r, bind_alltoallw, e), SENT_W(TABLES),
           RECEIVED_W(TABLES), r->comm)
CREATES(reduce, Reduce, r->send, result_of_reduce(r), r->send_count, r->send_type, r->reduction,
        r->root, r->comm)
CREATES(allreduce, Allreduce, COMBINED, r->comm)
CREATES(reduce_scatter, Reduce_scatter, r->send, r->receive, r->send_counts, r->send_type,
        r->reduction, r->comm)
CREATES(reduce_scatter_block, Reduce_scatter_block, COMBINED, r->comm)
CREATES(scan, Scan, COMBINED, r->comm)
CREATES(exscan, Exscan, COMBINED, r->comm)

static struct origin from_peer(const struct run *r, int message)
{
    return (struct origin){ r->peer, message };
}

/* Two types: start and wait, and creating and freeing the request. */
#define PERSISTENT(needs_, number, creation, name, text, traits_, sent, received, operation, ...)  \
    { .info = { TYPE("Persistent_" name, "MPI_Start and MPI_Wait of " text,                        \
                     TYPE_BOUND | (traits_)),                                                      \
                .needs = needs_, .send = sent, .receive = received },                              \
      .in = SYNCOL_TYPE(number),                                                                   \
      .hooks = { .init = init_##operation, .server_op = collective, .free = bound_free },          \
      __VA_ARGS__ },                                                                               \
    {                                                                                              \
        .info = { TYPE("MPI_" name "_init", "MPI_" name "_init and MPI_Request_free", traits_),    \
                  .needs = needs_, .send = sent, .receive = received },                            \
        .in = SYNCOL_TYPE(creation), .hooks = {                                                    \
            .init = init_##operation,                                                              \
            .server_op = create_##operation,                                                       \
            .free = bound_free                                                                     \
        }                                                                                          \
    }

#define ALL     NEEDS_PERSISTENT_COLLECTIVES
#define GATHERS NEEDS_PERSISTENT_COLLECTIVES | NEEDS_PERSISTENT_GATHERS

#define LENGTH    TYPE_HAS_LENGTH
#define ROOTED    TYPE_HAS_LENGTH | TYPE_ROOTED
#define BROADCAST ROOTED | TYPE_SHARES_BUFFER
#define REDUCES   TYPE_HAS_LENGTH | TYPE_REDUCES | TYPE_ONE_DATATYPE

static const struct op rows[] = {
    { .info = { TYPE("Persistent_Send-Recv", "MPI_Start and MPI_Wait of a send, then of a receive",
                     TYPE_HAS_LENGTH | TYPE_BOUND),
                .send = ONE_LENGTH, .receive = ONE_LENGTH },
      .in = P2P_TYPE(260),
      .hooks = { .init = ping_pong_init,
                 .server_op = send_receive,
                 .client_op = receive_send,
                 .free = bound_free },
      .origin = from_peer },
    { .info = { TYPE("Persistent_Startall", "MPI_Startall and MPI_Waitall of both on both sides",
                     TYPE_HAS_LENGTH | TYPE_BOUND),
                .send = ONE_LENGTH, .receive = ONE_LENGTH },
      .in = TIMED_P2P_TYPE(261, TIME_EXCHANGE),
      .calls = 2,
      .hooks = { .init = ping_pong_init,
                 .server_op = exchange,
                 .client_op = exchange,
                 .free = bound_free },
      .origin = from_peer },
    { .info = { TYPE("MPI_Send_init", "MPI_Send_init and MPI_Request_free", 0) },
      .in = SIMPLE_TYPE(262),
      .hooks = { .server_op = create_send } },
    { .info = { TYPE("MPI_Recv_init", "MPI_Recv_init and MPI_Request_free", 0) },
      .in = SIMPLE_TYPE(377),
      .hooks = { .server_op = create_receive } },
    PERSISTENT(ALL, 263, 380, "Bcast", "a broadcast", BROADCAST, ONE_LENGTH, NO_LENGTH, bcast,
               .rewrite = rewrite_as_root, .origin = from_root),
    PERSISTENT(ALL, 264, 381, "Allreduce", "an allreduce", REDUCES, ONE_LENGTH, ONE_LENGTH,
               allreduce, ),
    PERSISTENT(ALL, 265, 382, "Alltoall", "an all-to-all", LENGTH, LENGTH_PER_PROCESS,
               LENGTH_PER_PROCESS, alltoall, .origin = from_each_its_own),
    PERSISTENT(ALL, 266, 383, "Barrier", "a barrier", 0, NO_LENGTH, NO_LENGTH, barrier, ),
    PERSISTENT(GATHERS, 360, 384, "Gather", "a gather", ROOTED, ONE_LENGTH, LENGTH_PER_PROCESS,
               gather, .origin = from_each_to_root),
    PERSISTENT(ALL, 361, 385, "Gatherv", "a gather with tables of counts", ROOTED, ONE_LENGTH,
               LENGTH_PER_PROCESS, gatherv, .origin = from_each_to_root),
    PERSISTENT(GATHERS, 362, 386, "Scatter", "a scatter", ROOTED, LENGTH_PER_PROCESS, ONE_LENGTH,
               scatter, .rewrite = rewrite_as_root, .origin = from_root_its_own),
    PERSISTENT(ALL, 363, 387, "Scatterv", "a scatter with tables of counts", ROOTED,
               LENGTH_PER_PROCESS, ONE_LENGTH, scatterv, .rewrite = rewrite_as_root,
               .origin = from_root_its_own),
    PERSISTENT(GATHERS, 364, 388, "Allgather", "a gather to all", LENGTH, ONE_LENGTH,
               LENGTH_PER_PROCESS, allgather, .origin = from_each),
    PERSISTENT(ALL, 365, 389, "Allgatherv", "a gather to all with tables of counts", LENGTH,
               ONE_LENGTH, LENGTH_PER_PROCESS, allgatherv, .origin = from_each),
    PERSISTENT(ALL, 366, 390, "Alltoallv", "an all-to-all with tables of counts", LENGTH,
               LENGTH_PER_PROCESS, LENGTH_PER_PROCESS, alltoallv, .origin = from_each_its_own),
    PERSISTENT(ALL, 367, 391, "Alltoallw", "an all-to-all with tables of counts and types", LENGTH,
               LENGTH_PER_PROCESS, LENGTH_PER_PROCESS, alltoallw, .origin = from_each_its_own),
    PERSISTENT(ALL, 368, 392, "Reduce", "a reduce", REDUCES | TYPE_ROOTED, ONE_LENGTH, ONE_LENGTH,
               reduce, ),
    PERSISTENT(ALL, 369, 393, "Reduce_scatter", "a reduce-scatter", REDUCES, LENGTH_PER_PROCESS,
               ONE_LENGTH, reduce_scatter, ),
    PERSISTENT(ALL, 370, 394, "Reduce_scatter_block", "a reduce-scatter of equal parts", REDUCES,
               LENGTH_PER_PROCESS, ONE_LENGTH, reduce_scatter_block, ),
    PERSISTENT(ALL, 371, 395, "Scan", "a scan", REDUCES, ONE_LENGTH, ONE_LENGTH, scan, ),
    PERSISTENT(ALL, 372, 396, "Exscan", "an exclusive scan", REDUCES, ONE_LENGTH, ONE_LENGTH,
               exscan, ),
};

OP_FAMILY(persistent_family, rows);
