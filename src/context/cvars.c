#include "context/cvars.h"

#include "base/text.h"
#include "context/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DESCRIPTION = 4096 };

void cvars_begin(void)
{
    int provided;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
}

void cvars_end(void)
{
    MPI_T_finalize();
}

int cvar_find(const char *name)
{
    int cvar;
    return MPI_T_cvar_get_index(name, &cvar) == MPI_SUCCESS ? cvar : -1;
}

struct info {
    MPI_Datatype type;
    MPI_T_enum names;
    int bind, scope;
    char text[DESCRIPTION];
};

static bool get_info(int cvar, struct info *i)
{
    char name[256];
    int name_len = sizeof(name), text_len = sizeof(i->text), verbosity;
    *i = (struct info){ .names = MPI_T_ENUM_NULL };
    return cvar >= 0 && MPI_T_cvar_get_info(cvar, name, &name_len, &verbosity, &i->type, &i->names,
                                            i->text, &text_len, &i->bind, &i->scope) == MPI_SUCCESS;
}

bool cvar_is_settable(int cvar)
{
    struct info i;
    return get_info(cvar, &i) && i.bind == MPI_T_BIND_NO_OBJECT &&
           i.scope != MPI_T_SCOPE_CONSTANT && i.scope != MPI_T_SCOPE_READONLY;
}

/* A logical value may have fewer bytes than an int. */
union value {
    int i;
    char bytes[16];
};

/* -1: it is no single value. */
static int open_single(int cvar, MPI_T_cvar_handle *handle)
{
    int count = 0;
    struct info i;
    if (!get_info(cvar, &i) || MPI_T_cvar_handle_alloc(cvar, NULL, handle, &count) != MPI_SUCCESS)
        return -1;
    if (count == 1)
        return 0;
    MPI_T_cvar_handle_free(handle);
    return -1;
}

int cvar_get(int cvar, int fallback)
{
    union value v = { .i = 0 };
    MPI_T_cvar_handle handle;
    if (open_single(cvar, &handle) != 0)
        return fallback;
    if (MPI_T_cvar_read(handle, &v) != MPI_SUCCESS)
        v.i = fallback;
    MPI_T_cvar_handle_free(&handle);
    return v.i;
}

void cvar_set(int cvar, int value)
{
    union value v = { .i = value };
    MPI_T_cvar_handle handle;
    if (open_single(cvar, &handle) != 0)
        return;
    MPI_T_cvar_write(handle, &v);
    MPI_T_cvar_handle_free(&handle);
}

const char *cvar_text(int cvar, char *buffer, size_t size)
{
    MPI_T_cvar_handle handle;
    struct info i;
    int count = 0;
    buffer[0] = '\0';
    if (!get_info(cvar, &i) || i.type != MPI_CHAR ||
        MPI_T_cvar_handle_alloc(cvar, NULL, &handle, &count) != MPI_SUCCESS)
        return buffer;
    char *text = calloc((size_t)count + 1, 1);
    if (text != NULL && MPI_T_cvar_read(handle, text) == MPI_SUCCESS)
        snprintf(buffer, size, "%s", text);
    free(text);
    MPI_T_cvar_handle_free(&handle);
    return buffer;
}

static int add_choice(struct algorithms *a, int number, const char *name, struct err *e)
{
    struct algorithm *more = realloc(a->list, (a->count + 1) * sizeof(*more));
    if (more == NULL)
        return err_no_memory(e, (a->count + 1) * sizeof(*more));
    a->list = more;
    a->list[a->count] = (struct algorithm){ .number = number };
    snprintf(a->list[a->count++].name, ALGORITHM_NAME, "%s", name);
    return 0;
}

static int choices_of_enum(MPI_T_enum names, struct algorithms *a, struct err *e)
{
    int count, rc = 0;
    char name[ALGORITHM_NAME];
    int len = sizeof(name);
    if (MPI_T_enum_get_info(names, &count, name, &len) != MPI_SUCCESS)
        return 0;
    for (int i = 0; i < count && rc == 0; i++) {
        int value;
        len = sizeof(name);
        if (MPI_T_enum_get_item(names, i, &value, name, &len) == MPI_SUCCESS)
            rc = add_choice(a, value, name, e);
    }
    return rc;
}

static bool is_of_name(char c)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* Names that MPICH uses, after "sched_", "tsp_" or nothing. */
static const char *const known[] = { "auto",
                                     "nb",
                                     "smp",
                                     "linear",
                                     "binomial",
                                     "brucks",
                                     "k_brucks",
                                     "ring",
                                     "tree",
                                     "naive",
                                     "pairwise",
                                     "pairwise_sendrecv_replace",
                                     "permuted_sendrecv",
                                     "scattered",
                                     "inplace",
                                     "blocked",
                                     "dissemination",
                                     "k_dissemination",
                                     "recexch",
                                     "recexch_doubling",
                                     "recexch_halving",
                                     "recexch_single_buffer",
                                     "recexch_multiple_buffer",
                                     "recexch_reduce_scatter_recexch_allgatherv",
                                     "recursive_doubling",
                                     "recursive_halving",
                                     "recursive_multiplying",
                                     "noncommutative",
                                     "reduce_scatter_allgather",
                                     "k_reduce_scatter_allgather",
                                     "reduce_scatter_gather",
                                     "scatter_recursive_doubling_allgather",
                                     "scatter_ring_allgather",
                                     "scatterv_recexch_allgatherv",
                                     "scatterv_ring_allgatherv",
                                     "pipelined_tree",
                                     "error",
                                     "print",
                                     "silent" };

static size_t ends_with(const char *text, size_t len, const char *end)
{
    size_t end_len = strlen(end);
    return end_len <= len && memcmp(text + len - end_len, end, end_len) == 0 ? end_len : 0;
}

/* MPICH's descriptions lost their line breaks: "... algorithmauto - Internal algorithm selection
 * (...)nb       - Force nonblocking algorithmsmp - Force smp algorithm". The values are in the
 * order of the text; a name is the longest known one. */
static const char *begin_of_name(const char *text, const char *end)
{
    size_t len = (size_t)(end - text), longest = 0;
    const char *begin = end;
    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
        size_t own = ends_with(text, len, known[i]);
        size_t sched = ends_with(text, len - own, "sched_"),
               tsp = ends_with(text, len - own, "tsp_");
        if (own > 0 && own + sched + tsp > longest)
            longest = own + sched + tsp;
    }
    while (longest == 0 && begin > text && is_of_name(begin[-1]))
        begin--;
    return longest > 0 ? end - longest : begin;
}

static int choices_of_text(const char *text, struct algorithms *a, struct err *e)
{
    int rc = 0;
    for (const char *dash = text; rc == 0 && (dash = strstr(dash, " - ")) != NULL; dash += 3) {
        const char *end = dash;
        while (end > text && end[-1] == ' ')
            end--;
        const char *begin = begin_of_name(text, end);
        char name[ALGORITHM_NAME];
        snprintf(name, sizeof(name), "%.*s", (int)(end - begin), begin);
        if (name[0] != '\0')
            rc = add_choice(a, (int)a->count, name, e);
    }
    return rc;
}

int cvar_choices(int cvar, struct algorithms *a, struct err *e)
{
    struct info i;
    if (!get_info(cvar, &i))
        return 0;
    return i.names != MPI_T_ENUM_NULL ? choices_of_enum(i.names, a, e)
                                      : choices_of_text(i.text, a, e);
}
