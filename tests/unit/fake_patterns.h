/* The patterns for tests without MPI, as in the rows of src/patterns. */
#pragma once

#include "model/catalog.h"

#define FAKE_PATTERN(named, text, of, varied, has, first, ...)                                     \
    static const struct pattern_info named = { .prefix = text,                                     \
                                               .title = of,                                        \
                                               .variations = varied,                               \
                                               .traits = has,                                      \
                                               .processes = "all",                                 \
                                               .first_call_on = first,                             \
                                               __VA_ARGS__ }

FAKE_PATTERN(fake_p2p, "p2p", "Point-to-Point", VARIES_LENGTH | VARIES_NODES | VARIES_DISTANCE,
             PATTERN_ONE_PAIR | PATTERN_THREADS | PATTERN_TAGS, "the server, rank 0",
             .options = OPTIONS(OPTION_LOOP, OPTION_PARTNER, OPTION_METHOD, OPTION_PACED,
                                OPTION_COUNTS, OPTION_AS),
             .time = TIME_ROUND_TRIP, .start = START_OWN);

FAKE_PATTERN(fake_mw, "mw", "Master-Worker", VARIES_LENGTH | VARIES_NODES | VARIES_CHUNKS,
             PATTERN_TOPOLOGY, "the master, rank 0", .time = TIME_DISPATCH, .start = START_OWN);

FAKE_PATTERN(fake_col_together, "col", "Collective", VARIES_LENGTH | VARIES_NODES,
             PATTERN_TOPOLOGY | PATTERN_GLOBAL_CLOCK, "the slowest process",
             .options = OPTIONS(OPTION_ENTER, OPTION_LOOP), .time = TIME_TOGETHER_AND_BARRIER,
             .start = START_CLOCK);

FAKE_PATTERN(fake_col, "col", "Collective", VARIES_LENGTH | VARIES_NODES, PATTERN_TOPOLOGY,
             "the root, rank 0", .options = OPTIONS(OPTION_ENTER, OPTION_LOOP, OPTION_COUNTS),
             .time = TIME_ROOT_AND_BARRIER, .start = START_BARRIER,
             .variants = { [VARIANT_TOGETHER] = &fake_col_together });

FAKE_PATTERN(fake_syncol, "syncol", "Synchronous Collective", VARIES_LENGTH | VARIES_NODES,
             PATTERN_TOPOLOGY | PATTERN_GLOBAL_CLOCK | PATTERN_THREADS, "the slowest process",
             .time = TIME_SLOWEST, .start = START_CLOCK);

FAKE_PATTERN(fake_simple, "simple", "Simple", VARIES_NONE, PATTERN_LOCAL, "rank 0",
             .time = TIME_CALL, .start = START_OWN);

FAKE_PATTERN(fake_internal, "internal", "Internal", VARIES_NONE,
             PATTERN_PER_PROCESS | PATTERN_GLOBAL_CLOCK, "rank 0", .options = NULL);
