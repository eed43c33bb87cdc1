#include "plan/queue.h"

static bool goes_before(const struct queue *q, size_t a, size_t b)
{
    const struct rank *x = &q->ranks[a], *y = &q->ranks[b];
    if (x->level != y->level)
        return x->level > y->level;
    if (x->first < y->first || x->first > y->first)
        return x->first > y->first;
    if (x->second < y->second || x->second > y->second)
        return x->second > y->second;
    return a < b;
}

static void put(struct queue *q, size_t at, size_t number)
{
    q->heap[at] = number;
    q->place[number] = at + 1;
}

static void move_up(struct queue *q, size_t at)
{
    size_t number = q->heap[at];
    while (at > 0 && goes_before(q, number, q->heap[(at - 1) / 2])) {
        put(q, at, q->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    put(q, at, number);
}

static void move_down(struct queue *q, size_t at)
{
    size_t number = q->heap[at];
    for (;;) {
        size_t child = 2 * at + 1;
        if (child + 1 < q->count && goes_before(q, q->heap[child + 1], q->heap[child]))
            child++;
        if (child >= q->count || !goes_before(q, q->heap[child], number))
            break;
        put(q, at, q->heap[child]);
        at = child;
    }
    put(q, at, number);
}

/* Returns the array, grown if necessary; NULL without memory, the old array then still exists. */
static void *grown(void *array, size_t capacity, size_t size)
{
    return capacity > SIZE_MAX / size ? NULL : realloc(array, capacity * size);
}

static int queue_reserve(struct queue *q, size_t number, struct err *e)
{
    size_t capacity = q->capacity == 0 ? 64 : q->capacity;
    while (capacity <= number && capacity <= SIZE_MAX / 2)
        capacity *= 2;
    if (capacity == q->capacity)
        return 0;
    size_t *heap = grown(q->heap, capacity, sizeof(*heap));
    if (heap != NULL)
        q->heap = heap;
    size_t *place = grown(q->place, capacity, sizeof(*place));
    if (place != NULL)
        q->place = place;
    struct rank *ranks = grown(q->ranks, capacity, sizeof(*ranks));
    if (ranks != NULL)
        q->ranks = ranks;
    if (capacity <= number || heap == NULL || place == NULL || ranks == NULL)
        return err_no_memory(e, (unsigned long long)capacity * sizeof(*ranks));
    memset(q->place + q->capacity, 0, (capacity - q->capacity) * sizeof(*place));
    q->capacity = capacity;
    return 0;
}

int queue_set(struct queue *q, size_t number, struct rank rank, struct err *e)
{
    if (queue_reserve(q, number, e) != 0)
        return -1;
    q->ranks[number] = rank;
    if (q->place[number] == 0)
        put(q, q->count++, number);
    move_up(q, q->place[number] - 1);
    move_down(q, q->place[number] - 1);
    return 0;
}

void queue_remove(struct queue *q, size_t number)
{
    if (number >= q->capacity || q->place[number] == 0)
        return;
    size_t at = q->place[number] - 1;
    size_t moved = q->heap[--q->count];
    q->place[number] = 0;
    if (moved == number)
        return;
    put(q, at, moved);
    move_up(q, q->place[moved] - 1);
    move_down(q, q->place[moved] - 1);
}

bool queue_first(const struct queue *q, size_t *number)
{
    if (q->count == 0)
        return false;
    *number = q->heap[0];
    return true;
}

void queue_release(struct queue *q)
{
    free(q->heap);
    free(q->place);
    free(q->ranks);
    *q = (struct queue){ 0 };
}
