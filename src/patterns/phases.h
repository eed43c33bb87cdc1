/* Ping-pong of operations that pack and unpack by themselves (TYPE_PHASES): packing, communication
 * and unpacking are timed one after the other, on both sides, without a gap, so that their sum is
 * the round trip. What the partner packs and unpacks is part of rank 0's communication; without it,
 * the net communication remains. The additional clock readings are not part of what is measured:
 * as often as they happen, the cost of one is taken off. */
#ifndef SKAMPI_PATTERNS_PHASES_H
#define SKAMPI_PATTERNS_PHASES_H

#include "patterns/op.h"
#include "stats/series.h"

/* What server_op and client_op consist of. An operation's init chooses them: run.phase_hooks. */
struct phase_hooks {
    void (*pack)(struct run *r); /* NULL: the library packs, or nothing; unpack is NULL, too */
    void (*send)(struct run *r);
    void (*receive)(struct run *r);
    void (*unpack)(struct run *r);
};

/* The values that rows carry; case is set by the operation. */
enum {
    PHASE_CASE,
    PHASE_PACK,
    PHASE_COMMUNICATION,
    PHASE_UNPACK,
    PHASE_PARTNER_PACK,
    PHASE_PARTNER_UNPACK,
    PHASE_NET
};
extern const struct extra_info phases_extra[];

/* server_op and client_op of these operations. */
void phases_server(struct run *r);
void phases_client(struct run *r);

/* The phases of one series, in microseconds, for each repetition. */
struct phases {
    double pack_s, communication_s, unpack_s;      /* of the latest repetition */
    struct own_times pack, communication, unpack;  /* owned */
    struct own_times partner_pack, partner_unpack; /* owned; rank 0 */
};

/* Before a series: makes p the run's, if the operation has phases. release in any case. */
int phases_init(struct phases *p, struct run *r, const struct op *op, struct err *e);
void phases_release(struct phases *p, struct run *r);

/* How long the clock is read during a repetition, more often than for another operation. */
double phases_readings_s(const struct run *r);

/* After a repetition that counts; after those that warm up. Nothing without phases. */
void phases_keep(struct run *r, double total_s);
void phases_clear(struct run *r);

/* After the series, on both sides: rank 0 gets the partner's times and sets r->extra. */
void phases_conclude(struct run *r, double overhead_us);

#endif
