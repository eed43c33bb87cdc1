/* Collectives of point-to-point calls: who sends how many messages to whom, as textbooks have it.
 * The root is rank 0. What a process keeps is a message to itself. */
#include "truth.h"

static void a_send(struct me *m, int to, int messages)
{
    MPI_Send(m->send, messages * m->count, MPI_INT, to, TAG, m->comm);
}

static void a_receive(struct me *m, int from, int messages)
{
    MPI_Recv(m->receive, messages * m->count, MPI_INT, from, TAG, m->comm, MPI_STATUS_IGNORE);
}

static void a_swap(struct me *m, int to, int sent, int from, int received)
{
    MPI_Sendrecv(m->send, sent, MPI_INT, to, TAG, m->receive, received, MPI_INT, from, TAG, m->comm,
                 MPI_STATUS_IGNORE);
}

static void a_keep(struct me *m, int messages)
{
    a_swap(m, m->rank, messages * m->count, m->rank, messages * m->count);
}

/* The processes below a rank, and itself. */
static int subtree(const struct me *m, int rank)
{
    int n = 1;
    for (int d = 1; rank + d < m->size && (rank & d) == 0; d *= 2)
        n += subtree(m, rank + d);
    return n;
}

/* From the root down: to the child with the largest subtree first. */
static void down(struct me *m, int all)
{
    int d = 1;
    if (m->rank != 0)
        a_receive(m, m->rank & (m->rank - 1), all ? 1 : subtree(m, m->rank));
    while (d < m->size && (m->rank & d) == 0)
        d *= 2;
    while ((d /= 2) > 0)
        if (m->rank + d < m->size)
            a_send(m, m->rank + d, all ? 1 : subtree(m, m->rank + d));
}

/* To the root: from the child with the smallest subtree first. */
static void up(struct me *m, int all)
{
    for (int d = 1; m->rank + d < m->size && (m->rank & d) == 0; d *= 2)
        a_receive(m, m->rank + d, all ? 1 : subtree(m, m->rank + d));
    if (m->rank != 0)
        a_send(m, m->rank & (m->rank - 1), all ? 1 : subtree(m, m->rank));
}

ACTION(a_bcast, down(m, 1))
ACTION(a_reduce, up(m, 1))

static void a_gather(struct me *m)
{
    if (m->rank == 0 || subtree(m, m->rank) > 1)
        a_keep(m, 1);
    up(m, 0);
}

static void a_scatter(struct me *m)
{
    down(m, 0);
    if (m->rank == 0 || subtree(m, m->rank) > 1)
        a_keep(m, 1);
}

static void a_allgather_ring(struct me *m)
{
    a_keep(m, 1);
    for (int i = 1; i < m->size; i++)
        a_swap(m, right(m), m->count, left(m), m->count);
}

/* Elements of chunk i, which may be negative, of the result. */
static int chunk(const struct me *m, int i)
{
    long p = m->size, n = m->count, k = (i + 2 * p) % p;
    return (int)((k + 1) * n / p - k * n / p);
}

/* Process r first sends chunk r, later r + 1. */
static void a_allreduce_ring(struct me *m)
{
    for (int turn = 0; turn < 2; turn++)
        for (int i = 1; i < m->size; i++) {
            int sent = m->rank + turn + 1 - i;
            a_swap(m, right(m), chunk(m, sent), left(m), chunk(m, sent - 1));
        }
}

/* Ranks 0 and 1, 2 and 3, ... share a place until there are 2^k places. */
struct places {
    int count, shared, own;
    int guest, host; /* -1: none */
};

static struct places places_of(const struct me *m)
{
    struct places p = { .count = 1, .guest = -1, .host = -1 };
    while (p.count * 2 <= m->size)
        p.count *= 2;
    p.shared = m->size - p.count;
    bool shares = m->rank < 2 * p.shared;
    p.own = shares ? m->rank / 2 : m->rank - p.shared;
    if (shares && m->rank % 2 == 0)
        p.host = m->rank + 1;
    else if (shares)
        p.guest = m->rank - 1;
    return p;
}

static int rank_at(const struct places *p, int place)
{
    return place < p->shared ? 2 * place + 1 : place + p->shared;
}

/* The processes whose data a block of places has that includes this one. */
static int members(const struct places *p, int place, int block)
{
    int first = place - place % block, n = 0;
    for (int i = first; i < first + block; i++)
        n += i < p->shared ? 2 : 1;
    return n;
}

static void doubling(struct me *m, bool gathers)
{
    struct places p = places_of(m);
    int whole = gathers ? m->size : 1;
    if (p.host >= 0) {
        a_send(m, p.host, 1);
        a_receive(m, p.host, whole);
        return;
    }
    if (gathers)
        a_keep(m, 1);
    if (p.guest >= 0)
        a_receive(m, p.guest, 1);
    for (int block = 1; block < p.count; block *= 2) {
        int other = p.own ^ block, to = rank_at(&p, other);
        int sent = gathers ? members(&p, p.own, block) : 1;
        int received = gathers ? members(&p, other, block) : 1;
        a_swap(m, to, sent * m->count, to, received * m->count);
    }
    if (p.guest >= 0)
        a_send(m, p.guest, whole);
}

ACTION(a_allgather_doubling, doubling(m, true))
ACTION(a_allreduce_doubling, doubling(m, false))

static void a_alltoall_pairwise(struct me *m)
{
    for (int i = 0; i < m->size; i++)
        a_swap(m, (m->rank + i) % m->size, m->count, (m->rank + m->size - i) % m->size, m->count);
}

/* Every second message, then two of four, four of eight. */
static void a_alltoall_bruck(struct me *m)
{
    a_keep(m, m->size - m->rank);
    if (m->rank != 0)
        a_keep(m, m->rank);
    for (int d = 1; d < m->size; d *= 2) {
        int rest = m->size % (2 * d) - d;
        int messages = m->size / (2 * d) * d + (rest > 0 ? rest : 0);
        a_swap(m, (m->rank + d) % m->size, messages * m->count, (m->rank + m->size - d) % m->size,
               messages * m->count);
    }
    a_keep(m, m->size);
}

static void a_barrier(struct me *m)
{
    for (int d = 1; d < m->size; d *= 2)
        a_swap(m, (m->rank + d) % m->size, 0, (m->rank + m->size - d) % m->size, 0);
}

enum { FIRST_BARRIER_MEASURED = 400, FIRST_SYNCHRONISED = 340 };

void report_algorithms(struct me *m)
{
    static action *const acts[] = {
        a_bcast,
        a_reduce,
        a_gather,
        a_scatter,
        a_allgather_ring,
        a_allgather_doubling,
        a_allreduce_ring,
        a_allreduce_doubling,
        a_alltoall_pairwise,
        a_alltoall_bruck,
        a_barrier,
    };
    for (int i = 0; i < (int)COUNT(acts); i++) {
        const struct collective c = { FIRST_BARRIER_MEASURED + i, FIRST_SYNCHRONISED + i, acts[i] };
        report_collective(m, &c);
    }
}
