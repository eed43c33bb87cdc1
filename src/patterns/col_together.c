/* Collective operations with enter=together: all processes enter at the same instant of the global
 * clock, and the root's time ends when it leaves the closing barrier. As in col.c, the time
 * contains that barrier, but not the skew of the barrier before. */
#include "patterns/op.h"
#include "patterns/send_home.h"
#include "patterns/common_start.h"

const struct pattern col_together_pattern = {
    .info = { .prefix = "col",
              .title = "Collective",
              .variations = VARIES_LENGTH | VARIES_NODES,
              .traits = PATTERN_TOPOLOGY | PATTERN_GLOBAL_CLOCK | PATTERN_OWN_TIMES,
              .options = OPTIONS(OPTION_ENTER, OPTION_LOOP),
              .time = TIME_TOGETHER_AND_BARRIER,
              .start = START_CLOCK,
              .first_call_on = "the slowest process" },
    .measure = common_start_measure,
    .start = &(const struct common_start){ .servers_only = true, .closing_barrier = true },
    .can_measure = pattern_has_server_op,
    .node_times = node_times_send_home,
};
