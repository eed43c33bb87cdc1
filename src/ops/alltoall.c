/* All to all (manual table 3.5). The length is that of one message between two
 * processes; the v-forms get the same counts as tables. */
#include "ops/arguments.h"
#include "ops/families.h"

enum { TAG = 1 };

static void alltoall(struct run *r)
{
    MPI_Alltoall(r->send, r->send_count, r->send_type, r->receive, r->receive_count,
                 r->receive_type, r->comm);
}

static void alltoallv(struct run *r)
{
    MPI_Alltoallv(r->send, r->send_counts, r->send_displacements, r->send_type, r->receive,
                  r->receive_counts, r->receive_displacements, r->receive_type, r->comm);
}

/* Each process begins with itself and continues with the next higher rank, so that no process is
 * everyone's first. */
static void alltoall_isend_irecv(struct run *r)
{
    for (int i = 0; i < r->size; i++) {
        int from = (r->rank - i + r->size) % r->size;
        MPI_Irecv(run_receive_block(r, from), r->receive_count, r->receive_type, from, TAG, r->comm,
                  &r->requests[i]);
    }
    for (int i = 0; i < r->size; i++) {
        int to = (r->rank + i) % r->size;
        MPI_Isend(run_send_block(r, to), r->send_count, r->send_type, to, TAG, r->comm,
                  &r->requests[r->size + i]);
    }
    MPI_Waitall(2 * r->size, r->requests, MPI_STATUSES_IGNORE);
}

static char *displaced(char *buffer, int displacement, int count, MPI_Aint stride)
{
    return count == 0 ? buffer : buffer + displacement / count * stride;
}

static void alltoallv_isend_irecv(struct run *r)
{
    for (int i = 0; i < r->size; i++) {
        int from = (r->rank - i + r->size) % r->size;
        char *block = displaced(r->receive, r->receive_displacements[from], r->receive_counts[from],
                                r->receive_stride);
        MPI_Irecv(block, r->receive_counts[from], r->receive_type, from, TAG, r->comm,
                  &r->requests[i]);
    }
    for (int i = 0; i < r->size; i++) {
        int to = (r->rank + i) % r->size;
        char *block =
            displaced(r->send, r->send_displacements[to], r->send_counts[to], r->send_stride);
        MPI_Isend(block, r->send_counts[to], r->send_type, to, TAG, r->comm,
                  &r->requests[r->size + i]);
    }
    MPI_Waitall(2 * r->size, r->requests, MPI_STATUSES_IGNORE);
}

#define ALLTOALL(number, synchronised_, name, text, operation)                                     \
    {                                                                                              \
        .info = { TYPE(name, text, TYPE_HAS_LENGTH), .send = LENGTH_PER_PROCESS,                   \
                  .receive = LENGTH_PER_PROCESS },                                                 \
        .in = COL_TYPES(number, synchronised_), .hooks = { .server_op = operation },               \
        .origin = from_each_its_own                                                                \
    }

static const struct op rows[] = {
    ALLTOALL(20, 55, "MPI_Alltoall", "MPI_Alltoall", alltoall),
    ALLTOALL(43, 68, "MPI_Alltoallv", "MPI_Alltoallv with equal counts", alltoallv),
    ALLTOALL(74, 75, "MPI_Alltoall_Isend_Irecv", "all-to-all by MPI_Isend and MPI_Irecv",
             alltoall_isend_irecv),
    ALLTOALL(78, 79, "MPI_Alltoallv_Isend_Irecv", "the same with tables of counts",
             alltoallv_isend_irecv),
};

OP_FAMILY(alltoall_family, rows);
