#include "../test.h"

#include "asked.h"

#include <time.h>

#define HUGE_LENGTH 100000000000000000

/* Between all multiples of 1. */
#define DYNAMIC(scale, first, last, stepwidth, most, min_distance, error)                          \
    {                                                                                              \
        SCALE_DYNAMIC_##scale, first, last, 1, stepwidth, most, min_distance, ANY, error           \
    }
#define TENS(most, min_distance) DYNAMIC(LINEAR, 0, 100, 10, most, min_distance, 0.1)

TIME_OF(unknown_below_5000, m < 5000 ? NAN : noise(m))

TEST(small_cases_are_exact)
{
    static const struct {
        struct plan_spec spec;
        time_of time_us;
        long expected[12]; /* ends with -1 */
    } rows[] = {
        /* split near the geometric mean on log scales, near the middle from 0 and on linear ones */
        { DYNAMIC(LOG, 4, 64, 64, 3, 1, 0.01), noise, { 4, 64, 17, -1 } },
        { DYNAMIC(LINEAR, 4, 64, 60, 3, 1, 0.01), noise, { 4, 64, 37, -1 } },
        { DYNAMIC(LINEAR, 0, 64, 64, 3, 1, 0.01), noise, { 0, 64, 31, -1 } },
        { { SCALE_DYNAMIC_LOG, 4, 64, 4, 64.0, 3, 24.0, ANY, 0.01 }, noise, { 4, 64, 28, -1 } },
        { { SCALE_DYNAMIC_LOG, 4, 64, 4, 64.0, 3, 25.0, ANY, 0.01 }, noise, { 4, 64, 32, -1 } },
        /* less than twice the minimal distance, or no multiple inside: never split */
        { { SCALE_DYNAMIC_LINEAR, 0, 64, 1, 64.0, 9, 33.0, 1.0, 0.01 }, noise, { 0, 64, -1 } },
        { { SCALE_DYNAMIC_LINEAR, 0, 64, 1, 64.0, 9, 32.0, 1.0, 0.01 }, noise, { 0, 64, 32, -1 } },
        { { SCALE_DYNAMIC_LINEAR, 0, 64, 64, 64.0, 9, 1.0, 1.0, 0.01 }, noise, { 0, 64, -1 } },
        { { SCALE_DYNAMIC_LINEAR, 0, 80, 40, 80.0, 9, 1.0, 1.0, 0.01 }, noise, { 0, 80, 40, -1 } },
        { { SCALE_DYNAMIC_LINEAR, 2, 5, 1, 1.0, 9, 1.0, 0.0, 0.0 }, noise, { 2, 3, 4, 5, -1 } },
        /* without neighbours the relative length decides, once there is a point inside */
        { DYNAMIC(LINEAR, 1000, 1009, 9, 9, 4, 0.01), noise, { 1000, 1009, 1004, -1 } },
        { DYNAMIC(LINEAR, 1000, 1010, 10, 3, 1, 0.01), noise, { 1000, 1010, 1005, -1 } },
        { DYNAMIC(LINEAR, 0, 10, 10, 9, 3, 0.01), line, { 0, 10, 5, -1 } },
        /* relative to the end that is predicted: 9 for 10 at 1000, but 10 for 11 at 3000 */
        { DYNAMIC(LINEAR, 1000, 3000, 1000, 9, 300, 0.095),
          elbow,
          { 1000, 2000, 3000, 1499, 2501, -1 } },
        /* a new point changes the estimates of the segments before and after it */
        { DYNAMIC(LINEAR, 1000, 3000, 1000, 6, 1, 0.01),
          drop,
          { 1000, 2000, 3000, 2501, 1499, 2749, -1 } },
        { DYNAMIC(LINEAR, 1000, 3000, 1000, 6, 1, 0.01),
          rise,
          { 1000, 2000, 3000, 1499, 1249, 1123, -1 } },
        /* both parts of a segment of the sweep are split, the shorter one first */
        { DYNAMIC(LINEAR, 1000, 1100, 100, 9, 20, 0.9),
          line,
          { 1000, 1100, 1051, 1073, 1021, -1 } },
        /* numbers that are equal as doubles */
        { DYNAMIC(LOG, HUGE_LENGTH, HUGE_LENGTH + 2, 2, 9, 1, 0.0),
          noise,
          { HUGE_LENGTH, HUGE_LENGTH + 2, HUGE_LENGTH + 1, -1 } },
        { { SCALE_DYNAMIC_LINEAR, 0, 64, 1, 64.0, 9, 1e300, 1.0, 0.01 }, noise, { 0, 64, -1 } },
        /* points without a time are not refined, the others are */
        { DYNAMIC(LINEAR, 4000, 7000, 1000, 5, 1, 1e-9),
          unknown_below_5000,
          { 4000, 5000, 6000, 7000, 5501, -1 } },
        { { SCALE_DYNAMIC_LINEAR, 7, 7, 1, 1.0, 9, 1.0, 1.0, 0.01 }, noise, { 7, -1 } },
        { { SCALE_DYNAMIC_LINEAR, 8, 7, 1, 1.0, 9, 1.0, 1.0, 0.01 }, noise, { -1 } },
    };
    EACH(c, rows) {
        LOCAL(asked) a = run(&c->spec, c->time_us);
        for (size_t k = 0; k < a.count; k++)
            assert_int_equal(a.arguments[k], c->expected[k]);
        assert_int_equal(c->expected[a.count], -1);
    }
}

/* A missing result counts as unknown. */
TEST(missing_results_are_unknown)
{
    struct plan *p = plan_new(&linear_spec);
    long argument;
    size_t count = 0;
    while (plan_next(p, &argument))
        count++;
    assert_int_equal(count, 11);
    plan_free(p);
}

TEST(knows_the_maximum_of_arguments)
{
    static const struct {
        struct plan_spec spec;
        size_t most;
    } rows[] = {
        { { SCALE_FIXED_LINEAR, 0, 100, 1, 10.0, 3, 1.0, 1.0, 0.1 }, 11 },
        { { SCALE_FIXED_LOG, 1, 100, 1, 10.0, 2, 1.0, 1.0, 0.1 }, 3 },
        { { SCALE_DYNAMIC_LINEAR, 0, 100, 1, 10.0, 30, 1.0, 1.0, 0.1 }, 30 },
        { { SCALE_DYNAMIC_LINEAR, 2, 4, 1, 10.0, 30, 1.0, 1.0, 0.1 }, 3 },
        { { SCALE_DYNAMIC_LOG, 5, 4, 1, 10.0, 30, 1.0, 1.0, 0.1 }, 0 },
        { { SCALE_DYNAMIC_LOG, 1, 1 << 20, 1, 2.0, 0, 1.0, 1.0, 0.1 }, 21 + 16 },
        { { SCALE_DYNAMIC_LINEAR, 0, 100, 1, 1.5, 0, 1.0, 1.0, 0.1 }, 68 + 16 },
        { { SCALE_DYNAMIC_LINEAR, 0, 10, 1, 1.0, 0, 1.0, 1.0, 0.1 }, 11 },
    };
    EACH(c, rows) {
        struct plan *p = plan_new(&c->spec);
        assert_int_equal(plan_most(p), c->most);
        plan_free(p);
    }
}

TEST(a_refused_sweep_has_no_arguments)
{
    struct plan_spec spec = { SCALE_FIXED_LINEAR, 0, 4194304, 1, 1.0, 9, 1.0, 1.0, 0.1 };
    struct plan *p = plan_new(&spec);
    long argument;
    assert_false(plan_next(p, &argument));
    plan_free(p);
}

/* Constant up to 3000, a quarter more after it. */
TIME_OF(steps, m <= 3000 ? 4.0 : 5.0)

/* The outcome of a plan that ends, or is asked no more after a number of arguments. */
TEST(knows_its_outcome)
{
    static const struct {
        struct plan_spec spec;
        time_of time_us;
        size_t asked; /* 0: all */
        size_t sweep, swept, segments, probed;
        double bound;
        enum plan_end end;
    } rows[] = {
        { TENS(50, 1), constant, 0, 11, 11, 10, 10, 0, PLAN_DONE },
        { TENS(30, 9), constant, 0, 11, 11, 0, 0, 0, PLAN_DONE },
        { TENS(16, 1), constant, 0, 11, 11, 10, 5, 0, PLAN_AT_MAX_STEPS },
        { TENS(50, 1), constant, 13, 11, 11, 10, 2, 0, PLAN_STOPPED },
        { TENS(50, 1), constant, 4, 11, 4, 3, 0, 0, PLAN_STOPPED },
        { TENS(50, 1), unknown, 0, 11, 11, 10, 0, 0, PLAN_DONE },
        { TENS(3, 1), constant, 0, 11, 11, 10, 0, 0, PLAN_AT_MAX_STEPS }, /* less than the sweep */
        /* the line before the step is a fifth below the time after it */
        { DYNAMIC(LINEAR, 1000, 4000, 1000, 4, 1, 0.01), steps, 0, 4, 4, 3, 0, 0.2,
          PLAN_AT_MAX_STEPS },
        { DYNAMIC(LINEAR, 0, 100, 100, 2, 1, 0.1), constant, 0, 2, 2, 1, 0, (double)INFINITY,
          PLAN_AT_MAX_STEPS },
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct plan *p = plan_new(&rows[i].spec);
        long argument;
        for (size_t n = 0; (rows[i].asked == 0 || n < rows[i].asked) && plan_next(p, &argument);
             n++)
            plan_measured(p, rows[i].time_us(argument));
        struct plan_outcome is = plan_outcome(p);
        if (is.sweep != rows[i].sweep || is.swept != rows[i].swept ||
            is.segments != rows[i].segments || is.probed != rows[i].probed ||
            is.end != rows[i].end ||
            !(is.bound == rows[i].bound || fabs(is.bound - rows[i].bound) < 1e-9))
            fail_msg("case %zu: sweep %zu, swept %zu, segments %zu, probed %zu, "
                     "estimate %g, end %d",
                     i, is.sweep, is.swept, is.segments, is.probed, is.bound, is.end);
        plan_free(p);
    }
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

TEST(random_plans_are_sound)
{
    static const time_of functions[] = { line,  constant, jump, kink,
                                         noise, unknown,  zero, unknown_below_5000 };
    unsigned seed = 20020;
    for (int i = 0; i < 20000; i++) {
        struct plan_spec spec = random_spec(&seed);
        LOCAL(asked) a = run(&spec, functions[next_random(&seed) % COUNT(functions)]);
        assert_int_equal(a.arguments[0], spec.first);
        if (scale_is_dynamic(spec.scale))
            assert_int_equal(count_between(&a, spec.last, spec.last), 1);
        assert_sound(&spec, &a);
    }
}

TEST(many_points_are_quick)
{
    struct plan_spec spec = { SCALE_DYNAMIC_LINEAR, 0, 1L << 40, 1, 1e10, 100000, 1.0, 1.0, 0.0 };
    clock_t start = clock();
    LOCAL(asked) a = run(&spec, noise);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    printf("# %zu points in %.2f s\n", a.count, seconds);
    assert_int_equal(a.count, 100000);
    assert_true(seconds < 5.0);
    assert_sound(&spec, &a);
}
