/* The arguments that a plan asks for if times are functions of the argument: for the tests of
 * plans. */
#pragma once

#include "plan/plan.h"

#include <math.h>
#include <stdlib.h>

#define ANY 1e18 /* a Max_Distance that no segment exceeds */

static const struct plan_spec linear_spec = {
    SCALE_DYNAMIC_LINEAR, 0, 10000, 1, 1000.0, 100, 1.0, ANY, 0.01
};

struct asked {
    long *arguments;
    size_t count;
    size_t refined;
};

static inline void asked_release(struct asked *a)
{
    free(a->arguments);
}

typedef double (*time_of)(long argument);

static inline struct asked run(const struct plan_spec *spec, time_of time_us)
{
    struct plan *p = plan_new(spec);
    size_t most = plan_most(p);
    struct asked a = { malloc((most + 1) * sizeof(long)), 0, 0 };
    assert_non_null(a.arguments);
    long argument;
    while (plan_next(p, &argument)) {
        assert_true(a.count < most);
        a.arguments[a.count++] = argument;
        a.refined += plan_is_refined(p, argument);
        plan_measured(p, time_us(argument));
    }
    assert_false(plan_next(p, &argument));
    plan_free(p);
    return a;
}

static inline size_t count_between(const struct asked *a, long from, long to)
{
    size_t count = 0;
    for (size_t i = 0; i < a->count; i++)
        count += a->arguments[i] >= from && a->arguments[i] <= to;
    return count;
}

static inline int by_value(const void *a, const void *b)
{
    const long *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

struct numbered {
    long argument;
    size_t order;
};

static inline int by_argument(const void *a, const void *b)
{
    return by_value(&((const struct numbered *)a)->argument,
                    &((const struct numbered *)b)->argument);
}

/* For any times: each argument once, in the range, a multiple; a refined one never nearer
 * than min_distance to its neighbours. */
static inline void assert_sound(const struct plan_spec *spec, const struct asked *a)
{
    size_t swept = a->count - a->refined;
    struct numbered *n = calloc(a->count + 1, sizeof(*n));
    assert_non_null(n);
    for (size_t i = 0; i < a->count; i++)
        n[i] = (struct numbered){ a->arguments[i], i };
    qsort(n, a->count, sizeof(*n), by_argument);
    for (size_t i = 0; i < a->count; i++) {
        assert_in_range(n[i].argument, spec->first, spec->last);
        assert_int_equal(n[i].argument % spec->quantum, 0);
        if (i == 0)
            continue;
        assert_true(n[i].argument > n[i - 1].argument);
        if (n[i].order >= swept || n[i - 1].order >= swept)
            assert_true((double)(n[i].argument - n[i - 1].argument) >= spec->min_distance);
    }
    if (a->refined > 0)
        assert_true(a->count <= (size_t)spec->max_steps);
    free(n);
}

#define TIME_OF(name, us)                                                                          \
    static inline double name(long m)                                                              \
    {                                                                                              \
        return us;                                                                                 \
    }

TIME_OF(line, 10.0 + 0.25 * (double)m)
TIME_OF(constant, 42.0)

enum { JUMP = 5000, KINK = 5300 };

TIME_OF(jump, m < JUMP ? 10.0 : 100.0)
TIME_OF(kink, m < KINK ? 100.0 : 100.0 + (double)(m - KINK))
TIME_OF(elbow, m <= 2000 ? 10.0 : 10.0 + (double)(m - 2000) / 1000.0)
TIME_OF(drop, m < 2900 ? 10.0 : 6.0)
TIME_OF(rise, m < 1100 ? 6.0 : 10.0)

static inline double noise(long m)
{
    uint64_t x = (uint64_t)m * 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9u;
    return 1.0 + (double)(x >> 40) / 1000.0;
}

TIME_OF(unknown, NAN)
TIME_OF(zero, 0.0)
