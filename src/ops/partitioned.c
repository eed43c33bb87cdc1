/* Partitioned communication of MPI 4: parts of a persistent message become ready one after the
 * other. The receiver acknowledges each transfer by an empty message. */
#include "context/library.h"
#include "model/permutation.h"
#include "ops/arguments.h"
#include "patterns/partitions.h"

#include <sched.h>

enum { TAG = 1, TAG_ACK = 2 };

struct partitioned {
    MPI_Request whole, parts;
    int *order; /* owned; of the partitions, in which they become ready */
};

static int partition_at(const struct run *r, int i)
{
    const struct suite_options *x = &r->suite->options;
    int n = r->at.partitions;
    if (x->ready == READY_RANDOM)
        return permuted(i, n, permutation_key((uint64_t)x->ready_seed, 0), false);
    return x->ready == READY_ASCENDING ? i : n - 1 - i;
}

static void bind(struct run *r, struct partitioned *p)
{
    int n = r->at.partitions;
    if (pattern_serves(r)) {
        MPI_Send_init(SENT, r->peer, TAG, r->comm, &p->whole);
        MPI_Psend_init(r->send.at, n, r->send.count / n, r->send.type, r->peer, TAG, r->comm,
                       MPI_INFO_NULL, &p->parts);
    } else {
        MPI_Recv_init(RECEIVED, r->peer, TAG, r->comm, &p->whole);
        MPI_Precv_init(r->receive.at, n, r->receive.count / n, r->receive.type, r->peer, TAG,
                       r->comm, MPI_INFO_NULL, &p->parts);
    }
}

static int partitioned_init(struct run *r, struct err *e)
{
    int n = r->at.partitions;
    size_t bytes = (size_t)n * sizeof(int);
    struct partitioned *p = r->state;
    p->whole = p->parts = MPI_REQUEST_NULL;
    p->order = malloc(bytes);
    if (pattern_agree(r, p->order == NULL ? err_no_memory(e, bytes) : 0, e) != 0)
        return -1;
    for (int i = 0; i < n; i++)
        p->order[i] = partition_at(r, i);
    bind(r, p);
    return 0;
}

static void partitioned_free(struct run *r)
{
    struct partitioned *p = r->state;
    free(p->order);
    if (p->whole != MPI_REQUEST_NULL) {
        MPI_Request_free(&p->whole);
        MPI_Request_free(&p->parts);
    }
}

CALLED_OF(partitioned, whole, start_wait(&k->whole); pattern_tell(r, false, r->comm, TAG_ACK))

static void send_parts(struct run *r)
{
    struct partitioned *p = r->state;
    int last = r->at.partitions - 1;
    MPI_Start(&p->parts);
    for (int i = 0; i < last; i++)
        MPI_Pready(p->order[i], p->parts);
    partitions_delay(r);
    MPI_Pready(p->order[last], p->parts);
    MPI_Wait(&p->parts, MPI_STATUS_IGNORE);
    pattern_tell(r, false, r->comm, TAG_ACK);
}

static void poll_parts(struct run *r)
{
    struct partitioned *p = r->state;
    for (int i = 0; i < r->at.partitions; i++) {
        int there = 0;
        MPI_Parrived(p->parts, p->order[i], &there);
        while (!there) {
            if (r->machine->clock.yield)
                sched_yield();
            MPI_Parrived(p->parts, p->order[i], &there);
        }
    }
}

static void receive_parts(struct run *r)
{
    struct partitioned *p = r->state;
    MPI_Start(&p->parts);
    if (r->suite->options.receiver == RECEIVER_POLL)
        poll_parts(r);
    else if (r->suite->options.receiver == RECEIVER_BUSY)
        partitions_busy(r);
    MPI_Wait(&p->parts, MPI_STATUS_IGNORE);
    pattern_tell(r, false, r->comm, TAG_ACK);
}

CALLED(parts, (pattern_serves(r) ? send_parts : receive_parts)(r))

static const struct op rows[] = {
    OP("Partitioned", "MPI_Pready of all partitions of a message, then an acknowledgement",
       TYPE_HAS_LENGTH | TYPE_BOUND | TYPE_SINGLE, ONE_LENGTH, ONE_LENGTH,
       .in = TIMED_P2P_TYPE(269, TIME_MESSAGE), .info.needs = NEEDS_PARTITIONS,
       .info.options =
           OPTIONS(OPTION_PARTITIONS, OPTION_READY, OPTION_READY_DELAY, OPTION_RECEIVER),
       .info.extra = partitions_extra, .form = &(const struct partition_hooks){ whole, parts },
       .recorder = &partitions_recorder, .rewrite = rewrite_as_server, .origin = from_server,
       HOOKS_OF(partitioned, partitioned_init, send_parts, .prepare = partitions_prepare,
                .client_op = receive_parts, .free = partitioned_free)),
};

OP_FAMILY(partitioned_family, rows);
