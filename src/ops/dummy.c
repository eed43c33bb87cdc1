/* Patterns without an operation (manual tables 3.2 to 3.5): the overhead that @ABSOLUTE takes off.
 * The master-worker one needs the hooks of its pattern and is in master.c. */
#include "ops/families.h"

static void nothing(struct run *r)
{
    (void)r;
}

static const struct op rows[] = {
    { .info = { TYPE("dummy", "the pattern without communication", TYPE_HAS_LENGTH),
                .send = ONE_LENGTH, .receive = ONE_LENGTH },
      .in = P2P_PAIRS_TYPES(29, 164),
      .hooks = { .server_op = nothing, .client_op = nothing } },
    { .info = { TYPE("dummy", "the pattern without an operation", TYPE_HAS_LENGTH),
                .send = ONE_LENGTH, .receive = ONE_LENGTH },
      .in = COL_TYPES(31, 59),
      .hooks = { .server_op = nothing } },
    { .info = { TYPE("dummy", "the pattern without an operation", 0) },
      .in = SIMPLE_TYPE(32),
      .hooks = { .server_op = nothing } },
};

OP_FAMILY(dummy_family, rows);
