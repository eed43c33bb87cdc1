/* Operations that need no other process: those of the manual's table 3.4, memcpy, and the empty
 * one, whose time is the overhead of @ABSOLUTE. The master-worker pattern's is in master.c. */
#include "hosts/gpu.h"
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
CALLED(copy_by_driver, gpu_copy(m->receive.at, m->send.at, (size_t)m->at.length))

ORIGIN(from_itself, m->rank, message)

/* The simulator can let readings of the clock and probes take time. */
#define OWN_TIME .info.needs = NEEDS_OWN_TIME

#define COPIES                                                                                     \
    TYPE_COPIES_BYTES, SENDS_ONE, RECEIVES_ONE,                                                    \
        .hooks.server_op = copy, .elsewhere.server_op = copy_by_driver, .origin = from_itself

static const struct op rows[] = {
    OP("MPI_Wtime", "MPI_Wtime", 0, .in = SIMPLE_TYPE(24), .hooks.server_op = wtime),
    OP("MPI_Comm_rank", "MPI_Comm_rank", 0, .in = SIMPLE_TYPE(25), .hooks.server_op = comm_rank,
       OWN_TIME),
    OP("MPI_Comm_size", "MPI_Comm_size", 0, .in = SIMPLE_TYPE(26), .hooks.server_op = comm_size,
       OWN_TIME),
    OP("MPI_Iprobe", "MPI_Iprobe that finds no message", 0, .in = SIMPLE_TYPE(27),
       .hooks.server_op = iprobe),
    OP("MPI_attach", "MPI_Buffer_attach and MPI_Buffer_detach", 0, .info.attached = { .once = 1 },
       .in = SIMPLE_TYPE(28), .hooks.server_op = attach, OWN_TIME),
    OP("memcpy", "memcpy (ANSI C) on every process", COPIES,
       .in = { { &syncol_pattern, 58 }, { &col_pattern, 23 } }),
    OP("memcpy", "memcpy (ANSI C) on every process", COPIES, .in = SIMPLE_TYPE(420), OWN_TIME),
    OP("dummy", "the pattern without communication", 0, SENDS_ONE, RECEIVES_ONE,
       .info.rate = RATE_NONE, .in = P2P_PAIRS_TYPES(29, 164), SIDES(nothing, nothing)),
    OP("dummy", "the pattern without an operation", 0, SENDS_ONE, RECEIVES_ONE,
       .info.rate = RATE_NONE, .in = COL_TYPES(31, 59), .hooks.server_op = nothing),
    OP("dummy", "the pattern without an operation", 0, .in = SIMPLE_TYPE(32),
       .hooks.server_op = nothing, OWN_TIME),
};

OP_FAMILY(local_family, rows);
