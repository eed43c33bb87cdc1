#include "../test.h"

#include "model/catalog.h"
#include "model/elements.h"

#include "model/datatypes.h"

/* The tables of MPI 3.1, 5.9.2 and, for pairs, 5.9.4. */
TEST(pairs_are_those_of_the_standard)
{
    static const struct {
        const char *type;
        const char *ops;
    } rows[] = {
        { "MPI_CHAR", "" },
        { "MPI_WCHAR", "" },
        { "MPI_BYTE", "band bor bxor" },
        { "MPI_SIGNED_CHAR", "sum prod max min land band lor bor lxor bxor" },
        { "MPI_UINT64_T", "sum prod max min land band lor bor lxor bxor" },
        { "MPI_INTEGER", "sum prod max min band bor bxor" },
        { "MPI_COUNT", "sum prod max min band bor bxor" },
        { "MPI_LONG_DOUBLE", "sum prod max min" },
        { "MPI_REAL", "sum prod max min" },
        { "MPI_C_LONG_DOUBLE_COMPLEX", "sum prod" },
        { "MPI_DOUBLE_COMPLEX", "sum prod" },
        { "MPI_C_BOOL", "land lor lxor" },
        { "MPI_LOGICAL", "land lor lxor" },
        { "MPI_SHORT_INT", "maxloc minloc" },
        { "MPI_2REAL", "maxloc minloc" },
    };
    EACH(c, rows) {
        const struct predefined *type = predefined_find(c->type, strlen(c->type));
        LOCAL_TEXT found = { 0 };
        for (int op = COMBINE_SUM; op <= COMBINE_MINLOC; op++)
            if (reduction_combines((enum combining)op, type->kind))
                text_add(&found, "%s%s", found.len > 0 ? " " : "", reduction_name((size_t)op));
        assert_string_equal(text_get(&found), c->ops);
    }
}

TEST(a_usual_operation_is_permitted)
{
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        enum combining usual = reduction_usual((enum element_kind)kind);
        assert_int_equal(reduction_combines(usual, (enum element_kind)kind),
                         kind != KIND_CHARACTER);
        assert_true(reduction_is_for(0, usual));
    }
}

TEST(types_have_operations)
{
    static const struct {
        unsigned traits;
        const char *ops;
    } rows[] = {
        { 0, "maxloc, minloc, none, user or user_noncommutative" },
        { TYPE_REORDERS, "maxloc, minloc, none or user" },
        { TYPE_ONE_SIDED, "maxloc, minloc or replace" },
        { TYPE_ONE_SIDED | TYPE_FETCHES, "maxloc, minloc, replace or no_op" },
    };
    EACH(c, rows) {
        LOCAL_TEXT ops = { 0 };
        reductions_add(c->traits, KIND_PAIR, &ops);
        assert_string_equal(text_get(&ops), c->ops);
    }
}
