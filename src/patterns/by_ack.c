/* A broadcast measured without a global clock (B. R. de Supinski, N. T. Karonis: Accurately
 * measuring MPI broadcasts in a computational grid, HPDC 1999), to check the synchronised
 * measurement. After each call of the operation, one process sends the root an empty message. The
 * root's time until it arrives, less half of an empty round trip with that process, is the time at
 * which that process finished. A repetition has one call for each process that acknowledges, and
 * one for the root itself; its time is the longest of these.
 *
 * An untimed barrier precedes each call; while a process acknowledges, the others are silent. */
#include "patterns/asked.h"
#include "patterns/pattern.h"

#include <limits.h>

enum { EXTRA_ASKED, EXTRA_WAY };

static const struct extra_info extra[] = {
    [EXTRA_ASKED] = { "acknowledged", NULL, "number of processes that acknowledged" },
    [EXTRA_WAY] = { "way", "microsec.",
                    "longest half of an empty round trip, from which acknowledgements may differ" },
    { NULL, NULL, NULL },
};

/* One call that a process acknowledges. Returns, on the root, the time until the acknowledgement
 * arrives; if the root itself is that process, until it has finished. */
static double acknowledged_call(struct run *r, const struct op *op, const struct asked *a, int rank)
{
    bool at_root = r->rank == 0;
    repetition_next(r, op, 1);
    double start = asked_start(r, a);
    pattern_calls(r, op, 1);
    if (at_root && rank != 0)
        asked_await(r, rank);
    else if (!at_root && r->rank == rank)
        asked_acknowledge(r);
    double time = at_root ? r->machine->clock.now() - start : 0.0;
    pattern_finalize(r, op);
    return time;
}

static double repetition(struct run *r, const struct op *op, const struct asked *a)
{
    double longest = acknowledged_call(r, op, a, 0);
    for (int i = 0; i < a->count; i++) {
        double time = acknowledged_call(r, op, a, a->ranks[i]) - a->way_s[i];
        longest = time > longest ? time : longest;
    }
    return longest;
}

/* s is NULL in a warm-up. */
static void repeat(struct run *r, const struct op *op, const struct asked *a, struct series *s,
                   int n)
{
    for (int i = 0; i < n; i++) {
        double time = repetition(r, op, a);
        if (s != NULL && r->rank == 0)
            series_add(s, time);
    }
}

static int measure(struct run *r, const struct op *op, struct series *s, struct err *e)
{
    struct asked a = { .count = 0 };
    int n;
    (void)e;
    pattern_first_call(r, acknowledged_call(r, op, &a, 0));
    asked_choose(&a, r, op);
    r->extra[EXTRA_ASKED].value = a.count;
    r->extra[EXTRA_WAY] = (struct extra_value){ a.longest_us, a.longest_error_us };
    repeat(r, op, &a, NULL, 1 + r->params->cache_warmup);
    while ((n = pattern_next_batch(r, s, INT_MAX)) > 0)
        repeat(r, op, &a, s, n);
    return 0;
}

const struct pattern by_ack_pattern = {
    .info = { .prefix = "check",
              .title = "Check",
              .section = "Checks of the clock",
              .place = 70,
              .variations = VARIES_LENGTH | VARIES_NODES,
              .time = TIME_LAST_ACKNOWLEDGED,
              .start = START_BARRIER,
              .processes = "all",
              .first_call_on = "the root, rank 0",
              .extra = extra },
    .measure = measure,
    .can_measure = pattern_has_server_op,
};
