/* All operations, by the type number that a parameter file uses. */
#ifndef SKAMPI_OPS_REGISTRY_H
#define SKAMPI_OPS_REGISTRY_H

#include "model/catalog.h"
#include "patterns/op.h"

enum { REGISTRY_MOST = 200 };

struct registry {
    struct type_info types[REGISTRY_MOST]; /* in the order of the numbers */
    const struct op *ops[REGISTRY_MOST];   /* the operation of each type */
    size_t count;
};

/* Fills the registry from the families. A row with two numbers gives two types. -1: two rows have
 * the same number, or a row lacks a hook that its pattern needs; e says which. */
int registry_init(struct registry *r, struct err *e);

struct catalog registry_catalog(const struct registry *r);

/* The operation of a type of this registry, and the dummy of its pattern (NULL: it has none). */
const struct op *registry_op(const struct registry *r, const struct type_info *type);
const struct op *registry_dummy(const struct registry *r, enum pattern pattern);

#endif
