/* Calls to which a process comes late (types 272 to 278), for the self test. The delay is part of
 * the measured interval, and its length is known from the host's clock, so that the measurement
 * should find it. A repetition has a start without a delay and one with each delay. Only the
 * calls that these types add to the operations of other types are delayed. */
#include "patterns/common_start.h"
#include "patterns/op.h"

enum { TAG = 1, STARTS = 4, LONGEST = STARTS - 1, SHORTER = 2, ALONE = SHORTER, MORE, KEPT = 5 };

#define LONGEST_S 100e-6
static const double DELAYS_S[STARTS] = { 0.0, 1e-6, 10e-6, LONGEST_S };

static const struct extra_info extra[MAX_EXTRA + 1] = {
    { "added_1", "microsec.", "what a delay of 1 microsec. adds" },
    { "added_10", "microsec.", "what a delay of 10 microsec. adds" },
    [ALONE] = { "alone", "microsec.", "the time of the call without a delay" },
    [MORE] = { "more_10", "microsec.", "what a delay of 10 microsec. adds to one of 1" },
    { "more_100", "microsec.", "what a delay of 100 microsec. adds to one of 10" },
};

/* The additions of the shorter delays, the time without one, all additions, and the start. */
struct delayed {
    struct values kept[KEPT];
    int start, repetition;
};

static void init(void *of, struct measurement *m, const struct op *op)
{
    struct delayed *d = of;
    d->start = LONGEST; /* slots have room for it */
}

static void before(struct measurement *m, int i, void *of)
{
    struct delayed *d = of;
    d->start = i % STARTS;
    d->repetition = i / STARTS;
}

/* If none may leave before all have come, the others' times count: the late one has the delay. */
static bool is_counted(const struct measurement *m, int i, const void *of)
{
    return (m->suite->type->traits & TYPE_ROOTED) != 0 || m->all.rank != m->at.partner;
}

/* The addition of the longest delay, on rank 0. */
static double value(const double *us, int starts, void *of)
{
    struct delayed *d = of;
    for (int i = 0; i < SHORTER; i++) {
        values_add(&d->kept[i], us[i + 1] - us[0]);
        values_add(&d->kept[MORE + i], us[i + 2] - us[i + 1]);
    }
    values_add(&d->kept[ALONE], us[0]);
    return us[LONGEST] - us[0];
}

static void conclude_delays(struct measurement *m, double overhead_us, void *of)
{
    const struct delayed *d = of;
    for (int i = 0; i < KEPT && m->all.rank == 0; i++)
        m->extra[i] = recorded_mean(m, &d->kept[i]);
}

static void measure_delayed(struct measurement *m, const struct op *op, struct series *s)
{
    (pattern_is_pair(m) ? p2p_pattern.measure : common_start_measure)(m, op, s);
}

const struct pattern delayed_pattern = {
    PATTERN_INFO("delayed", "Delayed", "Delayed calls", 61, .variations = VARIES_NONE,
                 .traits = PATTERN_PER_PROCESS | PATTERN_GLOBAL_CLOCK, .time = TIME_ADDED,
                 .processes = "all; of a ping-pong, rank 0 and the process", STARTS_BY_CLOCK,
                 .extra = extra),
    .measure = measure_delayed,
    .common =
        &(const struct common_start){
            .counts = is_counted, .starts = STARTS, .value = value, .least_s = LONGEST_S },
    RECORDER(struct delayed, KEPT, .init = init, .before = before, .conclude = conclude_delays),
};

/* Delays both sides of a pair in turn. Without a delay, the clock is read as well. */
static void delay(const struct measurement *m)
{
    const struct delayed *d = m->recorded;
    int late = pattern_is_pair(m) && d->repetition % 2 == 0 ? 0 : m->at.partner;
    if (m->rank != late)
        return;
    double begun = hostclock_now();
    while (hostclock_now() - begun < DELAYS_S[d->start])
        ;
}

/* Defines a call to which a process comes late. Its numbers are in the tables of counts. */
#define LATE(function, ...)                                                                        \
    static void function(struct measurement *m)                                                    \
    {                                                                                              \
        delay(m);                                                                                  \
        __VA_ARGS__;                                                                               \
    }
#define OWN m->send.counts, 1, MPI_INT
#define ALL m->receive.counts, 1, MPI_INT

LATE(barrier, MPI_Barrier(m->comm))
LATE(allreduce, MPI_Allreduce(m->send.counts, ALL, MPI_SUM, m->comm))
LATE(alltoall, MPI_Alltoall(OWN, ALL, m->comm))
LATE(bcast, MPI_Bcast(OWN, m->root, m->comm))
LATE(reduce, MPI_Reduce(m->send.counts, ALL, MPI_SUM, m->root, m->comm))
LATE(gather, MPI_Gather(OWN, ALL, m->root, m->comm))

static void serve(struct measurement *m)
{
    int one = 1;
    delay(m);
    MPI_Send(&one, 1, MPI_INT, m->at.partner, TAG, m->comm);
    MPI_Recv(&one, 1, MPI_INT, m->at.partner, TAG, m->comm, MPI_STATUS_IGNORE);
}

/* Answers late: a delay before the message comes would pass while it is under way. */
static void answer(struct measurement *m)
{
    int one;
    MPI_Recv(&one, 1, MPI_INT, 0, TAG, m->comm, MPI_STATUS_IGNORE);
    delay(m);
    MPI_Send(&one, 1, MPI_INT, 0, TAG, m->comm);
}

#define DELAYED(number, name, traits, ...)                                                         \
    OP(name, name ", and a process that comes late", traits,                                       \
       .in = { { &delayed_pattern, number } }, .hooks = { __VA_ARGS__ })

static const struct op rows[] = {
    DELAYED(272, "MPI_Barrier", 0, .server_op = barrier),
    DELAYED(273, "MPI_Allreduce", 0, .server_op = allreduce),
    DELAYED(274, "MPI_Alltoall", 0, .server_op = alltoall),
    DELAYED(275, "MPI_Send-MPI_Recv", TYPE_OF_OTHERS | TYPE_ONE_PAIR, .server_op = serve,
            .client_op = answer),
    DELAYED(276, "MPI_Bcast", TYPE_ROOTED, .server_op = bcast),
    DELAYED(277, "MPI_Reduce", TYPE_ROOTED, .server_op = reduce),
    DELAYED(278, "MPI_Gather", TYPE_ROOTED, .server_op = gather),
};

OP_FAMILY(delayed_family, rows);
