#include "ops/registry.h"

#include "ops/families.h"

#include <string.h>

static const struct op_family *const families[] = {
    &pingpong_family,     &master_family,    &bcast_family,    &barrier_family, &reduce_family,
    &alltoall_family,     &gather_family,    &scatter_family,  &memory_family,  &local_family,
    &communicator_family, &neighbour_family, &datatype_family, &dummy_family,   &internal_family,
};

static bool has_hooks(const struct op *op)
{
    switch (op->info.pattern) {
    case PATTERN_MW:
        return op->mw.master_dispatch != NULL && op->mw.master_worker_stop != NULL &&
               op->mw.worker_send != NULL && op->mw.worker_receive != NULL;
    case PATTERN_P2P:
        return op->hooks.server_op != NULL && op->hooks.client_op != NULL;
    case PATTERN_INTERNAL:
        return op->internal != NULL;
    default:
        return op->hooks.server_op != NULL;
    }
}

/* Keeps the order of the numbers. */
static int insert(struct registry *r, const struct op *op, struct type_info type, struct err *e)
{
    size_t i = r->count;
    if (r->count == REGISTRY_MOST)
        return err_set(e, "more than %d types", REGISTRY_MOST);
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

static int insert_op(struct registry *r, const struct op *op, struct err *e)
{
    struct type_info synchronised = op->info;
    if (!has_hooks(op))
        return err_set(e, "type %d '%s' lacks a hook", op->info.number, op->info.name);
    if (insert(r, op, op->info, e) != 0)
        return -1;
    if (op->synchronised == 0)
        return 0;
    synchronised.number = op->synchronised;
    synchronised.pattern = PATTERN_SYNCOL;
    return insert(r, op, synchronised, e);
}

int registry_init(struct registry *r, struct err *e)
{
    r->count = 0;
    for (size_t f = 0; f < sizeof(families) / sizeof(*families); f++)
        for (size_t i = 0; i < families[f]->count; i++)
            if (insert_op(r, &families[f]->ops[i], e) != 0)
                return -1;
    return 0;
}

struct catalog registry_catalog(const struct registry *r)
{
    return (struct catalog){ r->types, r->count };
}

const struct op *registry_op(const struct registry *r, const struct type_info *type)
{
    return r->ops[type - r->types];
}

const struct op *registry_dummy(const struct registry *r, enum pattern pattern)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->types[i].pattern == pattern && strcmp(r->types[i].name, "dummy") == 0)
            return r->ops[i];
    return NULL;
}
