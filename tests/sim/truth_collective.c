/* Collective operations: the actions of each process. */
#include "truth.h"

#include <stdlib.h>

enum { STEADY = 5 };

/* Calls of the library: types between barriers (0: none) and synchronised. */
#define OF_THE_LIBRARY(X)                                                                          \
    X(17, 47, k_bcast, MPI_Bcast(ONE, m->root, m->comm))                                           \
    X(18, 49, k_barrier, MPI_Barrier(m->comm))                                                     \
    X(19, 54, k_reduce, MPI_Reduce(SUM(m->count), 0, m->comm))                                     \
    X(20, 55, k_alltoall, MPI_Alltoall(ONE, TO_ONE, m->comm))                                      \
    X(21, 56, k_scan, MPI_Scan(SUM(m->count), m->comm))                                            \
    X(22, 57, k_split, MPI_Comm_split(m->comm, m->rank % 2, m->rank, &m->made))                    \
    X(33, 48, k_gather, MPI_Gather(ONE, TO_ONE, m->root, m->comm))                                 \
    X(35, 60, k_scatter, MPI_Scatter(ONE, TO_ONE, 0, m->comm))                                     \
    X(36, 61, k_allreduce, MPI_Allreduce(SUM(m->count), m->comm))                                  \
    X(38, 63, k_reduce_scatter, MPI_Reduce_scatter(SUM(m->counts), m->comm))                       \
    X(39, 64, k_allgather, MPI_Allgather(ONE, TO_ONE, m->comm))                                    \
    X(40, 65, k_scatterv, MPI_Scatterv(BLOCKS, TO_ONE, 0, m->comm))                                \
    X(41, 66, k_gatherv, MPI_Gatherv(ONE, TO_EACH, 0, m->comm))                                    \
    X(42, 67, k_allgatherv, MPI_Allgatherv(ONE, TO_EACH, m->comm))                                 \
    X(43, 68, k_alltoallv, MPI_Alltoallv(BLOCKS, TO_EACH, m->comm))                                \
    X(76, 77, k_dup, MPI_Comm_dup(m->comm, &m->made))                                              \
    X(0, 280, k_exscan, MPI_Exscan(SUM(m->count), m->comm))                                        \
    X(0, 281, k_reduce_scatter_block, MPI_Reduce_scatter_block(SUM(m->count), m->comm))            \
    X(0, 282, k_reduce_local, MPI_Reduce_local(SUM(m->count)))
#define DEFINE(between, synchronised, name, call) ACTION(name, call)
OF_THE_LIBRARY(DEFINE)

ACTION(k_reduce_bcast, k_reduce(m), MPI_Bcast(m->receive, m->count, MPI_INT, 0, m->comm))

ACTION(k_reduce_scatterv,
       MPI_Reduce(m->send, m->receive, m->count * m->size, MPI_INT, MPI_SUM, 0, m->comm),
       MPI_Scatterv(m->receive, m->counts, m->places, MPI_INT, m->send, m->count, MPI_INT, 0,
                    m->comm))

/* The process's own part is also sent as a message. */
ACTION(own_part, MPI_Sendrecv(ONE, m->rank, TAG, FROM(m->rank), MPI_STATUS_IGNORE))
ACTION(to_root, MPI_Send(TO(0)))
STARTED(isend_to_root, MPI_Isend, ONE, 0, TAG)
ACTION(from_root, MPI_Recv(FROM(0), MPI_STATUS_IGNORE))

static void k_gather_recv(struct me *m)
{
    if (m->rank != 0) {
        to_root(m);
        return;
    }
    own_part(m);
    for (int i = 1; i < m->size; i++)
        MPI_Recv(m->receive + m->places[i], m->count, MPI_INT, i, TAG, m->comm, MPI_STATUS_IGNORE);
}

/* Starts what the root receives from all others. */
static void ireceive_all(struct me *m)
{
    for (int i = 1; i < m->size; i++)
        MPI_Irecv(m->receive + m->places[i], m->count, MPI_INT, i, TAG, m->comm, m->requests + i);
}

ACTION(wait_for_all, MPI_Waitall(m->size - 1, m->requests + 1, MPI_STATUSES_IGNORE))
IN_TURN(own_part_and_all, own_part, wait_for_all)
IN_TURN(gather_all, ireceive_all, own_part_and_all)
IN_TURN(receive_all, ireceive_all, wait_for_all)
ACTION(k_gather_irecv, (m->rank == 0 ? gather_all : isend_to_root)(m))
ACTION(k_fan_in, (m->rank == 0 ? receive_all : to_root)(m))

static void k_bcast_send(struct me *m)
{
    if (m->rank != 0)
        from_root(m);
    for (int i = 1; m->rank == 0 && i < m->size; i++)
        MPI_Send(TO(i));
}

static void isend_all(struct me *m)
{
    for (int i = 1; i < m->size; i++)
        MPI_Isend(m->send + m->places[i], m->count, MPI_INT, i, TAG, m->comm, m->requests + i);
}

/* Also of one buffer: the time is the same. */
IN_TURN(send_all, isend_all, wait_for_all)
ACTION(k_fan_out, (m->rank == 0 ? send_all : from_root)(m))

/* Each process starts with itself, then sends to higher ranks and receives from lower ones: counts
 * and places of what it sends to each, then of what it receives. */
static void isend_parts(struct me *m, const int *to_each, const int *from_each)
{
    int n = m->size;
    for (int i = 0; i < n; i++) {
        int from = (m->rank - i + n) % n;
        MPI_Irecv(m->receive + from_each[n + from], from_each[from], MPI_INT, from, TAG, m->comm,
                  m->requests + i);
    }
    for (int i = 0; i < n; i++) {
        int to = (m->rank + i) % n;
        MPI_Isend(m->send + to_each[n + to], to_each[to], MPI_INT, to, TAG, m->comm,
                  m->requests + n + i);
    }
    MPI_Waitall(2 * n, m->requests, MPI_STATUSES_IGNORE);
}

ACTION(k_alltoall_isend, isend_parts(m, m->counts, m->counts))

static void k_cart(struct me *m)
{
    int dims[2] = { 0, 0 }, periods[2] = { 0, 0 };
    MPI_Dims_create(m->size, 2, dims);
    MPI_Cart_create(m->comm, 2, dims, periods, 0, &m->made);
}

/* Neighbours one row up and down on the periodic grid of MPI_Dims_create. */
static void rows(const struct me *m, int *to, int *from)
{
    int dims[2] = { 0, 0 };
    MPI_Dims_create(m->size, 2, dims);
    *to = (m->rank + dims[1]) % m->size;
    *from = (m->rank - dims[1] + m->size) % m->size;
}

static void k_grid_replace(struct me *m)
{
    int to, from;
    rows(m, &to, &from);
    MPI_Sendrecv_replace(ONE, to, TAG, from, TAG, m->comm, MPI_STATUS_IGNORE);
}

static void k_grid_isend(struct me *m)
{
    int to, from;
    rows(m, &to, &from);
    MPI_Irecv(FROM(from), m->requests);
    MPI_Isend(TO(to), m->requests + 1);
    MPI_Waitall(2, m->requests, MPI_STATUSES_IGNORE);
}

static void k_ring(struct me *m)
{
    if (m->rank == 0)
        MPI_Send(TO(right(m)));
    MPI_Recv(FROM(left(m)), MPI_STATUS_IGNORE);
    if (m->rank != 0)
        MPI_Send(TO(right(m)));
}

#define PASS(name, to, from) ACTION(name, MPI_Sendrecv(ONE, to, TAG, FROM(from), MPI_STATUS_IGNORE))
PASS(k_chain, right(m), left(m))
PASS(pass_left, left(m), right(m))

/* One ring of all, both ways. */
IN_TURN(k_rings, pass_left, k_chain)

static void k_exchange(struct me *m)
{
    MPI_Isend(TO(right(m)), m->requests);
    MPI_Isend(ONE, left(m), TAG + 1, m->comm, m->requests + 1);
    MPI_Recv(FROM(left(m)), MPI_STATUS_IGNORE);
    MPI_Recv(TO_ONE, right(m), TAG + 1, m->comm, MPI_STATUS_IGNORE);
    MPI_Waitall(2, m->requests, MPI_STATUSES_IGNORE);
}

static void exchange_with_four(struct me *m, const int *partners)
{
    MPI_Request requests[8];
    for (int i = 0; i < 4; i++)
        MPI_Irecv(TO_ONE, partners[i], TAG + (i ^ 1), m->comm, requests + i);
    for (int i = 0; i < 4; i++)
        MPI_Isend(ONE, partners[i], TAG + i, m->comm, requests + 4 + i);
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
}

/* With none where a process would be its own partner. */
static void exchange_with_others(struct me *m, int *partners)
{
    for (int i = 0; i < 4; i++)
        if (partners[i] == m->rank)
            partners[i] = MPI_PROC_NULL;
    exchange_with_four(m, partners);
}

/* Four partners, periodic. */
static void k_halo(struct me *m)
{
    int side = 2;
    while ((side + 1) * (side + 1) <= m->size)
        side++;
    const int far = side % m->size;
    exchange_with_others(m, (int[]){ right(m), left(m), (m->rank + far) % m->size,
                                     (m->rank + m->size - far) % m->size });
}

/* On a periodic grid of two dimensions, in row-major order; the other way round: the lower
 * neighbour first. */
static void grid_partners(const struct me *m, int *partners, int other_way)
{
    int rows_to, rows_from, dims[2] = { 0, 0 };
    MPI_Dims_create(m->size, 2, dims);
    int row = m->rank / dims[1] * dims[1], column = m->rank % dims[1];
    rows(m, &rows_to, &rows_from);
    partners[other_way] = rows_to;
    partners[1 - other_way] = rows_from;
    partners[2 + other_way] = row + (column + 1) % dims[1];
    partners[3 - other_way] = row + (column + dims[1] - 1) % dims[1];
}

static void k_halo_grid(struct me *m)
{
    int partners[4];
    grid_partners(m, partners, 0);
    exchange_with_others(m, partners);
}

/* Exchanges also with itself where a dimension has one process. */
static void k_neighbours(struct me *m)
{
    int partners[4];
    grid_partners(m, partners, 1);
    exchange_with_four(m, partners);
}

static void k_rings_isend(struct me *m)
{
    MPI_Irecv(FROM(right(m)), m->requests);
    MPI_Irecv(TO_ONE, left(m), TAG + 1, m->comm, m->requests + 1);
    MPI_Isend(TO(left(m)), m->requests + 2);
    MPI_Isend(ONE, right(m), TAG + 1, m->comm, m->requests + 3);
    MPI_Waitall(4, m->requests, MPI_STATUSES_IGNORE);
}

static void k_rings_alltoallv(struct me *m)
{
    int *counts = calloc(3 * (size_t)m->size, sizeof(int));
    int *sent = counts + m->size, *received = sent + m->size;
    counts[left(m)] += m->count;
    counts[right(m)] += m->count;
    if (left(m) != right(m))
        sent[right(m)] = received[left(m)] = m->count;
    MPI_Alltoallv(m->send, counts, sent, MPI_INT, m->receive, counts, received, MPI_INT, m->comm);
    free(counts);
}

/* Where part i of a linear spread ends: n, n - 1, ... 1 of what the regular operation sends. */
static int linear_end(const struct me *m, int i)
{
    long total = (long)m->size * m->count, n = m->size;
    return (int)(total * ((i + 1) * (2 * n - i)) / (n * (n + 1)));
}

static int linear(const struct me *m, int i)
{
    return linear_end(m, i) - (i == 0 ? 0 : linear_end(m, i - 1));
}

static void set_places(const struct me *m, const int *counts, int *places)
{
    for (int i = 1; i < m->size; i++)
        places[i] = places[i - 1] + counts[i - 1];
}

/* Process 1 has the first part; counts, then places. */
static int *linear_parts(const struct me *m)
{
    int *parts = calloc(2 * (size_t)m->size, sizeof(int));
    for (int i = 0; i < m->size; i++)
        parts[(1 + i) % m->size] = linear(m, i);
    set_places(m, parts, parts + m->size);
    return parts;
}

/* The next rank gets the first part; counts and places of both sides. */
static int *linear_turns(const struct me *m)
{
    int *turns = calloc(4 * (size_t)m->size, sizeof(int)), n = m->size;
    for (int i = 0; i < n; i++) {
        turns[(m->rank + 1 + i) % n] = linear(m, i);
        turns[2 * n + (m->rank + n - 1 - i) % n] = linear(m, i);
    }
    set_places(m, turns, turns + n);
    set_places(m, turns + 2 * n, turns + 3 * n);
    return turns;
}

static void k_irregular_alltoallv(struct me *m)
{
    int *turns = linear_turns(m), n = m->size;
    MPI_Alltoallv(m->send, turns, turns + n, MPI_INT, m->receive, turns + 2 * n, turns + 3 * n,
                  MPI_INT, m->comm);
    free(turns);
}

static void k_irregular_isend(struct me *m)
{
    int *turns = linear_turns(m);
    isend_parts(m, turns, turns + 2 * m->size);
    free(turns);
}

static void k_irregular_alltoallw(struct me *m)
{
    int *turns = linear_turns(m), n = m->size;
    MPI_Datatype *types = malloc((size_t)n * sizeof(*types));
    for (int i = 0; i < n; i++) {
        types[i] = MPI_INT;
        turns[n + i] *= (int)sizeof(int);
        turns[3 * n + i] *= (int)sizeof(int);
    }
    MPI_Alltoallw(m->send, turns, turns + n, types, m->receive, turns + 2 * n, turns + 3 * n, types,
                  m->comm);
    free(types);
    free(turns);
}

#define IRREGULAR(name, call)                                                                      \
    static void name(struct me *m)                                                                 \
    {                                                                                              \
        int *parts = linear_parts(m);                                                              \
        call;                                                                                      \
        free(parts);                                                                               \
    }
#define OWN   parts[m->rank], MPI_INT
#define PARTS parts, parts + m->size, MPI_INT

IRREGULAR(k_irregular_gatherv, MPI_Gatherv(m->send, OWN, m->receive, PARTS, 0, m->comm))
IRREGULAR(k_irregular_scatterv, MPI_Scatterv(m->send, PARTS, m->receive, OWN, 0, m->comm))
IRREGULAR(k_irregular_allgatherv, MPI_Allgatherv(m->send, OWN, m->receive, PARTS, m->comm))
IRREGULAR(k_irregular_reduce_scatter, MPI_Reduce_scatter(SUM(parts), m->comm))

#define ROW(between, synchronised, name, call) { between, synchronised, name },

static const struct collective collectives[] = {
    OF_THE_LIBRARY(ROW) //
    { 23, 58, nothing },
    { 31, 59, nothing },
    { 37, 62, k_reduce_bcast },
    { 44, 69, k_reduce_scatterv },
    { 45, 70, k_gather_recv },
    { 46, 71, k_gather_irecv },
    { 72, 73, k_bcast_send },
    { 74, 75, k_alltoall_isend },
    { 78, 79, k_alltoall_isend },
    { 80, 81, k_fan_out },
    { 82, 83, k_cart },
    { 86, 87, k_grid_replace },
    { 88, 89, k_grid_isend },
    { 90, 91, k_ring },
    { 0, 183, k_chain },
    { 0, 184, k_exchange },
    { 0, 185, k_halo },
    { 0, 186, k_halo_grid },
    { 0, 286, k_neighbours },
    { 0, 332, k_neighbours },
    { 0, 187, k_fan_out },
    { 0, 188, k_fan_in },
    { 0, 189, k_rings },
    { 0, 190, k_rings_isend },
    { 0, 191, k_rings_alltoallv },
    { 246, 240, k_irregular_alltoallv },
    { 253, 252, k_irregular_isend },
    { 247, 241, k_irregular_alltoallw },
    { 248, 242, k_irregular_gatherv },
    { 249, 243, k_irregular_scatterv },
    { 250, 244, k_irregular_allgatherv },
    { 251, 245, k_irregular_reduce_scatter },
};

static void give_back(struct me *m)
{
    if (m->made != MPI_COMM_NULL)
        MPI_Comm_free(&m->made);
}

/* From the root's start until it leaves the closing barrier, in the steady state. */
static double barrier_time(struct me *m, action *act, int calls)
{
    double time = 0.0;
    for (int i = 0; i < STEADY; i++) {
        double start = now();
        for (int k = 0; k < calls; k++)
            act(m);
        MPI_Barrier(m->comm);
        time = (now() - start) / calls;
        give_back(m);
    }
    MPI_Bcast(&time, 1, MPI_DOUBLE, m->root, m->comm);
    return time;
}

/* From the instant at which all enter until the root leaves the closing barrier. */
static double together_time(struct me *m, action *act)
{
    double start = common_instant(m), time;
    sleep_to(start);
    act(m);
    MPI_Barrier(m->comm);
    time = now() - start;
    give_back(m);
    return time;
}

double synchronised_time(struct me *m, action *act, int calls)
{
    double start = common_instant(m), own, longest;
    sleep_to(start);
    for (int i = 0; i < calls; i++)
        act(m);
    own = (now() - start) / calls;
    sleep_to(start + PAUSE_S); /* the next operation must not disturb processes that are not done */
    give_back(m);
    MPI_Allreduce(&own, &longest, 1, MPI_DOUBLE, MPI_MAX, m->comm);
    return longest;
}

/* An operation that makes something is not repeated without freeing it. */
static void report_looped(struct me *m, const struct collective *c)
{
    if (c->act == k_split || c->act == k_dup || c->act == k_cart)
        return;
    if (c->barrier_measured != 0)
        report(m, LOOPED + c->barrier_measured, barrier_time(m, c->act, LOOP));
    report(m, LOOPED + c->synchronised, synchronised_time(m, c->act, LOOP));
}

void report_collective(struct me *m, const struct collective *c)
{
    if (c->barrier_measured != 0) {
        report(m, c->barrier_measured, barrier_time(m, c->act, 1));
        report(m, TOGETHER + c->barrier_measured, together_time(m, c->act));
    }
    report(m, c->synchronised, synchronised_time(m, c->act, 1));
    report_looped(m, c);
}

void report_collectives(struct me *m)
{
    for (size_t i = 0; i < COUNT(collectives); i++)
        report_collective(m, &collectives[i]);
}

void report_first_collective(struct me *m)
{
    report(m, collectives[0].synchronised, synchronised_time(m, collectives[0].act, 1));
}
