/* The patterns for tests without MPI, as in the rows of src/patterns. */
#ifndef SKAMPI_TESTS_FAKE_PATTERNS_H
#define SKAMPI_TESTS_FAKE_PATTERNS_H

#include "model/catalog.h"

static const struct pattern_info fake_p2p = {
    .prefix = "p2p",
    .title = "Point-to-Point",
    .variations = VARIES_LENGTH | VARIES_NODES | VARIES_DISTANCE,
    .traits = PATTERN_ONE_PAIR,
    .options = OPTION_BIT(OPTION_LOOP) | OPTION_BIT(OPTION_PARTNER) | OPTION_BIT(OPTION_METHOD) |
               OPTION_BIT(OPTION_PACED),
    .time_of = "full round trip of server_op on rank 0: to the client and back",
    .first_call_on = "the server, rank 0",
};

static const struct pattern_info fake_mw = {
    .prefix = "mw",
    .title = "Master-Worker",
    .variations = VARIES_LENGTH | VARIES_NODES | VARIES_CHUNKS,
    .traits = PATTERN_TOPOLOGY,
    .time_of = "dispatch of all chunks, on the master",
    .first_call_on = "the master, rank 0",
};

static const struct pattern_info fake_col_together = {
    .prefix = "col",
    .title = "Collective",
    .variations = VARIES_LENGTH | VARIES_NODES,
    .traits = PATTERN_TOPOLOGY | PATTERN_GLOBAL_CLOCK,
    .options = OPTION_BIT(OPTION_ENTER) | OPTION_BIT(OPTION_LOOP),
    .time_of = "one call that all processes enter at the same instant, and the closing barrier, on "
               "the root",
    .first_call_on = "the slowest process",
};

static const struct pattern_info fake_col = {
    .prefix = "col",
    .title = "Collective",
    .variations = VARIES_LENGTH | VARIES_NODES,
    .traits = PATTERN_TOPOLOGY,
    .options = OPTION_BIT(OPTION_ENTER) | OPTION_BIT(OPTION_LOOP),
    .time_of = "one call and the closing barrier, on the root; contains the skew with which the "
               "processes left the previous barrier",
    .first_call_on = "the root, rank 0",
    .together = &fake_col_together,
};

static const struct pattern_info fake_syncol = {
    .prefix = "syncol",
    .title = "Synchronous Collective",
    .variations = VARIES_LENGTH | VARIES_NODES,
    .traits = PATTERN_TOPOLOGY | PATTERN_GLOBAL_CLOCK,
    .time_of = "the slowest process of a call that all start at the same instant",
    .first_call_on = "the slowest process",
};

static const struct pattern_info fake_simple = {
    .prefix = "simple",
    .title = "Simple",
    .variations = VARIES_NONE,
    .traits = PATTERN_LOCAL,
    .time_of = "one local call",
    .first_call_on = "rank 0",
};

static const struct pattern_info fake_internal = {
    .prefix = "internal",
    .title = "Internal",
    .variations = VARIES_NONE,
    .traits = PATTERN_PER_PROCESS | PATTERN_GLOBAL_CLOCK,
    .first_call_on = "rank 0",
};

#endif
