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

static int rank_of(const struct run *r, int number)
{
    return (number + r->root) % r->size;
}

static struct position position_of(const struct run *r, int rank)
{
    struct position k = { .number = (rank - r->root + r->size) % r->size, .bit = 1 };
    while (k.bit < r->size && (k.number & k.bit) == 0)
        k.bit *= 2;
    k.parent = rank_of(r, k.number == 0 ? 0 : k.number - k.bit);
    int rest = r->size - k.number;
    k.below = k.bit < rest ? k.bit : rest;
    return k;
}

/* The child at a distance; MPI_PROC_NULL if there is none. */
static int child_at(const struct run *r, const struct position *k, int distance)
{
    int number = k->number + distance;
    return number < r->size ? rank_of(r, number) : MPI_PROC_NULL;
}

/* The part with most processes is sent first. */
static void bcast(struct run *r)
{
    bool is_root = r->rank == r->root;
    int count = is_root ? r->send.count : r->receive.count;
    MPI_Datatype type = is_root ? r->send.type : r->receive.type;
    struct position k = position_of(r, r->rank);
    if (!is_root)
        MPI_Recv(r->send.at, count, type, k.parent, TAG, r->comm, MPI_STATUS_IGNORE);
    for (int distance = k.bit / 2; distance > 0; distance /= 2)
        MPI_Send(r->send.at, count, type, child_at(r, &k, distance), TAG, r->comm);
}

/* Adds the first child's message in the receive buffer to the process's own data, which stay; those
 * of the other children go through the second message of that buffer. */
static void reduce(struct run *r)
{
    struct position k = position_of(r, r->rank);
    char *sum = r->send.at;
    for (int distance = 1; distance < k.bit; distance *= 2) {
        int child = child_at(r, &k, distance);
        if (child == MPI_PROC_NULL)
            break;
        char *arrived = sum == r->send.at ? r->receive.at : side_message(&r->receive, 1);
        MPI_Recv(arrived, r->send.count, r->send.type, child, TAG, r->comm, MPI_STATUS_IGNORE);
        MPI_Reduce_local(sum == r->send.at ? sum : arrived, r->receive.at, r->send.count,
                         r->send.type, r->reduction);
        sum = r->receive.at;
    }
    if (r->rank != r->root)
        MPI_Send(sum, r->send.count, r->send.type, k.parent, TAG, r->comm);
    else if (sum == r->send.at)
        copy_own(r, r->receive.at);
}

/* Messages of a rank and all below it, in a buffer that has one per process. Past the last rank
 * they continue with rank 0: such a part is two messages. */
struct subtree {
    int count; /* of the first piece */
    int rest;  /* those from rank 0 on */
};

static struct subtree subtree_of(const struct run *r, int rank)
{
    int below = position_of(r, rank).below, up_to_last = r->size - rank;
    int first = below < up_to_last ? below : up_to_last;
    return (struct subtree){ first, below - first };
}

#define MOVED(function, call, ...)                                                                 \
    static void function(struct run *r, const struct side *s, int rank, int other)                 \
    {                                                                                              \
        struct subtree p = subtree_of(r, rank);                                                    \
        call(side_message(s, rank), p.count * s->count, s->type, other, TAG, __VA_ARGS__);         \
        if (p.rest > 0)                                                                            \
            call(s->at, p.rest * s->count, s->type, other, TAG, __VA_ARGS__);                      \
    }

MOVED(receive_subtree, MPI_Recv, r->comm, MPI_STATUS_IGNORE)
MOVED(send_subtree, MPI_Send, r->comm)

/* A leaf sends its message from the send buffer. */
static void gather(struct run *r)
{
    struct position k = position_of(r, r->rank);
    if (r->rank != r->root && k.below == 1) {
        MPI_Send(SENT, k.parent, TAG, r->comm);
        return;
    }
    copy_own(r, side_message(&r->receive, r->rank));
    for (int distance = 1; distance < k.bit; distance *= 2) {
        int child = child_at(r, &k, distance);
        if (child != MPI_PROC_NULL)
            receive_subtree(r, &r->receive, child, child);
    }
    if (r->rank != r->root)
        send_subtree(r, &r->receive, r->rank, k.parent);
}

/* A leaf receives its message into the receive buffer. */
static void scatter(struct run *r)
{
    struct position k = position_of(r, r->rank);
    if (r->rank != r->root && k.below == 1) {
        MPI_Recv(RECEIVED, k.parent, TAG, r->comm, MPI_STATUS_IGNORE);
        return;
    }
    if (r->rank != r->root)
        receive_subtree(r, &r->send, r->rank, k.parent);
    for (int distance = k.bit / 2; distance > 0; distance /= 2) {
        int child = child_at(r, &k, distance);
        if (child != MPI_PROC_NULL)
            send_subtree(r, &r->send, child, child);
    }
    MPI_Sendrecv(SENT_OF(r->rank), r->rank, TAG, RECEIVED, r->rank, TAG, r->comm,
                 MPI_STATUS_IGNORE);
}

static const struct op rows[] = {
    OP("Bcast_binomial", "broadcast along a binomial tree", ROOTED | TYPE_SHARES_BUFFER, ONE_LENGTH,
       NO_LENGTH, .in = COL_TYPES(400, 340), .hooks = { .server_op = bcast },
       .rewrite = rewrite_as_root, .origin = from_root),
    OP("Reduce_binomial", "reduction along a binomial tree",
       ROOTED | TYPE_REDUCES | TYPE_REORDERS | TYPE_ONE_DATATYPE, ONE_LENGTH, TWO_LENGTHS,
       .in = COL_TYPES(401, 341), .hooks = { .server_op = reduce }, .origin = combined_at_root),
    OP("Gather_binomial", "gather along a binomial tree", ROOTED, ONE_LENGTH, LENGTH_PER_PROCESS,
       .in = COL_TYPES(402, 342), .hooks = { .server_op = gather }, .origin = from_each_to_root),
    OP("Scatter_binomial", "scatter along a binomial tree", ROOTED, LENGTH_PER_PROCESS, ONE_LENGTH,
       .in = COL_TYPES(403, 343), .hooks = { .server_op = scatter }, .rewrite = rewrite_as_root,
       .origin = from_root_its_own),
};

OP_FAMILY(tree_family, rows);
