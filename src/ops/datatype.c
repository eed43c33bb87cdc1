/* The cost of a derived datatype by itself (beyond 4.1): making and freeing the suite's send
 * datatype. Calls are batched, so that many types exist at a time. Freeing the types made, or
 * making the types to free, happens between the timed intervals. */
#include "ops/arguments.h"

enum { CALLS = 1024 };

struct types {
    struct recipe recipe;
    MPI_Datatype made[CALLS];
    int count; /* of existing types */
};

CALLED_OF(types, make, k->made[k->count++] = recipe_make(&k->recipe))
CALLED_OF(types, free_one, MPI_Type_free(&k->made[--k->count]))

CALLED_OF(types, free_all, while (k->count > 0) free_one(m))
CALLED_OF(types, make_all, while (k->count < CALLS) make(m))

CALLED_OF(types, types_free, free_all(m); recipe_release(&k->recipe))

/* 50 to 58 hold a message of the default length. */
static int types_init(struct measurement *m, struct err *e)
{
    const struct suite *s = m->suite;
    long long elements =
        m->at.length / layout_of(m->params, s->send_datatype, s->send_basetype, 1).size;
    struct derived_key key = { s->send_datatype, s->send_basetype,
                               layout_grows(s->send_datatype) && elements > 1 ? elements : 1 };
    struct types *t = m->state;
    return recipe_init(&t->recipe, m->params, &key, e);
}

#define ABOUT_TYPES                                                                                \
    .info.needs = NEEDS_OWN_TIME, .calls = CALLS, .hooks.state = sizeof(struct types),             \
    .hooks.init = types_init, .hooks.free = types_free

static const struct op rows[] = {
    OP("MPI_Type_create-commit", "creating and committing the send datatype",
       TYPE_HAS_LENGTH | TYPE_BUILDS | TYPE_ONE_DATATYPE, ABOUT_TYPES, .in = SIMPLE_TYPE(100),
       .hooks.prepare = free_all, .hooks.server_op = make),
    OP("MPI_Type_free", "freeing the send datatype",
       TYPE_HAS_LENGTH | TYPE_BUILDS | TYPE_ONE_DATATYPE, ABOUT_TYPES, .in = SIMPLE_TYPE(101),
       .hooks.prepare = make_all, .hooks.server_op = free_one),
};

OP_FAMILY(datatype_family, rows);
