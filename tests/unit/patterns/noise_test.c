#include "../test.h"

#include "patterns/noise.h"

static const double COST_S = 1e-6, PERIOD_S = 1e-3, TAKEN_S = 2e-4;

static double now_s;
static double taken_s; /* from the process, once in a period */

/* Each reading takes a microsecond, and sometimes the process does not run. */
static double now(void)
{
    double before_s = now_s;
    now_s += COST_S;
    if (floor(now_s / PERIOD_S) > floor(before_s / PERIOD_S))
        now_s += taken_s;
    return now_s;
}

static const struct clock fake = { .now = now, .tick_s = 1e-9, .cost_s = 1e-6 };

static void assert_near(double value, double expected, double most)
{
    assert_true(fabs(value - expected) <= most);
}

static struct noise look(double (*once)(const struct clock *c, struct noise *d), double taken)
{
    struct noise d = { 0 };
    now_s = 0.5 * PERIOD_S;
    taken_s = taken;
    for (int i = 0; i < 10; i++)
        once(&fake, &d);
    return d;
}

TEST(test_detours)
{
    struct noise d = look(noise_spin, TAKEN_S);
    assert_near(d.longest_s * 1e6, 200.0, 1e-3);
    assert_near(d.count, 20.0, 2.1);
    assert_near(noise_lost_percent(&d).value, 20.0, 2.1);
    d = look(noise_spin, 0.0);
    assert_near(d.count, 0.0, 1e-9);
    assert_near(noise_lost_percent(&d).value, 0.0, 1e-9);
}

TEST(test_quanta_show_the_period)
{
    struct noise d = look(noise_work, TAKEN_S);
    assert_near(noise_lost_percent(&d).value, 20.0, 1.0);
    assert_near(d.longest_s * 1e6, 200.0, 10.0);
    assert_near(noise_period_us(&d), 1000.0, 5.0);
}

TEST(test_without_noise_there_is_no_period)
{
    struct noise d = look(noise_work, 0.0);
    assert_near(d.lost_s, 0.0, 1e-9);
    assert_true(isnan(noise_period_us(&d)));
}
