/* A preloaded library between skampi and MPI: MPI_Bcast takes SHIM_US microseconds longer for each
 * unit of the algorithm's number, as SHIM_VARIABLE has it: when its communicator was made, or, with
 * SHIM_AT_CALL, in the call. So a wrong number, or a message of skampi's own that is sent by the
 * algorithm, can be seen. With SHIM_REFUSE=N, algorithm N is an error. With SHIM_DEAF, the library
 * does not hear of new values: all algorithms are its own choice. With SHIM_DEVICE, they also are
 * while this variable is not 0.
 *
 * With SHIM_PRESETS=N, it is one that chooses when it starts, by the rules of I_MPI_ADJUST_BCAST:
 * its presets 1 to N are faster and faster from SHIM_BYTES on, slower and slower below; its own
 * choice is the worst. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HANDLES = 4096 };

static int now;                            /* the value of the variable */
static MPI_T_cvar_handle handles[HANDLES]; /* of the variable */
static size_t handle_count;
static int key = MPI_KEYVAL_INVALID;

static const char PRESETS[] = "MPIR_CVAR_USE_BCAST";
enum { PRESETS_INDEX = 1 << 20, OWN = 10 };

int MPI_T_cvar_get_index(const char *name, int *index)
{
    if (getenv("SHIM_PRESETS") == NULL)
        return PMPI_T_cvar_get_index(name, index);
    *index = PRESETS_INDEX;
    return strcmp(name, PRESETS) == 0 ? MPI_SUCCESS : MPI_T_ERR_INVALID_NAME;
}

int MPI_T_cvar_get_info(int index, char *name, int *name_len, int *verbosity, MPI_Datatype *type,
                        MPI_T_enum *names, char *text, int *text_len, int *bind, int *scope)
{
    if (index != PRESETS_INDEX)
        return PMPI_T_cvar_get_info(index, name, name_len, verbosity, type, names, text, text_len,
                                    bind, scope);
    snprintf(name, (size_t)*name_len, "%s", PRESETS);
    snprintf(text, (size_t)*text_len, "Preset identifier$ range: 0-%s @Alias:#",
             getenv("SHIM_PRESETS"));
    *type = MPI_CHAR;
    *names = MPI_T_ENUM_NULL;
    *bind = MPI_T_BIND_NO_OBJECT;
    *scope = MPI_T_SCOPE_ALL_EQ;
    return MPI_SUCCESS;
}

static long bytes_of(int count, MPI_Datatype type)
{
    int size;
    PMPI_Type_size(type, &size);
    return (long)count * size;
}

/* The units that a call takes longer: by the preset of the first rule whose limit is not below. */
static long preset_units(long bytes)
{
    const char *rule = getenv("I_MPI_ADJUST_BCAST"), *from = getenv("SHIM_BYTES");
    long count = atol(getenv("SHIM_PRESETS")), preset = 0, limit = -1;
    char *end;
    for (; rule != NULL && limit < bytes && *rule != '\0'; rule = end + (*end == ';')) {
        preset = strtol(rule, &end, 10);
        limit = *end == ':' ? strtol(strchr(end, '-') + 1, &end, 10) : bytes;
    }
    if (preset < 1 || preset > count)
        return OWN;
    return bytes >= atol(from) ? count + 1 - preset : preset;
}

int MPI_T_cvar_handle_alloc(int index, void *object, MPI_T_cvar_handle *handle, int *count)
{
    int (*next)(int, void *, MPI_T_cvar_handle *, int *);
    int wanted = -1;
    *(void **)&next = dlsym(RTLD_NEXT, "MPI_T_cvar_handle_alloc");
    int rc = next(index, object, handle, count);
    MPI_T_cvar_get_index(getenv("SHIM_VARIABLE"), &wanted);
    for (size_t i = 0; i < handle_count; i++)
        if (handles[i] == *handle)
            handles[i] = MPI_T_CVAR_HANDLE_NULL;
    if (index == wanted && handle_count < HANDLES)
        handles[handle_count++] = *handle;
    return rc;
}

int MPI_T_cvar_write(MPI_T_cvar_handle handle, const void *value)
{
    int (*next)(MPI_T_cvar_handle, const void *);
    *(void **)&next = dlsym(RTLD_NEXT, "MPI_T_cvar_write");
    for (size_t i = 0; i < handle_count; i++)
        if (handles[i] == handle)
            memcpy(&now, value, sizeof(now));
    for (size_t i = 0; getenv("SHIM_DEAF") != NULL && i < handle_count; i++)
        if (handles[i] == handle)
            return MPI_SUCCESS;
    return next(handle, value);
}

int MPI_Comm_split(MPI_Comm comm, int color, int rank, MPI_Comm *made)
{
    int rc = PMPI_Comm_split(comm, color, rank, made);
    if (key == MPI_KEYVAL_INVALID)
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    if (*made != MPI_COMM_NULL)
        PMPI_Comm_set_attr(*made, key, (void *)(long)now);
    return rc;
}

static int device_serves(void)
{
    static MPI_T_cvar_handle handle;
    const char *name = getenv("SHIM_DEVICE");
    int index, count, value = 0;
    if (name != NULL && handle == NULL && PMPI_T_cvar_get_index(name, &index) == MPI_SUCCESS)
        PMPI_T_cvar_handle_alloc(index, NULL, &handle, &count);
    if (handle != NULL)
        PMPI_T_cvar_read(handle, &value);
    return value != 0;
}

static long number_of(MPI_Comm comm)
{
    void *value = NULL;
    int found = 0;
    if (getenv("SHIM_AT_CALL") != NULL)
        return device_serves() ? 0 : now;
    if (key != MPI_KEYVAL_INVALID)
        PMPI_Comm_get_attr(comm, key, &value, &found);
    return found ? (long)value : 0;
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    const char *us = getenv("SHIM_US"), *refused = getenv("SHIM_REFUSE");
    long number =
        getenv("SHIM_PRESETS") != NULL ? preset_units(bytes_of(count, type)) : number_of(comm);
    double until = PMPI_Wtime() + 1e-6 * (double)number * (us == NULL ? 0.0 : atof(us));
    if (refused != NULL && number == atol(refused)) {
        PMPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
        return MPI_ERR_OTHER;
    }
    while (us != NULL && number > 0 && PMPI_Wtime() < until)
        continue;
    return PMPI_Bcast(buffer, count, type, root, comm);
}
