#include "context/measurement.h"

#include "model/permutation.h"

static const uint64_t GOLDEN = 0x9e3779b97f4a7c15; /* of 2^64 */

void measurement_init(struct measurement *m, struct resources *res, const struct params *p,
                      const struct suite *suite)
{
    *m = (struct measurement){ .resources = res,
                               .params = p,
                               .suite = suite,
                               .calls = suite_calls(suite),
                               .tag = FIRST_TAG,
                               .first_call_s = -1.0 };
    m->warmup = p->cache_warmup;
    m->comm = m->all.comm = m->control = m->group_control = MPI_COMM_NULL;
    m->algorithm.cvar = -1;
    m->in_place = suite->options.in_place;
    m->own_reduction = MPI_OP_NULL;
    m->send.own = m->receive.own = MPI_DATATYPE_NULL;
    reduction_fill(&res->buffers, p, suite);
}

bool setting_is_like(const struct setting *one, const struct setting *other)
{
    return memcmp(one, other, offsetof(struct setting, length)) == 0;
}

/* A message of 50 to 58 is one element, which grows; the type for length 0 is not used. The checks
 * of the parameter file ensure whole elements. */
static int take_datatype(const struct measurement *m, struct side *s, int datatype, int basetype,
                         struct err *e)
{
    const struct params *p = m->params;
    long elements = m->at.length / (long)layout_of(p, datatype, basetype, 1).size;
    bool grows = layout_grows(datatype);
    const struct derived_key key = { datatype, basetype, grows && elements > 0 ? elements : 1 };
    if (layout_is_derived(p, datatype, basetype))
        s->type = s->own = datatype_derived(p, &key, e);
    else
        s->type = datatype_mpi(layout_predefined(p, datatype, basetype));
    if (s->type == MPI_DATATYPE_NULL)
        return err_set(e, "the MPI library lacks %s", datatype_find(datatype)->text);
    s->elements = grows && elements > 0 ? 1 : elements;
    s->stride = (MPI_Aint)s->elements * (MPI_Aint)layout_of(p, datatype, basetype, key.n).extent;
    return 0;
}

static void own_release(struct side *s)
{
    if (s->own != MPI_DATATYPE_NULL)
        MPI_Type_free(&s->own);
}

static int take_type(const struct measurement *m, struct side *s, int datatype, int basetype,
                     struct err *e)
{
    bool bytes = m->suite->options.method == METHOD_CONTIGUOUS || m->suite->type->application;
    own_release(s);
    s->type = MPI_BYTE;
    s->elements = s->stride = m->at.length;
    if (!bytes && take_datatype(m, s, datatype, basetype, e) != 0)
        return -1;
    if (m->suite->options.counts == COUNTS_TYPE && s->elements > 0) {
        s->type = datatype_repeat(s->type, (long)s->elements);
        own_release(s);
        s->own = s->type;
        s->elements = 1;
    }
    s->count = (int)s->elements;
    return 0;
}

void measurement_first_root(struct measurement *m)
{
    const struct suite_options *x = &m->suite->options;
    m->root = x->root == ROOT_RANK ? (int)x->root_rank : m->size - 1;
}

void measurement_next_root(struct measurement *m)
{
    if (m->suite->options.root != ROOT_RANK)
        m->root = m->root + 1 < m->size ? m->root + 1 : 0;
}

int measurement_other(const struct measurement *m, int i)
{
    int rank = m->root + i;
    return rank < m->size ? rank : rank - m->size;
}

/* Each visit and each algorithm has its own place in the buffers; successive visits are apart by
 * the golden ratio. Cold buffers use all of the memory in turn anyway. */
static uint64_t place_key(const struct measurement *m)
{
    const struct algorithm_choice *a = &m->algorithm;
    const struct suite_options *x = &m->suite->options;
    uint64_t moved = x->placing == PLACING_ONE ? 0 : (uint64_t)m->at.visit * GOLDEN;
    if (x->data == DATA_COLD || a->cvar < 0)
        return x->data == DATA_COLD ? 0 : moved;
    uint64_t key = permutation_key(m->params->order_seed, (uint64_t)a->cvar);
    return permutation_key(key + (uint64_t)a->number, (uint64_t)m->at.length) + moved;
}

/* The attached buffers of all threads come first: MPI has one, which they share. */
static void side_place(const struct measurement *m, struct side *s, enum memory_kind kind)
{
    const struct buffers *b = &m->resources->buffers;
    bool staged = m->suite->options.staged && memory_is_of_gpu(kind);
    long long place = b->place + m->sizes.more * m->sizes.attached;
    s->first_host = b->block + place;
    s->first_device = b->in[kind] + place;
    s->first_at = staged ? b->in[IN_PINNED] + place : s->first_device;
}

static int take_messages(struct measurement *m, struct err *e)
{
    const struct suite at = suite_at(m->suite, &m->at);
    m->reduction = measurement_reduction(m);
    measurement_first_root(m);
    m->sizes = buffer_size_of(m->params, &at, m->at.length, m->at.processes);
    buffers_place(&m->resources->buffers, buffer_size_memory(m->suite, &m->sizes), place_key(m));
    m->attached = m->resources->buffers.block + m->resources->buffers.place;
    side_place(m, &m->send, (enum memory_kind)m->at.send_in);
    side_place(m, &m->receive,
               (enum memory_kind)(m->at.receive_in == IN_SAME ? m->at.send_in : m->at.receive_in));
    const struct suite *s = m->suite;
    if (take_type(m, &m->send, s->send_datatype, s->send_basetype, e) != 0)
        return -1;
    if ((s->type->traits & TYPE_ONE_DATATYPE) != 0)
        return take_type(m, &m->receive, s->send_datatype, s->send_basetype, e);
    return take_type(m, &m->receive, s->receive_datatype, s->receive_basetype, e);
}

static void communicators_release(struct measurement *m)
{
    bool lasting = m->algorithm.cvar >= 0;
    while (m->for_crew_count > 0)
        MPI_Comm_free(&m->for_crew[--m->for_crew_count]);
    free(m->for_crew);
    m->for_crew = NULL;
    if (m->group_control != MPI_COMM_NULL) {
        MPI_Comm_free(&m->comm);
        MPI_Comm_free(&m->group_control);
    }
    if (m->all.comm != MPI_COMM_NULL && m->all.comm != m->resources->world && !lasting) {
        MPI_Comm_free(&m->all.comm);
        MPI_Comm_free(&m->control);
    }
    m->comm = m->all.comm = m->control = MPI_COMM_NULL;
}

int measurement_group_of(const struct measurement *m, int processes, int rank)
{
    const struct suite_options *x = &m->suite->options;
    return x->layout == LAYOUT_CYCLIC ? rank % x->groups : rank / (processes / x->groups);
}

static void group_take(struct measurement *m)
{
    m->comm = m->all.comm;
    m->rank = m->all.rank;
    m->size = m->all.size;
    if (m->comm == MPI_COMM_NULL || m->suite->options.groups <= 1)
        return;
    m->group = measurement_group_of(m, m->size, m->rank);
    MPI_Comm_split(m->all.comm, m->group, m->rank, &m->comm);
    MPI_Comm_split(m->all.comm, m->group, m->rank, &m->group_control);
    MPI_Comm_rank(m->comm, &m->rank);
    MPI_Comm_size(m->comm, &m->size);
}

/* Takes the algorithm's communicator, on which only calls of the operation are made. */
static void algorithm_take(struct measurement *m, int processes)
{
    struct resources *res = m->resources;
    const struct algorithm_choice none = { .cvar = -1 };
    m->all.size = processes;
    m->all.rank = res->rank;
    m->control = algorithm_comm(&res->algorithms, &none, res->world, processes);
    m->all.comm = algorithm_comm(&res->algorithms, &m->algorithm, res->world, processes);
}

/* Collective over the world: its first processes get their own communicators. */
static void communicators_take(struct measurement *m, int processes)
{
    const struct resources *res = m->resources;
    const struct topology *t = suite_topology(m->params, m->suite);
    m->all.comm = res->world;
    m->control = res->control;
    m->all.size = processes;
    m->all.rank = res->rank;
    if (t == NULL && processes == res->size)
        return;
    m->all.comm = topology_comm(t, res->world, processes);
    m->control = MPI_COMM_NULL;
    if (m->all.comm == MPI_COMM_NULL)
        return;
    MPI_Comm_rank(m->all.comm, &m->all.rank);
    MPI_Comm_split(m->all.comm, 0, m->all.rank, &m->control);
}

static void tables_release(struct measurement *m)
{
    free(m->send.large_counts);
    free(m->receive.large_counts);
    free(m->processes);
    free(m->requests);
    free(m->pairs);
    m->send.large_counts = m->receive.large_counts = NULL;
    m->processes = NULL;
    m->requests = NULL;
    m->pairs = NULL;
}

static void side_tables_take(struct side *s, size_t n)
{
    const size_t each = sizeof(MPI_Count) + sizeof(MPI_Aint) + 2 * sizeof(int);
    s->large_counts = allocated(calloc(n, each));
    s->large_displacements = (MPI_Aint *)(s->large_counts + n);
    s->counts = (int *)(s->large_displacements + n);
    s->displacements = s->counts + n;
}

static void tables_take(struct measurement *m)
{
    size_t n = (size_t)m->all.size;
    allocated_array(&m->processes, n);
    allocated_array(&m->requests, 2 * n);
    side_tables_take(&m->send, n);
    side_tables_take(&m->receive, n);
    for (int i = 0; i < 2 * m->all.size; i++)
        m->requests[i] = MPI_REQUEST_NULL;
}

/* Sets the distances between the processes' parts. A type without such parts has one length in each
 * buffer, or parts for its neighbours only. */
static void tables_fill(const struct measurement *m, struct side *s, const struct lengths *l)
{
    bool for_all = (m->suite->type->traits & (TYPE_NEIGHBOURS | TYPE_PARTNERS)) == 0;
    MPI_Aint step = for_all && l->per_process > 0 ? s->elements : 0;
    for (int i = 0; i < m->all.size; i++) {
        s->counts[i] = s->count;
        s->displacements[i] = (int)(i * step);
        s->large_counts[i] = s->elements;
        s->large_displacements[i] = i * step;
    }
}

/* Finds the process of each rank. Without a topology this needs no messages; among many processes
 * an exchange of all with all would be many messages. */
static void find_processes(struct measurement *m)
{
    if (suite_topology(m->params, m->suite) != NULL)
        MPI_Allgather(&m->resources->rank, 1, MPI_INT, m->processes, 1, MPI_INT, m->control);
    else
        for (int i = 0; i < m->all.size; i++)
            m->processes[i] = i;
    for (int i = 0; i < m->all.size; i++)
        if (m->processes[i] == 0)
            m->home = i;
}

int measurement_agree(const struct measurement *m, int rc, struct err *e)
{
    return control_agree(&m->resources->clock, m->control, rc, e);
}

/* Adds communicators for threads, whose number all processes know. */
static void crew_comms_take(struct measurement *m)
{
    bool own = m->suite->options.thread_comm == THREAD_COMM_OWN;
    if (!own || m->sizes.more <= m->for_crew_count)
        return;
    m->for_crew = allocated(realloc(m->for_crew, (size_t)m->sizes.more * sizeof(*m->for_crew)));
    while (m->for_crew_count < m->sizes.more)
        MPI_Comm_dup(m->comm, &m->for_crew[m->for_crew_count++]);
}

int measurement_prepare(struct measurement *m, const struct setting *setting, struct err *e)
{
    bool same = m->all.size == setting->processes && m->algorithm.number == setting->algorithm;
    m->at = *setting;
    if (!same) {
        communicators_release(m);
        tables_release(m);
        m->algorithm = algorithm_choose(m->suite, setting->algorithm);
        if (m->algorithm.cvar >= 0)
            algorithm_take(m, setting->processes);
        else
            communicators_take(m, setting->processes);
        group_take(m);
        if (m->comm != MPI_COMM_NULL)
            tables_take(m);
    }
    if (m->comm == MPI_COMM_NULL)
        return 0;
    if (measurement_agree(m, take_messages(m, e), e) != 0)
        return -1;
    tables_fill(m, &m->send, &m->suite->type->send);
    tables_fill(m, &m->receive, &m->suite->type->receive);
    if (!same)
        find_processes(m);
    crew_comms_take(m);
    return 0;
}

void measurement_release(struct measurement *m)
{
    communicators_release(m);
    tables_release(m);
    buffers_use(&m->resources->buffers, NULL, 0);
    if (m->own_reduction != MPI_OP_NULL)
        MPI_Op_free(&m->own_reduction);
    own_release(&m->send);
    own_release(&m->receive);
    sent_release(&m->sent);
    m->all.size = 0;
}

long long measurement_messages(const struct measurement *m, const struct lengths *l)
{
    struct suite at = suite_at(m->suite, &m->at);
    return suite_messages(&at, l, suite_parts(m->params, m->suite, m->size));
}
