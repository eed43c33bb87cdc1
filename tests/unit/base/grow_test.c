#include "../test.h"

#include "base/text.h"

enum { MANY = 100000 };

TEST(test_keeps_what_is_there)
{
    int *list = NULL;
    size_t capacity = 0, moves = 0;
    for (size_t i = 0; i < MANY; i++) {
        size_t before = capacity;
        grow_for_one(&list, i, &capacity, sizeof(*list));
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
