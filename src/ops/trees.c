/* Collectives of point-to-point calls along a binomial tree. Processes are counted from the root.
 * The parent of process v is v without its lowest bit, so any number of processes forms a tree, and
 * the processes below v follow it. A tree of p processes has ceil(log2 p) levels. Processes between
 * the root and the leaves keep the messages of those below them where the root would have them: in
 * the buffer that has a message per process. */
#include "ops/arguments.h"

enum { TAG = 1 };

/* A process's place in the tree. */
struct position {
    int number; /* counted from the root */
    int bit;    /* the lowest of number; of the root, the first power of 2 that is at least size */
    int parent; /* rank */
    int below;  /* how many processes are in its part of the tree, with itself */
};

static struct position position_of(const struct measurement *m, int rank)
{
    struct position k = { .number = (rank - m->root + m->size) % m->size, .bit = 1 };
    while (k.bit < m->size && (k.number & k.bit) == 0)
        k.bit *= 2;
    k.parent = ((k.number == 0 ? 0 : k.number - k.bit) + m->root) % m->size;
    int rest = m->size - k.number;
    k.below = k.bit < rest ? k.bit : rest;
    return k;
}

/* The child at a distance; MPI_PROC_NULL without one. */
static int child_at(const struct measurement *m, const struct position *k, int distance)
{
    int number = k->number + distance;
    return number < m->size ? (number + m->root) % m->size : MPI_PROC_NULL;
}

/* Sends the part with most processes first. */
static void bcast(struct measurement *m)
{
    bool is_root = m->rank == m->root;
    int count = is_root ? m->send.count : m->receive.count;
    MPI_Datatype type = is_root ? m->send.type : m->receive.type;
    struct position k = position_of(m, m->rank);
    if (!is_root)
        MPI_Recv(m->send.at, count, type, k.parent, TAG, m->comm, MPI_STATUS_IGNORE);
    for (int distance = k.bit / 2; distance > 0; distance /= 2)
        MPI_Send(m->send.at, count, type, child_at(m, &k, distance), TAG, m->comm);
}

/* Adds the first child's message in the receive buffer to the process's own data, which stay; those
 * of the other children go through the second message of that buffer. */
static void reduce(struct measurement *m)
{
    struct position k = position_of(m, m->rank);
    char *sum = m->send.at;
    for (int distance = 1; distance < k.bit; distance *= 2) {
        int child = child_at(m, &k, distance);
        if (child == MPI_PROC_NULL)
            break;
        char *arrived = sum == m->send.at ? m->receive.at : side_message(&m->receive, 1);
        MPI_Recv(arrived, m->send.count, m->send.type, child, TAG, m->comm, MPI_STATUS_IGNORE);
        sum = add_to_sum(m, sum, arrived);
    }
    if (m->rank != m->root)
        MPI_Send(sum, m->send.count, m->send.type, k.parent, TAG, m->comm);
    else if (sum == m->send.at)
        copy_own(m, m->receive.at);
}

/* Messages of a rank and all below it, in a buffer that has one per process. Past the last rank
 * they continue with rank 0: such a part is two messages. */
struct subtree {
    int count; /* of the first piece */
    int rest;  /* those from rank 0 on */
};

static struct subtree subtree_of(const struct measurement *m, int rank)
{
    int below = position_of(m, rank).below, up_to_last = m->size - rank;
    int first = below < up_to_last ? below : up_to_last;
    return (struct subtree){ first, below - first };
}

static void receive_subtree(struct measurement *m, const struct side *s, int rank, int other)
{
    struct subtree p = subtree_of(m, rank);
    MPI_Recv(side_message(s, rank), p.count * s->count, s->type, other, TAG, m->comm,
             MPI_STATUS_IGNORE);
    if (p.rest > 0)
        MPI_Recv(s->at, p.rest * s->count, s->type, other, TAG, m->comm, MPI_STATUS_IGNORE);
}

static void send_subtree(struct measurement *m, const struct side *s, int rank, int other)
{
    struct subtree p = subtree_of(m, rank);
    MPI_Send(side_message(s, rank), p.count * s->count, s->type, other, TAG, m->comm);
    if (p.rest > 0)
        MPI_Send(s->at, p.rest * s->count, s->type, other, TAG, m->comm);
}

/* A leaf sends its message from the send buffer. */
static void gather(struct measurement *m)
{
    struct position k = position_of(m, m->rank);
    if (m->rank != m->root && k.below == 1) {
        MPI_Send(SENT, k.parent, TAG, m->comm);
        return;
    }
    copy_own(m, side_message(&m->receive, m->rank));
    for (int distance = 1; distance < k.bit; distance *= 2) {
        int child = child_at(m, &k, distance);
        if (child != MPI_PROC_NULL)
            receive_subtree(m, &m->receive, child, child);
    }
    if (m->rank != m->root)
        send_subtree(m, &m->receive, m->rank, k.parent);
}

/* A leaf receives its message into the receive buffer. */
static void scatter(struct measurement *m)
{
    struct position k = position_of(m, m->rank);
    if (m->rank != m->root && k.below == 1) {
        MPI_Recv(RECEIVED, k.parent, TAG, m->comm, MPI_STATUS_IGNORE);
        return;
    }
    if (m->rank != m->root)
        receive_subtree(m, &m->send, m->rank, k.parent);
    for (int distance = k.bit / 2; distance > 0; distance /= 2) {
        int child = child_at(m, &k, distance);
        if (child != MPI_PROC_NULL)
            send_subtree(m, &m->send, child, child);
    }
    MPI_Sendrecv(SENT_OF(m->rank), m->rank, TAG, RECEIVED, m->rank, TAG, m->comm,
                 MPI_STATUS_IGNORE);
}

static const struct op rows[] = {
    OP("Bcast_binomial", "broadcast along a binomial tree", TYPE_ROOTED | TYPE_SHARES_BUFFER,
       AS_BCAST, .in = COL_TYPES(400, 340), .hooks.server_op = bcast),
    OP("Reduce_binomial", "reduction along a binomial tree",
       TYPE_ROOTED | TYPE_REDUCES | TYPE_REORDERS | TYPE_ONE_DATATYPE, SENDS_ONE, RECEIVES_TWO,
       .info.rate = RATE_BUS, .in = COL_TYPES(401, 341), .hooks = { .server_op = reduce },
       .origin = combined_at_root),
    OP("Gather_binomial", "gather along a binomial tree", TYPE_ROOTED, AS_GATHER,
       .in = COL_TYPES(402, 342), .hooks.server_op = gather),
    OP("Scatter_binomial", "scatter along a binomial tree", TYPE_ROOTED, SENDS_EACH, RECEIVES_ONE,
       .info.rate = RATE_BUS_OTHERS, .in = COL_TYPES(403, 343), .hooks = { .server_op = scatter },
       .rewrite = rewrite_as_root, .origin = from_root_its_own),
};

OP_FAMILY(tree_family, rows);
