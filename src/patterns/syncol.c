/* Synchronised collective operations (manual 3.1.5). */
#include "patterns/common_start.h"

const struct pattern syncol_pattern = {
    .info = { .prefix = "syncol",
              .title = "Synchronous Collective",
              .family = "col",
              .section = "Collective operations, synchronised (SM)",
              .place = 40,
              .variations = VARIES_LENGTH | VARIES_NODES | VARIES_GROUPS,
              .traits = PATTERN_TOPOLOGY | PATTERN_GLOBAL_CLOCK | PATTERN_OWN_TIMES,
              .time = TIME_SLOWEST,
              .start = START_CLOCK,
              .processes = "all",
              .first_call_on = "the slowest process",
              .options =
                  OPTIONS(OPTION_GROUPS, OPTION_LAYOUT, OPTION_LOOP, OPTION_ARRIVAL, OPTION_COUNTS),
              .variants = { [VARIANT_GROUPS] = &groups_pattern.info,
                            [VARIANT_EACH_ROOT] = &each_root_pattern.info } },
    .measure = common_start_measure,
    .common = &(const struct common_start){ .starts = 1 },
    .node_times = node_times_send_home,
};
