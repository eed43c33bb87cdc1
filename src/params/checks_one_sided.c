#include "params/checks.h"

#include "model/layouts.h"
#include "params/tables.h"

enum {
    SWAPPED_KINDS = 1u << KIND_INTEGER | 1u << KIND_FORTRAN_INTEGER | 1u << KIND_ADDRESS |
                    1u << KIND_BYTE | 1u << KIND_LOGICAL
};

static const char *sync_name(const struct suite *s)
{
    return value_name(&key_table.rows[OPTION_SYNC], (int)s->options.sync);
}

/* Keys that only some synchronisations use. */
static void check_keys(const struct suite *s, struct complaints *c)
{
    const struct suite_options *x = &s->options;
    bool passive = x->sync == SYNC_LOCK || x->sync == SYNC_FLUSH || x->sync == SYNC_FLUSH_LOCAL;
    if (x->lock == LOCK_EXCLUSIVE && x->sync != SYNC_LOCK)
        keys_reject(c, s, "'lock=exclusive' needs 'sync=lock', not 'sync=%s'", sync_name(s));
    if (x->assertions == ASSERT_ALL && x->sync != SYNC_FENCE)
        keys_reject(c, s, "'assert=all' needs 'sync=fence', not 'sync=%s'", sync_name(s));
    if (x->busy_us > 0 && !passive)
        keys_reject(c, s,
                    "'busy=%d' needs a target that makes no call: 'sync=lock', 'flush' or "
                    "'flush_local', not 'sync=%s'",
                    x->busy_us, sync_name(s));
}

void one_sided_check(const struct params *p, const struct suite *s, struct complaints *c)
{
    const struct predefined *type = layout_predefined(p, s->send_datatype, s->send_basetype);
    if ((s->type->traits & TYPE_ONE_SIDED) == 0)
        return;
    if ((s->type->traits & TYPE_RMA_REQUESTS) != 0 &&
        (s->options.sync == SYNC_FENCE || s->options.sync == SYNC_PSCW))
        type_reject(c, s, FIELD_PARAMETERS,
                    "needs a lock: MPI allows no request with 'sync=%s'; use 'lock', 'flush', "
                    "'flush_local' or 'notify'",
                    sync_name(s));
    check_keys(s, c);
    if ((s->type->traits & TYPE_SWAPS) != 0 && type != NULL &&
        (1u << type->kind & SWAPPED_KINDS) == 0)
        complaints_add(c, s->at[FIELD_SEND_DATATYPE],
                       "MPI_Compare_and_swap accepts only integers, not '%s'; try 5 (MPI_INT)",
                       type->name);
}
