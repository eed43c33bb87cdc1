/* Partitioned messages: the gain by their early arrival. A repetition makes three transfers, each
 * until its acknowledgement has arrived on the server: one message of the same size; the same in
 * partitions, the last of which is ready only after a delay; and, in the time of the repetition,
 * the same in partitions that are all ready at once. */
#pragma once

#include "patterns/pattern.h"

/* The calls of both sides: the form of an operation's row. */
struct partition_hooks {
    void (*whole)(struct measurement *m);
    void (*partitioned)(struct measurement *m);
};

extern const struct extra_info partitions_extra[];
extern const struct recorder partitions_recorder;

/* The prepare hook: the two transfers outside of the time. */
void partitions_prepare(struct measurement *m);

/* The server, before its last partition is ready: the delay, if it is the transfer that has one. */
void partitions_delay(struct measurement *m);

/* The client with receiver=busy: computes for as long. */
void partitions_busy(struct measurement *m);
