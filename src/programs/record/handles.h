/* Cached properties of communicators, windows, files and datatypes: asked once, kept until they are
 * freed. One process; with threads, under the lock of visit.h. */
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

enum kind { KIND_COMM, KIND_WIN, KIND_FILE, KIND_TYPE };
enum { MOST_ROOTED = 24 };

/* Handles are pointers in one library and numbers in another. */
#define HANDLE(handle) ((uintptr_t)(handle))

/* A communicator, or the group of a window or file. */
struct group {
    uintptr_t handle;
    struct group *next;
    enum kind kind;
    int processes, hosts;
    int rank;                /* negative: of an intercommunicator, whose group is the other one */
    int roots[MOST_ROOTED];  /* the last root of each call that has one; -1: none yet */
    uint64_t collectives;    /* blocking ones so far: the same on all its processes */
    uint32_t members, order; /* a hash of its processes, and which of their communicators this is,
                              * in the order of their first collectives; 0: none yet */
    uint8_t *near;           /* owned; a bit for each process: is it on this host? NULL: unknown */
};

struct datatype {
    uintptr_t handle;
    int64_t size;
    bool solid, dense; /* one element has no gaps; nor are there gaps between several */
};

/* After MPI_Init, on all processes of MPI_COMM_WORLD. 0 or -1 (no memory). */
int handles_init(MPI_Comm comm);
void handles_release(void);
int handles_hosts(void);

/* Never NULL: without memory it is a group of no processes. */
struct group *handles_comm(MPI_Comm comm);
struct group *handles_win(MPI_Win win);
struct group *handles_file(MPI_File file);
const struct datatype *handles_datatype(MPI_Datatype type);
void handles_forget(enum kind kind, uintptr_t handle);

/* The number of neighbours to which the process sends by the topology of its communicator. */
int handles_degree(const struct group *g);

/* Gives the group its order, unless it has one. */
uint32_t handles_order(struct group *g);

/* Is the process on this host? 1: yes, 2: no, 0: unknown. */
int handles_distance(const struct group *g, int rank);

/* Mixes the bits of a number. */
uint64_t mixed(uint64_t n);
