/* Collectives of the neighbours in a virtual topology, blocking and not, and the messages that they
 * replace. Each neighbour has a part of equal length; a process may have several edges to another,
 * or to itself, and different numbers of edges in and out. */
#include "ops/arguments.h"
#include "patterns/overlap.h"

/* The edges of a process; arrays have one element for each. Sources and destinations that do not
 * exist, at the edges of a grid, are MPI_PROC_NULL. */
struct edge_list {
    int count;
    int *ranks, *counts, *places, *tags; /* owned by ranks */
    MPI_Aint *bytes;                     /* owned; places */
    MPI_Datatype *types;                 /* owned */
};

struct neighbourhood {
    struct edge_list in, out;
    MPI_Request *requests; /* owned; of in, then of out */
};

static void edges_free(struct edge_list *l)
{
    free(l->ranks);
    free(l->bytes);
    free(l->types);
}

static void neighbourhood_free(struct measurement *m)
{
    struct neighbourhood *n = m->state;
    edges_free(&n->in);
    edges_free(&n->out);
    free(n->requests);
}

static void edges_new(struct edge_list *l, const struct topology *t, struct edges edges)
{
    l->count = topology_is_graph(t) ? edges.count : 2 * t->count;
    size_t n = (size_t)l->count + 1;
    allocated_array(&l->ranks, 4 * n);
    allocated_array(&l->bytes, n);
    allocated_array(&l->types, n);
    l->counts = l->ranks + n;
    l->places = l->counts + n;
    l->tags = l->places + n;
    for (int i = 0; topology_is_graph(t) && i < edges.count; i++)
        l->ranks[i] = edges.ranks[i];
}

/* A message in one direction is received as one from the opposite direction. */
static void find_grid(const struct measurement *m, struct neighbourhood *n)
{
    for (int i = 0; i < n->in.count; i++) {
        int low, high;
        MPI_Cart_shift(m->comm, i / 2, 1, &low, &high);
        n->in.ranks[i] = n->out.ranks[i] = i % 2 == 0 ? low : high;
        n->out.tags[i] = i;
        n->in.tags[i] = i ^ 1;
    }
}

static void fill(struct edge_list *l, const struct side *s)
{
    for (int i = 0; i < l->count; i++) {
        l->counts[i] = s->count;
        l->places[i] = i * s->count;
        l->bytes[i] = i * s->stride;
        l->types[i] = s->type;
    }
}

static void neighbourhood_init(struct measurement *m)
{
    const struct topology *t = suite_topology(m->params, m->suite);
    bool graph = topology_is_graph(t);
    struct edges none = { NULL, 0 }, in = graph ? topology_sources(t, m->rank) : none;
    struct edges out = graph ? topology_targets(t, m->rank) : none;
    struct neighbourhood *n = m->state;
    edges_new(&n->in, t, in);
    edges_new(&n->out, t, out);
    allocated_array(&n->requests, (size_t)n->in.count + (size_t)n->out.count);
    if (!graph)
        find_grid(m, n);
    fill(&n->in, &m->receive);
    fill(&n->out, &m->send);
}

#define IN_V  m->receive.at, k->in.counts, k->in.places, m->receive.type
#define OUT_V m->send.at, k->out.counts, k->out.places, m->send.type
#define OUT_W m->send.at, k->out.counts, k->out.bytes, k->out.types
#define IN_W  m->receive.at, k->in.counts, k->in.bytes, k->in.types

/* Defines both forms of a collective: a call; started, then work, then completed. */
#define FORMS(call, ...)                                                                           \
    CALLED_OF(neighbourhood, call, (void)k; MPI_Neighbor_##call(__VA_ARGS__, m->comm))             \
    CALLED_OF(neighbourhood, i##call, MPI_Ineighbor_##call(__VA_ARGS__, m->comm, k->requests);     \
              overlap_wait(m, k->requests, 1))

FORMS(allgather, SENT, RECEIVED)
FORMS(allgatherv, SENT, IN_V)
FORMS(alltoall, SENT, RECEIVED)
FORMS(alltoallv, OUT_V, IN_V)
FORMS(alltoallw, OUT_W, IN_W)

/* Starts an all-to-all. Several messages to the same process arrive in their order. */
static void start_messages(struct measurement *m)
{
    const struct neighbourhood *n = m->state;
    for (int i = 0; i < n->in.count; i++)
        MPI_Irecv(RECEIVED_OF(i), n->in.ranks[i], n->in.tags[i], m->comm, &n->requests[i]);
    for (int i = 0; i < n->out.count; i++)
        MPI_Isend(SENT_OF(i), n->out.ranks[i], n->out.tags[i], m->comm,
                  &n->requests[n->in.count + i]);
}

CALLED_OF(neighbourhood, messages, start_messages(m);
          MPI_Waitall(k->in.count + k->out.count, k->requests, MPI_STATUSES_IGNORE))

CALLED_OF(neighbourhood, overlapped_messages, start_messages(m);
          overlap_wait(m, k->requests, k->in.count + k->out.count))

/* Libraries do not agree about grids with the same process on both sides of a dimension. */
static struct origin from_source(const struct measurement *m, int message)
{
    const struct neighbourhood *n = m->state;
    const struct topology *t = suite_topology(m->params, m->suite);
    bool exists = topology_is_graph(t) && message < n->in.count;
    return (struct origin){ .rank = exists ? n->in.ranks[message] : MPI_PROC_NULL };
}

/* The origin of a message. By the standard, the k-th edge from a process is its k-th edge to this
 * one; but MPICH 4.0 receives the messages of several edges in reverse order. */
static struct origin from_source_its_own(const struct measurement *m, int message)
{
    const struct neighbourhood *n = m->state;
    struct origin from = from_source(m, message);
    int edges = 0;
    for (int i = 0; i < n->in.count; i++)
        edges += n->in.ranks[i] == from.rank;
    if (from.rank == MPI_PROC_NULL || edges > 1)
        return (struct origin){ .rank = MPI_PROC_NULL };
    struct edges out = topology_targets(suite_topology(m->params, m->suite), from.rank);
    while (out.ranks[from.message] != m->rank)
        from.message++;
    return from;
}

#define ROW                                                                                        \
    RECEIVES_EACH, .hooks = { .state = sizeof(struct neighbourhood),                               \
                              .init = neighbourhood_init,                                          \
                              .free = neighbourhood_free }
#define GATHERS   ROW, SENDS_ONE, .origin = from_source
#define EXCHANGES ROW, SENDS_EACH, .origin = from_source_its_own
#define ON        " on a virtual topology"
#define WORK      ON ", work, and MPI_Wait"

/* Rows of both forms of a collective. */
#define COLLECTIVE(call, types, overlap, ...)                                                      \
    OP("MPI_Neighbor_" #call, "MPI_Neighbor_" #call ON, TYPE_NEIGHBOURS, __VA_ARGS__,              \
       .info.needs = NEEDS_NEIGHBOURHOODS, .in = types, .hooks.server_op = call),                  \
        OP("MPI_Ineighbor_" #call, "MPI_Ineighbor_" #call WORK, TYPE_NEIGHBOURS, __VA_ARGS__,      \
           .info.needs = NEEDS_NEIGHBOURHOODS, .in = OVERLAP_TYPE(overlap),                        \
           .hooks.server_op = i##call)

static const struct op rows[] = {
    COLLECTIVE(allgather, COL_TYPES(102, 103), 327, GATHERS),
    COLLECTIVE(alltoall, COL_TYPES(104, 105), 328, EXCHANGES),
    COLLECTIVE(allgatherv, SYNCOL_TYPE(283), 329, GATHERS),
    COLLECTIVE(alltoallv, SYNCOL_TYPE(284), 330, EXCHANGES),
    COLLECTIVE(alltoallw, SYNCOL_TYPE(285), 331, EXCHANGES),
    OP("Neighbor_Isend_Irecv", "MPI_Irecv, MPI_Isend, MPI_Waitall" ON, TYPE_NEIGHBOURS, EXCHANGES,
       .in = SYNCOL_TYPE(286), .hooks.server_op = messages),
    OP("Neighbor_Isend_Irecv", "MPI_Irecv, MPI_Isend" ON ", work, and MPI_Waitall", TYPE_NEIGHBOURS,
       EXCHANGES, .in = OVERLAP_TYPE(332), .hooks.server_op = overlapped_messages),
};

OP_FAMILY(neighbourhood_family, rows);
