/* The costs of the derived datatypes of applications' messages: creating, committing and freeing
 * those that one process needs for the exchange, with call=create or call=free. Tests with lists of
 * indices use a number of lists in turn, since applications build such types anew. */
#include "context/application_types.h"
#include "ops/arguments.h"

enum { CALLS = 64, LISTS = APPLICATION_LISTS_BUILT };

enum { EXTRA_CASE, EXTRA_PIECES };

struct builder {
    struct application_case sizes;
    struct application_message messages[LISTS];
    struct application_recipe recipes[LISTS];
    int lists; /* of them that are used */
    int sides; /* 1: the same type sends and receives */
    int next;  /* the list of the next type */
    MPI_Datatype made[CALLS][APPLICATION_SIDES];
    int count; /* of existing ones */
};

static void create(struct measurement *m)
{
    struct builder *b = m->state;
    const struct application_recipe *recipe = &b->recipes[b->next];
    for (int side = 0; side < b->sides; side++)
        b->made[b->count][side] = application_type(recipe, (enum application_side)side);
    b->next = b->next + 1 < b->lists ? b->next + 1 : 0;
    b->count++;
}

static void free_one(struct measurement *m)
{
    struct builder *b = m->state;
    b->count--;
    for (int side = 0; side < b->sides; side++)
        MPI_Type_free(&b->made[b->count][side]);
}

CALLED(create_or_free, (m->suite->options.call == CALL_FREE ? free_one : create)(m))

/* Frees types before more are created, or creates them, between the timed intervals. */
static void prepare(struct measurement *m)
{
    const struct builder *b = m->state;
    bool frees = m->suite->options.call == CALL_FREE;
    while (frees && b->count < CALLS)
        create(m);
    while (!frees && b->count > 0)
        free_one(m);
}

static void builder_free(struct measurement *m)
{
    struct builder *b = m->state;
    while (b->count > 0)
        free_one(m);
    for (int i = 0; i < LISTS; i++) {
        application_recipe_release(&b->recipes[i]);
        application_message_release(&b->messages[i]);
    }
}

static int builder_init(struct measurement *m, struct err *e)
{
    const struct application *a = m->suite->type->application;
    int number = application_suite_case(m->suite, m->at.length, m->size);
    struct builder *b = m->state;
    b->sizes = application_suite_numbers(m->suite, number, m->size);
    b->lists = a->lists == 0 ? 1 : LISTS;
    for (int i = 0; i < b->lists; i++) {
        application_message_init(&b->messages[i], a, b->sizes.k, i);
        application_recipe_init(&b->recipes[i], &b->messages[i]);
        if (application_types_try(&b->recipes[i], e) != 0)
            return -1;
    }
    b->sides = application_has_two_types(&b->messages[0]) ? 2 : 1;
    m->extra[EXTRA_CASE].value = number + 1;
    m->extra[EXTRA_PIECES].value =
        (double)application_piece_count(&b->messages[0], APPLICATION_SENDS);
    return 0;
}

static const struct extra_info extra[MAX_EXTRA + 1] = {
    [EXTRA_CASE] = { "case", NULL, "number of the row in the test's table of sizes" },
    [EXTRA_PIECES] = { "pieces", NULL, "contiguous pieces of the message; of the first list" },
};

#define TEST(number, building, i, name_, text, loops)                                              \
    OP("Build_" name_, "building the datatypes of " name_, TYPE_HAS_LENGTH,                        \
       .info.application = &applications[i], .info.extra = extra, .info.needs = NEEDS_OWN_TIME,    \
       .info.options = OPTIONS(OPTION_CASE, OPTION_CALL), .in = SIMPLE_TYPE(building),             \
       .info.calls = CALLS,                                                                        \
       .hooks = { .state = sizeof(struct builder),                                                 \
                  .try_init = builder_init,                                                        \
                  .prepare = prepare,                                                              \
                  .server_op = create_or_free,                                                     \
                  .free = builder_free }),

static const struct op rows[] = {
#include "loops/tests.def"
};

OP_FAMILY(building_family, rows);
