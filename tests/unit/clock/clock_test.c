#include "../random.h"
#include "../test.h"

#include "clock/clock.h"

#include <sched.h>
#include <time.h>

/* Powers of two: readings and their differences are exact. */
#define STEP (1.0 / (1 << 20))
#define LONG (1.0 / (1 << 10))
#define LATE (1.0 / (1 << 14))

/* The fake clock: every reading takes step_s, and shows a multiple of tick_s. */
static struct fake {
    double time_s, step_s;
    double tick_s; /* 0: any */
    double long_s; /* every fourth step is longer by this */
    double last_s; /* reading */
    int readings, yields;
    double late_s; /* beyond what sleeps were asked for; 0: they are the system's */
    double slept_s;
} fake;

static double now(void)
{
    double ticks = fake.tick_s > 0 ? floor(fake.time_s / fake.tick_s) : 0;
    fake.last_s = fake.tick_s > 0 ? ticks * fake.tick_s : fake.time_s;
    fake.readings++;
    fake.time_s += fake.step_s + (fake.readings % 4 == 0 ? fake.long_s : 0);
    return fake.last_s;
}

static double real_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    fake.last_s = (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
    fake.readings++;
    return fake.last_s;
}

/* Both functions replace the system's. */
int sched_yield(void)
{
    fake.yields++;
    return 0;
}

int nanosleep(const struct timespec *asked, struct timespec *left)
{
    if (fake.late_s == 0)
        return clock_nanosleep(CLOCK_MONOTONIC, 0, asked, left);
    double seconds = (double)asked->tv_sec + (double)asked->tv_nsec * 1e-9;
    fake.time_s += seconds + fake.late_s;
    fake.slept_s += seconds + fake.late_s;
    return 0;
}

static void check_near(size_t i, const char *what, double is, double expected, double bound)
{
    if (!(fabs(is - expected) <= bound))
        fail_msg("case %zu: %s %.17g, expected %.17g", i, what, is, expected);
}

TEST(test_tick_and_cost)
{
    static const struct {
        double start_s, step_s, tick_s, long_s;
        double tick, cost;
    } rows[] = {
        { 0, STEP, 0, 0, STEP, STEP },
        { 1000, STEP, 0, 0, STEP, STEP },
        { 0, STEP, 0, LONG, STEP, STEP + LONG / 4 }, /* the smallest step, the mean cost */
        { 0, STEP, LONG, 0, LONG, STEP },            /* many readings within one tick */
        { 0.3, STEP / 64, STEP, 0, STEP, STEP / 64 },
        { 0, STEP, STEP / 3, 0, STEP, STEP }, /* a tick below the cost cannot be seen */
        { 0, 3, 0, 0, 3, 3 },
        { 5, 0, 0, 0, 0, 0 }, /* a clock that does not advance */
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct clock c = { .now = now };
        fake.time_s = rows[i].start_s;
        fake.step_s = rows[i].step_s;
        fake.tick_s = rows[i].tick_s;
        fake.long_s = rows[i].long_s;
        fake.readings = 0;
        clock_calibrate(&c);
        check_near(i, "tick", c.tick_s, rows[i].tick, rows[i].tick_s / 1e6);
        check_near(i, "cost", c.cost_s, rows[i].cost, rows[i].tick_s / 1000);
        assert_in_range(fake.readings, 1000, 1100000);
    }
}

/* A sleep of 1 us, by a clock that shows step_s for it. */
TEST(test_sleep_late)
{
    static const struct {
        double step_s, late;
    } rows[] = { { LONG, LONG - 1e-6 }, { 0.25, 0.25 - 1e-6 }, { 5e-7, 0 }, { 0, 0 } };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct clock c = { .now = now };
        fake = (struct fake){ .step_s = rows[i].step_s };
        clock_calibrate(&c);
        check_near(i, "late", c.sleep_late_s, rows[i].late, 1e-12);
    }
}

/* After the readings for tick and cost, one sleep in five ends late. */
static double sometimes_late(void)
{
    fake.readings++;
    fake.time_s += fake.readings % 10 == 5 ? 16 * LONG : 2 * STEP;
    return fake.time_s;
}

TEST(test_usual_sleep)
{
    struct clock c = { .now = sometimes_late };
    fake.time_s = fake.readings = 0;
    clock_calibrate(&c);
    assert_int_equal(fake.readings % 10, 1);
    check_near(0, "late", c.sleep_late_s, 2 * STEP - 1e-6, 1e-9);
}

TEST(test_the_real_clock)
{
    struct clock c = { .now = real_now };
    double start_s = real_now();
    clock_calibrate(&c);
    double took_s = real_now() - start_s;
    assert_true(c.tick_s > 0 && c.tick_s < took_s);
    assert_true(c.cost_s > 0 && 1000 * c.cost_s < took_s);
    assert_true(c.sleep_late_s > 0 && c.sleep_late_s < took_s);
}

/* If sleeps would end too late, it spins. */
TEST(test_waits_by_reading)
{
    static const struct {
        double start_s, step_s, instant_s;
        double expected_s;
        int readings;
    } rows[] = {
        { 0, STEP, 0, 0, 1 }, /* now */
        { 5, STEP, 4, 5, 1 }, /* long ago */
        { 5, STEP, -1, 5, 1 },
        { 0, STEP, STEP / 2, STEP, 2 },
        { 0, STEP, STEP, STEP, 2 }, /* at the instant */
        { 0, STEP, 99 * STEP, 99 * STEP, 100 },
        { 0, STEP, 99.5 * STEP, 100 * STEP, 101 },
        { 7, 0.25, 9.1, 9.25, 10 },
        { -3, 1, -1.5, -1, 3 },
        { 0, 100, 1, 100, 2 }, /* the process was suspended */
    };
    for (size_t i = 0; i < 2 * COUNT(rows); i++) {
        size_t k = i / 2;
        struct clock c = { .now = now, .sleep_late_s = 1000, .yield = i % 2 == 1 };
        fake = (struct fake){ .time_s = rows[k].start_s, .step_s = rows[k].step_s };
        check_near(i, "reading", clock_wait_until(&c, rows[k].instant_s), rows[k].expected_s, 0);
        assert_int_equal(fake.readings, rows[k].readings);
        bool naps = rows[k].step_s > STEP; /* far away */
        assert_int_equal(fake.yields, c.yield && !naps ? rows[k].readings - 1 : 0);
    }
}

/* Advances from 1000, and is set back to 0 at the third reading. */
static double set_back(void)
{
    double time_s = fake.readings < 2 ? 1000 + fake.readings * STEP : fake.readings * STEP;
    fake.readings++;
    return time_s;
}

/* Without a check, the wait would last until the clock shows the instant again. */
TEST(test_ends_if_clock_is_set_back)
{
    struct clock c = { .now = set_back };
    fake.readings = 0;
    assert_true(clock_wait_until(&c, 1000 + 8 * STEP) < 1000);
    assert_int_equal(fake.readings, 3);
    c.wait_most_s = 10;
    assert_true(clock_wait_until(&c, 1000) < 1); /* set back before the wait */
    assert_int_equal(fake.readings, 4);
}

/* It sleeps most of the time instead of using the CPU; if a sleep may end late, with naps. */
TEST(test_far_instants_sleep)
{
    const double far_s = 0.2;
    for (int yield = 0; yield < 2; yield++) {
        struct clock c = { .now = now, .sleep_late_s = yield ? 5 : 1e-3, .yield = yield };
        fake = (struct fake){ .step_s = STEP, .late_s = LATE };
        double reading = clock_wait_until(&c, far_s);
        fake.late_s = 0;
        assert_true(reading >= far_s);
        assert_true(reading == fake.last_s); /* no other reading follows */
        assert_true(fake.slept_s > 0.75 * far_s && fake.slept_s < far_s);
    }
}

/* It sleeps only if the instant is farther away than two late sleeps; the reading after the sleep
 * needs no yield. */
TEST(test_margin_of_two_late_sleeps)
{
    static const struct {
        double instant_s;
        int sleeps;
    } rows[] = { { 19 * STEP, 0 }, { 20 * STEP, 0 }, { 21 * STEP, 1 } };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct clock c = { .now = now, .sleep_late_s = 10 * STEP, .yield = true };
        fake = (struct fake){ .step_s = STEP };
        check_near(i, "reading", clock_wait_until(&c, rows[i].instant_s), rows[i].instant_s, 0);
        assert_int_equal(fake.readings - 1 - fake.yields, rows[i].sleeps);
    }
}

TEST(test_sleeps)
{
    static const struct {
        double seconds, slept_s;
    } rows[] = { { 0.03, 0.03 }, { 0, 0 }, { -5, 0 }, { 1.02, 1.02 } };
    for (size_t i = 0; i < COUNT(rows); i++) {
        fake.slept_s = 0;
        fake.late_s = 1e-9;
        clock_sleep(rows[i].seconds);
        check_near(i, "slept", fake.slept_s, rows[i].slept_s, 3e-9);
    }
    fake.late_s = 0;
}

/* Readings of the fake clock that are up to NOISE_S late, and never go back. */
#define NOISE_S 2e-6

static double noisy_now(void)
{
    static double latest_s;
    static uint32_t random = 1;
    random = random * 1664525u + 1013904223u;
    latest_s = fmax(latest_s, now() + NOISE_S * (double)random / 4294967296.0);
    return latest_s;
}

/* Both ends of an interval are late by the noise; single readings are by half of it, on average. */
TEST(test_noise)
{
    enum { TRIES = 101 };
    struct clock c = { .now = noisy_now };
    double waited_s[TRIES], read_s[TRIES];
    fake = (struct fake){ .step_s = STEP / 32, .late_s = LATE };
    clock_calibrate(&c);
    check_near(0, "noise", c.noise_s, NOISE_S, 0.1 * NOISE_S);
    assert_true(c.readings > 1);
    for (int i = 0; i < TRIES; i++) {
        double instant_s = fake.time_s + 1e-3;
        clock_wait_until(&c, instant_s);
        waited_s[i] = instant_s - fake.time_s;
        clock_sleep(1e-5);
        double called_s = fake.time_s;
        read_s[i] = clock_read(&c) - called_s;
    }
    fake.late_s = 0;
    sort_values(waited_s, TRIES);
    sort_values(read_s, TRIES);
    check_near(0, "wait", waited_s[TRIES / 2], NOISE_S, 0.05 * NOISE_S);
    check_near(0, "read", read_s[TRIES / 2], NOISE_S, 0.05 * NOISE_S);
    c = (struct clock){ .now = now };
    clock_calibrate(&c);
    assert_true(c.noise_s == 0.0 && c.readings == 0);
}
