#include "../test.h"

#include "base/text.h"

#include "../failing.h"

enum { MANY = 100000 };

TEST(test_keeps_what_is_there)
{
    int *list = NULL;
    size_t capacity = 0, moves = 0;
    for (size_t i = 0; i < MANY; i++) {
        size_t before = capacity;
        assert_true(grow_for_one(&list, i, &capacity, sizeof(*list)));
        assert_non_null(list);
        assert_true(capacity > i);
        moves += capacity != before;
        list[i] = (int)i;
    }
    for (size_t i = 0; i < MANY; i++)
        assert_int_equal(list[i], i);
    assert_in_range(moves, 1, 20); /* it doubles */
    free(list);
}

TEST(test_without_memory)
{
    size_t capacity = 0;
    int *list = NULL;
    assert_true(grow_for_one(&list, 0, &capacity, sizeof(*list)));
    size_t had = capacity;
    int *before = list;
    allocations_left = 0;
    assert_true(grow_for_one(&list, had - 1, &capacity, sizeof(*list)));
    assert_false(grow_for_one(&list, had, &capacity, sizeof(*list)));
    allocations_left = -1;
    assert_int_equal(capacity, had);
    assert_ptr_equal(list, before);
    list[had - 1] = 1; /* still there */
    free(list);
}

/* Twice the number of elements has a size in bytes that wraps to 0. */
TEST(test_too_many)
{
    size_t capacity = SIZE_MAX / 16 + 1;
    char *none = NULL;
    assert_false(grow_for_one(&none, capacity, &capacity, 8));
    assert_int_equal(capacity, SIZE_MAX / 16 + 1);
}
