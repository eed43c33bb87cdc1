/* Persistent communication: requests are created once, before the measurement, and each repetition
 * starts and completes them. They are bound to the buffers of the first repetition. */
#include "context/persistent.h"
#include "ops/families.h"

#include <stdlib.h>

enum { TAG = 1 };

struct requests {
    MPI_Request send, receive; /* of a collective only send */
};

static struct requests *requests_new(struct run *r, struct err *e)
{
    struct requests *q = malloc(sizeof(*q));
    r->state = q;
    if (q == NULL)
        err_no_memory(e, sizeof(*q));
    else
        q->send = q->receive = MPI_REQUEST_NULL;
    return q;
}

static void requests_free(struct run *r)
{
    struct requests *q = r->state;
    if (q == NULL)
        return;
    if (q->send != MPI_REQUEST_NULL)
        MPI_Request_free(&q->send);
    if (q->receive != MPI_REQUEST_NULL)
        MPI_Request_free(&q->receive);
    free(q);
    r->state = NULL;
}

static int ping_pong_init(struct run *r, struct err *e)
{
    struct requests *q = requests_new(r, e);
    if (q == NULL)
        return -1;
    MPI_Send_init(r->send, r->send_count, r->send_type, r->peer, TAG, r->comm, &q->send);
    MPI_Recv_init(r->receive, r->receive_count, r->receive_type, r->peer, TAG, r->comm,
                  &q->receive);
    return 0;
}

static void start_wait(MPI_Request *request)
{
    MPI_Start(request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
}

static void send_receive(struct run *r)
{
    struct requests *q = r->state;
    start_wait(&q->send);
    start_wait(&q->receive);
}

static void receive_send(struct run *r)
{
    struct requests *q = r->state;
    start_wait(&q->receive);
    start_wait(&q->send);
}

static void exchange(struct run *r)
{
    struct requests *q = r->state;
    MPI_Request both[2] = { q->receive, q->send };
    MPI_Startall(2, both);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
}

/* To itself, so that no other process is needed; never started. */
static void create(struct run *r)
{
    MPI_Request request;
    MPI_Send_init(r->machine->buffers.block, 1, MPI_BYTE, r->rank, TAG, r->comm, &request);
    MPI_Request_free(&request);
}

static int bcast_init(struct run *r, struct err *e)
{
    struct requests *q = requests_new(r, e);
    if (q == NULL)
        return -1;
    PERSISTENT_BCAST(r->send, r->send_count, r->send_type, r->root, r->comm, MPI_INFO_NULL,
                     &q->send);
    return 0;
}

static int allreduce_init(struct run *r, struct err *e)
{
    struct requests *q = requests_new(r, e);
    if (q == NULL)
        return -1;
    PERSISTENT_ALLREDUCE(r->send, r->receive, r->send_count, r->send_type, r->reduction, r->comm,
                         MPI_INFO_NULL, &q->send);
    return 0;
}

static int alltoall_init(struct run *r, struct err *e)
{
    struct requests *q = requests_new(r, e);
    if (q == NULL)
        return -1;
    PERSISTENT_ALLTOALL(r->send, r->send_count, r->send_type, r->receive, r->receive_count,
                        r->receive_type, r->comm, MPI_INFO_NULL, &q->send);
    return 0;
}

static int barrier_init(struct run *r, struct err *e)
{
    struct requests *q = requests_new(r, e);
    if (q == NULL)
        return -1;
    PERSISTENT_BARRIER(r->comm, MPI_INFO_NULL, &q->send);
    return 0;
}

static void collective(struct run *r)
{
    struct requests *q = r->state;
    start_wait(&q->send);
}

static struct origin from_peer(const struct run *r, int message)
{
    return (struct origin){ r->peer, message };
}

static const char half_of_two[] = "one exchange on rank 0, half of two in a row";

#define PERSISTENT(number, name, text, more, sent, received, init_)                                \
    {                                                                                              \
        .info = { TYPE(name, text, TYPE_BOUND | (more)), .needs = NEEDS_PERSISTENT_COLLECTIVES,    \
                  .send = sent, .receive = received },                                             \
        .in = SYNCOL_TYPE(number), .hooks = {                                                      \
            .init = init_,                                                                         \
            .server_op = collective,                                                               \
            .free = requests_free                                                                  \
        }                                                                                          \
    }

static const struct op rows[] = {
    { .info = { TYPE("Persistent_Send-Recv", "MPI_Start and MPI_Wait of a send, then of a receive",
                     TYPE_HAS_LENGTH | TYPE_BOUND),
                .send = ONE_LENGTH, .receive = ONE_LENGTH },
      .in = P2P_TYPE(260),
      .hooks = { .init = ping_pong_init,
                 .server_op = send_receive,
                 .client_op = receive_send,
                 .free = requests_free },
      .origin = from_peer },
    { .info = { TYPE("Persistent_Startall", "MPI_Startall and MPI_Waitall of both on both sides",
                     TYPE_HAS_LENGTH | TYPE_BOUND),
                .send = ONE_LENGTH, .receive = ONE_LENGTH },
      .in = TIMED_P2P_TYPE(261, half_of_two),
      .calls = 2,
      .hooks = { .init = ping_pong_init,
                 .server_op = exchange,
                 .client_op = exchange,
                 .free = requests_free },
      .origin = from_peer },
    { .info = { TYPE("MPI_Send_init", "MPI_Send_init and MPI_Request_free", 0) },
      .in = SIMPLE_TYPE(262),
      .hooks = { .server_op = create } },
    PERSISTENT(263, "Persistent_Bcast", "MPI_Start and MPI_Wait of a broadcast", TYPE_HAS_LENGTH,
               ONE_LENGTH, ONE_LENGTH, bcast_init),
    PERSISTENT(264, "Persistent_Allreduce", "MPI_Start and MPI_Wait of an allreduce",
               TYPE_HAS_LENGTH | TYPE_REDUCES | TYPE_ONE_DATATYPE, ONE_LENGTH, ONE_LENGTH,
               allreduce_init),
    PERSISTENT(265, "Persistent_Alltoall", "MPI_Start and MPI_Wait of an all-to-all",
               TYPE_HAS_LENGTH, LENGTH_PER_PROCESS, LENGTH_PER_PROCESS, alltoall_init),
    PERSISTENT(266, "Persistent_Barrier", "MPI_Start and MPI_Wait of a barrier", 0, NO_LENGTH,
               NO_LENGTH, barrier_init),
};

OP_FAMILY(persistent_family, rows);
