/* Windows of one-sided communication. */
#include "ops/rma.h"

enum { TAG = 5, MIN_BYTES = 64 };

MPI_Comm rma_pair(const struct measurement *m)
{
    const int ranks[2] = { 0, m->at.partner };
    MPI_Comm pair;
    MPI_Group all, two;
    MPI_Comm_group(m->comm, &all);
    MPI_Group_incl(all, 2, ranks, &two);
    MPI_Comm_create_group(m->comm, two, TAG, &pair);
    MPI_Group_free(&two);
    MPI_Group_free(&all);
    return pair;
}

static void allocate(const struct measurement *m, struct rma *k)
{
    size_t n = (size_t)k->size;
    const struct rma_call *call = m->form;
    allocated_array(&k->bases, n);
    allocated_array(&k->targets, n);
    allocated_array(&k->origins, n);
    allocated_array(&k->requests, n * (call->requests ? (size_t)m->suite->options.loop : 1));
    for (int i = 0; i < 3; i++) {
        k->cell[i] = k->cells[i];
        buffers_fill(&m->resources->buffers, k->cell[i], sizeof(k->cells[i]));
    }
}

static void add_all_others(const struct rma *k, int *ranks, int *count)
{
    for (int i = 1; i < k->size; i++)
        ranks[(*count)++] = (k->rank + i) % k->size;
}

static void add_one(const struct rma *k, int rank, int *ranks, int *count)
{
    if (rank != k->rank)
        ranks[(*count)++] = rank;
}

static void find_targets(const struct measurement *m, struct rma *k)
{
    switch (m->suite->options.targets) {
    case TARGETS_NEXT:
        add_one(k, (k->rank + 1) % k->size, k->targets, &k->target_count);
        add_one(k, (k->rank + k->size - 1) % k->size, k->origins, &k->origin_count);
        break;
    case TARGETS_ROOT:
        add_one(k, 0, k->targets, &k->target_count);
        if (k->rank == 0)
            add_all_others(k, k->origins, &k->origin_count);
        break;
    case TARGETS_ALL:
        add_all_others(k, k->targets, &k->target_count);
        add_all_others(k, k->origins, &k->origin_count);
        break;
    }
}

MPI_Aint rma_bytes(const struct measurement *m)
{
    long long bytes = m->suite->options.data == DATA_COLD ? m->resources->buffers.bytes
                                                          : buffer_size_memory(m->suite, &m->sizes);
    return bytes < MIN_BYTES ? MIN_BYTES : (MPI_Aint)bytes;
}

static int require_one_host(const struct rma *k, struct err *e)
{
    int here = on_host(k->comm).processes;
    return here == k->size ? 0
                           : err_set(e,
                                     "memory=shared needs all processes on one host, but only "
                                     "%d of %d are",
                                     here, k->size);
}

/* Attaches the memory; distances in a dynamic window are addresses. */
static void attach_memory(struct rma *k, MPI_Aint bytes)
{
    MPI_Aint own;
    MPI_Win_create_dynamic(MPI_INFO_NULL, k->comm, &k->win);
    MPI_Win_attach(k->win, k->base, bytes);
    MPI_Get_address(k->base, &own);
    MPI_Allgather(&own, 1, MPI_AINT, k->bases, 1, MPI_AINT, k->comm);
}

static void create_window(struct measurement *m, struct rma *k)
{
    MPI_Aint bytes = rma_bytes(m);
    enum window_memory memory = m->suite->options.memory;
    k->own_memory = memory == MEMORY_ALLOCATE || memory == MEMORY_SHARED;
    k->base = m->resources->buffers.in[m->at.send_in] + m->resources->buffers.place;
    if (memory == MEMORY_ALLOCATE)
        MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, k->comm, &k->base, &k->win);
    else if (memory == MEMORY_SHARED)
        MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, k->comm, &k->base, &k->win);
    else if (memory == MEMORY_DYNAMIC)
        attach_memory(k, bytes);
    else
        MPI_Win_create(k->base, bytes, 1, MPI_INFO_NULL, k->comm, &k->win);
    if (k->own_memory)
        buffers_fill(&m->resources->buffers, k->base, bytes);
}

void rma_use_memory(struct measurement *m)
{
    const struct rma *k = m->state;
    if (!k->own_memory)
        return;
    m->send.at = k->base + m->next;
    m->receive.at = m->send.at + m->sizes.send;
    m->send.host = m->send.device = m->send.at;
    m->receive.host = m->receive.device = m->receive.at;
}

static bool stays_locked(const struct measurement *m)
{
    enum synchronising sync = m->suite->options.sync;
    return sync == SYNC_FLUSH || sync == SYNC_FLUSH_LOCAL || sync == SYNC_NOTIFY;
}

int rma_init(struct measurement *m, struct err *e)
{
    struct rma *k = m->state;
    k->pair = pattern_is_pair(m);
    k->comm = k->pair ? rma_pair(m) : m->comm;
    MPI_Comm_rank(k->comm, &k->rank);
    MPI_Comm_size(k->comm, &k->size);
    k->win = MPI_WIN_NULL;
    k->window = (m->suite->type->traits & TYPE_WINDOW) != 0 ? m->at.window : 1;
    k->accessed = k->exposed_to = MPI_GROUP_NULL;
    allocate(m, k);
    if (m->suite->options.memory == MEMORY_SHARED &&
        ranks_agree(k->comm, require_one_host(k, e), e) != 0)
        return -1;
    MPI_Group all;
    bool both = m->suite->options.sync == SYNC_NOTIFY; /* of a pair, not only the server accesses */
    if (k->pair && (k->rank == 0 || both))
        add_all_others(k, k->targets, &k->target_count);
    if (k->pair && (k->rank != 0 || both))
        add_all_others(k, k->origins, &k->origin_count);
    if (!k->pair)
        find_targets(m, k);
    MPI_Comm_group(k->comm, &all);
    MPI_Group_incl(all, k->target_count, k->targets, &k->accessed);
    MPI_Group_incl(all, k->origin_count, k->origins, &k->exposed_to);
    MPI_Group_free(&all);
    create_window(m, k);
    if (stays_locked(m))
        MPI_Win_lock_all(0, k->win);
    rma_use_memory(m);
    MPI_Barrier(k->comm);
    return 0;
}

static void free_window(const struct measurement *m, struct rma *k)
{
    if (stays_locked(m))
        MPI_Win_unlock_all(k->win);
    MPI_Barrier(k->comm);
    if (m->suite->options.memory == MEMORY_DYNAMIC)
        MPI_Win_detach(k->win, k->base);
    MPI_Win_free(&k->win);
}

void rma_free(struct measurement *m)
{
    struct rma *k = m->state;
    if (k->win != MPI_WIN_NULL)
        free_window(m, k);
    if (k->accessed != MPI_GROUP_NULL)
        MPI_Group_free(&k->accessed);
    if (k->exposed_to != MPI_GROUP_NULL)
        MPI_Group_free(&k->exposed_to);
    if (k->pair && k->comm != MPI_COMM_NULL)
        MPI_Comm_free(&k->comm);
    free(k->bases);
    free(k->targets);
    free(k->origins);
    free(k->requests);
}

MPI_Aint rma_place(const struct measurement *m, int target, const char *own)
{
    const struct rma *k = m->state;
    return k->bases[target] + (own - k->base);
}

int rma_buffers(const struct measurement *m)
{
    const struct rma *k = m->state;
    return m->suite->options.buffers == BUFFERS_MANY ? k->window : 1;
}

int rma_slot_of(const struct measurement *m, int target)
{
    const struct rma *k = m->state;
    return (k->pair ? 0 : target * rma_buffers(m)) + k->message;
}
