/* Collectives of point-to-point calls in which all processes send and receive in every step: rings,
 * recursive doubling, exchanges by distance, Bruck's all-to-all and the dissemination barrier.
 * Recursive doubling needs a power of two: of p = 2^k + n processes, the first 2n form pairs, whose
 * even rank gives its data to the odd one before and gets the result after k steps. */
#include "ops/arguments.h"

enum { TAG = 1 };

static int rank_at(const struct measurement *m, int distance)
{
    return (m->rank + distance + m->size) % m->size;
}

static void allgather_ring(struct measurement *m)
{
    int right = rank_at(m, 1), left = rank_at(m, -1);
    copy_own(m, side_message(&m->receive, m->rank));
    for (int i = 0; i < m->size - 1; i++)
        MPI_Sendrecv(RECEIVED_OF(rank_at(m, -i)), right, TAG, RECEIVED_OF(rank_at(m, -i - 1)), left,
                     TAG, m->comm, MPI_STATUS_IGNORE);
}

struct folding {
    int power; /* processes that double */
    int pairs; /* how many of them also work for the rank before */
};

static struct folding folding_of(const struct measurement *m)
{
    struct folding f = { .power = 1 };
    while (2 * f.power <= m->size)
        f.power *= 2;
    f.pairs = m->size - f.power;
    return f;
}

static bool is_folded(const struct folding *f, int rank)
{
    return rank < 2 * f->pairs && rank % 2 == 0;
}

/* The number of a rank among those that double, and the rank of a number. */
static int number_of(const struct folding *f, int rank)
{
    return rank < 2 * f->pairs ? rank / 2 : rank - f->pairs;
}

static int rank_of(const struct folding *f, int number)
{
    return number < f->pairs ? 2 * number + 1 : number + f->pairs;
}

static int first_rank(const struct folding *f, int number)
{
    return number < f->pairs ? 2 * number : number + f->pairs;
}

/* Sends all blocks of this process to the partner, and receives the partner's. */
static void exchange_blocks(struct measurement *m, const struct folding *f, int step)
{
    int own = number_of(f, m->rank) / step * step, other = own ^ step;
    int partner = rank_of(f, number_of(f, m->rank) ^ step);
    int sent = first_rank(f, own + step) - first_rank(f, own);
    int received = first_rank(f, other + step) - first_rank(f, other);
    MPI_Sendrecv(side_message(&m->receive, first_rank(f, own)), sent * m->receive.count,
                 m->receive.type, partner, TAG, side_message(&m->receive, first_rank(f, other)),
                 received * m->receive.count, m->receive.type, partner, TAG, m->comm,
                 MPI_STATUS_IGNORE);
}

static void allgather_doubling(struct measurement *m)
{
    struct folding f = folding_of(m);
    int folded = m->rank < 2 * f.pairs ? m->rank - 1 : MPI_PROC_NULL;
    if (is_folded(&f, m->rank)) {
        MPI_Send(SENT, m->rank + 1, TAG, m->comm);
        MPI_Recv(m->receive.at, m->size * m->receive.count, m->receive.type, m->rank + 1, TAG,
                 m->comm, MPI_STATUS_IGNORE);
        return;
    }
    copy_own(m, side_message(&m->receive, m->rank));
    if (folded != MPI_PROC_NULL)
        MPI_Recv(RECEIVED_OF(folded), folded, TAG, m->comm, MPI_STATUS_IGNORE);
    for (int step = 1; step < f.power; step *= 2)
        exchange_blocks(m, &f, step);
    MPI_Send(m->receive.at, m->size * m->receive.count, m->receive.type, folded, TAG, m->comm);
}

/* Chunk i of p: its elements are those from the i-th p-th of all up to the next one. */
struct chunk {
    size_t at; /* bytes */
    int count;
};

static struct chunk chunk_of(const struct measurement *m, int i)
{
    long n = m->send.count, first = i * n / m->size, end = (i + 1) * n / m->size;
    size_t element = n == 0 ? 0 : (size_t)(m->send.stride / n);
    return (struct chunk){ (size_t)first * element, (int)(end - first) };
}

/* Passes a chunk to the right, and receives the one before it from the left. */
static void pass_chunk(struct measurement *m, const char *buffer, int number)
{
    struct chunk sent = chunk_of(m, number);
    struct chunk received = chunk_of(m, (number + m->size - 1) % m->size);
    MPI_Sendrecv(buffer + sent.at, sent.count, m->send.type, rank_at(m, 1), TAG,
                 m->receive.at + received.at, received.count, m->send.type, rank_at(m, -1), TAG,
                 m->comm, MPI_STATUS_IGNORE);
}

/* Sends each chunk around the ring to be added up, and once more. */
static void allreduce_ring(struct measurement *m)
{
    if (m->size == 1)
        copy_own(m, m->receive.at);
    for (int i = 0; i < m->size - 1; i++) {
        struct chunk arrived = chunk_of(m, rank_at(m, -i - 1));
        pass_chunk(m, i == 0 ? m->send.at : m->receive.at, rank_at(m, -i));
        MPI_Reduce_local(m->send.at + arrived.at, m->receive.at + arrived.at, arrived.count,
                         m->send.type, m->reduction);
    }
    for (int i = 0; i < m->size - 1; i++)
        pass_chunk(m, m->receive.at, rank_at(m, 1 - i));
}

static void allreduce_doubling(struct measurement *m)
{
    struct folding f = folding_of(m);
    int folded = m->rank < 2 * f.pairs ? m->rank - 1 : MPI_PROC_NULL, n = m->send.count;
    char *sum = m->send.at;
    if (is_folded(&f, m->rank)) {
        MPI_Send(m->send.at, n, m->send.type, m->rank + 1, TAG, m->comm);
        MPI_Recv(m->receive.at, n, m->send.type, m->rank + 1, TAG, m->comm, MPI_STATUS_IGNORE);
        return;
    }
    if (folded != MPI_PROC_NULL) {
        MPI_Recv(m->receive.at, n, m->send.type, folded, TAG, m->comm, MPI_STATUS_IGNORE);
        sum = add_to_sum(m, sum, m->receive.at);
    }
    for (int step = 1; step < f.power; step *= 2) {
        int partner = rank_of(&f, number_of(&f, m->rank) ^ step);
        char *arrived = sum == m->send.at ? m->receive.at : side_message(&m->receive, 1);
        MPI_Sendrecv(sum, n, m->send.type, partner, TAG, arrived, n, m->send.type, partner, TAG,
                     m->comm, MPI_STATUS_IGNORE);
        sum = add_to_sum(m, sum, arrived);
    }
    if (m->size == 1)
        copy_own(m, m->receive.at);
    MPI_Send(m->receive.at, n, m->send.type, folded, TAG, m->comm);
}

/* Sends at each distance i to rank + i and receives from rank - i. */
static void alltoall_pairwise(struct measurement *m)
{
    for (int i = 0; i < m->size; i++) {
        int to = rank_at(m, i), from = rank_at(m, -i);
        MPI_Sendrecv(SENT_OF(to), to, TAG, RECEIVED_OF(from), from, TAG, m->comm,
                     MPI_STATUS_IGNORE);
    }
}

static void barrier(struct measurement *m)
{
    for (int distance = 1; distance < m->size; distance *= 2)
        MPI_Sendrecv("", 0, MPI_BYTE, rank_at(m, distance), TAG, NULL, 0, MPI_BYTE,
                     rank_at(m, -distance), TAG, m->comm, MPI_STATUS_IGNORE);
}

#define ALLREDUCES TYPE_REDUCES | TYPE_REORDERS | TYPE_ONE_DATATYPE

static const struct op rows[] = {
    OP("Allgather_ring", "allgather in a ring", 0, AS_ALLGATHER, .in = COL_TYPES(404, 344),
       .hooks.server_op = allgather_ring),
    OP("Allgather_doubling", "allgather by recursive doubling", 0, AS_ALLGATHER,
       .in = COL_TYPES(405, 345), .hooks.server_op = allgather_doubling),
    OP("Allreduce_ring", "allreduce in a ring", ALLREDUCES, SENDS_ONE, RECEIVES_ONE,
       .info.rate = RATE_BUS_TWICE, .in = COL_TYPES(406, 346),
       .hooks = { .server_op = allreduce_ring }, .origin = combined),
    OP("Allreduce_doubling", "allreduce by recursive doubling", ALLREDUCES, SENDS_ONE, RECEIVES_TWO,
       .info.rate = RATE_BUS_TWICE, .in = COL_TYPES(407, 347),
       .hooks = { .server_op = allreduce_doubling }, .origin = combined),
    OP("Alltoall_pairwise", "all-to-all by MPI_Sendrecv at each distance", 0, AS_ALLTOALL,
       .in = COL_TYPES(408, 348), .hooks.server_op = alltoall_pairwise),
    OP("Barrier_dissemination", "barrier by empty messages over doubled distances", 0,
       .in = COL_TYPES(410, 350), .hooks = { .server_op = barrier }),
};

OP_FAMILY(exchange_family, rows);
