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

/* The last repetition, in seconds; rest: of the delayed transfer, without its delay. */
struct transfers {
    double whole_s, rest_s, after_last_s;
};

struct partitions {
    struct values whole_us, rest_us, after_last_us, all_us;
    double delay_s;           /* of the last partition */
    bool found;               /* is it known? */
    bool delays;              /* is it the transfer with a delay? */
    double waited_s, ready_s; /* the delay as it was, and the instant of its end */
    struct transfers latest;
};

/* The data of each transfer are changed before it, as those of a repetition are. */
static double time_of(struct run *r, void (*transfer)(struct run *))
{
    double (*now)(void) = r->machine->clock.now;
    double start = now();
    transfer(r);
    double end = now();
    if (repetition_rewrites(r))
        rewrite_as_server(r);
    return end - start;
}

/* Before the first repetition, the server decides for both. */
static void find_delay(struct run *r, struct partitions *p)
{
    const struct suite_options *x = &r->suite->options;
    const struct partition_hooks *h = r->form;
    double us[TRIES];
    for (int i = 0; i < TRIES; i++)
        us[i] = 1e6 * time_of(r, h->partitioned);
    p->delay_s = x->ready_delay == DELAY_US
                     ? (double)x->ready_delay_us * 1e-6
                     : stats_of(us, TRIES, (struct summing){ 0 }).median_us * 1e-6;
    p->found = true;
    if (pattern_serves(r))
        MPI_Send(&p->delay_s, 1, MPI_DOUBLE, r->peer, TAG, r->control);
    else
        MPI_Recv(&p->delay_s, 1, MPI_DOUBLE, r->peer, TAG, r->control, MPI_STATUS_IGNORE);
}

void partitions_prepare(struct run *r)
{
    const struct partition_hooks *h = r->form;
    struct partitions *p = r->recorded;
    if (p == NULL)
        return;
    if (!p->found)
        find_delay(r, p);
    double whole_s = time_of(r, h->whole);
    p->delays = true;
    double start = r->machine->clock.now();
    double all_s = time_of(r, h->partitioned);
    p->delays = false;
    all_s -= r->machine->clock.cost_s;
    p->latest = (struct transfers){ whole_s, all_s - p->waited_s, start + all_s - p->ready_s };
}

void partitions_delay(struct run *r)
{
    struct partitions *p = r->recorded;
    const struct clock *c = &r->machine->clock;
    if (p == NULL || !p->delays)
        return;
    double start = c->now();
    p->ready_s = clock_wait_until(c, start + p->delay_s);
    p->waited_s = p->ready_s - start;
}

void partitions_busy(struct run *r)
{
    const struct partitions *p = r->recorded;
    if (p != NULL && p->delays)
        pattern_keep_busy(r, p->delay_s);
}

static void batch(struct run *r, const struct repetitions *b, void *of)
{
    struct partitions *p = of;
    values_add(&p->whole_us, p->latest.whole_s * 1e6);
    values_add(&p->rest_us, p->latest.rest_s * 1e6);
    values_add(&p->after_last_us, p->latest.after_last_s * 1e6);
    values_add(&p->all_us, b->own_us[0]);
}

static void conclude(struct run *r, double overhead_us, void *of)
{
    struct partitions *p = of;
    struct extra_value whole = recorded_mean(r, &p->whole_us);
    struct extra_value after_last = recorded_mean(r, &p->after_last_us);
    struct extra_value all = recorded_mean(r, &p->all_us);
    struct extra_value rest = extra_quotient(100.0, recorded_mean(r, &p->rest_us), all);
    struct extra_value delay = { p->delay_s * 1e6, 0.0 };
    bool is_set = r->suite->options.ready_delay == DELAY_US;
    double limit = 100.0 * (1.0 - 1.0 / r->at.partitions);
    if (r->rank != 0)
        return;
    r->extra[WHOLE] = (struct extra_value){ whole.value - overhead_us, whole.error };
    r->extra[AFTER_LAST] = after_last;
    r->extra[BANDWIDTH] =
        extra_quotient(1.0, (struct extra_value){ (double)r->at.length, 0.0 }, after_last);
    r->extra[GAIN] = (struct extra_value){ 100.0 - rest.value, rest.error };
    r->extra[LIMIT].value = is_set ? fmin(limit, 100.0 * delay.value / all.value) : limit;
    r->extra[DELAY] = delay;
}

const struct recorder partitions_recorder = {
    .bytes = sizeof(struct partitions),
    .values = 4,
    .batch = batch,
    .conclude = conclude,
};
