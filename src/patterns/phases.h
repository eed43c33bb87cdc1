/* Operations that pack and unpack by themselves (TYPE_PHASES): packing, communication and unpacking
 * are timed one after the other, without a gap, so that their sum is the time. In a ping-pong both
 * sides do that: packing and unpacking of the partner is part of rank 0's communication; without
 * it, the net communication remains. The additional clock readings are not part of the measured
 * time: as often as they happen, the cost of one is subtracted. */
#pragma once

#include "patterns/pattern.h"

/* The parts of an operation. Its init chooses them: measurement.form. */
struct phase_hooks {
    void (*pack)(
        struct measurement *m); /* NULL: the library packs, or nothing; unpack is NULL, too */
    void (*send)(struct measurement *m);
    void (*receive)(struct measurement *m); /* NULL: all processes exchange data by send */
    void (*unpack)(struct measurement *m);
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
void phases_server(struct measurement *m);
void phases_client(struct measurement *m);

/* server_op of all processes: pack, send and unpack, twice. */
void phases_two_steps(struct measurement *m);

extern const struct recorder phases_recorder;
