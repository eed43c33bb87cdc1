/* Probes: points of refinement at irregular lengths within the segments of the sweep. */

#include "../test.h"

#include "probed.h"

/* Two jumps between neighbours of the sweep, whose lines are the same. */
TIME_OF(plateau, line(m) * (m > 5200 && m < 5900 ? 1.12 : 1.0))

/* Only lengths whose number of elements is a multiple of 64 are fast. */
TIME_OF(divisible, line(m) * (m % 64 == 0 ? 1.0 : 1.43))

/* The largest error of the lines at lengths of no special kind, except those between points that
 * are so near to each other that they are not split. */
static double worst_between(struct asked *a, const struct plan_spec *spec, time_of time_us)
{
    double worst = 0.0;
    qsort(a->arguments, a->count, sizeof(*a->arguments), by_value);
    for (size_t i = 1; i < a->count; i++) {
        long b = a->arguments[i - 1], c = a->arguments[i];
        if (c - b < 2 || (b > 0 && (double)(c - b) < spec->error * (double)b))
            continue;
        for (long m = b + 1 - b % 2; m < c; m += 2) {
            double predicted =
                time_us(b) + (time_us(c) - time_us(b)) * (double)(m - b) / (double)(c - b);
            worst = m <= b ? worst : fmax(worst, fabs(predicted / time_us(m) - 1.0));
        }
    }
    return worst;
}

TEST(what_the_sweep_does_not_show_is_found)
{
    static const struct {
        const struct plan_spec *spec;
        double stepwidth;
        time_of time_us;
    } rows[] = {
        { &log_spec, 2.0, plateau },   { &linear_spec, 1000.0, plateau },
        { &log_spec, 2.0, divisible }, { &linear_spec, 1024.0, divisible },
        { &log_spec, 4.0, divisible }, { &linear_spec, 2048.0, divisible },
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct plan_spec spec = *rows[i].spec;
        spec.stepwidth = rows[i].stepwidth;
        spec.max_steps = 500;
        LOCAL(asked) a = run(&spec, rows[i].time_us);
        double worst = worst_between(&a, &spec, rows[i].time_us);
        if (worst > spec.error)
            fail_msg("row %zu: %zu points, off by %g", i, a.count, worst);
    }
}

/* Half of the segments as soon as Max_Steps allows for all of them, and all at last. */
TEST(segments_are_probed_within_max_steps)
{
    static const time_of times[] = { line, noise, jump, kink, square, plateau };
    static const struct plan_spec *const specs[] = { &log_spec, &linear_spec };
    for (size_t i = 0; i < COUNT(specs); i++)
        for (size_t t = 0; t < COUNT(times); t++) {
            struct plan_spec spec = *specs[i];
            size_t swept = i == 0 ? 18 : 11, segments = i == 0 ? 15 : 10, more;
            spec.max_steps = (int)(2 * swept - 1);
            LOCAL(asked) a = run(&spec, times[t]);
            assert_true(count_probed(&a, &more) >= (segments + 1) / 2);
            asked_release(&a);
            spec.max_steps = 100000;
            a = run(&spec, times[t]);
            assert_int_equal(count_probed(&a, &more), segments);
        }
}

/* No round number where there is another one. */
TEST(added_points_are_irregular)
{
    static const struct plan_spec *const specs[] = { &log_spec, &linear_spec };
    static const long quanta[] = { 1, 4, 8, 24 };
    for (size_t i = 0; i < COUNT(specs); i++)
        for (size_t q = 0; q < COUNT(quanta); q++) {
            struct plan_spec spec = *specs[i];
            spec.quantum = quanta[q];
            spec.last *= spec.quantum;
            spec.stepwidth *= i == 0 ? 1.0 : (double)spec.quantum;
            LOCAL(asked) a = run(&spec, line);
            for (size_t k = a.count - a.refined; k < a.count; k++)
                for (long n = a.arguments[k] / spec.quantum, d = 2; n > 64 && d < 32; d++)
                    assert_true(n % d != 0);
            assert_sound(&spec, &a);
        }
}
