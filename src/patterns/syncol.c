/* Synchronised collective operations (manual 3.1.5). */
#include "patterns/common_start.h"

const struct pattern syncol_pattern = {
    PATTERN_INFO("syncol", "Synchronous Collective", "Collective operations, synchronised (SM)", 40,
                 .family = "col", .variations = VARIES_LENGTH | VARIES_NODES | VARIES_GROUPS,
                 .traits = PATTERN_TOPOLOGY | PATTERN_GLOBAL_CLOCK | PATTERN_OWN_TIMES |
                           PATTERN_STAGES | PATTERN_THREADS,
                 .time = TIME_SLOWEST, .processes = "all", STARTS_BY_CLOCK,
                 .options = OPTIONS(OPTION_GROUPS, OPTION_LAYOUT, OPTION_LOOP, OPTION_ARRIVAL,
                                    OPTION_COUNTS, OPTION_AS),
                 .variants = { [VARIANT_OTHER] = &mean_process_pattern.info,
                               [VARIANT_GROUPS] = &groups_pattern.info,
                               [VARIANT_EACH_ROOT] = &each_root_pattern.info }),
    COMMON_START(.starts = 1),
    .node_times = node_times_send_home,
};
