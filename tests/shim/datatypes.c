/* A preloaded library between skampi and MPI: at MPI_Finalize each rank writes how many datatypes
 * it created, committed and freed into the file datatypes.RANK. SKAMPI_CORRUPT names a function: in
 * each of its calls, a bit is flipped in the first message received with a derived datatype;
 * MPI_Wait flips it when a persistent receive is completed for the second time, with any datatype;
 * MPI_Bcast flips each byte of messages of 200 to 1,100 bytes, but not of those that the program
 * sends for itself. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int created, committed, freed;

/* Defines a wrapper that counts the types which an MPI function creates. */
#define MAKER(name, parameters, arguments)                                                         \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        created++;                                                                                 \
        return PMPI_##name arguments;                                                              \
    }

MAKER(Type_contiguous, (int n, MPI_Datatype old, MPI_Datatype *d), (n, old, d))
MAKER(Type_vector, (int n, int block, int stride, MPI_Datatype old, MPI_Datatype *d),
      (n, block, stride, old, d))
MAKER(Type_create_hvector, (int n, int block, MPI_Aint stride, MPI_Datatype old, MPI_Datatype *d),
      (n, block, stride, old, d))
MAKER(Type_indexed,
      (int n, const int blocks[], const int places[], MPI_Datatype old, MPI_Datatype *d),
      (n, blocks, places, old, d))
MAKER(Type_create_hindexed,
      (int n, const int blocks[], const MPI_Aint places[], MPI_Datatype old, MPI_Datatype *d),
      (n, blocks, places, old, d))
MAKER(Type_create_indexed_block,
      (int n, int block, const int places[], MPI_Datatype old, MPI_Datatype *d),
      (n, block, places, old, d))
MAKER(Type_create_struct,
      (int n, const int blocks[], const MPI_Aint places[], const MPI_Datatype old[],
       MPI_Datatype *d),
      (n, blocks, places, old, d))
MAKER(Type_create_subarray,
      (int n, const int sizes[], const int parts[], const int starts[], int order, MPI_Datatype old,
       MPI_Datatype *d),
      (n, sizes, parts, starts, order, old, d))
MAKER(Type_create_resized, (MPI_Datatype old, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *d),
      (old, lb, extent, d))

int MPI_Type_commit(MPI_Datatype *d)
{
    committed++;
    return PMPI_Type_commit(d);
}

int MPI_Type_free(MPI_Datatype *d)
{
    freed++;
    return PMPI_Type_free(d);
}

static int is_derived(MPI_Datatype d)
{
    int integers, addresses, types, combiner;
    PMPI_Type_get_envelope(d, &integers, &addresses, &types, &combiner);
    return combiner != MPI_COMBINER_NAMED;
}

static int is_chosen(const char *function)
{
    const char *chosen = getenv("SKAMPI_CORRUPT");
    return chosen != NULL && strcmp(chosen, function) == 0;
}

static void corrupt(const char *function, void *buffer, int count, MPI_Datatype d)
{
    MPI_Aint lb, extent;
    if (!is_chosen(function) || count == 0 || !is_derived(d))
        return;
    PMPI_Type_get_true_extent(d, &lb, &extent);
    ((char *)buffer)[lb] ^= 1;
}

int MPI_Recv(void *buffer, int count, MPI_Datatype d, int source, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    int rc = PMPI_Recv(buffer, count, d, source, tag, comm, status);
    corrupt("MPI_Recv", buffer, count, d);
    return rc;
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype d, int root, MPI_Comm comm)
{
    int size, rank, rc = PMPI_Bcast(buffer, count, d, root, comm);
    PMPI_Type_size(d, &size);
    PMPI_Comm_rank(comm, &rank);
    if (is_chosen("MPI_Bcast") && comm != MPI_COMM_WORLD && rank != root && !is_derived(d) &&
        size * count >= 200 && size * count <= 1100)
        for (int i = 0; i < size * count; i++)
            ((char *)buffer)[i] ^= 0x55;
    return rc;
}

int MPI_Alltoall(const void *send, int sent, MPI_Datatype send_type, void *receive, int received,
                 MPI_Datatype receive_type, MPI_Comm comm)
{
    int rc = PMPI_Alltoall(send, sent, send_type, receive, received, receive_type, comm);
    corrupt("MPI_Alltoall", receive, received, receive_type);
    return rc;
}

/* The last persistent receive. */
static struct {
    MPI_Request request;
    char *buffer;
    int completed;
} bound;

int MPI_Recv_init(void *buffer, int count, MPI_Datatype d, int source, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
    int rc = PMPI_Recv_init(buffer, count, d, source, tag, comm, request);
    bound.request = *request;
    bound.buffer = buffer;
    bound.completed = 0;
    return rc;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    int again = bound.buffer != NULL && *request == bound.request && bound.completed++ == 1;
    int rc = PMPI_Wait(request, status);
    if (again && is_chosen("MPI_Wait"))
        bound.buffer[0] ^= 1;
    return rc;
}

int MPI_Finalize(void)
{
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char name[32];
    snprintf(name, sizeof(name), "datatypes.%d", rank);
    FILE *file = fopen(name, "w");
    if (file != NULL) {
        fprintf(file, "created %d committed %d freed %d\n", created, committed, freed);
        fclose(file);
    }
    return PMPI_Finalize();
}
