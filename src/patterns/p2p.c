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

static double time_of_calls(struct run *r, const struct op *op, int calls)
{
    double (*now)(void) = r->machine->clock.now;
    double start = now();
    pattern_calls(r, op, calls);
    return now() - start;
}

/* More than one in a repetition if the pattern makes a value of them. */
static int starts_of(const struct run *r)
{
    const struct common_start *w = pattern_of(r->suite)->common;
    return w == NULL ? 1 : w->starts;
}

/* Rank 0: start i of an exchange took that time; us: those of the repetition so far. */
static void add(struct run *r, struct series *s, int i, double time, int calls, double *us)
{
    int starts = starts_of(r);
    us[i % starts] = time / calls * 1e6;
    if (starts == 1)
        series_add_calls(s, time, calls);
    else if (i % starts == starts - 1)
        series_add(s, 1e-6 * pattern_of(r->suite)->common->value(us, starts, r->recorded));
}

/* One side's part of n + 1 starts. s is NULL in a warm-up. */
static void exchange(struct run *r, const struct op *op, struct series *s, int n)
{
    double us[MAX_STARTS];
    for (int i = 0; i <= n; i++) {
        int calls = i == 0 ? 1 : r->calls;
        recorder_before(r, i == 0 ? 0 : i - 1);
        repetition_next(r, op, calls);
        pattern_prepare(r, op);
        if (r->suite->options.paced)
            pattern_tell(r, false, r->control, TAG_READY);
        double time = time_of_calls(r, op, calls) - recorder_readings_s(r);
        pattern_finalize(r, op);
        if (i == 0)
            pattern_first_call(r, time);
        else if (s != NULL)
            recorder_take(r, s, time / calls);
        if (i > 0 && s != NULL && r->rank == 0)
            add(r, s, i - 1, time, calls, us);
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
static double time_to_send(const struct run *r)
{
    double us[SEND_EXCHANGES];
    p2p_ask(r->machine, r->at.partner, us, SEND_EXCHANGES);
    return 0.5e-6 * shortest(us, SEND_EXCHANGES);
}

/* Waits until the client has the number and is ready; in an exchange, both then start together. */
static void announce(struct run *r, int n, double to_send_s)
{
    const struct clock *c = &r->machine->clock;
    double start = c->now();
    MPI_Send(&n, 1, MPI_INT, r->at.partner, TAG_BATCH, r->control);
    clock_wait_until(c, start + to_send_s);
}

static void measure_as_server(struct run *r, const struct op *op, struct series *s)
{
    int n = r->warmup;
    double to_send_s = time_to_send(r);
    if (n > 0) {
        announce(r, n, to_send_s);
        exchange(r, op, NULL, n);
    }
    do {
        n = series_next(s, r->machine->clock.now()) * starts_of(r);
        announce(r, n, to_send_s);
        if (n > 0)
            exchange(r, op, s, n);
    } while (n > 0);
}

static void measure_as_client(struct run *r, const struct op *op, struct series *s)
{
    p2p_echo(r->machine);
    for (bool warm = r->warmup == 0;; warm = true) {
        int n;
        control_receive(&r->machine->clock, &n, 1, MPI_INT, 0, TAG_BATCH, r->control);
        if (n == 0)
            return;
        exchange(r, op, warm ? s : NULL, n);
    }
}

static int measure(struct run *r, const struct op *op, struct series *s, struct err *e)
{
    if (r->rank == 0)
        measure_as_server(r, op, s);
    else
        measure_as_client(r, op, s);
    return 0;
}

/* The first exchange is not counted: the other process may have been asleep. Its message contains
 * the number of exchanges that follow. */
void p2p_ask(struct machine *m, int other, double *us, int n)
{
    int message = n;
    for (int i = 0; i <= n; i++) {
        double start = m->clock.now();
        MPI_Send(&message, 1, MPI_INT, other, TAG_LATENCY, m->control);
        control_receive(&m->clock, &message, 1, MPI_INT, other, TAG_LATENCY, m->control);
        us[i == 0 ? 0 : i - 1] = (m->clock.now() - start) * 1e6;
    }
}

/* If processes share a CPU, a waiting process yields it to the others. */
static int receive(struct machine *m)
{
    int message;
    struct clock patient = m->clock;
    patient.naps = m->clock.naps || m->clock.yield;
    control_receive(&patient, &message, 1, MPI_INT, 0, TAG_LATENCY, m->control);
    return message;
}

int p2p_echo(struct machine *m)
{
    int n = receive(m), message = n;
    for (int i = 0; i <= n && n > 0; i++) {
        if (i > 0)
            control_receive(&m->clock, &message, 1, MPI_INT, 0, TAG_LATENCY, m->control);
        MPI_Send(&message, 1, MPI_INT, 0, TAG_LATENCY, m->control);
    }
    return n;
}

static void measure_latency(struct machine *m, int other, int n)
{
    double us[EXACT_EXCHANGES];
    p2p_ask(m, other, us, n);
    m->latency_us[other] = shortest(us, n);
}

static void measure_latencies(struct machine *m, bool *exact, int processes)
{
    struct nearness search = nearness_start(m->latency_us, exact, processes);
    const int done = 0;
    for (int i = 1; i < processes; i++)
        measure_latency(m, i, FIRST_EXCHANGES);
    for (int i = nearness_next(&search); i > 0; i = nearness_next(&search)) {
        measure_latency(m, i, EXACT_EXCHANGES);
        exact[i] = true;
    }
    for (int i = 1; i < processes; i++)
        MPI_Send(&done, 1, MPI_INT, i, TAG_LATENCY, m->control);
}

int p2p_latencies(struct machine *m, int processes, struct err *e)
{
    size_t bytes = (size_t)m->size * sizeof(bool);
    bool *exact = m->rank == 0 ? calloc(1, bytes) : NULL;
    int rc = m->rank == 0 && exact == NULL ? err_no_memory(e, bytes) : 0;
    if (ranks_agree(m->control, rc, e) != 0)
        return -1;
    if (m->rank == 0)
        measure_latencies(m, exact, processes);
    else if (m->rank < processes)
        while (p2p_echo(m) > 0)
            ;
    free(exact);
    return 0;
}

/* Rank 0, after p2p_latencies: the client, among the first processes. */
static int partner(const struct machine *m, const struct suite *s, long argument)
{
    int processes = s->variation == VARY_NODES ? (int)argument : m->size;
    if (s->variation == VARY_DISTANCE)
        return (int)argument;
    if (s->options.partner == PARTNER_RANK)
        return (int)s->options.partner_rank;
    return s->options.partner == PARTNER_NEAREST ? nearness_nearest(m->latency_us, processes)
                                                 : nearness_farthest(m->latency_us, processes);
}

/* The times of server and client. */
static int node_times(struct run *r, const struct series *s, int repetition, double *node_us)
{
    if (r->rank != 0) {
        control_receive(&r->machine->clock, &repetition, 1, MPI_INT, 0, 0, r->control);
        double own = values_get(&s->own, repetition);
        MPI_Send(&own, 1, MPI_DOUBLE, 0, 0, r->control);
        return 2;
    }
    node_us[0] = values_get(&s->own, repetition);
    MPI_Send(&repetition, 1, MPI_INT, r->at.partner, 0, r->control);
    control_receive(&r->machine->clock, &node_us[1], 1, MPI_DOUBLE, r->at.partner, 0, r->control);
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
