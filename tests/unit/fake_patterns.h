/* The patterns for tests without MPI, as in the rows of src/patterns. */
#pragma once

#include "model/catalog.h"

static const struct pattern_info fake_p2p = {
    .prefix = "p2p",
    .title = "Point-to-Point",
    .variations = VARIES_LENGTH | VARIES_NODES | VARIES_DISTANCE,
    .traits = PATTERN_ONE_PAIR | PATTERN_THREADS | PATTERN_TAGS,
    .options =
        OPTIONS(OPTION_LOOP, OPTION_PARTNER, OPTION_METHOD, OPTION_PACED, OPTION_COUNTS, OPTION_AS),
    .time = TIME_ROUND_TRIP,
    .start = START_OWN,
    .processes = "all",
    .first_call_on = "the server, rank 0",
};

static const struct pattern_info fake_mw = {
    .prefix = "mw",
    .title = "Master-Worker",
    .variations = VARIES_LENGTH | VARIES_NODES | VARIES_CHUNKS,
    .traits = PATTERN_TOPOLOGY,
    .time = TIME_DISPATCH,
    .start = START_OWN,
    .processes = "all",
    .first_call_on = "the master, rank 0",
};

static const struct pattern_info fake_col_together = {
    .prefix = "col",
    .title = "Collective",
    .variations = VARIES_LENGTH | VARIES_NODES,
    .traits = PATTERN_TOPOLOGY | PATTERN_GLOBAL_CLOCK,
    .options = OPTIONS(OPTION_ENTER, OPTION_LOOP),
    .time = TIME_TOGETHER_AND_BARRIER,
    .start = START_CLOCK,
    .processes = "all",
    .first_call_on = "the slowest process",
};

static const struct pattern_info fake_col = {
    .prefix = "col",
    .title = "Collective",
    .variations = VARIES_LENGTH | VARIES_NODES,
    .traits = PATTERN_TOPOLOGY,
    .options = OPTIONS(OPTION_ENTER, OPTION_LOOP, OPTION_COUNTS),
    .time = TIME_ROOT_AND_BARRIER,
    .start = START_BARRIER,
    .processes = "all",
    .first_call_on = "the root, rank 0",
    .variants = { [VARIANT_TOGETHER] = &fake_col_together },
};

static const struct pattern_info fake_syncol = {
    .prefix = "syncol",
    .title = "Synchronous Collective",
    .variations = VARIES_LENGTH | VARIES_NODES,
    .traits = PATTERN_TOPOLOGY | PATTERN_GLOBAL_CLOCK | PATTERN_THREADS,
    .time = TIME_SLOWEST,
    .start = START_CLOCK,
    .processes = "all",
    .first_call_on = "the slowest process",
};

static const struct pattern_info fake_simple = {
    .prefix = "simple",
    .title = "Simple",
    .variations = VARIES_NONE,
    .traits = PATTERN_LOCAL,
    .time = TIME_CALL,
    .start = START_OWN,
    .processes = "all",
    .first_call_on = "rank 0",
};

static const struct pattern_info fake_internal = {
    .prefix = "internal",
    .title = "Internal",
    .variations = VARIES_NONE,
    .traits = PATTERN_PER_PROCESS | PATTERN_GLOBAL_CLOCK,
    .processes = "all",
    .first_call_on = "rank 0",
};
