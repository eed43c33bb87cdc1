/* One-sided communication: the windows of the operations of rma.c. */
#pragma once

#include "patterns/pattern.h"

/* The window of a measurement, and who accesses whose memory in it. Ranks are those of comm. */
struct rma {
    MPI_Comm comm; /* owned if pair: server and client of a ping-pong; otherwise the run's */
    bool pair;
    int rank, size;
    MPI_Win win;
    char *base;      /* start of this process's memory in the window */
    bool own_memory; /* it belongs to the window; otherwise it is the run's buffers */
    MPI_Aint *bases; /* owned: what each process adds to a distance from base */
    int *targets;    /* owned: the processes that this one accesses, and their number */
    int target_count;
    int *origins; /* likewise, the processes that access this one */
    int origin_count;
    MPI_Group accessed, exposed_to; /* owned; both as groups */
    MPI_Request *requests;          /* owned: one per process and call in a row */
    int window;                     /* accesses to each target in one call */
    int message;                    /* of the next access in the buffers of a window */
    void *cell[3];                  /* a value in cells: what is sent, compared with, returned */
    double cells[3][4];
};

static inline const struct rma *window_of(const struct measurement *m)
{
    return m->state;
}

/* A communicator of rank 0 and its partner, who call this: only they take part in a ping-pong. */
MPI_Comm rma_pair(const struct measurement *m);

/* The end of the buffers that all calls of a measurement use, from their start on. */
MPI_Aint rma_bytes(const struct measurement *m);

/* Finds targets and origins; creates the window and, if the key sync says so, opens it for all
 * accesses to come. Collective over the processes that take part. */
int rma_init(struct measurement *m, struct err *e);
void rma_free(struct measurement *m);

/* Messages are in the window's own memory, if it has any, at the same places as in the buffers. */
void rma_use_memory(struct measurement *m);

/* The place of an origin's message in the target's memory, in MPI's terms. */
MPI_Aint rma_place(const struct measurement *m, int target, const char *own);

/* The number of the next message that a process exchanges with a target of its own; of this
 * process itself, that of its message in the target's memory. */
int rma_slot_of(const struct measurement *m, int target);

/* How many messages of a window each of them has in a buffer: all of them with buffers=many. */
int rma_buffers(const struct measurement *m);

/* The form of a row: one access to a target. */
typedef void rma_access(struct measurement *m, int target, MPI_Request *request);
struct rma_call {
    rma_access *access; /* NULL: only synchronisation */
    bool requests;      /* it makes a request, which is completed before the epoch ends */
    bool repeats;       /* calls in a row have an epoch each; otherwise one epoch has all of them */
};
