/* Control messages: MPI's functions of these names, for what processes send each other around
 * measurements. While c->naps, because other programs have the CPUs, a process sleeps until its
 * message is there: one that spins uses up its share of a CPU, and is without one when the
 * message comes. c->naps must be the same on all processes of comm. */
#pragma once

#include "base/err.h"
#include "clock/clock.h"

#include <mpi.h>

/* A pair as MPI_DOUBLE_INT describes it. */
struct ranked {
    double value;
    int rank;
};

/* The rank of this process; 0 for MPI_COMM_NULL. */
int rank_in(MPI_Comm comm);

/* The processes of comm on this host, and this one's number among them. Collective. */
struct on_host {
    int processes, number;
};
struct on_host on_host(MPI_Comm comm);

void control_receive(const struct clock *c, void *to, int count, MPI_Datatype type, int from,
                     int tag, MPI_Comm comm);

/* Both send bytes and receive as many. */
void control_swap(const struct clock *c, const void *own, void *theirs, int bytes, int other,
                  MPI_Comm comm);

void control_barrier(const struct clock *c, MPI_Comm comm);

/* Broadcasts from rank 0. */
void control_bcast(const struct clock *c, void *data, int count, MPI_Datatype type, MPI_Comm comm);

/* Reduces in place: on rank 0, or everywhere, data become the result. */
void control_reduce(const struct clock *c, void *data, int count, MPI_Datatype type, MPI_Op op,
                    MPI_Comm comm);
void control_allreduce(const struct clock *c, void *data, int count, MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm);

/* 0 if rc is 0 everywhere, else -1 on all ranks, with the message of the lowest that failed. */
int control_agree(const struct clock *c, MPI_Comm comm, int rc, struct err *e);

/* control_agree without naps. */
int ranks_agree(MPI_Comm comm, int rc, struct err *e);

/* Broadcast of bytes from rank 0 (collective over comm) in which all processes wait this way. */
void idle_bcast(const struct clock *c, void *bytes, int count, MPI_Comm comm);
