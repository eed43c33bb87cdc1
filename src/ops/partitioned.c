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

static int partition_at(const struct measurement *m, int i)
{
    const struct suite_options *x = &m->suite->options;
    int n = m->at.partitions;
    if (x->ready == READY_RANDOM)
        return permuted(i, n, permutation_key((uint64_t)x->ready_seed, 0), false);
    return x->ready == READY_ASCENDING ? i : n - 1 - i;
}

static void bind(struct measurement *m, struct partitioned *p)
{
    int n = m->at.partitions;
    if (pattern_serves(m)) {
        MPI_Send_init(SENT, m->peer, TAG, m->comm, &p->whole);
        MPI_Psend_init(m->send.at, n, m->send.count / n, m->send.type, m->peer, TAG, m->comm,
                       MPI_INFO_NULL, &p->parts);
    } else {
        MPI_Recv_init(RECEIVED, m->peer, TAG, m->comm, &p->whole);
        MPI_Precv_init(m->receive.at, n, m->receive.count / n, m->receive.type, m->peer, TAG,
                       m->comm, MPI_INFO_NULL, &p->parts);
    }
}

static void partitioned_init(struct measurement *m)
{
    int n = m->at.partitions;
    struct partitioned *p = m->state;
    allocated_array(&p->order, (size_t)n);
    for (int i = 0; i < n; i++)
        p->order[i] = partition_at(m, i);
    bind(m, p);
}

static void partitioned_free(struct measurement *m)
{
    struct partitioned *p = m->state;
    free(p->order);
    MPI_Request_free(&p->whole);
    MPI_Request_free(&p->parts);
}

CALLED_OF(partitioned, whole, start_wait(&k->whole); pattern_tell(m, false, m->comm, TAG_ACK))

static void send_parts(struct measurement *m)
{
    struct partitioned *p = m->state;
    int last = m->at.partitions - 1;
    MPI_Start(&p->parts);
    for (int i = 0; i < last; i++)
        MPI_Pready(p->order[i], p->parts);
    partitions_delay(m);
    MPI_Pready(p->order[last], p->parts);
    MPI_Wait(&p->parts, MPI_STATUS_IGNORE);
    pattern_tell(m, false, m->comm, TAG_ACK);
}

static void poll_parts(struct measurement *m)
{
    struct partitioned *p = m->state;
    for (int i = 0; i < m->at.partitions; i++) {
        int there = 0;
        MPI_Parrived(p->parts, p->order[i], &there);
        while (!there) {
            if (m->resources->clock.yield)
                sched_yield();
            MPI_Parrived(p->parts, p->order[i], &there);
        }
    }
}

static void receive_parts(struct measurement *m)
{
    struct partitioned *p = m->state;
    MPI_Start(&p->parts);
    if (m->suite->options.receiver == RECEIVER_POLL)
        poll_parts(m);
    else if (m->suite->options.receiver == RECEIVER_BUSY)
        partitions_busy(m);
    MPI_Wait(&p->parts, MPI_STATUS_IGNORE);
    pattern_tell(m, false, m->comm, TAG_ACK);
}

CALLED(parts, (pattern_serves(m) ? send_parts : receive_parts)(m))

static const struct op rows[] = {
    OP("Partitioned", "MPI_Pready of all partitions of a message, then an acknowledgement",
       TYPE_BOUND | TYPE_SINGLE, SENDS_ONE, RECEIVES_ONE, .in = TIMED_P2P_TYPE(269, TIME_MESSAGE),
       .info.needs = NEEDS_PARTITIONS | NEEDS_DERIVED_PARTITIONS,
       .info.options =
           OPTIONS(OPTION_PARTITIONS, OPTION_READY, OPTION_READY_DELAY, OPTION_RECEIVER),
       .info.extra = partitions_extra, .form = &(const struct partition_hooks){ whole, parts },
       .recorder = &partitions_recorder, .rewrite = rewrite_as_server, .origin = from_server,
       .hooks = { .state = sizeof(struct partitioned),
                  .init = partitioned_init,
                  .prepare = partitions_prepare,
                  .server_op = send_parts,
                  .client_op = receive_parts,
                  .free = partitioned_free }),
};

OP_FAMILY(partitioned_family, rows);
