/* Making communicators (manual table 3.5 and 1.5.3). Each repetition's is freed after it. */
#include "ops/arguments.h"

/* The communicator of the last repetition, and a graph to make it from, between init and free. */
struct made {
    MPI_Comm comm;
    MPI_Comm parent; /* owned; only for a distributed graph */
    int dims[2], periods[2];
    int *ends, *neighbours; /* owned */
};

static void made_free(struct measurement *m)
{
    struct made *made = m->state;
    if (made->parent != MPI_COMM_NULL)
        MPI_Comm_free(&made->parent);
    free(made->ends);
    free(made->neighbours);
}

CALLED_OF(made, made_init, k->comm = k->parent = MPI_COMM_NULL;
          MPI_Dims_create(m->size, 2, k->dims))

/* Makes a ring: each process has its two neighbours (among two processes, the other one twice). */
static void ring_init(struct measurement *m)
{
    struct made *made = m->state;
    made_init(m);
    size_t n = (size_t)m->size;
    allocated_array(&made->ends, n);
    allocated_array(&made->neighbours, 2 * n);
    for (int i = 0; i < m->size; i++) {
        made->neighbours[2 * i] = (i + m->size - 1) % m->size;
        made->neighbours[2 * i + 1] = (i + 1) % m->size;
        made->ends[i] = 2 * i + 2;
    }
}

/* Open MPI sometimes hangs if one communicator makes many distributed graphs (its issue 13918):
 * each graph gets a new parent. */
CALLED_OF(made, parent_take, MPI_Comm_split(m->comm, 0, m->rank, &k->parent))

static void made_finalize(struct measurement *m)
{
    struct made *made = m->state;
    if (made->comm != MPI_COMM_NULL)
        MPI_Comm_free(&made->comm);
    if (made->parent == MPI_COMM_NULL)
        return;
    MPI_Comm_free(&made->parent);
    parent_take(m);
}

CALLED_OF(made, comm_split, MPI_Comm_split(m->comm, m->rank % 2, m->rank, &k->comm))
CALLED_OF(made, comm_dup, MPI_Comm_dup(m->comm, &k->comm))
CALLED_OF(made, cart_create, MPI_Cart_create(m->comm, 2, k->dims, k->periods, 0, &k->comm))
CALLED_OF(made, graph_create,
          MPI_Graph_create(m->comm, m->size, k->ends, k->neighbours, 0, &k->comm))

CALLED(dist_graph_init, ring_init(m); parent_take(m))

/* Each process lists its own neighbours. */
static void dist_graph_create(struct measurement *m)
{
    struct made *made = m->state;
    int degree = 2;
    MPI_Dist_graph_create(made->parent, 1, &m->rank, &degree, made->neighbours + 2 * m->rank,
                          MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made->comm);
}

#define MADE                                                                                       \
    .hooks.state = sizeof(struct made), .hooks.finalize = made_finalize, .hooks.free = made_free

static const struct op rows[] = {
    OP("MPI_Comm_split", "MPI_Comm_split into even and odd ranks", TYPE_MAKES, MADE,
       .in = COL_TYPES(22, 57), .hooks.init = made_init, .hooks.server_op = comm_split),
    OP("MPI_Comm_dup", "MPI_Comm_dup", TYPE_MAKES, MADE, .in = COL_TYPES(76, 77),
       .hooks.init = made_init, .hooks.server_op = comm_dup),
    OP("MPI_Cart_create", "MPI_Cart_create of a two-dimensional grid", TYPE_MAKES, MADE,
       .in = COL_TYPES(82, 83), .hooks.init = made_init, .hooks.server_op = cart_create),
    OP("MPI_Graph_create", "MPI_Graph_create of a ring", TYPE_MAKES, MADE, .in = COL_TYPES(84, 85),
       .info.needs = NEEDS_GRAPHS, .hooks.init = ring_init, .hooks.server_op = graph_create),
    OP("MPI_Dist_graph_create", "MPI_Dist_graph_create of a ring", TYPE_MAKES, MADE,
       .in = COL_TYPES(106, 107), .info.needs = NEEDS_GRAPHS, .hooks.init = dist_graph_init,
       .hooks.server_op = dist_graph_create),
};

OP_FAMILY(communicator_family, rows);
