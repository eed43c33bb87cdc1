#include "ops/registry.h"

#include "context/library.h"
#include "loops/loops.h"
#include "patterns/op.h"

/* clang-format off */
#define OP_FAMILIES(FAMILY) \
    FAMILY(pingpong_family) FAMILY(application_family) FAMILY(building_family) FAMILY(fft_family) \
    FAMILY(stream_family) FAMILY(master_family) FAMILY(collective_family) \
    FAMILY(composed_family) FAMILY(communicator_family) FAMILY(neighbour_family) \
    FAMILY(neighbourhood_family) FAMILY(halo_family) FAMILY(rings_family) FAMILY(rma_family) \
    FAMILY(irregular_family) FAMILY(tree_family) FAMILY(exchange_family) \
    FAMILY(bruck_family) FAMILY(local_family) FAMILY(overlapped_family) \
    FAMILY(io_family) FAMILY(session_family) FAMILY(partitioned_family) FAMILY(tcp_family) \
    FAMILY(internal_family) FAMILY(delayed_family)
/* clang-format on */

#define DECLARE(family) extern const struct op_family family;
#define ADDRESS(family) &family,
OP_FAMILIES(DECLARE)

static const struct op_family *const families[] = { OP_FAMILIES(ADDRESS) };

static int insert(struct registry *r, const struct op *op, struct type_info type, struct err *e)
{
    size_t i = r->count;
    if (r->count == MAX_REGISTRY)
        return err_set(e, "more than %d types", MAX_REGISTRY);
    for (; i > 0 && r->types[i - 1].number > type.number; i--) {
        r->types[i] = r->types[i - 1];
        r->ops[i] = r->ops[i - 1];
    }
    if (i > 0 && r->types[i - 1].number == type.number)
        return err_set(e, "type %d is both '%s' and '%s'", type.number, r->types[i - 1].name,
                       type.name);
    r->types[i] = type;
    r->ops[i] = op;
    r->count++;
    return 0;
}

static bool has_messages(const struct lengths *l)
{
    return l->once > 0 || l->per_process > 0;
}

static bool has_hooks(const struct op *op, enum hooks_needed needs)
{
    const struct op_hooks *h = &op->hooks;
    const struct mw_hooks *mw = &op->mw;
    const bool sides = h->server_op != NULL && h->client_op != NULL;
    const bool has[] = {
        [HOOKS_SERVER] = h->server_op != NULL,
        [HOOKS_SIDES] = sides,
        [HOOKS_SIDES_ALONE] = sides && h->prepare == NULL,
        [HOOKS_MASTER] = mw->master_dispatch != NULL && mw->master_worker_stop != NULL &&
                         mw->worker_send != NULL && mw->worker_receive != NULL,
        [HOOKS_INTERNAL] = op->internal != NULL,
    };
    return has[needs];
}

static int insert_type(struct registry *r, const struct op *op, const struct measured_by *by,
                       struct err *e)
{
    struct type_info type = op->info;
    const struct pattern *p = by->pattern;
    const struct pattern_info *info = &p->info;
    if (info->prefix == NULL || info->title == NULL || info->variations == 0 ||
        info->processes == NULL || info->first_call_on == NULL || p->measure == NULL)
        return err_set(e, "pattern '%s' lacks a text, a variation or a function",
                       info->prefix == NULL ? "?" : info->prefix);
    if (by->time != TIME_OF_PATTERN)
        type.time = by->time;
    if (type.name == NULL || type.text == NULL || !has_hooks(op, p->needs) ||
        (type.time == TIME_OF_PATTERN && info->time == TIME_OF_PATTERN))
        return err_set(e, "type %d '%s' lacks a hook or a text", by->number,
                       type.name == NULL ? "?" : type.name);
    type.number = by->number;
    type.pattern = info;
    if (has_messages(&type.send) || has_messages(&type.receive))
        type.traits |= TYPE_HAS_LENGTH;
    if (!op->hooks.takes_all && (op->hooks.prepare != NULL || op->hooks.finalize != NULL))
        type.traits |= TYPE_SINGLE;
    if (op->counted.server_op != NULL)
        type.traits |= TYPE_COUNTS;
    return insert(r, op, type, e);
}

int registry_add(struct registry *r, const struct op_family *family, struct err *e)
{
    for (size_t i = 0; i < family->count; i++) {
        const struct op *op = &family->ops[i];
        for (const struct measured_by *by = op->in; by < op->in + MAX_PATTERNS && by->number != 0;
             by++)
            if (insert_type(r, op, by, e) != 0)
                return -1;
    }
    return 0;
}

int registry_init(struct registry *r, struct err *e)
{
    r->count = 0;
    for (size_t f = 0; f < sizeof(families) / sizeof(*families); f++)
        if (registry_add(r, families[f], e) != 0)
            return -1;
    return 0;
}

struct catalog registry_catalog(const struct registry *r)
{
    return (struct catalog){ r->types, r->count, library_lacks() | loops_lack() };
}

const struct op *registry_op(const struct registry *r, const struct type_info *type)
{
    return r->ops[type - r->types];
}

const struct op *registry_dummy(const struct registry *r, const struct pattern_info *pattern)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->types[i].pattern == pattern && strcmp(r->types[i].name, "dummy") == 0)
            return r->ops[i];
    return NULL;
}
