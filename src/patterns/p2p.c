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
#include "model/others.h"
#include "patterns/common_start.h"

enum { TAG_BATCH = 1, TAG_READY = 3, SEND_EXCHANGES = 4, MAX_STARTS = 4 };

/* The starts of a repetition: more than one if the pattern makes a value of them. */
static int starts_of(const struct measurement *m)
{
    return m->pattern->common == NULL ? 1 : m->pattern->common->starts;
}

/* Adds the time of start i of an exchange, on rank 0; us: those of the repetition so far. */
static void add(struct measurement *m, struct series *s, int i, double time, int calls, double *us)
{
    int starts = starts_of(m);
    us[i % starts] = time / calls * 1e6;
    if (starts == 1)
        series_add_calls(s, time, calls);
    else if (i % starts == starts - 1)
        series_add(s, 1e-6 * m->pattern->common->value(us, starts, m->recorded));
}

/* Makes one side's part of n + 1 starts. s is NULL in a warm-up. */
static void exchange(struct measurement *m, const struct op *op, struct series *s, int n)
{
    double us[MAX_STARTS];
    double (*now)(void) = m->resources->clock.now;
    const int parts = suite_shares(m->suite);
    const bool recorded = m->recorder != NULL || suite_keeps_own_times(m->suite);
    for (int i = 0; i <= n; i++) {
        int calls = i == 0 ? 1 : m->calls;
        recorder_before(m, i == 0 ? 0 : i - 1);
        repetition_next(m, op, calls);
        pattern_prepare(m, op);
        if (m->suite->options.paced)
            pattern_tell(m, false, m->control, TAG_READY);
        double start = now();
        pattern_calls(m, op, calls);
        double time = now() - start - recorder_readings_s(m);
        pattern_finalize(m, op);
        if (i == 0)
            pattern_first_call(m, s, time);
        else if (s != NULL && recorded)
            recorder_take(m, s, time / (calls * parts));
        if (i > 0 && s != NULL && m->rank == 0)
            add(m, s, i - 1, time, calls * parts, us);
    }
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
    double us[SEND_EXCHANGES];
    double to_send_s = 0.5e-6 * latency_ask(m->resources, m->at.partner, us, SEND_EXCHANGES);
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
    latency_answer(m->resources);
    for (bool warm = m->warmup == 0;; warm = true) {
        int n;
        control_receive(&m->resources->clock, &n, 1, MPI_INT, 0, TAG_BATCH, m->control);
        if (n == 0)
            return;
        exchange(m, op, warm ? s : NULL, n);
    }
}

static void measure_pair(struct measurement *m, const struct op *op, struct series *s)
{
    if (m->rank == 0)
        measure_as_server(m, op, s);
    else
        measure_as_client(m, op, s);
}

/* Rank 0, after resources_latencies: the client, among the first processes. */
static int partner(const struct resources *res, const struct suite *suite, const struct setting *at)
{
    if (at->partner > 0)
        return at->partner;
    if (suite->options.partner == PARTNER_RANK)
        return (int)suite->options.partner_rank;
    return nearness_choose(res->latency_us, at->processes,
                           suite->options.partner != PARTNER_NEAREST);
}

const struct pattern p2p_pattern = {
    PATTERN_INFO("p2p", "Point-to-Point", "Point-to-point", 10,
                 .variations = VARIES_LENGTH | VARIES_NODES | VARIES_DISTANCE,
                 .traits = PATTERN_ONE_PAIR | PATTERN_OWN_TIMES | PATTERN_STAGES | PATTERN_THREADS |
                           PATTERN_TAGS,
                 .options = OPTIONS(OPTION_PARTNER, OPTION_METHOD, OPTION_PACED, OPTION_LOOP,
                                    OPTION_NEIGHBOURS, OPTION_COUNTS, OPTION_AS),
                 .time = TIME_ROUND_TRIP, .rate = RATE_BOTH_WAYS, .start = START_OWN,
                 .processes = "rank 0 and its partner", .first_call_on = "the server, rank 0"),
    .measure = measure_pair,
    .needs = HOOKS_SIDES,
    .partner = partner,
    .node_times = true,
};
