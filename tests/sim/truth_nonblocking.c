/* Non-blocking operations that are waited for at once: the times without work of the overlap
 * pattern. */
#include "truth.h"

#include <stdlib.h>

STARTED(k_ibcast, MPI_Ibcast, ONE, 0)
STARTED(k_igather, MPI_Igather, ONE, TO_ONE, 0)
STARTED(k_igatherv, MPI_Igatherv, ONE, TO_EACH, 0)
STARTED(k_iscatter, MPI_Iscatter, ONE, TO_ONE, 0)
STARTED(k_iscatterv, MPI_Iscatterv, BLOCKS, TO_ONE, 0)
STARTED(k_iallgather, MPI_Iallgather, ONE, TO_ONE)
STARTED(k_iallgatherv, MPI_Iallgatherv, ONE, TO_EACH)
STARTED(k_ialltoall, MPI_Ialltoall, ONE, TO_ONE)
STARTED(k_ialltoallv, MPI_Ialltoallv, BLOCKS, TO_EACH)
STARTED(k_ireduce, MPI_Ireduce, SUM(m->count), 0)
STARTED(k_iallreduce, MPI_Iallreduce, SUM(m->count))
STARTED(k_ireduce_scatter, MPI_Ireduce_scatter, SUM(m->counts))
STARTED(k_ireduce_scatter_block, MPI_Ireduce_scatter_block, SUM(m->count))
STARTED(k_iscan, MPI_Iscan, SUM(m->count))
STARTED(k_iexscan, MPI_Iexscan, SUM(m->count))

static void k_ialltoallw(struct me *m)
{
    MPI_Datatype *types = malloc((size_t)m->size * sizeof(MPI_Datatype));
    int *bytes = malloc((size_t)m->size * sizeof(int));
    for (int i = 0; i < m->size; i++) {
        types[i] = MPI_INT;
        bytes[i] = m->places[i] * (int)sizeof(int);
    }
    MPI_Ialltoallw(m->send, m->counts, bytes, types, m->receive, m->counts, bytes, types, m->comm,
                   m->requests);
    MPI_Wait(m->requests, MPI_STATUS_IGNORE);
    free(types);
    free(bytes);
}

ACTION(k_ibarrier, MPI_Ibarrier(m->comm, m->requests), MPI_Wait(m->requests, MPI_STATUS_IGNORE))

/* Process i and process i + p/2. */
static int half_away(const struct me *m)
{
    int half = m->size / 2;
    return m->rank >= 2 * half ? MPI_PROC_NULL : m->rank < half ? m->rank + half : m->rank - half;
}

ACTION(k_exchange_half, MPI_Irecv(FROM(half_away(m)), m->requests),
       MPI_Isend(TO(half_away(m)), m->requests + 1),
       MPI_Waitall(2, m->requests, MPI_STATUSES_IGNORE))

ACTION(send_half, MPI_Send(TO(half_away(m))))
ACTION(recv_half, MPI_Recv(FROM(half_away(m)), MPI_STATUS_IGNORE))
STARTED(isend_half, MPI_Isend, ONE, half_away(m), TAG)
STARTED(irecv_half, MPI_Irecv, TO_ONE, half_away(m), TAG)
ACTION(k_isend_half, (m->rank < m->size / 2 ? isend_half : recv_half)(m))
ACTION(k_irecv_half, (m->rank < m->size / 2 ? send_half : irecv_half)(m))

static const struct {
    int type;
    action *act;
} operations[] = {
    { 300, k_exchange_half }, { 301, k_isend_half },      { 302, k_irecv_half },
    { 310, k_ibarrier },      { 311, k_ibcast },          { 312, k_igather },
    { 313, k_igatherv },      { 314, k_iscatter },        { 315, k_iscatterv },
    { 316, k_iallgather },    { 317, k_iallgatherv },     { 318, k_ialltoall },
    { 319, k_ialltoallv },    { 320, k_ialltoallw },      { 321, k_ireduce },
    { 322, k_iallreduce },    { 323, k_ireduce_scatter }, { 324, k_ireduce_scatter_block },
    { 325, k_iscan },         { 326, k_iexscan },
};

void report_nonblocking(struct me *m)
{
    for (size_t i = 0; i < COUNT(operations); i++)
        report(m, operations[i].type, synchronised_time(m, operations[i].act, 1));
}
