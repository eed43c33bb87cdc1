/* Exchanges between neighbours (manual 1.5.3). Without a virtual topology the processes stand on a
 * periodic two-dimensional grid as MPI_Dims_create factors their number, rows first. */
#include "ops/families.h"

#include <stdlib.h>

enum { TAG = 1 };

struct neighbours {
    int to, from;
    bool first; /* ring: sends before it receives, so that the message gets on its way */
};

static void neighbours_free(struct run *r)
{
    free(r->state);
    r->state = NULL;
}

static int neighbours_new(struct run *r, struct err *e)
{
    r->state = calloc(1, sizeof(struct neighbours));
    return r->state == NULL ? err_no_memory(e, sizeof(struct neighbours)) : 0;
}

static int wrap(long position, int size)
{
    long rest = position % size;
    return (int)(rest < 0 ? rest + size : rest);
}

static int grid_rank(const int dims[2], const int at[2], long x, long y)
{
    return wrap(at[0] + x, dims[0]) * dims[1] + wrap(at[1] + y, dims[1]);
}

static int grid_init(struct run *r, struct err *e)
{
    if (neighbours_new(r, e) != 0)
        return -1;
    struct neighbours *n = r->state;
    long x = r->suite->extras.x_distance, y = r->suite->extras.y_distance;
    int dims[2] = { 0, 0 };
    MPI_Dims_create(r->size, 2, dims);
    int at[2] = { r->rank / dims[1], r->rank % dims[1] };
    n->to = grid_rank(dims, at, x, y);
    n->from = grid_rank(dims, at, -x, -y);
    return 0;
}

static int common_divisor(int a, int b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* With distance d among n processes there are gcd(d, n) rings; the lowest rank of each begins. */
static int ring_init(struct run *r, struct err *e)
{
    if (neighbours_new(r, e) != 0)
        return -1;
    struct neighbours *n = r->state;
    int distance = wrap(r->suite->extras.distance, r->size);
    n->to = wrap((long)r->rank + distance, r->size);
    n->from = wrap((long)r->rank - distance, r->size);
    n->first = r->rank < common_divisor(r->size, distance);
    return 0;
}

static void sendrecv_replace(struct run *r)
{
    const struct neighbours *n = r->state;
    MPI_Sendrecv_replace(r->send, r->send_count, r->send_type, n->to, TAG, n->from, TAG, r->comm,
                         MPI_STATUS_IGNORE);
}

static void isend_irecv_waitall(struct run *r)
{
    const struct neighbours *n = r->state;
    MPI_Irecv(r->receive, r->receive_count, r->receive_type, n->from, TAG, r->comm,
              &r->requests[0]);
    MPI_Isend(r->send, r->send_count, r->send_type, n->to, TAG, r->comm, &r->requests[1]);
    MPI_Waitall(2, r->requests, MPI_STATUSES_IGNORE);
}

static void ring_send(struct run *r)
{
    const struct neighbours *n = r->state;
    MPI_Send(r->send, r->send_count, r->send_type, n->to, TAG, r->comm);
}

static void ring_receive(struct run *r)
{
    const struct neighbours *n = r->state;
    MPI_Recv(r->receive, r->receive_count, r->receive_type, n->from, TAG, r->comm,
             MPI_STATUS_IGNORE);
}

/* A distance that is a multiple of the number of processes leaves everybody alone. */
static void ring_sendrecv(struct run *r)
{
    const struct neighbours *n = r->state;
    if (n->to == r->rank) {
        isend_irecv_waitall(r);
    } else if (n->first) {
        ring_send(r);
        ring_receive(r);
    } else {
        ring_receive(r);
        ring_send(r);
    }
}

#define NEIGHBOUR(number, synchronised_, name, text, received, init_, operation)                   \
    {                                                                                              \
        .info = { TYPE(number, name, text, PATTERN_COL, TYPE_HAS_LENGTH), .send = ONE_LENGTH,      \
                  .receive = received },                                                           \
        .synchronised = synchronised_, .hooks = {                                                  \
            .init = init_,                                                                         \
            .server_op = operation,                                                                \
            .free = neighbours_free                                                                \
        }                                                                                          \
    }

static const struct op rows[] = {
    NEIGHBOUR(86, 87, "Col_Sendrecv_replace", "MPI_Sendrecv_replace; x_distance, y_distance",
              NO_LENGTH, grid_init, sendrecv_replace),
    NEIGHBOUR(88, 89, "Col_Isend_Irecv_Waitall",
              "MPI_Isend, MPI_Irecv, MPI_Waitall; x_distance, y_distance", ONE_LENGTH, grid_init,
              isend_irecv_waitall),
    NEIGHBOUR(90, 91, "Ring_Sendrecv", "a message passed round rank + distance", ONE_LENGTH,
              ring_init, ring_sendrecv),
};

OP_FAMILY(neighbour_family, rows);
