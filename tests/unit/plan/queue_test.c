#include "../test.h"

#include "plan/queue.h"

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

static unsigned next_random(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16;
}

TEST(gives_the_highest_first)
{
    static const struct {
        struct rank rank;
        size_t position; /* among all */
    } rows[] = {
        { { 0, 9.0, 9.0 }, 6 }, { { 1, 1.0, 0.0 }, 3 },  { { 1, 1.0, 2.0 }, 2 },
        { { 2, 0.0, 0.0 }, 0 }, { { 1, 0.5, 9.0 }, 4 },  { { 1, 0.5, 9.0 }, 5 },
        { { 0, 8.0, 9.0 }, 7 }, { { 2, -1.0, 0.0 }, 1 },
    };
    struct queue q = { 0 };
    struct err e = { { 0 } };
    size_t number;
    assert_false(queue_first(&q, &number));
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(queue_set(&q, i, rows[i].rank, &e), 0);
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_true(queue_first(&q, &number));
        assert_int_equal(rows[number].position, i);
        queue_remove(&q, number);
    }
    assert_false(queue_first(&q, &number));
    queue_release(&q);
}

TEST(removing_what_is_not_in_does_nothing)
{
    struct queue q = { 0 };
    struct err e = { { 0 } };
    size_t number;
    queue_remove(&q, 0);
    queue_remove(&q, 1000000);
    assert_int_equal(queue_set(&q, 3, (struct rank){ 0, 1.0, 0.0 }, &e), 0);
    queue_remove(&q, 2);
    queue_remove(&q, 1000000);
    assert_true(queue_first(&q, &number));
    assert_int_equal(number, 3);
    queue_remove(&q, 3);
    queue_remove(&q, 3);
    assert_int_equal(q.count, 0);
    queue_release(&q);
}

TEST(ranks_without_end_are_no_memory)
{
    struct queue q = { 0 };
    struct err e = { { 0 } };
    assert_int_equal(queue_set(&q, SIZE_MAX, (struct rank){ 0, 0.0, 0.0 }, &e), -1);
    assert_true(err_is_set(&e));
    queue_release(&q);
}

/* A linear search over an array; count if the queue is empty. */
static size_t best_of(const struct rank *ranks, const bool *in, size_t count)
{
    size_t best = count;
    for (size_t i = 0; i < count; i++) {
        const struct rank *a = &ranks[i], *b = &ranks[best % count];
        if (!in[i])
            continue;
        if (best == count || a->level > b->level || (a->level == b->level && a->first > b->first) ||
            (a->level == b->level && a->first >= b->first && a->second > b->second))
            best = i;
    }
    return best;
}

static void comes_out_in_order(struct queue *q, const struct rank *ranks, bool *in, size_t count)
{
    size_t first;
    while (queue_first(q, &first)) {
        assert_int_equal(first, best_of(ranks, in, count));
        in[first] = false;
        queue_remove(q, first);
    }
    assert_int_equal(best_of(ranks, in, count), count);
}

TEST(follows_changing_ranks)
{
    enum { NUMBERS = 200, CHANGES = 50000 };
    struct rank ranks[NUMBERS] = { { 0, 0.0, 0.0 } };
    bool in[NUMBERS] = { false };
    struct queue q = { 0 };
    struct err e = { { 0 } };
    unsigned seed = 4711;
    for (int change = 1; change <= CHANGES; change++) {
        size_t number = next_random(&seed) % NUMBERS;
        in[number] = next_random(&seed) % 3 != 0;
        ranks[number] = (struct rank){ (int)(next_random(&seed) % 2), next_random(&seed) % 5,
                                       next_random(&seed) % 50 };
        if (in[number])
            assert_int_equal(queue_set(&q, number, ranks[number], &e), 0);
        else
            queue_remove(&q, number);
        if (change % 500 == 0)
            comes_out_in_order(&q, ranks, in, NUMBERS);
    }
    queue_release(&q);
}
