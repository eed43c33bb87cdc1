#include "programs/record/handles.h"

#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1024, TYPES = 512, ORDERS = 65536 };

static struct {
    struct group *buckets[BUCKETS];
    struct datatype types[TYPES];
    struct group nothing;    /* no process */
    uint32_t orders[ORDERS]; /* how many communicators of the same processes have a number */
    MPI_Group world;
    int size, rank, hosts;
    int *host_of; /* owned; of each process of the world: the first process there */
} known = { .nothing = { .rank = -1 }, .world = MPI_GROUP_NULL };

uint64_t mixed(uint64_t n)
{
    n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9u;
    n = (n ^ (n >> 27)) * 0x94d049bb133111ebu;
    return n ^ (n >> 31);
}

int handles_init(MPI_Comm comm)
{
    MPI_Comm host;
    int any;
    PMPI_Comm_size(comm, &known.size);
    PMPI_Comm_rank(comm, &known.rank);
    known.host_of = calloc((size_t)known.size, sizeof(int));
    int failed = known.host_of == NULL, first = known.rank;
    PMPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, comm);
    if (any)
        return -1;
    PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    PMPI_Allreduce(&known.rank, &first, 1, MPI_INT, MPI_MIN, host);
    PMPI_Comm_free(&host);
    PMPI_Allgather(&first, 1, MPI_INT, known.host_of, 1, MPI_INT, comm);
    known.hosts = 0;
    for (int i = 0; i < known.size; i++)
        known.hosts += known.host_of[i] == i;
    PMPI_Comm_group(comm, &known.world);
    return 0;
}

int handles_hosts(void)
{
    return known.hosts;
}

void handles_release(void)
{
    for (int i = 0; i < BUCKETS; i++)
        while (known.buckets[i] != NULL)
            handles_forget(known.buckets[i]->kind, known.buckets[i]->handle);
    free(known.host_of);
    known.host_of = NULL;
    if (known.world != MPI_GROUP_NULL)
        PMPI_Group_free(&known.world);
}

static struct group **bucket(enum kind kind, uintptr_t handle)
{
    return &known.buckets[mixed(handle + (uintptr_t)kind) % BUCKETS];
}

/* Sets the members that follow from the ranks in the world. SEEN has a 0 for each process. */
static void note_members(struct group *g, const int *ranks, bool *seen)
{
    int here = known.host_of[known.rank];
    uint64_t h = (uint64_t)g->processes;
    for (int i = 0; i < g->processes; i++) {
        int host = ranks[i] >= 0 ? known.host_of[ranks[i]] : known.size;
        h = mixed(h + (uint64_t)ranks[i]);
        g->hosts += !seen[host];
        seen[host] = true;
        if (host == here && g->near != NULL)
            g->near[i / 8] |= (uint8_t)(1 << i % 8);
    }
    g->members = (uint32_t)h;
}

static void fill(struct group *g, MPI_Group group)
{
    PMPI_Group_size(group, &g->processes);
    PMPI_Group_rank(group, &g->rank);
    size_t n = (size_t)g->processes;
    int *ranks = malloc((2 * n + 1) * sizeof(*ranks));
    bool *seen = calloc((size_t)known.size + 1, sizeof(*seen));
    g->near = calloc(n / 8 + 1, 1);
    for (int i = 0; ranks != NULL && i < g->processes; i++)
        ranks[i] = i;
    if (ranks != NULL && seen != NULL) {
        PMPI_Group_translate_ranks(group, g->processes, ranks, known.world, ranks + n);
        note_members(g, ranks + n, seen);
    }
    free(seen);
    free(ranks);
}

static struct group *add(enum kind kind, uintptr_t handle, MPI_Group group)
{
    struct group *g = calloc(1, sizeof(*g)), **first = bucket(kind, handle);
    if (g != NULL) {
        g->handle = handle;
        g->kind = kind;
        memset(g->roots, -1, sizeof(g->roots));
        fill(g, group);
        g->next = *first;
        *first = g;
    }
    PMPI_Group_free(&group);
    return g == NULL ? &known.nothing : g;
}

/* The place of the group; it has NULL if the group is not known. */
static struct group **find(enum kind kind, uintptr_t handle)
{
    struct group **at = bucket(kind, handle);
    while (*at != NULL && ((*at)->handle != handle || (*at)->kind != kind))
        at = &(*at)->next;
    return at;
}

int handles_degree(const struct group *g)
{
    MPI_Comm comm = (MPI_Comm)g->handle;
    int kind, n = 0, in, out = 0, weighted;
    PMPI_Topo_test(comm, &kind);
    if (kind == MPI_CART)
        PMPI_Cartdim_get(comm, &n);
    else if (kind == MPI_GRAPH)
        PMPI_Graph_neighbors_count(comm, g->rank, &out);
    else if (kind == MPI_DIST_GRAPH)
        PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    return kind == MPI_CART ? 2 * n : out;
}

static void group_of_comm(MPI_Comm comm, MPI_Group *group)
{
    int inter;
    PMPI_Comm_test_inter(comm, &inter);
    if (inter)
        PMPI_Comm_remote_group(comm, group);
    else
        PMPI_Comm_group(comm, group);
}

#define GROUP_OF(function, type, kind, null, get_group)                                            \
    struct group *function(type handle)                                                            \
    {                                                                                              \
        struct group *g = *find(kind, HANDLE(handle));                                             \
        if (g != NULL || handle == null)                                                           \
            return g == NULL ? &known.nothing : g;                                                 \
        MPI_Group group;                                                                           \
        get_group(handle, &group);                                                                 \
        return add(kind, HANDLE(handle), group);                                                   \
    }

GROUP_OF(handles_comm, MPI_Comm, KIND_COMM, MPI_COMM_NULL, group_of_comm)
GROUP_OF(handles_win, MPI_Win, KIND_WIN, MPI_WIN_NULL, PMPI_Win_get_group)
GROUP_OF(handles_file, MPI_File, KIND_FILE, MPI_FILE_NULL, PMPI_File_get_group)

void handles_forget(enum kind kind, uintptr_t handle)
{
    if (kind == KIND_TYPE)
        known.types[mixed(handle) % TYPES].handle = 0;
    struct group **at = find(kind, handle), *g = *at;
    if (g == NULL)
        return;
    *at = g->next;
    free(g->near);
    free(g);
}

uint32_t handles_order(struct group *g)
{
    if (g->order == 0)
        g->order = ++known.orders[g->members % ORDERS];
    return g->order;
}

int handles_distance(const struct group *g, int rank)
{
    if (rank < 0 || rank >= g->processes || g->near == NULL)
        return 0;
    return (g->near[rank / 8] >> rank % 8 & 1) != 0 ? 1 : 2;
}

const struct datatype *handles_datatype(MPI_Datatype type)
{
    static const struct datatype none = { .solid = true, .dense = true };
    struct datatype *t = &known.types[mixed(HANDLE(type)) % TYPES];
    if (type == MPI_DATATYPE_NULL)
        return &none;
    if (t->handle == HANDLE(type))
        return t;
    MPI_Aint low, extent, true_low, true_extent;
    int size;
    PMPI_Type_size(type, &size);
    PMPI_Type_get_extent(type, &low, &extent);
    PMPI_Type_get_true_extent(type, &true_low, &true_extent);
    *t = (struct datatype){ .handle = HANDLE(type),
                            .size = size > 0 ? size : 0,
                            .solid = true_low == 0 && true_extent == size,
                            .dense = extent == size };
    return t;
}
