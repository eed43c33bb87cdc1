/* Operations that need no other process: those of the manual's table 3.4, memcpy, and the empty
 * one, whose time is the overhead of @ABSOLUTE. The master-worker pattern's is in master.c. */
#include "ops/arguments.h"

enum { TAG = 1, ATTACHED = BSEND_OVERHEAD };

CALLED(comm_rank, int rank; MPI_Comm_rank(m->comm, &rank))
CALLED(comm_size, int size; MPI_Comm_size(m->comm, &size))
CALLED(iprobe, int there; MPI_Iprobe(MPI_ANY_SOURCE, TAG, m->comm, &there, MPI_STATUS_IGNORE))

static void attach(struct measurement *m)
{
    void *buffer;
    int size;
    MPI_Buffer_attach(m->attached, ATTACHED);
    MPI_Buffer_detach(&buffer, &size);
}

CALLED(wtime, (void)MPI_Wtime())
CALLED(nothing, )

/* Copies on every process at once: the reference for communication inside a host. */
CALLED(copy, memcpy(m->receive.at, m->send.at, (size_t)m->at.length))

/* The simulator can let readings of the clock and probes take time (needs 0). */
#define LOCAL(number, name, text, operation, needs_)                                               \
    OP(name, text, 0, NO_LENGTH, NO_LENGTH, .in = SIMPLE_TYPE(number), .info.needs = needs_,       \
       .hooks = { .server_op = operation })

static const struct op rows[] = {
    LOCAL(24, "MPI_Wtime", "MPI_Wtime", wtime, 0),
    LOCAL(25, "MPI_Comm_rank", "MPI_Comm_rank", comm_rank, NEEDS_OWN_TIME),
    LOCAL(26, "MPI_Comm_size", "MPI_Comm_size", comm_size, NEEDS_OWN_TIME),
    LOCAL(27, "MPI_Iprobe", "MPI_Iprobe that finds no message", iprobe, 0),
    OP("MPI_attach", "MPI_Buffer_attach and MPI_Buffer_detach", 0, NO_LENGTH, NO_LENGTH,
       .info.attached = ONE_LENGTH, .info.needs = NEEDS_OWN_TIME, .in = SIMPLE_TYPE(28),
       .hooks = { .server_op = attach }),
    OP("memcpy", "memcpy (ANSI C) on every process", TYPE_HAS_LENGTH | TYPE_COPIES_BYTES,
       ONE_LENGTH, ONE_LENGTH, .in = COL_TYPES(23, 58), .hooks = { .server_op = copy }),
    OP("dummy", "the pattern without communication", TYPE_HAS_LENGTH, ONE_LENGTH, ONE_LENGTH,
       .info.rate = RATE_NONE, .in = P2P_PAIRS_TYPES(29, 164),
       .hooks = { .server_op = nothing, .client_op = nothing }),
    OP("dummy", "the pattern without an operation", TYPE_HAS_LENGTH, ONE_LENGTH, ONE_LENGTH,
       .info.rate = RATE_NONE, .in = COL_TYPES(31, 59), .hooks = { .server_op = nothing }),
    LOCAL(32, "dummy", "the pattern without an operation", nothing, NEEDS_OWN_TIME),
};

OP_FAMILY(local_family, rows);
