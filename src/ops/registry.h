/* All operations, by the type number that a parameter file uses. */
#pragma once

#include "model/catalog.h"

struct op_family;

enum { MAX_REGISTRY = 512 };

struct registry {
    struct type_info types[MAX_REGISTRY]; /* in the order of the numbers */
    const struct op *ops[MAX_REGISTRY];   /* the operation of each type */
    size_t count;
};

/* Adds all families, or one family. A row gives a type for each pattern that measures it. -1: two
 * types have the same number, a row lacks a requirement of its pattern, or the pattern's row is
 * incomplete; e says which. */
int registry_init(struct registry *r, struct err *e);
int registry_add(struct registry *r, const struct op_family *family, struct err *e);

struct catalog registry_catalog(const struct registry *r);

/* The operation of a type of this registry, and the dummy of its pattern (NULL without one). */
const struct op *registry_op(const struct registry *r, const struct type_info *type);
const struct op *registry_dummy(const struct registry *r, const struct pattern_info *pattern);
