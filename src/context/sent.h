/* The messages of a process in its buffers, the cache lines that hold what it sends, and changing
 * the data in them. */
#pragma once

#include "model/applications.h"

#include <mpi.h>

/* The shortest line of any cache. A longer line is changed more than once. */
enum { CACHE_LINE = 64 };

/* The data of messages in a buffer. */
struct sent {
    long long bytes; /* from the first message's start to the last one's end */
    long *places;    /* owned: of a byte of data in each cache line; NULL: data are everywhere */
    size_t count;
};

/* The messages that this process sends, or those that it receives. */
struct side {
    char *at;   /* of this call; page-aligned, disjoint from the other side's unless buffers=one */
    char *host; /* its place in the host's memory, where data are numbered and checked */
    char *device;    /* and in the suite's kind of memory, which at is unless it is staged */
    long long bytes; /* of the buffer; in place, of this process's own part where it has one */
    char *first_at, *first_host, *first_device; /* of the first place in the buffers */
    MPI_Datatype type;
    int count;          /* elements of a message */
    MPI_Count elements; /* the same with counts=c, which may be more */
    MPI_Aint stride;    /* bytes from one process's message to the next one's */
    MPI_Datatype own;   /* owned: type, if it is not predefined; otherwise MPI_DATATYPE_NULL */
    int *counts, *displacements; /* per process: for the v-collectives */
    MPI_Count *large_counts;     /* the same with counts=c; owned, with the memory of all four */
    MPI_Aint *large_displacements;
};

/* The place of the message from or to a process in a buffer that holds one per process. */
char *side_message(const struct side *side, int process);

/* Finds out by MPI_Unpack which bytes are data of a number of messages, which start at a cache
 * line. With gaps, messages get their initial value. Release it in any case; it can be reused. */
int sent_find(struct sent *s, const struct side *side, int messages, MPI_Comm comm, struct err *e);
void sent_release(struct sent *s);

/* Changes a byte of data in each cache line of the same messages in another buffer. */
void sent_rewrite(const struct sent *s, char *buffer);

/* Finds the places of an application's data in the arrays' memory, which starts at a cache line. */
void application_sent_find(struct sent *s, const struct application_message *m);
