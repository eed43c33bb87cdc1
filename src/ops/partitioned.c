/* Partitioned communication of MPI 4: parts of a persistent message become ready one after the
 * other. The receiver acknowledges each transfer by an empty message. What is gained if parts
 * arrive early: a repetition makes three transfers, one message of the same size; the same in
 * partitions, the last of which is ready only after a delay; and, in the time of the repetition,
 * the same in partitions that are all ready at once. */
#include "context/library.h"
#include "model/permutation.h"
#include "ops/arguments.h"

#include <sched.h>

enum { TAG = 1, TAG_ACK = 2, TAG_DELAY = 4, TRIES = 9 };

enum { WHOLE, AFTER_LAST, BANDWIDTH, GAIN, LIMIT, DELAY };

static const struct extra_info extra[MAX_EXTRA + 1] = {
    [WHOLE] = { "whole", "microsec.",
                "one message of the same size instead, MPI_Send_init and MPI_Start" },
    [AFTER_LAST] = { "after_last", "microsec.",
                     "from the delayed MPI_Pready of the last partition until the "
                     "acknowledgement" },
    [BANDWIDTH] = { "perceived", "MB/s", "perceived bandwidth: the message's bytes / after_last" },
    [GAIN] = { "gain", "%",
               "of early arrival: (x + D - t) / x; x: the time, t: the same if the last of n "
               "partitions is ready later by the delay D" },
    [LIMIT] = { "limit", "%",
                "of the gain, if partitions arrive before the last one is ready: 1 - 1 / n, or "
                "D / x if that is less" },
    [DELAY] = { "delay", "microsec.", "D" },
};

struct partitions {
    struct values whole_us, rest_us, after_last_us, all_us;
    double delay_s; /* of the last partition */
    bool found;
    bool delays;
    double waited_s, ready_s;             /* the delay as it was, and the instant of its end */
    double whole_s, rest_s, after_last_s; /* of the last repetition; rest: without the delay */
};

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

static int partitioned_init(struct measurement *m, struct err *e)
{
    int n = m->at.partitions;
    struct partitioned *p = m->state;
    p->whole = p->parts = MPI_REQUEST_NULL;
    if (pattern_agree(m, memory_take(&p->order, (size_t)n, e), e) != 0)
        return -1;
    for (int i = 0; i < n; i++)
        p->order[i] = partition_at(m, i);
    bind(m, p);
    return 0;
}

static void partitioned_free(struct measurement *m)
{
    struct partitioned *p = m->state;
    free(p->order);
    if (p->whole != MPI_REQUEST_NULL) {
        MPI_Request_free(&p->whole);
        MPI_Request_free(&p->parts);
    }
}

CALLED_OF(partitioned, whole, start_wait(&k->whole); pattern_tell(m, false, m->comm, TAG_ACK))

/* The server, before its last partition is ready: the delay, if it is the transfer that has one. */
static void delay_last(struct measurement *m)
{
    struct partitions *p = m->recorded;
    const struct clock *c = &m->resources->clock;
    if (p == NULL || !p->delays)
        return;
    double start = c->now();
    p->ready_s = clock_wait_until(c, start + p->delay_s);
    p->waited_s = p->ready_s - start;
}

/* The client with receiver=busy: computes for as long. */
static void be_busy(struct measurement *m)
{
    const struct partitions *p = m->recorded;
    if (p != NULL && p->delays)
        pattern_keep_busy(m, p->delay_s);
}

static void send_parts(struct measurement *m)
{
    struct partitioned *p = m->state;
    int last = m->at.partitions - 1;
    MPI_Start(&p->parts);
    for (int i = 0; i < last; i++)
        MPI_Pready(p->order[i], p->parts);
    delay_last(m);
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
        be_busy(m);
    MPI_Wait(&p->parts, MPI_STATUS_IGNORE);
    pattern_tell(m, false, m->comm, TAG_ACK);
}

CALLED(parts, (pattern_serves(m) ? send_parts : receive_parts)(m))

/* The time of a transfer, whose data are changed before it, as those of a repetition are. */
static double time_of(struct measurement *m, void (*transfer)(struct measurement *))
{
    double (*now)(void) = m->resources->clock.now;
    double start = now();
    transfer(m);
    double end = now();
    if (m->rewrites)
        rewrite_as_server(m);
    return end - start;
}

/* Finds the delay before the first repetition; the server decides for both. */
static void find_delay(struct measurement *m, struct partitions *p)
{
    const struct suite_options *x = &m->suite->options;
    double us[TRIES];
    for (int i = 0; i < TRIES; i++)
        us[i] = 1e6 * time_of(m, parts);
    p->delay_s = x->ready_delay == DELAY_US
                     ? (double)x->ready_delay_us * 1e-6
                     : stats_of(us, TRIES, (struct summing){ 0 }).median_us * 1e-6;
    p->found = true;
    if (pattern_serves(m))
        MPI_Send(&p->delay_s, 1, MPI_DOUBLE, m->peer, TAG_DELAY, m->control);
    else
        MPI_Recv(&p->delay_s, 1, MPI_DOUBLE, m->peer, TAG_DELAY, m->control, MPI_STATUS_IGNORE);
}

/* The two transfers outside of the time. */
static void prepare(struct measurement *m)
{
    struct partitions *p = m->recorded;
    if (p == NULL)
        return;
    if (!p->found)
        find_delay(m, p);
    p->whole_s = time_of(m, whole);
    p->delays = true;
    double start = m->resources->clock.now();
    double all_s = time_of(m, parts);
    p->delays = false;
    all_s -= m->resources->clock.cost_s;
    p->rest_s = all_s - p->waited_s;
    p->after_last_s = start + all_s - p->ready_s;
}

static void batch(struct measurement *m, const struct repetitions *b, void *of)
{
    struct partitions *p = of;
    values_add(&p->whole_us, p->whole_s * 1e6);
    values_add(&p->rest_us, p->rest_s * 1e6);
    values_add(&p->after_last_us, p->after_last_s * 1e6);
    values_add(&p->all_us, b->own_us[0]);
}

static void conclude_partitions(struct measurement *m, double overhead_us, void *of)
{
    struct partitions *p = of;
    struct extra_value whole = recorded_mean(m, &p->whole_us);
    struct extra_value after_last = recorded_mean(m, &p->after_last_us);
    struct extra_value all = recorded_mean(m, &p->all_us);
    struct extra_value rest = extra_quotient(100.0, recorded_mean(m, &p->rest_us), all);
    struct extra_value delay = { p->delay_s * 1e6, 0.0 };
    bool is_set = m->suite->options.ready_delay == DELAY_US;
    double limit = 100.0 * (1.0 - 1.0 / m->at.partitions);
    if (m->rank != 0)
        return;
    m->extra[WHOLE] = (struct extra_value){ whole.value - overhead_us, whole.error };
    m->extra[AFTER_LAST] = after_last;
    m->extra[BANDWIDTH] =
        extra_quotient(1.0, (struct extra_value){ (double)m->at.length, 0.0 }, after_last);
    m->extra[GAIN] = (struct extra_value){ 100.0 - rest.value, rest.error };
    m->extra[LIMIT].value = is_set ? fmin(limit, 100.0 * delay.value / all.value) : limit;
    m->extra[DELAY] = delay;
}

static const struct recorder recorder = {
    .bytes = sizeof(struct partitions),
    .values = 4,
    .batch = batch,
    .conclude = conclude_partitions,
};

static const struct op rows[] = {
    OP("Partitioned", "MPI_Pready of all partitions of a message, then an acknowledgement",
       TYPE_BOUND | TYPE_SINGLE, SENDS_ONE, RECEIVES_ONE, .in = TIMED_P2P_TYPE(269, TIME_MESSAGE),
       .info.needs = NEEDS_PARTITIONS | NEEDS_DERIVED_PARTITIONS,
       .info.options =
           OPTIONS(OPTION_PARTITIONS, OPTION_READY, OPTION_READY_DELAY, OPTION_RECEIVER),
       .info.extra = extra, .recorder = &recorder, .rewrite = rewrite_as_server,
       .origin = from_server,
       .hooks = { .state = sizeof(struct partitioned),
                  .init = partitioned_init,
                  .prepare = prepare,
                  .server_op = send_parts,
                  .client_op = receive_parts,
                  .free = partitioned_free }),
};

OP_FAMILY(partitioned_family, rows);
