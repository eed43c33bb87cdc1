#include "context/run.h"

#include "model/layouts.h"
#include "model/permutation.h"
#include "model/topology_rules.h"

void run_init(struct run *r, struct machine *m, const struct params *p, const struct suite *s)
{
    *r = (struct run){ .machine = m, .params = p, .suite = s, .calls = 1, .first_call_s = -1.0 };
    r->comm = r->all.comm = r->control = r->group_control = MPI_COMM_NULL;
    r->algorithm.cvar = -1;
    r->own_reduction = MPI_OP_NULL;
    r->whole[0] = r->whole[1] = MPI_DATATYPE_NULL;
    reduction_fill(&m->buffers, p, s);
}

/* One side's messages. */
struct one_side {
    int datatype, basetype;
    struct derived *own;
    MPI_Datatype type;
    long count;
    MPI_Aint stride;
};

/* The checks of the parameter file ensure whole datatypes, so that both sides match. */
static int check_size(const struct run *r, const struct one_side *s, struct err *e)
{
    MPI_Count size;
    MPI_Type_size_x(s->type, &size);
    long long bytes = (long long)size * s->count;
    return bytes == r->at.length ? 0
                                 : err_set(e, "%ld of datatype %d are %lld bytes, not %ld",
                                           s->count, s->datatype, bytes, r->at.length);
}

/* A message of 50 to 58 is one element, which grows; the type for length 0 is not used. */
static int take_datatype(const struct run *r, struct one_side *s, struct err *e)
{
    const struct params *p = r->params;
    long elements = r->at.length / (long)layout_of(p, s->datatype, s->basetype, 1).size;
    bool grows = layout_grows(s->datatype);
    const struct derived_key key = { s->datatype, s->basetype,
                                     grows && elements > 0 ? elements : 1 };
    if (!layout_is_derived(p, s->datatype, s->basetype))
        s->type = datatype_mpi(layout_predefined(p, s->datatype, s->basetype));
    else if (derived_take(s->own, p, &key, e) == 0)
        s->type = s->own->type;
    else
        return -1;
    if (s->type == MPI_DATATYPE_NULL)
        return err_set(e, "the MPI library lacks %s", datatype_find(s->datatype)->text);
    s->count = grows && elements > 0 ? 1 : elements;
    s->stride = s->count * (MPI_Aint)layout_of(p, s->datatype, s->basetype, key.n).extent;
    return check_size(r, s, e);
}

static int take_type(const struct run *r, struct one_side *s, struct err *e)
{
    if (r->suite->options.method != METHOD_CONTIGUOUS && r->suite->type->application == NULL)
        return take_datatype(r, s, e);
    s->type = MPI_BYTE;
    s->count = r->at.length;
    s->stride = r->at.length;
    return 0;
}

static void whole_release(struct run *r)
{
    for (int i = 0; i < 2; i++)
        if (r->whole[i] != MPI_DATATYPE_NULL)
            MPI_Type_free(&r->whole[i]);
}

/* With counts=type, one element. */
static void take_whole(const struct run *r, struct one_side *s, MPI_Datatype *whole)
{
    if (r->suite->options.counts != COUNTS_TYPE || s->count == 0)
        return;
    s->type = *whole = datatype_repeat(s->type, s->count);
    s->count = 1;
}

static int take_types(struct run *r, struct err *e)
{
    const struct suite *suite = r->suite;
    bool one = (suite->type->traits & TYPE_ONE_DATATYPE) != 0;
    struct one_side send = { suite->send_datatype, suite->send_basetype, .own = &r->own_send };
    struct one_side receive = { suite->receive_datatype, suite->receive_basetype,
                                .own = &r->own_receive };
    if (take_type(r, &send, e) != 0 || (!one && take_type(r, &receive, e) != 0))
        return -1;
    whole_release(r);
    take_whole(r, &send, &r->whole[0]);
    if (one)
        receive = send;
    else
        take_whole(r, &receive, &r->whole[1]);
    r->send_type = send.type;
    r->send_elements = send.count;
    r->send_count = (int)send.count;
    r->send_stride = send.stride;
    r->receive_type = receive.type;
    r->receive_elements = receive.count;
    r->receive_count = (int)receive.count;
    r->receive_stride = receive.stride;
    return 0;
}

static MPI_Op take_reduction(struct run *r)
{
    enum combining op = r->suite->options.op;
    MPI_Op predefined = reduction_mpi(op);
    if (predefined != MPI_OP_NULL || op == COMBINE_USUAL)
        return predefined;
    if (r->own_reduction == MPI_OP_NULL)
        r->own_reduction = own_reduction_new(op);
    return r->own_reduction;
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

/* Each algorithm has buffers of its own; cold ones use all of the memory in turn anyway. */
static uint64_t place_key(const struct run *r)
{
    const struct algorithm_choice *a = &r->algorithm;
    if (a->cvar < 0 || r->suite->options.data == DATA_COLD)
        return 0;
    uint64_t key = permutation_key(r->params->order_seed, (uint64_t)a->cvar);
    return permutation_key(key + (uint64_t)a->number, (uint64_t)r->at.length);
}

static int take_messages(struct run *r, struct err *e)
{
    const struct suite at = suite_with_window(r->suite, r->at.window);
    r->reduction = take_reduction(r);
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

static void tables_release(struct run *r)
{
    free(r->send_counts);
    free(r->large_counts);
    free(r->requests);
    free(r->pair_stats);
    r->pair_stats = NULL;
    r->send_counts = NULL;
    r->large_counts = NULL;
    r->requests = NULL;
}

static int tables_take(struct run *r, struct err *e)
{
    size_t n = (size_t)r->all.size;
    r->send_counts = malloc(5 * n * sizeof(int));
    r->large_counts = malloc(2 * n * (sizeof(MPI_Count) + sizeof(MPI_Aint)));
    r->requests = malloc(2 * n * sizeof(*r->requests));
    if (r->send_counts == NULL || r->large_counts == NULL || r->requests == NULL)
        return err_no_memory(
            e, n * (5 * sizeof(int) + 4 * sizeof(MPI_Count) + 2 * sizeof(*r->requests)));
    r->large_displacements = (MPI_Aint *)(r->large_counts + 2 * n);
    r->send_displacements = r->send_counts + n;
    r->receive_counts = r->send_displacements + n;
    r->receive_displacements = r->receive_counts + n;
    r->processes = r->receive_displacements + n;
    for (int i = 0; i < 2 * r->all.size; i++)
        r->requests[i] = MPI_REQUEST_NULL;
    return 0;
}

/* Sets the distances between the processes' parts. A type without such parts has one length in each
 * buffer, or parts for its neighbours only. */
static void tables_fill(struct run *r)
{
    const struct type_info *t = r->suite->type;
    bool for_all = (t->traits & (TYPE_NEIGHBOURS | TYPE_PARTNERS)) == 0;
    MPI_Aint send_step = for_all && t->send.per_process > 0 ? r->send_elements : 0;
    MPI_Aint receive_step = for_all && t->receive.per_process > 0 ? r->receive_elements : 0;
    for (int i = 0, n = r->all.size; i < n; i++) {
        r->send_counts[i] = r->send_count;
        r->send_displacements[i] = (int)(i * send_step);
        r->receive_counts[i] = r->receive_count;
        r->receive_displacements[i] = (int)(i * receive_step);
        r->large_counts[i] = r->send_elements;
        r->large_displacements[i] = i * send_step;
        r->large_counts[n + i] = r->receive_elements;
        r->large_displacements[n + i] = i * receive_step;
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
    if (rc == 0)
        tables_fill(r);
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
    whole_release(r);
    derived_release(&r->own_send);
    derived_release(&r->own_receive);
    sent_release(&r->sent);
    r->all.size = 0;
}

static void use_parts(struct run *r, struct parts parts)
{
    bool one = r->suite->options.buffers == BUFFERS_ONE && !r->separate;
    r->send = parts.send;
    r->receive = one ? parts.send : parts.receive;
    r->attached = parts.attached;
}

void run_first_buffers(struct run *r)
{
    use_parts(r, buffers_first(&r->machine->buffers, &r->sizes));
}

void run_next_buffers(struct run *r)
{
    struct buffers *b = &r->machine->buffers;
    bool all = r->suite->options.data == DATA_COLD;
    use_parts(r,
              buffers_next(b, &r->sizes, all ? b->bytes : buffer_size_memory(r->suite, &r->sizes)));
}

void run_buffers_again(struct run *r, long long next)
{
    use_parts(r, buffers_again(&r->machine->buffers, &r->sizes, next));
}

long long run_messages(const struct run *r, const struct lengths *l)
{
    struct suite at = suite_with_window(r->suite, r->at.window);
    return suite_messages(&at, l, suite_parts(r->params, r->suite, r->size));
}

char *run_send_block(const struct run *r, int process)
{
    return r->send + (size_t)process * (size_t)r->send_stride;
}

char *run_receive_block(const struct run *r, int process)
{
    return r->receive + (size_t)process * (size_t)r->receive_stride;
}
