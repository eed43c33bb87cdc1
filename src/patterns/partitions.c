#include "patterns/partitions.h"

enum { TAG = 4, TRIES = 9 };

enum { WHOLE, AFTER_LAST, BANDWIDTH, GAIN, LIMIT, DELAY };

const struct extra_info partitions_extra[MAX_EXTRA + 1] = {
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
    const struct partition_hooks *h = m->form;
    double us[TRIES];
    for (int i = 0; i < TRIES; i++)
        us[i] = 1e6 * time_of(m, h->partitioned);
    p->delay_s = x->ready_delay == DELAY_US
                     ? (double)x->ready_delay_us * 1e-6
                     : stats_of(us, TRIES, (struct summing){ 0 }).median_us * 1e-6;
    p->found = true;
    if (pattern_serves(m))
        MPI_Send(&p->delay_s, 1, MPI_DOUBLE, m->peer, TAG, m->control);
    else
        MPI_Recv(&p->delay_s, 1, MPI_DOUBLE, m->peer, TAG, m->control, MPI_STATUS_IGNORE);
}

void partitions_prepare(struct measurement *m)
{
    const struct partition_hooks *h = m->form;
    struct partitions *p = m->recorded;
    if (p == NULL)
        return;
    if (!p->found)
        find_delay(m, p);
    p->whole_s = time_of(m, h->whole);
    p->delays = true;
    double start = m->resources->clock.now();
    double all_s = time_of(m, h->partitioned);
    p->delays = false;
    all_s -= m->resources->clock.cost_s;
    p->rest_s = all_s - p->waited_s;
    p->after_last_s = start + all_s - p->ready_s;
}

void partitions_delay(struct measurement *m)
{
    struct partitions *p = m->recorded;
    const struct clock *c = &m->resources->clock;
    if (p == NULL || !p->delays)
        return;
    double start = c->now();
    p->ready_s = clock_wait_until(c, start + p->delay_s);
    p->waited_s = p->ready_s - start;
}

void partitions_busy(struct measurement *m)
{
    const struct partitions *p = m->recorded;
    if (p != NULL && p->delays)
        pattern_keep_busy(m, p->delay_s);
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

const struct recorder partitions_recorder = {
    .bytes = sizeof(struct partitions),
    .values = 4,
    .batch = batch,
    .conclude = conclude_partitions,
};
