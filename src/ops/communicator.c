/* Making communicators (manual table 3.5 and 1.5.3). Each repetition's is freed after it. */
#include "ops/arguments.h"

/* Between init and free: the communicator of the last repetition, and a graph to make it from. */
struct made {
    MPI_Comm comm;
    MPI_Comm parent; /* owned; only for a distributed graph */
    int dims[2], periods[2];
    int *ends, *neighbours; /* owned */
};

static void made_free(struct run *r)
{
    struct made *m = r->state;
    if (m->parent != MPI_COMM_NULL)
        MPI_Comm_free(&m->parent);
    free(m->ends);
    free(m->neighbours);
}

static int made_init(struct run *r, struct err *e)
{
    struct made *m = r->state;
    m->comm = m->parent = MPI_COMM_NULL;
    MPI_Dims_create(r->size, 2, m->dims);
    return 0;
}

/* A ring: each process has its two neighbours (among two processes, the other one twice). */
static int ring_init(struct run *r, struct err *e)
{
    struct made *m = r->state;
    made_init(r, e);
    size_t n = (size_t)r->size;
    m->ends = malloc(n * sizeof(int));
    m->neighbours = malloc(2 * n * sizeof(int));
    if (m->ends == NULL || m->neighbours == NULL)
        return err_no_memory(e, 3 * n * sizeof(int));
    for (int i = 0; i < r->size; i++) {
        m->neighbours[2 * i] = (i + r->size - 1) % r->size;
        m->neighbours[2 * i + 1] = (i + 1) % r->size;
        m->ends[i] = 2 * i + 2;
    }
    return 0;
}

/* Open MPI sometimes hangs if one communicator makes many distributed graphs (its issue 13918):
 * each graph gets a new parent. */
CALLED_OF(made, parent_take, MPI_Comm_split(r->comm, 0, r->rank, &k->parent))

static void made_finalize(struct run *r)
{
    struct made *m = r->state;
    if (m->comm != MPI_COMM_NULL)
        MPI_Comm_free(&m->comm);
    if (m->parent == MPI_COMM_NULL)
        return;
    MPI_Comm_free(&m->parent);
    parent_take(r);
}

CALLED_OF(made, comm_split, MPI_Comm_split(r->comm, r->rank % 2, r->rank, &k->comm))
CALLED_OF(made, comm_dup, MPI_Comm_dup(r->comm, &k->comm))
CALLED_OF(made, cart_create, MPI_Cart_create(r->comm, 2, k->dims, k->periods, 0, &k->comm))
CALLED_OF(made, graph_create,
          MPI_Graph_create(r->comm, r->size, k->ends, k->neighbours, 0, &k->comm))

static int dist_graph_init(struct run *r, struct err *e)
{
    int rc = run_agree(r, ring_init(r, e), e);
    if (rc == 0)
        parent_take(r);
    return rc;
}

/* Each process lists its own neighbours. */
static void dist_graph_create(struct run *r)
{
    struct made *m = r->state;
    int degree = 2;
    MPI_Dist_graph_create(m->parent, 1, &r->rank, &degree, m->neighbours + 2 * r->rank,
                          MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &m->comm);
}

#define MAKES(number, synchronised, name, text, needs_, init_, operation)                          \
    OP(name, text, 0, NO_LENGTH, NO_LENGTH, .in = COL_TYPES(number, synchronised),                 \
       .info.needs = needs_,                                                                       \
       HOOKS_OF(made, init_, operation, .finalize = made_finalize, .free = made_free))

static const struct op rows[] = {
    MAKES(22, 57, "MPI_Comm_split", "MPI_Comm_split into even and odd ranks", 0, made_init,
          comm_split),
    MAKES(76, 77, "MPI_Comm_dup", "MPI_Comm_dup", 0, made_init, comm_dup),
    MAKES(82, 83, "MPI_Cart_create", "MPI_Cart_create of a two-dimensional grid", 0, made_init,
          cart_create),
    MAKES(84, 85, "MPI_Graph_create", "MPI_Graph_create of a ring", NEEDS_GRAPHS, ring_init,
          graph_create),
    MAKES(106, 107, "MPI_Dist_graph_create", "MPI_Dist_graph_create of a ring", NEEDS_GRAPHS,
          dist_graph_init, dist_graph_create),
};

OP_FAMILY(communicator_family, rows);
