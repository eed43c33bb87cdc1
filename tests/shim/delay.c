/* The calls that can be delayed. */
#include "state.h"

#include <mpi.h>

enum { NO_MESSAGE = 0 };

static bool is_meant(const struct shim_delay *d, enum shim_call call, long bytes)
{
    return d->call == call && (d->rank == SHIM_EVERY_RANK || d->rank == shim_state.rank) &&
           (d->bytes == SHIM_ANY_SIZE || d->bytes == bytes);
}

static void hold_up(enum shim_call call, long bytes)
{
    for (int i = 0; i < shim_state.settings.n_delays; i++) {
        struct shim_delay *d = &shim_state.settings.delays[i];
        if (!is_meant(d, call, bytes))
            continue;
        d->seen++;
        if (d->nth == SHIM_EVERY_CALL || d->nth == d->seen)
            shim_hold(d->hold_s);
    }
}

/* After a call that took long, the next reading is wrong. */
static int ended(int code)
{
    const struct shim_within *w = &shim_state.settings.within;
    bool here = w->rank == SHIM_EVERY_RANK || w->rank == shim_state.rank;
    if (w->least_s > 0.0 && here && shim_now() - shim_state.last_true_s >= w->least_s)
        shim_state.ahead_s = w->ahead_s;
    return code;
}

static long bytes_of(int count, MPI_Datatype type)
{
    int size = 0;
    PMPI_Type_size(type, &size);
    return (long)count * size;
}

/* A call that may be held up; END sees its end. */
#define HELD(name, call, bytes, end, parameters, ...)                                              \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        hold_up(call, bytes);                                                                      \
        return end(PMPI_##name(__VA_ARGS__));                                                      \
    }
#define DATA int n, MPI_Datatype t

HELD(Allreduce, SHIM_ALLREDUCE, bytes_of(n, t), ended,
     (const void *s, void *r, DATA, MPI_Op op, MPI_Comm c), s, r, n, t, op, c)

/* With MPI_IN_PLACE, the receiving side's arguments describe the message. */
HELD(Alltoall, SHIM_ALLTOALL, bytes_of(n, t), ended,
     (const void *s, int m, MPI_Datatype d, void *r, DATA, MPI_Comm c), s, m, d, r, n, t, c)
HELD(Bcast, SHIM_BCAST, bytes_of(n, t), ended, (void *b, DATA, int root, MPI_Comm c), b, n, t, root,
     c)
HELD(Comm_dup, SHIM_COMM_DUP, NO_MESSAGE, , (MPI_Comm c, MPI_Comm *made), c, made)
HELD(Comm_split, SHIM_COMM_SPLIT, NO_MESSAGE, , (MPI_Comm c, int color, int key, MPI_Comm *made), c,
     color, key, made)
HELD(Reduce, SHIM_REDUCE, bytes_of(n, t), ended,
     (const void *s, void *r, DATA, MPI_Op op, int root, MPI_Comm c), s, r, n, t, op, root, c)
HELD(Send, SHIM_SEND, bytes_of(n, t), , (const void *b, DATA, int to, int tag, MPI_Comm c), b, n, t,
     to, tag, c)

int MPI_Barrier(MPI_Comm comm)
{
    hold_up(SHIM_BARRIER, NO_MESSAGE);
    return ended(shim_state.settings.hasty ? MPI_SUCCESS : PMPI_Barrier(comm));
}
