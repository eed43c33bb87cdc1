#include "../test.h"

#include "model/datatypes.h"

#include "base/text.h"

TEST(predefined_types_have_sizes)
{
    static const struct {
        const char *name;
        size_t size, extent;
        enum element_kind kind;
    } rows[] = {
        { "MPI_BYTE", 1, 1, KIND_BYTE },
        { "MPI_CHAR", 1, 1, KIND_CHARACTER },
        { "MPI_INT", 4, 4, KIND_INTEGER },
        { "mpi_int", 4, 4, KIND_INTEGER },
        { "MPI_LONG", sizeof(long), sizeof(long), KIND_INTEGER },
        { "MPI_DOUBLE", 8, 8, KIND_FLOAT },
        { "MPI_LONG_DOUBLE", sizeof(long double), sizeof(long double), KIND_FLOAT },
        { "MPI_C_BOOL", 1, 1, KIND_LOGICAL },
        { "MPI_C_DOUBLE_COMPLEX", 16, 16, KIND_COMPLEX },
        { "MPI_2INT", 8, 8, KIND_PAIR },
        { "MPI_SHORT_INT", 6, 8, KIND_PAIR },
        { "MPI_DOUBLE_INT", 12, 16, KIND_PAIR },
    };
    EACH(c, rows) {
        const struct predefined *type = predefined_find(c->name, strlen(c->name));
        assert_non_null(type);
        assert_int_equal(type->size, c->size);
        assert_int_equal(type->extent, c->extent);
        assert_int_equal(type->kind, c->kind);
    }
}

TEST(predefined_types_are_found_by_name)
{
    size_t found = 0;
    for (size_t i = 0; i < datatype_count(); i++) {
        const struct predefined *type = datatype_get(i)->predefined;
        if (type == NULL)
            continue;
        assert_ptr_equal(predefined_find(type->name, strlen(type->name)), type);
        assert_true(type->size > 0 && type->size <= type->extent);
        found++;
    }
    assert_true(found > 30);
    static const char *const unknown[] = { "", "MPI_", "MPI_IN", "MPI_INTS", "INT", "MPI_UB" };
    for (size_t i = 0; i < COUNT(unknown); i++)
        assert_null(predefined_find(unknown[i], strlen(unknown[i])));
    assert_null(predefined_find("MPI_INT\0", 8));
    assert_non_null(predefined_find("MPI_INT)", 7));
}

enum { FIRST_OTHER = 101 };

TEST(datatype_numbers_are_those_of_the_manual)
{
    static const int numbers[] = { 1,  2,  3,  4,  5,  20, 30, 31, 32, 33, 34, 35, 36, 37,
                                   50, 51, 52, 53, 54, 55, 56, 57, 58, 61, 62, 63, 64, 70 };
    for (size_t i = 0; i < COUNT(numbers); i++) {
        const struct datatype_info *info = datatype_find(numbers[i]);
        assert_ptr_equal(info, datatype_get(i));
        assert_int_equal(info->number, numbers[i]);
        assert_int_equal(info->kind, numbers[i] <= 5    ? DATATYPE_PREDEFINED
                                     : numbers[i] == 20 ? DATATYPE_BASETYPE
                                                        : DATATYPE_CONSTRUCTOR);
        assert_true(strlen(info->text) > 0);
        assert_int_equal(info->predefined != NULL, info->kind == DATATYPE_PREDEFINED);
        if (info->predefined != NULL)
            assert_string_equal(info->predefined->name, info->text);
    }
    static const int unknown[] = { -1, 0, 6, 19, 21, 38, 49, 59, 60, 65, 71, 100, 142 };
    for (size_t i = 0; i < COUNT(unknown); i++)
        assert_null(datatype_find(unknown[i]));
    assert_string_equal(datatype_find(5)->predefined->name, "MPI_INT");
}

TEST(other_predefined_types_have_numbers_too)
{
    int number = FIRST_OTHER;
    for (; datatype_find(number) != NULL; number++) {
        const struct datatype_info *info = datatype_find(number);
        assert_int_equal(info->kind, DATATYPE_PREDEFINED);
        assert_string_equal(info->predefined->name, info->text);
    }
    assert_int_equal(number, 142);
    assert_string_equal(datatype_find(FIRST_OTHER)->text, "MPI_SIGNED_CHAR");
    assert_string_equal(datatype_find(141)->text, "MPI_2DOUBLE_PRECISION");
}
