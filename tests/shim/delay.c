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

int MPI_Allreduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm)
{
    hold_up(SHIM_ALLREDUCE, bytes_of(count, type));
    return ended(PMPI_Allreduce(send, receive, count, type, op, comm));
}

/* With MPI_IN_PLACE, the receiving side's arguments describe the message. */
int MPI_Alltoall(const void *send, int send_count, MPI_Datatype send_type, void *receive, int count,
                 MPI_Datatype type, MPI_Comm comm)
{
    hold_up(SHIM_ALLTOALL, bytes_of(count, type));
    return ended(PMPI_Alltoall(send, send_count, send_type, receive, count, type, comm));
}

int MPI_Barrier(MPI_Comm comm)
{
    hold_up(SHIM_BARRIER, NO_MESSAGE);
    return ended(shim_state.settings.hasty ? MPI_SUCCESS : PMPI_Barrier(comm));
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    hold_up(SHIM_BCAST, bytes_of(count, type));
    return ended(PMPI_Bcast(buffer, count, type, root, comm));
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made)
{
    hold_up(SHIM_COMM_DUP, NO_MESSAGE);
    return PMPI_Comm_dup(comm, made);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made)
{
    hold_up(SHIM_COMM_SPLIT, NO_MESSAGE);
    return PMPI_Comm_split(comm, color, key, made);
}

int MPI_Reduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm)
{
    hold_up(SHIM_REDUCE, bytes_of(count, type));
    return ended(PMPI_Reduce(send, receive, count, type, op, root, comm));
}

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    hold_up(SHIM_SEND, bytes_of(count, type));
    return PMPI_Send(buffer, count, type, dest, tag, comm);
}
