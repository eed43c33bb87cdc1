/* Ping-pong (manual 3.1.2): rank 0 is the server; its server_op, a full round trip, is timed. Only
 * the operation runs between the two clock readings; the number of repetitions to come is sent in a
 * separate message. The first repetition after such a message is not counted: the client may still
 * be processing the message. If both sides send first, the other's message may arrive early in
 * every second call; two successive calls still take the time of two, and are timed as one interval
 * (struct op's calls).
 *
 * Paced, the client sends an empty message before each repetition when it has rewritten its data,
 * and the server reads its clock after that. */
#include "hosts/nearness.h"
#include "patterns/common_start.h"

enum {
    TAG_BATCH = 1,
    TAG_LATENCY = 2,
    TAG_READY = 3,
    SEND_EXCHANGES = 4,
    FIRST_EXCHANGES = 3,  /* with each process */
    EXACT_EXCHANGES = 64, /* with each that may be the nearest or the farthest */
    MAX_STARTS = 4
};

static double time_of_calls(struct measurement *m, const struct op *op, int calls)
{
    double (*now)(void) = m->resources->clock.now;
    double start = now();
    pattern_calls(m, op, calls);
    return now() - start;
}

/* The starts of a repetition: more than one if the pattern makes a value of them. */
static int starts_of(const struct measurement *m)
{
    const struct common_start *w = pattern_of(m->suite)->common;
    return w == NULL ? 1 : w->starts;
}

/* Adds the time of start i of an exchange, on rank 0; us: those of the repetition so far. */
static void add(struct measurement *m, struct series *s, int i, double time, int calls, double *us)
{
    int starts = starts_of(m);
    us[i % starts] = time / calls * 1e6;
    if (starts == 1)
        series_add_calls(s, time, calls);
    else if (i % starts == starts - 1)
        series_add(s, 1e-6 * pattern_of(m->suite)->common->value(us, starts, m->recorded));
}

/* Makes one side's part of n + 1 starts. s is NULL in a warm-up. */
static void exchange(struct measurement *m, const struct op *op, struct series *s, int n)
{
    double us[MAX_STARTS];
    for (int i = 0; i <= n; i++) {
        int calls = i == 0 ? 1 : m->calls;
        recorder_before(m, i == 0 ? 0 : i - 1);
        repetition_next(m, op, calls);
        pattern_prepare(m, op);
        if (m->suite->options.paced)
            pattern_tell(m, false, m->control, TAG_READY);
        double time = time_of_calls(m, op, calls) - recorder_readings_s(m);
        pattern_finalize(m, op);
        if (i == 0)
            pattern_first_call(m, time);
        else if (s != NULL)
            recorder_take(m, s, time / calls);
        if (i > 0 && s != NULL && m->rank == 0)
            add(m, s, i - 1, time, calls, us);
    }
}

static double shortest(const double *us, int n)
{
    double min = us[0];
    for (int i = 1; i < n; i++)
        min = us[i] < min ? us[i] : min;
    return min;
}

/* How long a short message to the client takes. */
static double time_to_send(const struct measurement *m)
{
    double us[SEND_EXCHANGES];
    p2p_ask(m->resources, m->at.partner, us, SEND_EXCHANGES);
    return 0.5e-6 * shortest(us, SEND_EXCHANGES);
}

/* Waits until the client has the number and is ready; in an exchange, both then start together. */
static void announce(struct measurement *m, int n, double to_send_s)
{
    const struct clock *c = &m->resources->clock;
    double start = c->now();
    MPI_Send(&n, 1, MPI_INT, m->at.partner, TAG_BATCH, m->control);
    clock_wait_until(c, start + to_send_s);
}

static void measure_as_server(struct measurement *m, const struct op *op, struct series *s)
{
    int n = m->warmup;
    double to_send_s = time_to_send(m);
    if (n > 0) {
        announce(m, n, to_send_s);
        exchange(m, op, NULL, n);
    }
    do {
        n = series_next(s, m->resources->clock.now()) * starts_of(m);
        announce(m, n, to_send_s);
        if (n > 0)
            exchange(m, op, s, n);
    } while (n > 0);
}

static void measure_as_client(struct measurement *m, const struct op *op, struct series *s)
{
    p2p_echo(m->resources);
    for (bool warm = m->warmup == 0;; warm = true) {
        int n;
        control_receive(&m->resources->clock, &n, 1, MPI_INT, 0, TAG_BATCH, m->control);
        if (n == 0)
            return;
        exchange(m, op, warm ? s : NULL, n);
    }
}

static int measure(struct measurement *m, const struct op *op, struct series *s, struct err *e)
{
    if (m->rank == 0)
        measure_as_server(m, op, s);
    else
        measure_as_client(m, op, s);
    return 0;
}

/* The first exchange is not counted: the other process may have been asleep. Its message contains
 * the number of exchanges that follow. */
void p2p_ask(struct resources *res, int other, double *us, int n)
{
    int message = n;
    for (int i = 0; i <= n; i++) {
        double start = res->clock.now();
        MPI_Send(&message, 1, MPI_INT, other, TAG_LATENCY, res->control);
        control_receive(&res->clock, &message, 1, MPI_INT, other, TAG_LATENCY, res->control);
        us[i == 0 ? 0 : i - 1] = (res->clock.now() - start) * 1e6;
    }
}

/* Receives; if processes share a CPU, a waiting process yields it to the others. */
static int receive(struct resources *res)
{
    int message;
    struct clock patient = res->clock;
    patient.naps = res->clock.naps || res->clock.yield;
    control_receive(&patient, &message, 1, MPI_INT, 0, TAG_LATENCY, res->control);
    return message;
}

int p2p_echo(struct resources *res)
{
    int n = receive(res), message = n;
    for (int i = 0; i <= n && n > 0; i++) {
        if (i > 0)
            control_receive(&res->clock, &message, 1, MPI_INT, 0, TAG_LATENCY, res->control);
        MPI_Send(&message, 1, MPI_INT, 0, TAG_LATENCY, res->control);
    }
    return n;
}

static void measure_latency(struct resources *res, int other, int n)
{
    double us[EXACT_EXCHANGES];
    p2p_ask(res, other, us, n);
    res->latency_us[other] = shortest(us, n);
}

static void measure_latencies(struct resources *res, bool *exact, int processes)
{
    struct nearness search = nearness_start(res->latency_us, exact, processes);
    const int done = 0;
    for (int i = 1; i < processes; i++)
        measure_latency(res, i, FIRST_EXCHANGES);
    for (int i = nearness_next(&search); i > 0; i = nearness_next(&search)) {
        measure_latency(res, i, EXACT_EXCHANGES);
        exact[i] = true;
    }
    for (int i = 1; i < processes; i++)
        MPI_Send(&done, 1, MPI_INT, i, TAG_LATENCY, res->control);
}

int p2p_latencies(struct resources *res, int processes, struct err *e)
{
    size_t bytes = (size_t)res->size * sizeof(bool);
    bool *exact = res->rank == 0 ? calloc(1, bytes) : NULL;
    int rc = res->rank == 0 && exact == NULL ? err_no_memory(e, bytes) : 0;
    if (ranks_agree(res->control, rc, e) != 0)
        return -1;
    if (res->rank == 0)
        measure_latencies(res, exact, processes);
    else if (res->rank < processes)
        while (p2p_echo(res) > 0)
            ;
    free(exact);
    return 0;
}

/* Rank 0, after p2p_latencies: the client, among the first processes. */
static int partner(const struct resources *res, const struct suite *s, const struct setting *at)
{
    if (at->partner > 0)
        return at->partner;
    if (s->options.partner == PARTNER_RANK)
        return (int)s->options.partner_rank;
    return s->options.partner == PARTNER_NEAREST
               ? nearness_nearest(res->latency_us, at->processes)
               : nearness_farthest(res->latency_us, at->processes);
}

static int node_times(struct measurement *m, const struct series *s, int repetition,
                      double *node_us)
{
    if (m->rank != 0) {
        control_receive(&m->resources->clock, &repetition, 1, MPI_INT, 0, 0, m->control);
        double own = values_get(&s->own, repetition);
        MPI_Send(&own, 1, MPI_DOUBLE, 0, 0, m->control);
        return 2;
    }
    node_us[0] = values_get(&s->own, repetition);
    MPI_Send(&repetition, 1, MPI_INT, m->at.partner, 0, m->control);
    control_receive(&m->resources->clock, &node_us[1], 1, MPI_DOUBLE, m->at.partner, 0, m->control);
    return 2;
}

const struct pattern p2p_pattern = {
    PATTERN_INFO("p2p", "Point-to-Point", "Point-to-point", 10,
                 .variations = VARIES_LENGTH | VARIES_NODES | VARIES_DISTANCE,
                 .traits = PATTERN_ONE_PAIR | PATTERN_OWN_TIMES,
                 .options = OPTIONS(OPTION_PARTNER, OPTION_METHOD, OPTION_PACED, OPTION_LOOP,
                                    OPTION_NEIGHBOURS, OPTION_COUNTS),
                 .time = TIME_ROUND_TRIP, .rate = RATE_BOTH_WAYS, .start = START_OWN,
                 .processes = "rank 0 and its partner", .first_call_on = "the server, rank 0"),
    .measure = measure,
    .can_measure = pattern_has_both_sides,
    .partner = partner,
    .node_times = node_times,
};
