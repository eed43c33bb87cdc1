/* Gathers, to the root or to all, and scatters (manual table 3.5): the library's, and gathers made
 * of other calls. The length is that of the message that each process contributes or gets. */
#include "ops/arguments.h"
#include "ops/families.h"
#include "patterns/pattern.h"

enum { TAG = 1 };

static void gather(struct run *r)
{
    MPI_Gather(r->send, r->send_count, r->send_type, r->receive, r->receive_count, r->receive_type,
               r->root, r->comm);
}

static void gatherv(struct run *r)
{
    MPI_Gatherv(r->send, r->send_count, r->send_type, r->receive, r->receive_counts,
                r->receive_displacements, r->receive_type, r->root, r->comm);
}

static void allgather(struct run *r)
{
    MPI_Allgather(r->send, r->send_count, r->send_type, r->receive, r->receive_count,
                  r->receive_type, r->comm);
}

static void allgatherv(struct run *r)
{
    MPI_Allgatherv(r->send, r->send_count, r->send_type, r->receive, r->receive_counts,
                   r->receive_displacements, r->receive_type, r->comm);
}

/* Copies the root's own part from one layout into the other. */
static void copy_own(struct run *r)
{
    MPI_Sendrecv(r->send, r->send_count, r->send_type, r->rank, TAG, run_receive_block(r, r->rank),
                 r->receive_count, r->receive_type, r->rank, TAG, r->comm, MPI_STATUS_IGNORE);
}

static void receive_from_all(struct run *r)
{
    copy_own(r);
    for (int i = 1; i < r->size; i++) {
        int other = run_other(r, i);
        MPI_Recv(run_receive_block(r, other), r->receive_count, r->receive_type, other, TAG,
                 r->comm, MPI_STATUS_IGNORE);
    }
}

static void send_to_root(struct run *r)
{
    MPI_Send(r->send, r->send_count, r->send_type, r->root, TAG, r->comm);
}

static void irecv_from_all(struct run *r)
{
    for (int i = 1; i < r->size; i++) {
        int other = run_other(r, i);
        MPI_Irecv(run_receive_block(r, other), r->receive_count, r->receive_type, other, TAG,
                  r->comm, &r->requests[i - 1]);
    }
    copy_own(r);
    MPI_Waitall(r->size - 1, r->requests, MPI_STATUSES_IGNORE);
}

static void isend_to_root(struct run *r)
{
    MPI_Isend(r->send, r->send_count, r->send_type, r->root, TAG, r->comm, &r->requests[0]);
    MPI_Wait(&r->requests[0], MPI_STATUS_IGNORE);
}

static void scatter(struct run *r)
{
    MPI_Scatter(r->send, r->send_count, r->send_type, r->receive, r->receive_count, r->receive_type,
                r->root, r->comm);
}

static void scatterv(struct run *r)
{
    MPI_Scatterv(r->send, r->send_counts, r->send_displacements, r->send_type, r->receive,
                 r->receive_count, r->receive_type, r->root, r->comm);
}

#define GATHER(number, synchronised_, name, text, more, root, others, origin_)                     \
    {                                                                                              \
        .info = { TYPE(name, text, TYPE_HAS_LENGTH | (more)), .send = ONE_LENGTH,                  \
                  .receive = LENGTH_PER_PROCESS },                                                 \
        .in = COL_TYPES(number, synchronised_),                                                    \
        .hooks = { .server_op = root, .client_op = others }, .origin = origin_                     \
    }

static const struct op rows[] = {
    GATHER(33, 48, "MPI_Gather", "MPI_Gather", TYPE_ROOTED, gather, NULL, from_each_to_root),
    GATHER(39, 64, "MPI_Allgather", "MPI_Allgather", 0, allgather, NULL, from_each),
    GATHER(41, 66, "MPI_Gatherv", "MPI_Gatherv with equal counts", TYPE_ROOTED, gatherv, NULL,
           from_each_to_root),
    GATHER(42, 67, "MPI_Allgatherv", "MPI_Allgatherv with equal counts", 0, allgatherv, NULL,
           from_each),
    GATHER(45, 70, "MPI_Gather_SR", "gather by MPI_Send and MPI_Recv", TYPE_ROOTED,
           receive_from_all, send_to_root, from_each_to_root),
    GATHER(46, 71, "MPI_Gather_ISWA", "gather by MPI_Isend, MPI_Irecv and MPI_Waitall", TYPE_ROOTED,
           irecv_from_all, isend_to_root, from_each_to_root),
    { .info = { TYPE("MPI_Scatter", "MPI_Scatter", TYPE_HAS_LENGTH | TYPE_ROOTED),
                .send = LENGTH_PER_PROCESS, .receive = ONE_LENGTH },
      .in = COL_TYPES(35, 60),
      .hooks = { .server_op = scatter },
      .rewrite = rewrite_as_root,
      .origin = from_root_its_own },
    { .info = { TYPE("MPI_Scatterv", "MPI_Scatterv with equal counts",
                     TYPE_HAS_LENGTH | TYPE_ROOTED),
                .send = LENGTH_PER_PROCESS, .receive = ONE_LENGTH },
      .in = COL_TYPES(40, 65),
      .hooks = { .server_op = scatterv },
      .rewrite = rewrite_as_root,
      .origin = from_root_its_own },
};

OP_FAMILY(gather_family, rows);
