/* Point-to-point operations of the overlap pattern: process i and process i + p/2 are partners; the
 * last one of an odd number has no partner. */
#include "ops/arguments.h"

#include "context/library.h"
#include "patterns/overlap.h"

enum { TAG = 1 };

static bool is_lower(const struct measurement *m)
{
    return m->rank < m->size / 2;
}

static int partner(const struct measurement *m)
{
    int half = m->size / 2;
    return m->rank >= 2 * half ? MPI_PROC_NULL : (m->rank + half) % (2 * half);
}

static void exchange(struct measurement *m)
{
    MPI_Request requests[2];
    MPI_Irecv(RECEIVED, partner(m), TAG, m->comm, &requests[0]);
    MPI_Isend(SENT, partner(m), TAG, m->comm, &requests[1]);
    overlap_wait(m, requests, 2);
}

/* MPICH 4.0.2 crashes in MPI_Isendrecv with MPI_PROC_NULL. */
static void both_at_once(struct measurement *m)
{
    MPI_Request request = MPI_REQUEST_NULL;
    if (partner(m) != MPI_PROC_NULL)
        MPI_Isendrecv(SENT, partner(m), TAG, RECEIVED, partner(m), TAG, m->comm, &request);
    overlap_wait(m, &request, 1);
}

static void replace_both(struct measurement *m)
{
    MPI_Request request = MPI_REQUEST_NULL;
    if (partner(m) != MPI_PROC_NULL)
        MPI_Isendrecv_replace(SENT, partner(m), TAG, partner(m), TAG, m->comm, &request);
    overlap_wait(m, &request, 1);
}

static void sender_works(struct measurement *m)
{
    MPI_Request request;
    if (!is_lower(m)) {
        MPI_Recv(RECEIVED, partner(m), TAG, m->comm, MPI_STATUS_IGNORE);
        return;
    }
    MPI_Isend(SENT, partner(m), TAG, m->comm, &request);
    overlap_wait(m, &request, 1);
}

static void receiver_works(struct measurement *m)
{
    MPI_Request request;
    if (is_lower(m)) {
        MPI_Send(SENT, partner(m), TAG, m->comm);
        return;
    }
    MPI_Irecv(RECEIVED, partner(m), TAG, m->comm, &request);
    if (partner(m) == MPI_PROC_NULL)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    else
        overlap_wait(m, &request, 1);
}

ORIGIN(from_partner, partner(m), 0)
ORIGIN(from_lower, is_lower(m) ? MPI_PROC_NULL : partner(m), 0)

CALLED(rewrite_as_lower, if (is_lower(m)) rewrite_all(m))

static const struct op rows[] = {
    OP("MPI_Isend-MPI_Irecv", "MPI_Irecv, MPI_Isend, work, and MPI_Waitall, of pairs", 0, SENDS_ONE,
       RECEIVES_ONE, .in = OVERLAP_TYPE(300), .hooks.server_op = exchange, .origin = from_partner),
    OP("MPI_Isend", "MPI_Isend, work, and MPI_Wait; the partner calls MPI_Recv", 0, SENDS_ONE,
       RECEIVES_ONE, .in = OVERLAP_TYPE(301), .hooks.server_op = sender_works, .origin = from_lower,
       .rewrite = rewrite_as_lower),
    OP("MPI_Irecv", "MPI_Irecv, work, and MPI_Wait; the partner calls MPI_Send", 0, SENDS_ONE,
       RECEIVES_ONE, .in = OVERLAP_TYPE(302), .hooks.server_op = receiver_works,
       .origin = from_lower, .rewrite = rewrite_as_lower),
    OP("MPI_Isendrecv", "MPI_Isendrecv, work, and MPI_Wait, of pairs", 0, SENDS_ONE, RECEIVES_ONE,
       .in = OVERLAP_TYPE(303), .hooks.server_op = both_at_once, .origin = from_partner,
       .info.needs = NEEDS_ISENDRECV | NEEDS_DERIVED_ISENDRECV),
    OP("MPI_Isendrecv_replace", "MPI_Isendrecv_replace, work, and MPI_Wait, of pairs",
       TYPE_ONE_DATATYPE, SENDS_ONE, .in = OVERLAP_TYPE(304), .hooks.server_op = replace_both,
       .origin = from_partner, .info.needs = NEEDS_ISENDRECV | NEEDS_DERIVED_ISENDRECV),
};

OP_FAMILY(overlapped_family, rows);
