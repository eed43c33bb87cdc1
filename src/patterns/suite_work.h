/* A suite that is measured, for suite*.c alone: each process has one; rank 0 gives the orders. */
#pragma once

#include "merge/passes.h"
#include "patterns/suite.h"
#include "patterns/pattern.h"

/* The order that rank 0 sends to all others: before each argument, or before several whose visits
 * are so short that nothing has to be decided between them. */
enum { ORDER_MOST = 8 };
struct order {
    enum order_kind {
        ORDER_END,
        ORDER_PAUSE,
        ORDER_GIVE_UP,
        ORDER_STOP,
        ORDER_VERIFY,
        ORDER_WRITE_TIMES, /* from here on: work of a turn */
        ORDER_MARK,
        ORDER_MEASURE
    } what;
    bool check_clock; /* before measuring */
    bool alone;       /* measure the overhead and the operation's part first */
    bool naps;        /* in control messages, from now on */
    int visit;
    double left_s;  /* of all limits of time; INFINITY without any */
    bool may_leave; /* no row is better than a call that ends after it */
    int count;
    struct order_for {
        long argument;
        int partner, visits; /* visits 0: the first one fixes their number */
    } at, list[ORDER_MOST];  /* at: that of the list which is obeyed */
};

/* The times of an argument's repetitions (histogram, raw) in all visits, until they are written. */
struct argument_times {
    long argument;
    double *own_us, *us; /* owned; of this process, and, at home, of all; as long as n, own_n */
    int own_n, n, late, invalid;
};

struct kept_times {
    struct argument_times *list; /* owned; in the order of the first pass */
    size_t count, capacity;
};

/* Adds the times of a series that was sent home. */
void times_keep(struct kept_times *k, struct measurement *m, const struct series *s, long argument);

/* Called by all processes that take part, in a run that is prepared for the argument. file: at home
 * only; one that is NULL or cannot be written gets nothing. */
void times_send_home(struct measurement *m, const struct kept_times *k, long argument,
                     struct times_file *file);

void times_release(struct kept_times *k);

/* Plan and block on rank 0 only. */
struct suite_work {
    struct suite_job job;
    struct measurement run; /* in a turn */
    struct plan *plan;
    struct block block;
    struct passes passes;
    struct kept_times times;   /* of all repetitions, if the suite keeps them */
    size_t written;            /* number of arguments whose times were written */
    const struct order *order; /* borrowed; that is obeyed */
    double began_s;            /* the visit */
    double end_s;              /* of an order, by its left_s */
    int turns;                 /* that are over */
    bool last;                 /* rank 0: this is the last one */
    bool marked;               /* rank 0 has all processes' marks of the turn */
    double until_s;            /* rank 0: of suite_end_at, */
    bool shared;               /* and its more */
    double call_s;             /* rank 0: of an argument that was left for want of time; else 0 */
    bool recalled;             /* by suite_recall */
    double started_s;          /* the turn */
    double spent_s;            /* in earlier turns */
    double first_s, last_s;    /* begin and end of its visits, if not 0 */
    struct cpu_use used;       /* of this process, in earlier turns */
    size_t rows_before;        /* rows of earlier turns */
    int refreshed;             /* how often the clock was, in earlier turns */
    struct extra_value overhead, part; /* measured alone; the part of an operation that has one */
    struct setting
        known_at;    /* where both were last measured; only rank 0's counts; processes 0: never */
    double *node_us; /* owned; one time per process */
    struct text refused; /* arguments whose algorithm the library does not take, " 5 7" */
    double residual_s;   /* of the clocks, in rows and before internal measurements */
    int mapped;          /* number of processes of the largest mapping in the notes */
};

/* Has the suite's pattern this trait? */
static inline bool suite_has(const struct suite_work *w, enum pattern_trait trait)
{
    return (suite_pattern(w->job.suite)->traits & trait) != 0;
}

/* Are there times of single processes, as the suite wants? */
static inline bool suite_has_node_times(const struct suite_work *w)
{
    return w->job.suite->node_times && pattern_of(w->job.suite)->node_times;
}

/* The process that an argument concerns; 0 if it concerns none. */
static inline int suite_partner(const struct suite_work *w, long argument)
{
    const struct pattern *p = pattern_of(w->job.suite);
    const struct setting at = suite_setting(w->job.suite, w->job.resources->size, argument);
    if (p->partner != NULL)
        return p->partner(w->job.resources, w->job.suite, &at);
    return suite_has(w, PATTERN_PER_PROCESS) ? (int)argument : 0;
}

/* The time of its turns, with this one so far. */
static inline double suite_used_s(const struct suite_work *w)
{
    return w->spent_s + w->job.resources->clock.now() - w->started_s;
}

/* Rank 0: what is left of the suite's or the turn's limit of time; INFINITY without one. */
static inline double suite_left_s(const struct suite_work *w)
{
    double limit_s = 60.0 * w->job.suite->time_suite_minutes;
    double of_suite_s = limit_s > 0.0 ? limit_s - suite_used_s(w) : INFINITY;
    double of_turn_s = w->until_s > 0.0 ? w->until_s - w->job.resources->clock.now() : INFINITY;
    return fmin(of_suite_s, of_turn_s);
}

/* Does the order's setting lack a measurement alone? Rank 0 decides: others may not take part. */
bool suite_needs_alone(const struct suite_work *w, const struct order *order);

/* Obeys one order on all processes: 0 or -1 on all. Rank 0 appends the row to the block. */
int suite_obey(struct suite_work *w, const struct order *order, struct err *e);

/* Rank 0, after the measurements: adds the facts of the block to the notes. */
void suite_add_facts(struct suite_work *w);
