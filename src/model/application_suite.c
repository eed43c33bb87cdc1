#include "model/application_suite.h"

#include <stdlib.h>
#include <string.h>

static int case_count(const struct suite *s)
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

static long bytes_of_case(const struct suite *s, int number, int processes)
{
    struct application_case c = application_suite_numbers(s, number, processes);
    return (long)application_bytes(s->type->application, c.k);
}

int application_suite_case(const struct suite *s, long length, int processes)
{
    for (int i = 0; i < case_count(s); i++)
        if (bytes_of_case(s, i, processes) == length)
            return i;
    return -1;
}

static bool is_divisible(const struct suite *s, int number, int processes)
{
    return !s->type->application->all_processes ||
           application_suite_numbers(s, number, processes).k[0] % processes == 0;
}

long application_suite_indivisible(const struct suite *s, int processes, long *nearest)
{
    long n = application_suite_numbers(s, 0, processes).k[0], rest = n % processes;
    for (int i = 0; i < case_count(s); i++)
        if (is_divisible(s, i, processes))
            return 0;
    *nearest = n - rest > 0 && rest <= processes - rest ? n - rest : n - rest + processes;
    return n;
}

static long long pages(long long bytes)
{
    return (bytes + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT;
}

struct buffer_size application_suite_buffers(const struct suite *s, long length, int processes)
{
    int number = application_suite_case(s, length, processes);
    if (number < 0 || (s->type->pattern->traits & PATTERN_LOCAL) != 0)
        return (struct buffer_size){ 0 };
    struct application_case c = application_suite_numbers(s, number, processes);
    long long memory = pages(application_memory(s->type->application, c.k));
    int packed = s->options.buffers == BUFFERS_ONE ? 1 : 2;
    switch (s->options.method) {
    case METHOD_CONTIGUOUS:
        return (struct buffer_size){ pages(length), pages(length), 0 };
    case METHOD_PACK:
        return (struct buffer_size){ memory, 0, packed * pages(length + BSEND_OVERHEAD) };
    case METHOD_MANUAL:
        return (struct buffer_size){ memory, 0, packed * pages(length) };
    default:
        return (struct buffer_size){ memory, 0, 0 };
    }
}

static int by_value(const void *a, const void *b)
{
    const long *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

int application_suite_arguments(const struct params *p, const struct suite *s, int processes,
                                long arguments[static APPLICATION_CASES],
                                struct application_missing *missing)
{
    int count = 0;
    *missing = (struct application_missing){ 0 };
    for (int i = 0; i < case_count(s); i++) {
        long bytes = bytes_of_case(s, i, processes);
        if (!is_divisible(s, i, processes) || bytes < s->start_argument ||
            (s->end_argument != MAX_VALUE && bytes > s->end_argument))
            continue;
        if (suite_fits(p, s, bytes, processes))
            arguments[count++] = bytes;
        else if (missing->count++ == 0 || bytes < missing->smallest)
            missing->smallest = bytes;
    }
    qsort(arguments, (size_t)count, sizeof(long), by_value);
    return count;
}
