/* Patterns without an operation (manual tables 3.2 to 3.5): the overhead that @ABSOLUTE takes off.
 * The master-worker one needs the hooks of its pattern and stands in master.c. */
#include "ops/families.h"

static void nothing(struct run *r)
{
    (void)r;
}

static const struct op rows[] = {
    { .info = { TYPE(29, "dummy", "the pattern without communication", PATTERN_P2P,
                     TYPE_HAS_LENGTH),
                .send = ONE_LENGTH, .receive = ONE_LENGTH },
      .hooks = { .server_op = nothing, .client_op = nothing } },
    { .info = { TYPE(31, "dummy", "the pattern without an operation", PATTERN_COL, TYPE_HAS_LENGTH),
                .send = ONE_LENGTH, .receive = ONE_LENGTH },
      .synchronised = 59,
      .hooks = { .server_op = nothing } },
    { .info = { .number = 32,
                .name = "dummy",
                .text = "the pattern without an operation",
                .pattern = PATTERN_SIMPLE },
      .hooks = { .server_op = nothing } },
};

OP_FAMILY(dummy_family, rows);
