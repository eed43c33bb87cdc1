/* Point-to-point operations of the overlap pattern: process i and process i + p/2 are partners; the
 * last one of an odd number has none. */
#include "ops/arguments.h"

#include "context/library.h"

enum { TAG = 1 };

static bool is_lower(const struct run *r)
{
    return r->rank < r->size / 2;
}

static int partner(const struct run *r)
{
    int half = r->size / 2;
    return r->rank >= 2 * half ? MPI_PROC_NULL : is_lower(r) ? r->rank + half : r->rank - half;
}

static void isend(struct run *r, MPI_Request *request)
{
    MPI_Isend(SENT, partner(r), TAG, r->comm, request);
}

static void irecv(struct run *r, MPI_Request *request)
{
    MPI_Irecv(RECEIVED, partner(r), TAG, r->comm, request);
}

static void exchange(struct run *r)
{
    MPI_Request requests[2];
    irecv(r, &requests[0]);
    isend(r, &requests[1]);
    overlap_wait(r, requests, 2);
}

/* MPICH 4.0.2 crashes in MPI_Isendrecv with MPI_PROC_NULL. */
#define WITH_PARTNER(function, ...)                                                                \
    static void function(struct run *r)                                                            \
    {                                                                                              \
        MPI_Request request = MPI_REQUEST_NULL;                                                    \
        if (partner(r) != MPI_PROC_NULL)                                                           \
            __VA_ARGS__;                                                                           \
        overlap_wait(r, &request, 1);                                                              \
    }

WITH_PARTNER(both_at_once,
             MPI_Isendrecv(SENT, partner(r), TAG, RECEIVED, partner(r), TAG, r->comm, &request))
WITH_PARTNER(replace_both,
             MPI_Isendrecv_replace(SENT, partner(r), TAG, partner(r), TAG, r->comm, &request))

/* The upper half receives. */
static void sender_works(struct run *r)
{
    MPI_Request request;
    if (!is_lower(r)) {
        MPI_Recv(RECEIVED, partner(r), TAG, r->comm, MPI_STATUS_IGNORE);
        return;
    }
    isend(r, &request);
    overlap_wait(r, &request, 1);
}

static void receiver_works(struct run *r)
{
    MPI_Request request;
    if (is_lower(r)) {
        MPI_Send(SENT, partner(r), TAG, r->comm);
        return;
    }
    irecv(r, &request);
    if (partner(r) == MPI_PROC_NULL)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    else
        overlap_wait(r, &request, 1);
}

ORIGIN(from_partner, partner(r), 0)
ORIGIN(from_lower, is_lower(r) ? MPI_PROC_NULL : partner(r), 0)

CALLED(rewrite_as_lower, if (is_lower(r)) rewrite_all(r))

#define OVERLAPPED(number, name, text, operation, ...)                                             \
    OP(name, text, TYPE_HAS_LENGTH, ONE_LENGTH, ONE_LENGTH, .in = OVERLAP_TYPE(number),            \
       .hooks = { .server_op = operation }, __VA_ARGS__)

static const struct op rows[] = {
    OVERLAPPED(300, "MPI_Isend-MPI_Irecv", "MPI_Irecv, MPI_Isend, work, and MPI_Waitall, of pairs",
               exchange, .origin = from_partner),
    OVERLAPPED(301, "MPI_Isend", "MPI_Isend, work, and MPI_Wait; the partner calls MPI_Recv",
               sender_works, .origin = from_lower, .rewrite = rewrite_as_lower),
    OVERLAPPED(302, "MPI_Irecv", "MPI_Irecv, work, and MPI_Wait; the partner calls MPI_Send",
               receiver_works, .origin = from_lower, .rewrite = rewrite_as_lower),
    OVERLAPPED(303, "MPI_Isendrecv", "MPI_Isendrecv, work, and MPI_Wait, of pairs", both_at_once,
               .origin = from_partner, .info.needs = NEEDS_ISENDRECV | NEEDS_DERIVED_ISENDRECV),
    OP("MPI_Isendrecv_replace", "MPI_Isendrecv_replace, work, and MPI_Wait, of pairs",
       TYPE_HAS_LENGTH | TYPE_ONE_DATATYPE, ONE_LENGTH, NO_LENGTH, .in = OVERLAP_TYPE(304),
       .hooks = { .server_op = replace_both }, .origin = from_partner,
       .info.needs = NEEDS_ISENDRECV | NEEDS_DERIVED_ISENDRECV),
};

OP_FAMILY(overlapped_family, rows);
