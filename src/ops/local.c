/* Operations that need no other process: those of the manual's table 3.4, memcpy, and the empty
 * one, whose time is the overhead of @ABSOLUTE; and the cost of a derived datatype by itself
 * (beyond 4.1). The master-worker pattern's is in master.c. */
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

/* Making and freeing the suite's send datatype. Calls are batched, so that many types exist at a
 * time. Freeing the types made, or making the types to free, happens between the timed intervals.
 */
enum { CALLS = 1024 };

struct types {
    struct recipe recipe;
    MPI_Datatype made[CALLS];
    int count; /* of existing types */
};

CALLED_OF(types, make, k->made[k->count++] = recipe_make(&k->recipe))
CALLED_OF(types, free_one, MPI_Type_free(&k->made[--k->count]))

CALLED_OF(types, free_all, while (k->count > 0) free_one(m))
CALLED_OF(types, make_all, while (k->count < CALLS) make(m))

CALLED_OF(types, types_free, free_all(m); recipe_release(&k->recipe))

/* 50 to 58 hold a message of the default length. */
static int types_init(struct measurement *m, struct err *e)
{
    const struct suite *s = m->suite;
    long long elements =
        m->at.length / layout_of(m->params, s->send_datatype, s->send_basetype, 1).size;
    struct derived_key key = { s->send_datatype, s->send_basetype,
                               layout_grows(s->send_datatype) && elements > 1 ? elements : 1 };
    struct types *t = m->state;
    return recipe_init(&t->recipe, m->params, &key, e);
}

#define ABOUT_TYPES                                                                                \
    .info.needs = NEEDS_OWN_TIME, .info.calls = CALLS, .hooks.state = sizeof(struct types),        \
    .hooks.try_init = types_init, .hooks.free = types_free

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
    OP("MPI_Type_create-commit", "creating and committing the send datatype",
       TYPE_HAS_LENGTH | TYPE_BUILDS | TYPE_ONE_DATATYPE, ABOUT_TYPES, .in = SIMPLE_TYPE(100),
       .hooks.prepare = free_all, .hooks.server_op = make),
    OP("MPI_Type_free", "freeing the send datatype",
       TYPE_HAS_LENGTH | TYPE_BUILDS | TYPE_ONE_DATATYPE, ABOUT_TYPES, .in = SIMPLE_TYPE(101),
       .hooks.prepare = make_all, .hooks.server_op = free_one),
};

OP_FAMILY(local_family, rows);
