#include "plan/plan.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

/* --- what a plan asked for ---------------------------------------------------------------- */

struct asked {
    long *arguments;
    size_t count;
    size_t refined;
};

typedef double (*time_of)(long argument);

static struct asked run(const struct plan_spec *spec, time_of time_us)
{
    struct err e = { { 0 } };
    struct plan *p = plan_new(spec, &e);
    assert_non_null(p);
    size_t most = plan_most(p);
    struct asked a = { malloc((most + 1) * sizeof(long)), 0, 0 };
    assert_non_null(a.arguments);
    long argument;
    while (plan_next(p, &argument)) {
        assert_true(a.count < most);
        a.arguments[a.count++] = argument;
        a.refined += plan_is_refined(p, argument);
        assert_int_equal(plan_measured(p, argument, time_us(argument), &e), 0);
    }
    assert_false(plan_next(p, &argument));
    plan_free(p);
    return a;
}

static size_t count_between(const struct asked *a, long from, long to)
{
    size_t count = 0;
    for (size_t i = 0; i < a->count; i++)
        count += a->arguments[i] >= from && a->arguments[i] <= to;
    return count;
}

static int by_value(const void *a, const void *b)
{
    const long *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

struct numbered {
    long argument;
    size_t order;
};

static int by_argument(const void *a, const void *b)
{
    return by_value(&((const struct numbered *)a)->argument,
                    &((const struct numbered *)b)->argument);
}

/* Whatever the times are: each argument once, in the range, a multiple; a refined one never nearer
 * than min_distance to its neighbours. */
static void assert_sound(const struct plan_spec *spec, const struct asked *a)
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
    if (scale_is_dynamic(spec->scale))
        assert_true(a->count <= (size_t)spec->max_steps);
    free(n);
}

/* --- times as a function of the argument -------------------------------------------------- */

static double line(long m)
{
    return 10.0 + 0.25 * (double)m;
}

static double constant(long m)
{
    (void)m;
    return 42.0;
}

enum { JUMP = 5000, KINK = 5300 };

static double jump(long m)
{
    return m < JUMP ? 10.0 : 100.0;
}

static double kink(long m)
{
    return m < KINK ? 100.0 : 100.0 + (double)(m - KINK);
}

static double elbow(long m)
{
    return m <= 2000 ? 10.0 : 10.0 + (double)(m - 2000) / 1000.0;
}

static double drop(long m)
{
    return m < 2900 ? 10.0 : 6.0;
}

static double rise(long m)
{
    return m < 1100 ? 6.0 : 10.0;
}

static double square(long m)
{
    return 1.0 + (double)m * (double)m;
}

static double noise(long m)
{
    uint64_t x = (uint64_t)m * 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9u;
    return 1.0 + (double)(x >> 40) / 1000.0;
}

/* Off by 0.5 % at most, half of the error that the specs below ask for. */
static double noisy_line(long m)
{
    return line(m) * (1.0 + 0.01 * (fmod(noise(m), 1.0) - 0.5));
}

/* Off by 1 % at most: neighbours agree within the error here, and there they do not. */
static double noisier_line(long m)
{
    return line(m) * (1.0 + 0.02 * (fmod(noise(m), 1.0) - 0.5));
}

static double noisier_jump(long m)
{
    return noisier_line(m) * (m < JUMP ? 1.0 : 1.3);
}

/* Two lines that meet at 5000, with a jump behind it; and mirrored, at 6000 with one before it. */
enum { MEETING_JUMP = 5600 };

static double meeting(long m)
{
    return m < MEETING_JUMP ? 1000.0 : 1000.0 + 0.5 * (double)(m - 5000);
}

static double meeting_behind(long m)
{
    return m < MEETING_JUMP ? 1000.0 + 0.5 * (double)(6000 - m) : 1000.0;
}

static double unknown(long m)
{
    (void)m;
    return NAN;
}

static double zero(long m)
{
    (void)m;
    return 0.0;
}

static double infinite(long m)
{
    (void)m;
    return INFINITY;
}

static double negative(long m)
{
    (void)m;
    return -1.0;
}

static double unknown_below_5000(long m)
{
    return m < 5000 ? NAN : noise(m);
}

/* --- tests -------------------------------------------------------------------------------- */

#define HUGE_LENGTH 100000000000000000
#define ANY         1e18 /* a Max_Distance that no segment exceeds */

static const struct plan_spec log_spec = {
    SCALE_DYNAMIC_LOG, 0, 1L << 16, 1, 2.0, 60, 1.0, ANY, 0.01
};
static const struct plan_spec linear_spec = {
    SCALE_DYNAMIC_LINEAR, 0, 10000, 1, 1000.0, 60, 1.0, ANY, 0.01
};

/* What linear interpolation gets right is left alone; what was not measured, too. */
static void stops_at_once_where_nothing_is_to_be_learnt(void **state)
{
    (void)state;
    static const struct {
        const struct plan_spec *spec;
        time_of time_us;
        size_t swept;
    } rows[] = {
        { &log_spec, line, 18 },        { &linear_spec, line, 11 },
        { &log_spec, constant, 18 },    { &linear_spec, constant, 11 },
        { &log_spec, unknown, 18 },     { &linear_spec, unknown, 11 },
        { &log_spec, zero, 18 },        { &linear_spec, zero, 11 },
        { &log_spec, infinite, 18 },    { &linear_spec, infinite, 11 },
        { &linear_spec, negative, 11 },
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct asked a = run(rows[i].spec, rows[i].time_us);
        assert_int_equal(a.count, rows[i].swept);
        assert_int_equal(a.refined, 0);
        free(a.arguments);
    }
}

static void fixed_scales_are_never_refined(void **state)
{
    (void)state;
    static const enum scale scales[] = { SCALE_FIXED_LINEAR, SCALE_FIXED_LOG };
    static const size_t counts[] = { 5001, 18 };
    for (size_t i = 0; i < COUNT(scales); i++) {
        struct plan_spec spec = { scales[i], 0, 10000, 1, 2.0, 3, 1.0, 1.0, 0.0 };
        if (scale_is_log(scales[i]))
            spec.last = 1L << 16;
        struct asked a = run(&spec, noise);
        assert_int_equal(a.count, counts[i]); /* Max_Steps has no meaning */
        assert_int_equal(a.refined, 0);
        free(a.arguments);
    }
}

/* Where it is only Max_Distance that is not kept, the longest segment goes first. */
static void long_segments_are_split_until_max_distance(void **state)
{
    (void)state;
    struct plan_spec spec = linear_spec;
    spec.max_distance = 300.0;
    struct asked a = run(&spec, line);
    assert_int_equal(a.count, 11 + 3 * 10);
    assert_sound(&spec, &a);
    free(a.arguments);

    spec.max_distance = 1000.0; /* exactly as long as all segments are */
    a = run(&spec, line);
    assert_int_equal(a.count, 11);
    free(a.arguments);

    spec = (struct plan_spec){ SCALE_DYNAMIC_LINEAR, 0, 1000, 1, 400.0, 6, 1.0, 100.0, 0.01 };
    static const long expected[] = { 0, 400, 800, 1000, 200, 600 };
    a = run(&spec, line);
    assert_int_equal(a.count, COUNT(expected));
    assert_memory_equal(a.arguments, expected, sizeof(expected));
    free(a.arguments);
}

/* Segments that are inaccurate go before those that are only long. */
static void inaccurate_segments_go_first(void **state)
{
    (void)state;
    struct plan_spec spec = { SCALE_DYNAMIC_LINEAR, 0, 10000, 1, 1000.0, 13, 1.0, 10.0, 0.01 };
    struct asked a = run(&spec, jump);
    for (size_t i = 11; i < a.count; i++)
        assert_in_range(a.arguments[i], 4000, 6000);
    assert_int_equal(a.count, 13);
    free(a.arguments);
}

static void points_gather_at_a_jump(void **state)
{
    (void)state;
    static const struct {
        const struct plan_spec *spec;
        double min_distance;
        size_t near_at_least; /* within 5 % of the jump */
        size_t count_at_most;
    } rows[] = {
        { &log_spec, 1.0, 4, 40 },
        { &linear_spec, 1.0, 4, 30 },
        { &log_spec, 128.0, 2, 40 },
        { &linear_spec, 128.0, 2, 30 },
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct plan_spec spec = *rows[i].spec;
        spec.min_distance = rows[i].min_distance;
        struct asked a = run(&spec, jump);
        assert_true(count_between(&a, JUMP * 95 / 100, JUMP * 105 / 100) >= rows[i].near_at_least);
        assert_true(a.count <= rows[i].count_at_most);
        assert_sound(&spec, &a);
        free(a.arguments);
    }
}

/* The points go into the segment with the kink, and nowhere else. */
static void points_gather_at_a_kink(void **state)
{
    (void)state;
    static const struct {
        const struct plan_spec *spec;
        long from, to; /* points of the sweep around the kink */
    } rows[] = { { &log_spec, 4096, 8192 }, { &linear_spec, 5000, 6000 } };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct asked a = run(rows[i].spec, kink);
        assert_true(a.refined >= 3 && a.refined <= 12);
        for (size_t k = a.count - a.refined; k < a.count; k++)
            assert_in_range(a.arguments[k], rows[i].from, rows[i].to);
        assert_sound(rows[i].spec, &a);
        free(a.arguments);
    }
}

/* Both lines of a kink at a point of the sweep are known already, but they cannot be told from two
 * lines that meet there by chance: a few points on both sides make sure. */
static void a_kink_at_a_measured_point_needs_little(void **state)
{
    (void)state;
    struct plan_spec spec = linear_spec;
    spec.stepwidth = KINK / 5.0;
    spec.last = 2 * KINK;
    struct asked a = run(&spec, kink);
    assert_in_range(a.refined, 2, 10);
    for (size_t k = a.count - a.refined; k < a.count; k++)
        assert_in_range(a.arguments[k], KINK - KINK / 5, KINK + KINK / 5);
    free(a.arguments);
}

/* The line behind the jump predicts the time at 5000 exactly, but the line before it is off. The
 * jump is enclosed until the segment's relative length is below the error. */
static void a_jump_is_seen_though_its_lines_meet(void **state)
{
    (void)state;
    static const time_of times[] = { meeting, meeting_behind };
    for (size_t i = 0; i < COUNT(times); i++) {
        struct asked a = run(&linear_spec, times[i]);
        qsort(a.arguments, a.count, sizeof(*a.arguments), by_value);
        size_t behind = 0;
        while (a.arguments[behind] < MEETING_JUMP)
            behind++;
        assert_true(a.arguments[behind] - a.arguments[behind - 1] < MEETING_JUMP / 100);
        assert_true(a.count <= 11 + 20);
        assert_sound(&linear_spec, &a);
        free(a.arguments);
    }
}

/* How wrong the line through two arguments is at a third one. */
static double line_error(time_of time_us, long from, long through, long at)
{
    double slope = (time_us(through) - time_us(from)) / (double)(through - from);
    double predicted = time_us(through) + slope * (double)(at - through);
    return fabs(predicted - time_us(at)) / time_us(at);
}

/* That of the segment behind the i-th of n sorted arguments: paper 4.2, and with two points on both
 * sides that agree within the error, the larger one less four times what they disagree by. */
static double estimate(const long *m, size_t n, size_t i, time_of time_us)
{
    double forth = i < 1 ? INFINITY : line_error(time_us, m[i - 1], m[i], m[i + 1]);
    double back = i + 2 >= n ? INFINITY : line_error(time_us, m[i + 2], m[i + 1], m[i]);
    double found = fmin(forth, back);
    if (i >= 2 && i + 3 < n) {
        double differ = fmax(line_error(time_us, m[i - 2], m[i - 1], m[i]),
                             line_error(time_us, m[i + 3], m[i + 2], m[i + 1]));
        if (differ < linear_spec.error)
            found = fmax(found, fmax(forth, back) - 4.0 * differ);
    }
    return m[i] > 0 ? fmin(found, (double)(m[i + 1] - m[i]) / (double)m[i]) : found;
}

/* Of the segments that can be split; 0: there is none. */
static double largest_estimate(const long *m, size_t n, time_of time_us)
{
    double largest = 0.0;
    for (size_t i = 0; i + 1 < n; i++)
        if (m[i + 1] - m[i] >= 2)
            largest = fmax(largest, estimate(m, n, i, time_us));
    return largest;
}

/* All estimates computed anew before each argument: it is the middle of one with the largest, and
 * there is no further argument only where that is small. */
static void assert_largest_first(const struct plan_spec *spec, time_of time_us)
{
    struct asked a = run(spec, time_us);
    size_t n = a.count - a.refined;
    for (; n < a.count; n++) {
        double largest = largest_estimate(a.arguments, n, time_us);
        size_t i = 0;
        while (a.arguments[i + 1] < a.arguments[n])
            i++;
        assert_int_equal(a.arguments[n], (a.arguments[i] + a.arguments[i + 1]) / 2);
        assert_true(estimate(a.arguments, n, i, time_us) >= largest * (1.0 - 1e-9));
        assert_true(largest >= spec->error);
        qsort(a.arguments, n + 1, sizeof(*a.arguments), by_value);
    }
    if (n < (size_t)spec->max_steps)
        assert_true(largest_estimate(a.arguments, n, time_us) < spec->error);
    free(a.arguments);
}

static void the_largest_estimate_is_split(void **state)
{
    (void)state;
    static const time_of times[] = { noise,        noisy_line, jump,   kink,
                                     elbow,        drop,       rise,   meeting_behind,
                                     noisier_line, meeting,    square, noisier_jump };
    struct plan_spec spec = linear_spec;
    for (size_t t = 0; t < COUNT(times); t++)
        for (spec.stepwidth = 200.0; spec.stepwidth < 2000.0; spec.stepwidth += 37.0)
            assert_largest_first(&spec, times[t]);
}

/* Lines that are only roughly right where they are checked do not contradict each other. */
static void small_noise_is_not_chased(void **state)
{
    (void)state;
    static const struct plan_spec *const specs[] = { &log_spec, &linear_spec };
    for (size_t i = 0; i < COUNT(specs); i++) {
        struct asked a = run(specs[i], noisy_line);
        assert_in_range(a.refined, 0, 12);
        free(a.arguments);
    }
}

/* A parabola is no line anywhere: the points go where the relative error is largest, and after
 * enough of them every segment is accurate. */
static void a_curve_is_refined_until_it_is_accurate(void **state)
{
    (void)state;
    struct plan_spec spec = { SCALE_DYNAMIC_LINEAR, 1000, 9000, 1, 2000.0, 1000, 1.0, ANY, 0.01 };
    struct asked a = run(&spec, square);
    assert_true(a.refined > 0 && a.count < 1000);
    qsort(a.arguments, a.count, sizeof(*a.arguments), by_value);
    for (size_t i = 1; i < a.count; i++) {
        double left = square(a.arguments[i - 1]), right = square(a.arguments[i]);
        double middle = square((a.arguments[i - 1] + a.arguments[i]) / 2);
        assert_true(fabs((left + right) / 2.0 - middle) / middle < spec.error);
    }
    free(a.arguments);
}

static void noise_is_bounded_by_max_steps(void **state)
{
    (void)state;
    static const struct plan_spec *const specs[] = { &log_spec, &linear_spec };
    for (size_t i = 0; i < COUNT(specs); i++) {
        struct plan_spec spec = *specs[i];
        for (spec.max_steps = 1; spec.max_steps < 200; spec.max_steps++) {
            struct asked a = run(&spec, noise);
            assert_int_equal(a.count, spec.max_steps);
            assert_sound(&spec, &a);
            free(a.arguments);
        }
    }
}

static void small_cases_are_exact(void **state)
{
    (void)state;
    static const struct {
        struct plan_spec spec;
        time_of time_us;
        long expected[12]; /* ends with -1 */
    } rows[] = {
        /* split at the geometric mean on log scales, at the middle from 0 and on linear ones */
        { { SCALE_DYNAMIC_LOG, 4, 64, 1, 64.0, 3, 1.0, ANY, 0.01 }, noise, { 4, 64, 16, -1 } },
        { { SCALE_DYNAMIC_LINEAR, 4, 64, 1, 60.0, 3, 1.0, ANY, 0.01 }, noise, { 4, 64, 34, -1 } },
        { { SCALE_DYNAMIC_LINEAR, 0, 64, 1, 64.0, 3, 1.0, ANY, 0.01 }, noise, { 0, 64, 32, -1 } },
        { { SCALE_DYNAMIC_LOG, 4, 64, 4, 64.0, 3, 24.0, ANY, 0.01 }, noise, { 4, 64, 28, -1 } },
        { { SCALE_DYNAMIC_LOG, 4, 64, 4, 64.0, 3, 25.0, ANY, 0.01 }, noise, { 4, 64, 32, -1 } },
        /* less than twice the minimal distance, or no multiple inside: never split */
        { { SCALE_DYNAMIC_LINEAR, 0, 64, 1, 64.0, 9, 33.0, 1.0, 0.01 }, noise, { 0, 64, -1 } },
        { { SCALE_DYNAMIC_LINEAR, 0, 64, 1, 64.0, 9, 32.0, 1.0, 0.01 }, noise, { 0, 64, 32, -1 } },
        { { SCALE_DYNAMIC_LINEAR, 0, 64, 64, 64.0, 9, 1.0, 1.0, 0.01 }, noise, { 0, 64, -1 } },
        { { SCALE_DYNAMIC_LINEAR, 0, 80, 40, 80.0, 9, 1.0, 1.0, 0.01 }, noise, { 0, 80, 40, -1 } },
        { { SCALE_DYNAMIC_LINEAR, 2, 5, 1, 1.0, 9, 1.0, 0.0, 0.0 }, noise, { 2, 3, 4, 5, -1 } },
        /* without neighbours the segment's relative length decides */
        { { SCALE_DYNAMIC_LINEAR, 1000, 1009, 1, 9.0, 9, 1.0, ANY, 0.01 },
          noise,
          { 1000, 1009, -1 } },
        { { SCALE_DYNAMIC_LINEAR, 1000, 1010, 1, 10.0, 3, 1.0, ANY, 0.01 },
          noise,
          { 1000, 1010, 1005, -1 } },
        { { SCALE_DYNAMIC_LINEAR, 0, 10, 1, 10.0, 9, 1.0, ANY, 0.01 }, line, { 0, 10, 5, -1 } },
        /* relative to the end that is predicted: 9 for 10 at 1000, but 10 for 11 at 3000 */
        { { SCALE_DYNAMIC_LINEAR, 1000, 3000, 1, 1000.0, 9, 1.0, ANY, 0.095 },
          elbow,
          { 1000, 2000, 3000, 1500, -1 } },
        /* a new point changes the estimates of the segments before and behind it */
        { { SCALE_DYNAMIC_LINEAR, 1000, 3000, 1, 1000.0, 5, 1.0, ANY, 0.01 },
          drop,
          { 1000, 2000, 3000, 2500, 2750, -1 } },
        { { SCALE_DYNAMIC_LINEAR, 1000, 3000, 1, 1000.0, 6, 1.0, ANY, 0.01 },
          rise,
          { 1000, 2000, 3000, 1500, 1250, 1125, -1 } },
        /* numbers that a double cannot tell apart */
        { { SCALE_DYNAMIC_LOG, HUGE_LENGTH, HUGE_LENGTH + 2, 1, 2.0, 9, 1.0, ANY, 0.0 },
          noise,
          { HUGE_LENGTH, HUGE_LENGTH + 2, HUGE_LENGTH + 1, -1 } },
        { { SCALE_DYNAMIC_LINEAR, 0, 64, 1, 64.0, 9, 1e300, 1.0, 0.01 }, noise, { 0, 64, -1 } },
        /* what was not measured is not refined, what was is */
        { { SCALE_DYNAMIC_LINEAR, 4000, 7000, 1, 1000.0, 5, 1.0, ANY, 1e-9 },
          unknown_below_5000,
          { 4000, 5000, 6000, 7000, 5500, -1 } },
        { { SCALE_DYNAMIC_LINEAR, 7, 7, 1, 1.0, 9, 1.0, 1.0, 0.01 }, noise, { 7, -1 } },
        { { SCALE_DYNAMIC_LINEAR, 8, 7, 1, 1.0, 9, 1.0, 1.0, 0.01 }, noise, { -1 } },
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct asked a = run(&rows[i].spec, rows[i].time_us);
        for (size_t k = 0; k < a.count; k++)
            assert_int_equal(a.arguments[k], rows[i].expected[k]);
        assert_int_equal(rows[i].expected[a.count], -1);
        free(a.arguments);
    }
}

static void results_must_be_those_asked_for(void **state)
{
    (void)state;
    struct err e = { { 0 } };
    struct plan *p = plan_new(&linear_spec, &e);
    long argument;
    assert_int_equal(plan_measured(p, 0, 1.0, &e), -1);
    assert_string_equal(e.text, "no result is expected for the argument 0");
    e = (struct err){ { 0 } };
    assert_true(plan_next(p, &argument));
    assert_int_equal(plan_measured(p, 5, 1.0, &e), -1);
    e = (struct err){ { 0 } };
    assert_int_equal(plan_measured(p, argument, 1.0, &e), 0);
    assert_int_equal(plan_measured(p, argument, 1.0, &e), -1);
    plan_free(p);
    plan_free(NULL);
}

/* A result that never came counts as unknown. */
static void missing_results_are_unknown(void **state)
{
    (void)state;
    struct err e = { { 0 } };
    struct plan *p = plan_new(&linear_spec, &e);
    long argument;
    size_t count = 0;
    while (plan_next(p, &argument))
        count++;
    assert_int_equal(count, 11);
    plan_free(p);
}

static void tells_the_most_there_can_be(void **state)
{
    (void)state;
    static const struct {
        struct plan_spec spec;
        size_t most;
    } rows[] = {
        { { SCALE_FIXED_LINEAR, 0, 100, 1, 10.0, 3, 1.0, 1.0, 0.1 }, 11 },
        { { SCALE_FIXED_LOG, 1, 100, 1, 10.0, 2, 1.0, 1.0, 0.1 }, 3 },
        { { SCALE_DYNAMIC_LINEAR, 0, 100, 1, 10.0, 30, 1.0, 1.0, 0.1 }, 30 },
        { { SCALE_DYNAMIC_LINEAR, 2, 4, 1, 10.0, 30, 1.0, 1.0, 0.1 }, 3 },
        { { SCALE_DYNAMIC_LOG, 5, 4, 1, 10.0, 30, 1.0, 1.0, 0.1 }, 0 },
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct err e = { { 0 } };
        struct plan *p = plan_new(&rows[i].spec, &e);
        assert_int_equal(plan_most(p), rows[i].most);
        plan_free(p);
    }
}

static void an_endless_sweep_is_refused(void **state)
{
    (void)state;
    struct plan_spec spec = { SCALE_FIXED_LINEAR, 0, 4194304, 1, 1.0, 9, 1.0, 1.0, 0.1 };
    struct err e = { { 0 } };
    assert_null(plan_new(&spec, &e));
    assert_string_equal(e.text, "the sweep from 0 to 4194304 by Stepwidth 1 would have 4194305 "
                                "arguments, more than 1000000");
    spec.scale = SCALE_DYNAMIC_LINEAR;
    struct asked a = run(&spec, line);
    assert_int_equal(a.count, 9);
    free(a.arguments);
}

static unsigned next_random(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 12;
}

static double next_fraction(unsigned *seed)
{
    return (double)(next_random(seed) % 100000) / 100000.0;
}

static struct plan_spec random_spec(unsigned *seed)
{
    static const long quanta[] = { 1, 1, 2, 4, 7, 8, 24, 1000 };
    struct plan_spec spec = { .scale = (enum scale)(next_random(seed) % 4),
                              .quantum = quanta[next_random(seed) % COUNT(quanta)],
                              .max_steps = 1 + (int)(next_random(seed) % 100),
                              .error = 0.1 * next_fraction(seed) };
    spec.first = (long)(next_random(seed) % 50) * spec.quantum;
    spec.last = spec.first + (long)pow(2.0, 16.0 * next_fraction(seed)) * spec.quantum;
    spec.stepwidth = scale_is_log(spec.scale) ? 1.001 + 3.0 * next_fraction(seed)
                                              : 0.1 + (double)spec.last * next_fraction(seed);
    spec.min_distance = pow(2.0, 10.0 * next_fraction(seed)) - 1.0;
    spec.max_distance = spec.min_distance + (double)spec.last * next_fraction(seed);
    return spec;
}

static void random_plans_are_sound(void **state)
{
    (void)state;
    static const time_of functions[] = { line,  constant, jump, kink,
                                         noise, unknown,  zero, unknown_below_5000 };
    unsigned seed = 20020;
    for (int i = 0; i < 20000; i++) {
        struct plan_spec spec = random_spec(&seed);
        struct asked a = run(&spec, functions[next_random(&seed) % COUNT(functions)]);
        assert_int_equal(a.arguments[0], spec.first);
        if (scale_is_dynamic(spec.scale) && spec.max_steps > 1)
            assert_int_equal(count_between(&a, spec.last, spec.last), 1);
        assert_sound(&spec, &a);
        free(a.arguments);
    }
}

static void many_points_are_quick(void **state)
{
    (void)state;
    struct plan_spec spec = { SCALE_DYNAMIC_LINEAR, 0, 1L << 40, 1, 1e10, 100000, 1.0, 1.0, 0.0 };
    clock_t start = clock();
    struct asked a = run(&spec, noise);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    printf("# %zu points in %.2f s\n", a.count, seconds);
    assert_int_equal(a.count, 100000);
    assert_true(seconds < 5.0);
    assert_sound(&spec, &a);
    free(a.arguments);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(stops_at_once_where_nothing_is_to_be_learnt),
        cmocka_unit_test(fixed_scales_are_never_refined),
        cmocka_unit_test(long_segments_are_split_until_max_distance),
        cmocka_unit_test(inaccurate_segments_go_first),
        cmocka_unit_test(points_gather_at_a_jump),
        cmocka_unit_test(points_gather_at_a_kink),
        cmocka_unit_test(a_kink_at_a_measured_point_needs_little),
        cmocka_unit_test(a_jump_is_seen_though_its_lines_meet),
        cmocka_unit_test(the_largest_estimate_is_split),
        cmocka_unit_test(small_noise_is_not_chased),
        cmocka_unit_test(a_curve_is_refined_until_it_is_accurate),
        cmocka_unit_test(noise_is_bounded_by_max_steps),
        cmocka_unit_test(small_cases_are_exact),
        cmocka_unit_test(results_must_be_those_asked_for),
        cmocka_unit_test(missing_results_are_unknown),
        cmocka_unit_test(tells_the_most_there_can_be),
        cmocka_unit_test(an_endless_sweep_is_refused),
        cmocka_unit_test(random_plans_are_sound),
        cmocka_unit_test(many_points_are_quick),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
