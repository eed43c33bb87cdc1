/* Operations that pack and unpack by themselves (TYPE_PHASES): packing, communication and unpacking
 * are timed one after the other, without a gap, so that their sum is the time. In a ping-pong both
 * sides do that: what the partner packs and unpacks is part of rank 0's communication; without it,
 * the net communication remains. The additional clock readings are not part of what is measured:
 * as often as they happen, the cost of one is taken off. */
#ifndef SKAMPI_PATTERNS_PHASES_H
#define SKAMPI_PATTERNS_PHASES_H

#include "patterns/op.h"
#include "patterns/common_start.h"
#include "stats/series.h"

/* What an operation consists of. Its init chooses them: run.phase_hooks. */
struct phase_hooks {
    void (*pack)(struct run *r); /* NULL: the library packs, or nothing; unpack is NULL, too */
    void (*send)(struct run *r);
    void (*receive)(struct run *r); /* NULL: all processes exchange data by send */
    void (*unpack)(struct run *r);
};

/* The values that rows carry; case is set by the operation, the last three exist in a ping-pong. */
enum {
    PHASE_CASE,
    PHASE_PACK,
    PHASE_COMMUNICATION,
    PHASE_UNPACK,
    PHASE_PARTNER_PACK,
    PHASE_PARTNER_UNPACK,
    PHASE_NET,
    PHASE_COUNT
};
extern const struct extra_info phases_extra[], phases_extra_of_all[];

/* server_op and client_op of a ping-pong. */
void phases_server(struct run *r);
void phases_client(struct run *r);

/* server_op of all processes: pack, send and unpack, twice. */
void phases_two_steps(struct run *r);

/* One repetition on this process. */
struct phase_times {
    double pack_s, communication_s, unpack_s;
};

/* The phases of one series. */
struct phases {
    struct phase_times latest, held[MAX_BATCH];
    struct own_times times[PHASE_COUNT]; /* owned; of each repetition, but PHASE_CASE */
};

/* Before a series: makes p the run's, if the operation has phases. release in any case. */
int phases_init(struct phases *p, struct run *r, const struct op *op, struct err *e);
void phases_release(struct phases *p, struct run *r);

/* How long the clock is read during a repetition, more often than for another operation. */
double phases_readings_s(const struct run *r);

/* After a repetition that counts; after those that warm up. Nothing without phases. */
void phases_keep(struct run *r, double total_s);
void phases_clear(struct run *r);

/* For repetitions in batches of which some do not count: after repetition i; after the batch, with
 * the times of the repetitions, on rank 0; and when only the first ones remain. */
void phases_hold(struct run *r, int i);
void phases_take(struct run *r, const double *us, const double *late, int n);
void phases_cut(struct run *r, int kept);

/* After the series, on all processes: sets r->extra of rank 0, with the times of its partner. */
void phases_conclude(struct run *r, double overhead_us);

#endif
