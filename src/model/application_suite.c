#include "model/application_suite.h"

#include <string.h>

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
