/* memcpy on every process at once (manual table 3.5): the reference for communication inside a
 * host. */
#include "ops/families.h"

#include <string.h>

static void copy(struct run *r)
{
    memcpy(r->receive, r->send, (size_t)r->length);
}

static const struct op rows[] = {
    { .info = { TYPE("memcpy", "memcpy (ANSI C) on every process",
                     TYPE_HAS_LENGTH | TYPE_COPIES_BYTES),
                .send = ONE_LENGTH, .receive = ONE_LENGTH },
      .in = COL_TYPES(23, 58),
      .hooks = { .server_op = copy } },
};

OP_FAMILY(memory_family, rows);
