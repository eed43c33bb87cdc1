/* Exchanges between neighbours (manual 1.5.3). Without a Cartesian topology the processes form a
 * periodic two-dimensional grid, with the dimensions of MPI_Dims_create, in row-major order. */
#include "ops/arguments.h"

enum { TAG = 1 };

struct neighbours {
    int to, from;
    bool first; /* ring: sends before it receives, so that the message can start */
};

static int wrap(long position, int size)
{
    long rest = position % size;
    return (int)(rest < 0 ? rest + size : rest);
}

struct grid {
    int dimensions;
    int dims[MAX_DIMENSIONS], periods[MAX_DIMENSIONS], at[MAX_DIMENSIONS];
};

static struct grid grid_of(const struct measurement *m)
{
    const struct topology *t = suite_topology(m->params, m->suite);
    struct grid g = { .dimensions = 2, .periods = { 1, 1 } };
    if (t != NULL && t->kind == TOPOLOGY_CARTESIAN) {
        g.dimensions = t->count;
        MPI_Cart_get(m->comm, t->count, g.dims, g.periods, g.at);
        return g;
    }
    MPI_Dims_create(m->size, 2, g.dims);
    g.at[0] = m->rank / g.dims[1];
    g.at[1] = m->rank % g.dims[1];
    return g;
}

/* The rank at this distance in the first two dimensions; MPI_PROC_NULL beyond an edge. Ranks are in
 * row-major order, also of a Cartesian communicator. */
static int grid_rank(const struct grid *g, long x, long y)
{
    const long distances[MAX_DIMENSIONS] = { x, y };
    int rank = 0;
    for (int i = 0; i < g->dimensions; i++) {
        long to = g->at[i] + distances[i];
        if (g->periods[i])
            to = wrap(to, g->dims[i]);
        if (to < 0 || to >= g->dims[i])
            return MPI_PROC_NULL;
        rank = rank * g->dims[i] + (int)to;
    }
    return rank;
}

static void grid_init(struct measurement *m)
{
    struct neighbours *n = m->state;
    const struct grid g = grid_of(m);
    long x = m->suite->options.x_distance, y = m->suite->options.y_distance;
    n->to = grid_rank(&g, x, y);
    n->from = grid_rank(&g, -x, -y);
}

static int common_divisor(int a, int b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* With distance d among n processes there are gcd(d, n) rings; the lowest rank of each begins. */
static void ring_init(struct measurement *m)
{
    struct neighbours *n = m->state;
    int distance = wrap(m->suite->options.distance, m->size);
    n->to = wrap((long)m->rank + distance, m->size);
    n->from = wrap((long)m->rank - distance, m->size);
    n->first = m->rank < common_divisor(m->size, distance);
}

CALLED_OF(neighbours, sendrecv_replace,
          MPI_Sendrecv_replace(SENT, k->to, TAG, k->from, TAG, m->comm, MPI_STATUS_IGNORE))

static void isend_irecv_waitall(struct measurement *m)
{
    const struct neighbours *n = m->state;
    MPI_Irecv(RECEIVED, n->from, TAG, m->comm, &m->requests[0]);
    MPI_Isend(SENT, n->to, TAG, m->comm, &m->requests[1]);
    MPI_Waitall(2, m->requests, MPI_STATUSES_IGNORE);
}

CALLED_OF(neighbours, ring_send, MPI_Send(SENT, k->to, TAG, m->comm))
CALLED_OF(neighbours, ring_receive, MPI_Recv(RECEIVED, k->from, TAG, m->comm, MPI_STATUS_IGNORE))

/* Sends and receives; with a distance that is a multiple of the number of processes, to itself. */
static void ring_sendrecv(struct measurement *m)
{
    const struct neighbours *n = m->state;
    if (n->to == m->rank) {
        isend_irecv_waitall(m);
    } else if (n->first) {
        ring_send(m);
        ring_receive(m);
    } else {
        ring_receive(m);
        ring_send(m);
    }
}

ORIGIN_OF(neighbours, from_neighbour, k->from, message)

#define GRID_OPTIONS .info.options = OPTIONS(OPTION_X_DISTANCE, OPTION_Y_DISTANCE)
#define NEIGHBOURS   .hooks.state = sizeof(struct neighbours), .origin = from_neighbour

static const struct op rows[] = {
    OP("Col_Sendrecv_replace", "MPI_Sendrecv_replace; x_distance, y_distance",
       TYPE_GRID | TYPE_ONE_DATATYPE, SENDS_ONE, .in = COL_TYPES(86, 87),
       .info.needs = NEEDS_EMPTY_REPLACE, GRID_OPTIONS, NEIGHBOURS, .hooks.init = grid_init,
       .hooks.server_op = sendrecv_replace),
    OP("Col_Isend_Irecv_Waitall", "MPI_Isend, MPI_Irecv, MPI_Waitall; x_distance, y_distance",
       TYPE_GRID, SENDS_ONE, RECEIVES_ONE, .in = COL_TYPES(88, 89), GRID_OPTIONS, NEIGHBOURS,
       .hooks.init = grid_init, .hooks.server_op = isend_irecv_waitall),
    OP("Ring_Sendrecv", "a message passed round rank + distance", 0, SENDS_ONE, RECEIVES_ONE,
       .in = COL_TYPES(90, 91), .info.options = OPTIONS(OPTION_DISTANCE), NEIGHBOURS,
       .hooks.init = ring_init, .hooks.server_op = ring_sendrecv),
};

OP_FAMILY(neighbour_family, rows);
