#include "machine/run.h"

#include "machine/datatypes.h"
#include "machine/topology.h"
#include "params/demand.h"
#include "params/virtual.h"

#include <stdlib.h>

void run_init(struct run *r, struct machine *m, const struct params *p, const struct suite *s)
{
    *r = (struct run){ .machine = m, .params = p, .suite = s, .calls = 1, .first_call_s = -1.0 };
    r->comm = r->control = MPI_COMM_NULL;
}

static void take_messages(struct run *r, const struct setting *s)
{
    const struct params *p = r->params;
    const struct suite *suite = r->suite;
    const struct predefined *send =
        datatype_predefined(p, suite->send_datatype, suite->send_basetype);
    const struct predefined *receive =
        datatype_predefined(p, suite->receive_datatype, suite->receive_basetype);
    r->length = s->length;
    r->chunks = s->chunks;
    r->partner = s->partner;
    r->peer = r->rank == 0 ? s->partner : 0;
    r->send_type = datatype_mpi(send);
    r->receive_type = datatype_mpi(receive);
    r->send_count = (int)((size_t)s->length / send->size);
    r->receive_count = (int)((size_t)s->length / receive->size);
    r->send_stride = (MPI_Aint)r->send_count * (MPI_Aint)send->extent;
    r->receive_stride = (MPI_Aint)r->receive_count * (MPI_Aint)receive->extent;
    r->reduction = reduction_mpi(send->reduction);
    r->demand = demand_of(p, suite, s->length, s->processes);
}

static void communicators_release(struct run *r)
{
    if (r->comm != MPI_COMM_NULL && r->comm != r->machine->world) {
        MPI_Comm_free(&r->comm);
        MPI_Comm_free(&r->control);
    }
    r->comm = r->control = MPI_COMM_NULL;
}

/* Collective over the world: its first processes get communicators of their own. */
static void communicators_take(struct run *r, int processes)
{
    const struct machine *m = r->machine;
    const struct topology *t = virtual_topology(r->params, r->suite);
    r->comm = m->world;
    r->control = m->control;
    r->size = processes;
    r->rank = m->rank;
    if (t == NULL && processes == m->size)
        return;
    r->comm = topology_comm(t, m->world, processes);
    r->control = MPI_COMM_NULL;
    if (r->comm == MPI_COMM_NULL)
        return;
    MPI_Comm_rank(r->comm, &r->rank);
    MPI_Comm_split(r->comm, 0, r->rank, &r->control);
}

static void tables_release(struct run *r)
{
    free(r->send_counts);
    free(r->requests);
    r->send_counts = NULL;
    r->requests = NULL;
}

static int tables_take(struct run *r, struct err *e)
{
    size_t n = (size_t)r->size;
    r->send_counts = malloc(5 * n * sizeof(int));
    r->requests = malloc(2 * n * sizeof(*r->requests));
    if (r->send_counts == NULL || r->requests == NULL)
        return err_no_memory(e, n * (5 * sizeof(int) + 2 * sizeof(*r->requests)));
    r->send_displacements = r->send_counts + n;
    r->receive_counts = r->send_displacements + n;
    r->receive_displacements = r->receive_counts + n;
    r->processes = r->receive_displacements + n;
    for (int i = 0; i < 2 * r->size; i++)
        r->requests[i] = MPI_REQUEST_NULL;
    return 0;
}

/* Places between the processes' parts; a type without such parts has one length in each buffer, or
 * parts for its neighbours only. */
static void tables_fill(struct run *r)
{
    const struct type_info *t = r->suite->type;
    bool for_all = (t->traits & TYPE_NEIGHBOURS) == 0;
    int send_step = for_all && t->send.per_process > 0 ? r->send_count : 0;
    int receive_step = for_all && t->receive.per_process > 0 ? r->receive_count : 0;
    for (int i = 0; i < r->size; i++) {
        r->send_counts[i] = r->send_count;
        r->send_displacements[i] = i * send_step;
        r->receive_counts[i] = r->receive_count;
        r->receive_displacements[i] = i * receive_step;
    }
}

/* Which process has which rank. */
static void find_processes(struct run *r)
{
    MPI_Allgather(&r->machine->rank, 1, MPI_INT, r->processes, 1, MPI_INT, r->control);
    for (int i = 0; i < r->size; i++)
        if (r->processes[i] == 0)
            r->home = i;
}

int run_prepare(struct run *r, const struct setting *s, struct err *e)
{
    int rc = 0;
    bool same = r->size == s->processes;
    if (!same) {
        run_release(r);
        communicators_take(r, s->processes);
        if (r->comm != MPI_COMM_NULL)
            rc = tables_take(r, e);
    }
    take_messages(r, s);
    if (rc == 0 && r->comm != MPI_COMM_NULL)
        tables_fill(r);
    if (r->comm == MPI_COMM_NULL)
        return 0;
    rc = ranks_agree(r->control, rc, e);
    if (rc == 0 && !same)
        find_processes(r);
    return rc;
}

void run_release(struct run *r)
{
    communicators_release(r);
    tables_release(r);
    r->size = 0;
}

static void use_parts(struct run *r, struct parts parts)
{
    r->send = parts.send;
    r->receive = parts.receive;
    r->attached = parts.attached;
}

void run_first_buffers(struct run *r)
{
    use_parts(r, buffers_first(&r->machine->buffers, &r->demand));
}

void run_next_buffers(struct run *r)
{
    use_parts(r, buffers_next(&r->machine->buffers, &r->demand, r->suite->extras.cache));
}

char *run_send_block(const struct run *r, int process)
{
    return r->send + (size_t)process * (size_t)r->send_stride;
}

char *run_receive_block(const struct run *r, int process)
{
    return r->receive + (size_t)process * (size_t)r->receive_stride;
}
