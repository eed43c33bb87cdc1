#define _GNU_SOURCE
#include "context/library.h"

#include "context/control.h"

#include <dlfcn.h>

enum { STARTS = 2, MOST = 2 }; /* processes; with three, a start of MPICH 4.0 waits for ever */

static unsigned tried; /* what library_try has found */

void *library_function(const char *name)
{
    return dlsym(RTLD_DEFAULT, name);
}

void library_add_file(struct text *out)
{
    Dl_info found;
    void *of = library_function("MPI_Init");
    char *path = of == NULL || dladdr(of, &found) == 0 ? NULL : realpath(found.dli_fname, NULL);
    if (path != NULL)
        text_add_printable(out, path, strlen(path));
    free(path);
}

/* Calls that mpi.h declares, but the loaded library does not have. */
static unsigned missing(void)
{
    static const struct {
        unsigned need;
        const char *call;
    } calls[] = { DECLARED_CALLS{ NEEDS_PARTITIONS, "MPI_Psend_init" } };
    unsigned lacks = 0;
    for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
        if ((lacks & calls[i].need) == 0 && library_function(calls[i].call) == NULL)
            lacks |= calls[i].need;
    return lacks;
}

/* The version in the library's text, 403 for 4.3; 0 if it has another name. */
static int version_after(const char *name)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int len, major = 0, minor = 0;
    MPI_Get_library_version(text, &len);
    if (strncmp(text, name, strlen(name)) == 0)
        sscanf(text + strlen(name), "%d.%d", &major, &minor);
    return 100 * major + minor;
}

/* Some faults cannot be tried, as they end the program or wait for ever. MPICH before 4.3:
 * MPI_Allgatherv_c counts by an int (its issue 6882). */
unsigned library_lacks(void)
{
    int mpich = version_after("MPICH Version:");
    unsigned known = mpich > 0 && mpich < 403 ? (unsigned)NEEDS_LONG_PARTS : 0u;
    return DECLARED_LACKS | missing() | LIBRARY_LACKS | known | tried;
}

/* Starts a request: do n parts arrive, all of which are this byte? */
static bool delivers(MPI_Request *request, char *parts, int n, char byte)
{
    memset(parts, 0, MOST);
    bool good =
        MPI_Start(request) == MPI_SUCCESS && MPI_Wait(request, MPI_STATUS_IGNORE) == MPI_SUCCESS;
    for (int i = 0; i < n; i++)
        good = good && parts[i] == byte;
    return good;
}

/* MPICH before 4.3 and Intel MPI 2021 send what was there when the request was made (MPICH's issues
 * 6423, 7078, 7550). The requests are not freed: Intel MPI uses such a one again for MPI_Rput, and
 * then ends the program in MPI_Waitall. */
static bool gathers_anew(MPI_Comm comm)
{
    char own = 0, from[MOST] = { 0 }, to[MOST];
    int rank = rank_in(comm), size;
    MPI_Request gather, scatter, all;
    bool good = true;
    MPI_Comm_size(comm, &size);
    PERSISTENT_INIT(Gather, &gather, &own, 1, MPI_CHAR, to, 1, MPI_CHAR, 0, comm);
    PERSISTENT_INIT(Scatter, &scatter, from, 1, MPI_CHAR, to, 1, MPI_CHAR, 0, comm);
    PERSISTENT_INIT(Allgather, &all, &own, 1, MPI_CHAR, to, 1, MPI_CHAR, comm);
    for (char byte = 1; byte <= STARTS; byte++) {
        own = byte;
        memset(from, byte, sizeof(from));
        good &= delivers(&gather, to, rank == 0 ? size : 0, byte);
        good &= delivers(&scatter, to, 1, byte);
        good &= delivers(&all, to, size, byte);
    }
    return good;
}

/* Two of four numbers. */
static MPI_Datatype new_type(void)
{
    MPI_Datatype spread, type;
    MPI_Type_vector(2, 1, 2, MPI_INT, &spread);
    MPI_Type_create_resized(spread, 0, 4 * sizeof(int), &type);
    MPI_Type_free(&spread);
    MPI_Type_commit(&type);
    return type;
}

/* MPICH before 4.2 frees the datatypes (its issue 7098): the next one takes their place. */
static bool isendrecv_keeps_types(MPI_Comm comm)
{
    int rank = rank_in(comm), from[4] = { 0 }, to[4];
    MPI_Request request;
    MPI_Datatype next, type = new_type();
    MPI_Isendrecv(from, 1, type, rank, 0, to, 1, type, rank, 0, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Type_contiguous(1, MPI_INT, &next);
    bool keeps = next != type;
    MPI_Type_free(&next);
    if (keeps)
        MPI_Type_free(&type);
    return keeps;
}

/* Open MPI 5 sends parts of the datatype's size, not of its extent (its pull request 12730). */
static bool parts_are_whole(MPI_Comm comm)
{
    enum { PARTS = 2 };
    int rank = rank_in(comm);
    int from[PARTS * 4] = { 1, 0, 2, 0, 3, 0, 4, 0 }, to[PARTS * 4] = { 0 };
    MPI_Request requests[2];
    MPI_Datatype type = new_type();
    MPI_Psend_init(from, PARTS, 1, type, rank, 0, comm, MPI_INFO_NULL, &requests[0]);
    MPI_Precv_init(to, PARTS, 1, type, rank, 0, comm, MPI_INFO_NULL, &requests[1]);
    MPI_Start(&requests[0]);
    MPI_Start(&requests[1]);
    for (int i = 0; i < PARTS; i++)
        MPI_Pready(i, requests[0]);
    for (int i = 0; i < 2; i++) {
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        MPI_Request_free(&requests[i]);
    }
    MPI_Type_free(&type);
    return memcmp(from, to, sizeof(from)) == 0;
}

static const struct {
    unsigned need, calls;
    bool (*works)(MPI_Comm comm);
} trials[] = {
    { NEEDS_PERSISTENT_GATHERS, NEEDS_PERSISTENT_COLLECTIVES, gathers_anew },
    { NEEDS_DERIVED_ISENDRECV, NEEDS_ISENDRECV, isendrecv_keeps_types },
    { NEEDS_DERIVED_PARTITIONS, NEEDS_PARTITIONS, parts_are_whole },
};
enum { TRIALS = sizeof(trials) / sizeof(*trials) };

/* The needs that a trial can decide, and none has. */
static unsigned wanted_trials(unsigned needs)
{
    unsigned lacks = library_lacks(), wanted = 0;
    for (size_t i = 0; i < TRIALS; i++)
        if ((lacks & (trials[i].need | trials[i].calls)) == 0)
            wanted |= needs & trials[i].need;
    return wanted;
}

unsigned library_try(unsigned needs, MPI_Comm comm)
{
    int rank = rank_in(comm);
    MPI_Comm some;
    if (LIBRARY_IS_SIMULATED) /* which ends a program with calls that it has not yet */
        return 0;
    for (int size = 1; size <= MOST; size++) {
        unsigned wanted = wanted_trials(needs);
        MPI_Allreduce(MPI_IN_PLACE, &wanted, 1, MPI_UNSIGNED, MPI_BOR, comm);
        if (wanted == 0)
            break;
        MPI_Comm_split(comm, rank / size, rank, &some);
        for (size_t i = 0; i < TRIALS; i++)
            if ((wanted & trials[i].need) != 0 && !trials[i].works(some))
                tried |= trials[i].need;
        MPI_Comm_free(&some);
        MPI_Allreduce(MPI_IN_PLACE, &tried, 1, MPI_UNSIGNED, MPI_BOR, comm);
    }
    return tried;
}

bool library_partitions_need_all(void)
{
    return version_after("Open MPI v") / 100 == 5;
}
