#include "model/applications.h"

#include "model/permutation.h"
#include "model/suite.h"

enum { LINE = 64 };

long long application_next_array(long long bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

static long long product(const long *numbers, int count)
{
    long long result = 1;
    for (int i = 0; i < count; i++)
        result *= numbers[i];
    return result;
}

static long long array_end(const struct application *a, const struct application_part *p)
{
    return p->at + product(p->size, p->dims) * a->element_bytes;
}

static void take_parts(struct application_message *m, enum application_side side)
{
    const struct application *a = m->application;
    long long end = 0;
    m->count[side] = a->part_count;
    for (int i = 0; i < a->part_count; i++) {
        struct application_part *p = &m->parts[side][i];
        int list = i < a->lists ? i : 0;
        *p = a->part(m->k, side, a->first_part + i);
        p->at += end;
        end = application_next_array(array_end(a, p));
        if (p->width > 0) {
            p->list = m->lists[list];
            p->runs = m->k[a->lists + list];
        }
    }
}

long long application_bytes(const struct application *a, const long *k)
{
    struct application_message m = { .application = a, .k = k };
    long long elements = 0;
    take_parts(&m, APPLICATION_SENDS);
    for (int i = 0; i < a->part_count; i++) {
        const struct application_part *p = &m.parts[APPLICATION_SENDS][i];
        elements += p->width > 0 ? (long long)p->runs * p->width : product(p->count, p->dims);
    }
    return elements * a->element_bytes;
}

long long application_memory(const struct application *a, const long *k)
{
    struct application_message m = { .application = a, .k = k };
    long long end = 0;
    for (enum application_side side = 0; side < APPLICATION_SIDES; side++) {
        take_parts(&m, side);
        long long side_end = array_end(a, &m.parts[side][a->part_count - 1]);
        end = side_end > end ? side_end : end;
    }
    return end;
}

long long application_part_stride(const struct application *a, const struct application_part *p,
                                  int dim)
{
    return product(p->size, dim) * a->element_bytes;
}

long long application_part_start(const struct application *a, const struct application_part *p)
{
    long long start = p->at;
    for (int d = 0; d < p->dims; d++)
        start += p->from[d] * application_part_stride(a, p, d);
    return start;
}

/* The first ones of a random order. */
static int *list_new(long count, long of, uint64_t key)
{
    int *list;
    allocated_array(&list, (size_t)count);
    for (long i = 0; i < count; i++)
        list[i] = permuted((int)i, (int)of, key, false);
    return list;
}

void application_message_init(struct application_message *m, const struct application *a,
                              const long *k, int number)
{
    const uint64_t key = permutation_key(APPLICATION_SEED, (uint64_t)number);
    *m = (struct application_message){ .application = a, .k = k };
    for (int i = 0; i < a->lists; i++)
        m->lists[i] = list_new(k[a->lists + i], k[i], permutation_key(key, (uint64_t)i));
    for (enum application_side side = 0; side < APPLICATION_SIDES; side++)
        take_parts(m, side);
}

void application_message_release(struct application_message *m)
{
    for (int i = 0; i < APPLICATION_LISTS; i++)
        free(m->lists[i]);
    *m = (struct application_message){ 0 };
}

/* Joins neighbouring pieces: the last one is kept until the next one begins elsewhere. */
struct joiner {
    application_piece *take;
    void *context;
    long long offset, bytes;
};

static void add_piece(struct joiner *j, long long offset, long long bytes)
{
    if (j->bytes > 0 && j->offset + j->bytes == offset) {
        j->bytes += bytes;
        return;
    }
    if (j->bytes > 0)
        j->take(j->context, j->offset, j->bytes);
    j->offset = offset;
    j->bytes = bytes;
}

static void add_list(struct joiner *j, const struct application *a,
                     const struct application_part *p)
{
    long long bytes = (long long)p->width * a->element_bytes;
    for (long i = 0; i < p->runs; i++)
        add_piece(j, p->at + p->list[i] * bytes, bytes);
}

static void add_box(struct joiner *j, const struct application *a, const struct application_part *p)
{
    long at[APPLICATION_DIMS] = { 0 };
    long long start = application_part_start(a, p);
    for (int d = 0; d < p->dims;) {
        long long offset = start;
        for (int i = 1; i < p->dims; i++)
            offset += at[i] * application_part_stride(a, p, i);
        add_piece(j, offset, (long long)p->count[0] * a->element_bytes);
        for (d = 1; d < p->dims && ++at[d] == p->count[d]; d++)
            at[d] = 0;
    }
}

void application_pieces(const struct application_message *m, enum application_side side,
                        application_piece *take, void *context)
{
    struct joiner j = { .take = take, .context = context };
    for (int i = 0; i < m->count[side]; i++) {
        const struct application_part *p = &m->parts[side][i];
        (p->width > 0 ? add_list : add_box)(&j, m->application, p);
    }
    if (j.bytes > 0)
        take(context, j.offset, j.bytes);
}

static void count_piece(void *context, long long offset, long long bytes)
{
    long long *count = context;
    ++*count;
}

long long application_piece_count(const struct application_message *m, enum application_side side)
{
    long long count = 0;
    application_pieces(m, side, count_piece, &count);
    return count;
}

int application_suite_cases(const struct suite *s)
{
    return s->options.own.count > 0 ? 1 : (int)s->type->application->case_count;
}

struct application_case application_suite_numbers(const struct suite *s, int number, int processes)
{
    const struct application *a = s->type->application;
    struct application_case c = { .origin = "own" };
    if (s->options.own.count > 0)
        memcpy(c.k, s->options.own.k, sizeof(c.k));
    else
        c = a->cases[number];
    if (a->all_processes)
        c.k[a->number_count] = processes;
    return c;
}

long application_suite_bytes(const struct suite *s, int number, int processes)
{
    struct application_case c = application_suite_numbers(s, number, processes);
    return (long)application_bytes(s->type->application, c.k);
}

int application_suite_case(const struct suite *s, long length, int processes)
{
    for (int i = 0; i < application_suite_cases(s); i++)
        if (application_suite_bytes(s, i, processes) == length)
            return i;
    return -1;
}

bool application_suite_divides(const struct suite *s, int number, int processes)
{
    return !s->type->application->all_processes ||
           application_suite_numbers(s, number, processes).k[0] % processes == 0;
}

long application_suite_indivisible(const struct suite *s, int processes, long *nearest)
{
    long n = application_suite_numbers(s, 0, processes).k[0], rest = n % processes;
    for (int i = 0; i < application_suite_cases(s); i++)
        if (application_suite_divides(s, i, processes))
            return 0;
    *nearest = n - rest > 0 && rest <= processes - rest ? n - rest : n - rest + processes;
    return n;
}
