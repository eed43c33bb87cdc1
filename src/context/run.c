#include "context/run.h"

#include "model/parameters.h"
#include "model/permutation.h"

static const uint64_t GOLDEN = 0x9e3779b97f4a7c15; /* of 2^64 */

void run_init(struct run *r, struct machine *m, const struct params *p, const struct suite *s)
{
    *r = (struct run){ .machine = m, .params = p, .suite = s, .calls = 1, .first_call_s = -1.0 };
    r->warmup = p->cache_warmup;
    r->comm = r->all.comm = r->control = r->group_control = MPI_COMM_NULL;
    r->algorithm.cvar = -1;
    r->own_reduction = MPI_OP_NULL;
    r->send.own = r->receive.own = MPI_DATATYPE_NULL;
    reduction_fill(&m->buffers, p, s);
}

bool setting_is_like(const struct setting *a, const struct setting *b)
{
    return memcmp(a, b, offsetof(struct setting, length)) == 0;
}

/* A message of 50 to 58 is one element, which grows; the type for length 0 is not used. The checks
 * of the parameter file ensure whole elements. */
static int take_datatype(const struct run *r, struct side *s, int datatype, int basetype,
                         struct err *e)
{
    const struct params *p = r->params;
    long elements = r->at.length / (long)layout_of(p, datatype, basetype, 1).size;
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

/* With counts=type, one element. */
static int take_type(const struct run *r, struct side *s, int datatype, int basetype, struct err *e)
{
    bool bytes = r->suite->options.method == METHOD_CONTIGUOUS || r->suite->type->application;
    own_release(s);
    s->type = MPI_BYTE;
    s->elements = s->stride = r->at.length;
    if (!bytes && take_datatype(r, s, datatype, basetype, e) != 0)
        return -1;
    if (r->suite->options.counts == COUNTS_TYPE && s->elements > 0) {
        s->type = datatype_repeat(s->type, (long)s->elements);
        own_release(s);
        s->own = s->type;
        s->elements = 1;
    }
    s->count = (int)s->elements;
    return 0;
}

static int take_types(struct run *r, struct err *e)
{
    const struct suite *s = r->suite;
    bool one = (s->type->traits & TYPE_ONE_DATATYPE) != 0;
    if (take_type(r, &r->send, s->send_datatype, s->send_basetype, e) != 0)
        return -1;
    return take_type(r, &r->receive, one ? s->send_datatype : s->receive_datatype,
                     one ? s->send_basetype : s->receive_basetype, e);
}

void run_first_root(struct run *r)
{
    const struct suite_options *x = &r->suite->options;
    r->root = x->root == ROOT_RANK ? (int)x->root_rank : r->size - 1;
}

void run_next_root(struct run *r)
{
    if (r->suite->options.root != ROOT_RANK)
        r->root = r->root + 1 < r->size ? r->root + 1 : 0;
}

int run_other(const struct run *r, int i)
{
    int rank = r->root + i;
    return rank < r->size ? rank : rank - r->size;
}

/* Each visit and each algorithm has buffers of its own; the places of successive visits are apart
 * by the golden ratio. Cold ones use all of the memory in turn anyway. */
static uint64_t place_key(const struct run *r)
{
    const struct algorithm_choice *a = &r->algorithm;
    const struct suite_options *x = &r->suite->options;
    uint64_t moved = x->placing == PLACING_ONE ? 0 : (uint64_t)r->at.visit * GOLDEN;
    if (x->data == DATA_COLD || a->cvar < 0)
        return x->data == DATA_COLD ? 0 : moved;
    uint64_t key = permutation_key(r->params->order_seed, (uint64_t)a->cvar);
    return permutation_key(key + (uint64_t)a->number, (uint64_t)r->at.length) + moved;
}

static int take_messages(struct run *r, struct err *e)
{
    const struct suite at = suite_with_window(r->suite, r->at.window);
    r->reduction = run_reduction(r);
    run_first_root(r);
    r->sizes = buffer_size_of(r->params, &at, r->at.length, r->at.processes);
    buffers_place(&r->machine->buffers, buffer_size_memory(r->suite, &r->sizes), place_key(r));
    return take_types(r, e);
}

static void communicators_release(struct run *r)
{
    bool lasting = r->algorithm.cvar >= 0;
    if (r->group_control != MPI_COMM_NULL) {
        MPI_Comm_free(&r->comm);
        MPI_Comm_free(&r->group_control);
    }
    if (r->all.comm != MPI_COMM_NULL && r->all.comm != r->machine->world && !lasting) {
        MPI_Comm_free(&r->all.comm);
        MPI_Comm_free(&r->control);
    }
    r->comm = r->all.comm = r->control = MPI_COMM_NULL;
}

int run_group_of(const struct run *r, int rank)
{
    const struct suite_options *x = &r->suite->options;
    return x->layout == LAYOUT_CYCLIC ? rank % x->groups : rank / (r->all.size / x->groups);
}

static void group_take(struct run *r)
{
    r->comm = r->all.comm;
    r->rank = r->all.rank;
    r->size = r->all.size;
    if (r->comm == MPI_COMM_NULL || r->suite->options.groups <= 1)
        return;
    r->group = run_group_of(r, r->rank);
    MPI_Comm_split(r->all.comm, r->group, r->rank, &r->comm);
    MPI_Comm_split(r->all.comm, r->group, r->rank, &r->group_control);
    MPI_Comm_rank(r->comm, &r->rank);
    MPI_Comm_size(r->comm, &r->size);
}

/* Only calls of the operation are made on the algorithm's communicator. */
static int algorithm_take(struct run *r, int processes, struct err *e)
{
    struct machine *m = r->machine;
    const struct algorithm_choice none = { .cvar = -1 };
    r->all.size = processes;
    r->all.rank = m->rank;
    r->control = algorithm_comm(&m->algorithms, &none, m->world, processes);
    r->all.comm = algorithm_comm(&m->algorithms, &r->algorithm, m->world, processes);
    bool missing =
        m->rank < processes && (r->all.comm == MPI_COMM_NULL || r->control == MPI_COMM_NULL);
    return missing ? err_no_memory(e, sizeof(struct algorithm_comm)) : 0;
}

/* Collective over the world: its first processes get their own communicators. */
static void communicators_take(struct run *r, int processes)
{
    const struct machine *m = r->machine;
    const struct topology *t = suite_topology(r->params, r->suite);
    r->all.comm = m->world;
    r->control = m->control;
    r->all.size = processes;
    r->all.rank = m->rank;
    if (t == NULL && processes == m->size)
        return;
    r->all.comm = topology_comm(t, m->world, processes);
    r->control = MPI_COMM_NULL;
    if (r->all.comm == MPI_COMM_NULL)
        return;
    MPI_Comm_rank(r->all.comm, &r->all.rank);
    MPI_Comm_split(r->all.comm, 0, r->all.rank, &r->control);
}

static void side_tables_release(struct side *s)
{
    free(s->large_counts);
    s->large_counts = NULL;
}

static void tables_release(struct run *r)
{
    side_tables_release(&r->send);
    side_tables_release(&r->receive);
    free(r->processes);
    free(r->requests);
    free(r->pair_stats);
    r->processes = NULL;
    r->requests = NULL;
    r->pair_stats = NULL;
}

static bool side_tables_take(struct side *s, size_t n)
{
    s->large_counts = malloc(n * (sizeof(MPI_Count) + sizeof(MPI_Aint) + 2 * sizeof(int)));
    if (s->large_counts == NULL)
        return false;
    s->large_displacements = (MPI_Aint *)(s->large_counts + n);
    s->counts = (int *)(s->large_displacements + n);
    s->displacements = s->counts + n;
    return true;
}

static int tables_take(struct run *r, struct err *e)
{
    size_t n = (size_t)r->all.size;
    r->processes = malloc(n * sizeof(*r->processes));
    r->requests = malloc(2 * n * sizeof(*r->requests));
    if (!side_tables_take(&r->send, n) || !side_tables_take(&r->receive, n) ||
        r->processes == NULL || r->requests == NULL)
        return err_no_memory(
            e, n * (5 * sizeof(int) + 4 * sizeof(MPI_Count) + 2 * sizeof(*r->requests)));
    for (int i = 0; i < 2 * r->all.size; i++)
        r->requests[i] = MPI_REQUEST_NULL;
    return 0;
}

/* Sets the distances between the processes' parts. A type without such parts has one length in each
 * buffer, or parts for its neighbours only. */
static void tables_fill(const struct run *r, struct side *s, const struct lengths *l)
{
    bool for_all = (r->suite->type->traits & (TYPE_NEIGHBOURS | TYPE_PARTNERS)) == 0;
    MPI_Aint step = for_all && l->per_process > 0 ? s->elements : 0;
    for (int i = 0; i < r->all.size; i++) {
        s->counts[i] = s->count;
        s->displacements[i] = (int)(i * step);
        s->large_counts[i] = s->elements;
        s->large_displacements[i] = i * step;
    }
}

/* Which process has which rank. Without a topology this needs no messages; among many processes an
 * exchange of all with all would be many messages. */
static void find_processes(struct run *r)
{
    if (suite_topology(r->params, r->suite) != NULL)
        MPI_Allgather(&r->machine->rank, 1, MPI_INT, r->processes, 1, MPI_INT, r->control);
    else
        for (int i = 0; i < r->all.size; i++)
            r->processes[i] = i;
    for (int i = 0; i < r->all.size; i++)
        if (r->processes[i] == 0)
            r->home = i;
}

int run_agree(const struct run *r, int rc, struct err *e)
{
    return control_agree(&r->machine->clock, r->control, rc, e);
}

int run_prepare(struct run *r, const struct setting *s, struct err *e)
{
    int rc = 0;
    bool same = r->all.size == s->processes && r->algorithm.number == s->algorithm;
    r->at = *s;
    if (!same) {
        communicators_release(r);
        tables_release(r);
        r->algorithm = algorithm_choose(r->suite, s->algorithm);
        if (r->algorithm.cvar >= 0)
            rc = algorithm_take(r, s->processes, e);
        else
            communicators_take(r, s->processes);
        group_take(r);
        if (rc == 0 && r->comm != MPI_COMM_NULL)
            rc = tables_take(r, e);
    }
    if (r->comm == MPI_COMM_NULL)
        return rc;
    if (rc == 0)
        rc = take_messages(r, e);
    if (rc == 0) {
        tables_fill(r, &r->send, &r->suite->type->send);
        tables_fill(r, &r->receive, &r->suite->type->receive);
    }
    rc = run_agree(r, rc, e);
    if (rc == 0 && !same)
        find_processes(r);
    return rc;
}

void run_release(struct run *r)
{
    communicators_release(r);
    tables_release(r);
    buffers_use(&r->machine->buffers, NULL, 0);
    if (r->own_reduction != MPI_OP_NULL)
        MPI_Op_free(&r->own_reduction);
    own_release(&r->send);
    own_release(&r->receive);
    sent_release(&r->sent);
    r->all.size = 0;
}

void run_use_buffers(struct run *r, long long next)
{
    struct buffers *b = &r->machine->buffers;
    bool one = r->suite->options.buffers == BUFFERS_ONE && !r->separate;
    b->next = next;
    r->attached = b->block + b->place;
    r->send.at = r->attached + next;
    r->receive.at = r->send.at + (one ? 0 : r->sizes.send);
}

void run_first_buffers(struct run *r)
{
    run_use_buffers(r, r->sizes.attached);
}

void run_next_buffers(struct run *r)
{
    const struct buffers *b = &r->machine->buffers;
    bool all = r->suite->options.data == DATA_COLD;
    long long within = all ? b->bytes : buffer_size_memory(r->suite, &r->sizes);
    run_use_buffers(r, buffers_after(b, &r->sizes, within));
}

long long run_messages(const struct run *r, const struct lengths *l)
{
    struct suite at = suite_with_window(r->suite, r->at.window);
    return suite_messages(&at, l, suite_parts(r->params, r->suite, r->size));
}

char *side_message(const struct side *s, int process)
{
    return s->at + (size_t)process * (size_t)s->stride;
}
