#include "../test.h"

#include "base/interrupt.h"
#include "stats/series.h"

#include "../failing.h"

/* Without a least number of repetitions. */
#define PAPER(min, max, standard_error, quantile, time_s, tick_s)                                  \
    {                                                                                              \
        min, max, standard_error, quantile, time_s, tick_s, ERROR_PAPER, 0.0, 0, 0.0, 0, false,    \
            false, false, 0, 0, 0.0, false                                                         \
    }

static double clock_s; /* the fake clock */

static double now(void)
{
    return clock_s;
}

/* One repetition by the fake clock. */
static double measure(double us)
{
    double start = now();
    clock_s += us * 1e-6;
    return now() - start;
}

static void check_near(const char *what, double is, double expected)
{
    double bound = 1e-9 * fmax(1, fabs(expected));
    if (isnan(is) != isnan(expected) || fabs(is - expected) > bound)
        fail_msg("%s: %.17g, expected %.17g", what, is, expected);
}

static struct series series_with(struct limits limits)
{
    struct series s;
    clock_s = 0;
    assert_int_equal(series_init(&s, &limits, NO_ERR), 0);
    return s;
}

/* In each batch, the first `valid` repetitions are valid; they take low and high in turn. Returns
 * the number of batches. */
static int run_series(struct series *s, int valid, double low_us, double high_us)
{
    int batches = 0;
    for (int n; (n = series_next(s, now())) > 0; batches++) {
        int added = n < valid ? n : valid;
        assert_true(s->n + n <= s->limits.max_repetition);
        assert_true(batches < 100000);
        for (int i = 0; i < n; i++)
            if (i < added)
                series_add(s, measure(s->n % 2 == 0 ? low_us : high_us));
            else
                s->invalid++;
    }
    return batches;
}

static const struct stop_case {
    const char *what;
    struct limits limits;
    double low_us, high_us;
    enum stop stop;
    int least, most; /* repetitions */
    double mean_us;
} stop_cases[] = {
    { "all equal: the minimum", PAPER(4, 20, 0.05, 0, 0, 1e-9), 9, 9, STOP_ACCURACY, 4, 4, 9 },
    { "noise of 10 %", PAPER(4, 1000, 0.01, 0, 0, 1e-9), 90, 110, STOP_ACCURACY, 100, 113, 100 },
    { "the maximum", PAPER(4, 20, 0.001, 0, 0, 1e-9), 50, 150, STOP_REPETITIONS, 20, 20, 100 },
    { "a single one", PAPER(1, 1, 0.05, 0, 0, 1e-9), 50, 50, STOP_REPETITIONS, 1, 1, 50 },
    { "the tick is outweighed", PAPER(4, 99, 0.05, 0, 0, 1e-6), 1, 1, STOP_ACCURACY, 20, 23, 1 },
    { "the tick is too coarse", PAPER(4, 9, 0.05, 0, 0, 1e-6), 1, 1, STOP_REPETITIONS, 9, 9, 1 },
    { "no time passes", PAPER(4, 9, 0.05, 0, 0, 1e-6), 0, 0, STOP_REPETITIONS, 9, 9, 0 },
    { "time is up", PAPER(4, 99, 0.05, 0, 1e-3, 1e-9), 100, 100, STOP_TIME, 10, 11, 100 },
    { "time: one takes longer", PAPER(4, 99, 0.05, 0, 1e-3, 1e-9), 2e3, 2e3, STOP_TIME, 1, 1, 2e3 },
    { "time: the maximum", PAPER(4, 5, 0.05, 0, 1e-3, 1e-9), 100, 100, STOP_REPETITIONS, 5, 5,
      100 },
};

TEST(test_stops)
{
    EACH(c, stop_cases) {
        LOCAL(series) s = series_with(c->limits);
        int batches = run_series(&s, 100000, c->low_us, c->high_us);
        if (s.stop != c->stop || s.n < c->least || s.n > c->most)
            fail_msg("%s: %s after %d, expected %s after %d to %d", c->what, stop_name(s.stop), s.n,
                     stop_name(c->stop), c->least, c->most);
        assert_in_range(batches, 1, 8);
        double mean = series_stats(&s).all.mean_us;
        assert_true(fabs(mean - c->mean_us) <= c->mean_us / s.n); /* an odd number of them */
        check_near("sum", s.sum_s, clock_s);
        assert_int_equal(series_next(&s, now()), 0); /* for good */
        assert_int_equal(s.stop, c->stop);
    }
}

/* Repetitions that are never synchronised: a limited number of batches. */
TEST(test_nothing_valid)
{
    LOCAL(series) s = series_with((struct limits)PAPER(4, 20, 0.05, 0, 0, 1e-9));
    int batches = run_series(&s, 0, 9, 9);
    assert_int_equal(s.stop, STOP_UNSYNCHRONISED);
    assert_int_equal(s.n, 0);
    assert_in_range(batches, 2, 100);
    assert_int_equal(s.invalid, 4 * batches);
    assert_true(isnan(series_stats(&s).all.mean_us));
}

/* On a busy machine, every try takes long: batches of four invalid repetitions, or of three. */
static const struct {
    const char *what;
    double limit_s, batch_s, tried_s;
    int visits, valid;
    double least_s, most_s; /* how long the tries last */
    enum stop stop;
    double left_s; /* for the visit; 0: no limit */
} busy_cases[] = {
    { "a limit of time, nothing valid", 0.05, 0.02, 0, 1, 0, 1.0, 1.02, STOP_UNSYNCHRONISED, 0 },
    { "a few slow tries, nothing valid", 0.05, 0.3, 0, 1, 0, 1.2, 1.2, STOP_UNSYNCHRONISED, 0 },
    { "a slow operation, nothing valid", 0.05, 0.3, 0.3, 1, 0, 2.4, 2.4, STOP_UNSYNCHRONISED, 0 },
    { "a limit of time, mostly invalid", 0.05, 0.01, 0, 1, 1, 0.05, 0.06, STOP_TIME, 0 },
    { "no limit, mostly invalid", 0.0, 0.1, 0, 1, 1, 5.0, 5.1, STOP_UNSYNCHRONISED, 0 },
    { "one of ten, mostly invalid", 0.0, 4e-3, 0, 10, 1, 20e-3, 24e-3, STOP_UNSYNCHRONISED, 0 },
    { "no limit, nothing valid", 0.0, 0.1, 0, 10, 0, 1.0, 1.1, STOP_UNSYNCHRONISED, 0 },
    { "no limit, mostly valid", 0.0, 0.1, 0, 1, 3, 30.0, 60.0, STOP_REPETITIONS, 0 },
    { "little left, nothing valid", 0.5, 0.01, 0, 1, 0, 0.1, 0.11, STOP_UNSYNCHRONISED, 0.1 },
    { "little left, mostly invalid", 0.5, 0.01, 0, 1, 1, 0.1, 0.11, STOP_TIME, 0.1 },
    { "little left, no limit of its own", 0.0, 0.01, 0, 1, 3, 0.1, 0.11, STOP_TIME, 0.1 },
    { "a call that would be late", 0.5, 0.01, 0.15, 1, 3, 0.0, 0.0, STOP_TIME, 0.1 },
    { "a call that is hardly late", 0.5, 0.01, 0.11, 1, 3, 0.1, 0.11, STOP_TIME, 0.1 },
};

TEST(test_busy_machine)
{
    EACH(c, busy_cases) {
        struct limits limits = PAPER(4, 1000, 1e-9, 0, c->limit_s, 1e-9);
        limits.visits = c->visits;
        limits.most_s = c->left_s;
        limits.may_leave = true;
        LOCAL(series) s = series_with(limits);
        s.tried_s = c->tried_s;
        while (series_next(&s, now()) > 0) {
            for (int k = 0; k < 4; k++)
                if (k < c->valid)
                    series_add(&s, k % 2 == 0 ? 9e-6 : 1e-6);
                else
                    s.invalid++;
            clock_s += c->batch_s;
        }
        if (s.stop != c->stop || clock_s < c->least_s - 1e-9 || clock_s > c->most_s + 1e-9)
            fail_msg("%s: %s after %g s", c->what, stop_name(s.stop), clock_s);
    }
}

/* If some are valid, the number of tries is still limited to a multiple of the number allowed. */
TEST(test_tries_are_used_up)
{
    static const int most[] = { 5, 50, 1000 };
    for (size_t i = 0; i < COUNT(most); i++) {
        LOCAL(series) s = series_with((struct limits)PAPER(most[i], most[i], 0.05, 0, 0, 1e-9));
        int tries = 0;
        series_add(&s, measure(9));
        while (series_next(&s, now()) > 0) {
            assert_in_range(tries, 0, 20 * most[i]);
            s.invalid++;
            tries++;
        }
        assert_int_equal(s.stop, STOP_UNSYNCHRONISED);
        assert_in_range(tries, 2 * most[i], 20 * most[i]);
        assert_int_equal(tries % most[i], 0);
        assert_int_equal(s.n, 1);
    }
}

/* A result that is accurate enough, or complete, is valid however many repetitions were dropped. */
TEST(test_valid_ones_have_their_say_first)
{
    static const struct {
        struct limits limits;
        enum stop stop;
    } rows[] = {
        { PAPER(4, 20, 0.05, 0, 0, 1e-9), STOP_ACCURACY },
        { PAPER(4, 4, 0, 0, 0, 1), STOP_REPETITIONS },
        { PAPER(4, 20, 0.05, 0, 3e-5, 1e-9), STOP_TIME },
    };
    EACH(c, rows) {
        LOCAL(series) s = series_with(c->limits);
        assert_true(series_next(&s, now()) > 0);
        for (int k = 0; k < 1000; k++)
            s.invalid++;
        for (int k = 0; k < 4; k++)
            series_add(&s, measure(9));
        assert_int_equal(series_next(&s, now()), 0);
        assert_int_equal(s.stop, c->stop);
    }
}

/* An interval with several calls counts as one repetition with the time per call. */
static const struct interval_case {
    double us;
    int calls;
    double overhead_us;
    double kept_us, spent_us;
} interval_cases[] = {
    { 10, 1, 0, 10, 10 },      { 10, 1, 2.5, 7.5, 10 },         { 1000, 100, 0, 10, 1000 },
    { 1000, 100, 4, 6, 1000 }, { 1, 1000, 0, 0.001, 1 },        { 2, 1, 3, -1, 2 },
    { 0, 7, 0, 0, 0 },         { 3e6, 1, 0.5, 2999999.5, 3e6 },
};

TEST(test_calls_and_overhead)
{
    EACH(c, interval_cases) {
        LOCAL(series) s = series_with((struct limits)PAPER(1, 2, 0.05, 0, 0, 1e-9));
        s.overhead_us = c->overhead_us;
        series_add_calls(&s, measure(c->us), c->calls);
        check_near("kept", series_stats(&s).all.mean_us, c->kept_us);
        check_near("spent", s.sum_s * 1e6, c->spent_us);
        if (c->calls == 1) {
            series_add(&s, measure(c->us));
            check_near("both", series_stats(&s).all.mean_us, c->kept_us);
        }
    }
}

/* A time far below the overhead, or below zero, is invalid unless a tick explains it. Times
 * around the overhead are those of an operation that takes none: all of them count. */
TEST(test_too_short)
{
    static const struct {
        double us;
        int calls;
        double overhead_us, tick_us;
        bool valid;
    } rows[] = {
        { -0.08, 1, 0, 0.01, false }, { 0, 1, 0, 0.01, true },     { 0, 1, 0.08, 0.01, false },
        { 0, 1, 0.08, 10, true },     { 0.6, 1, 1, 0.01, true },   { 0.4, 1, 1, 0.01, false },
        { 40, 100, 1, 10, false },    { 60, 100, 1, 0.01, true },  { -5, 1, 0, 10, true },
        { -20, 1, 0, 10, false },     { 5.72, 1, 11, 0.01, true },
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        LOCAL(series) s = series_with((struct limits)PAPER(1, 4, 0.05, 0, 0, 0));
        s.limits.tick_s = rows[i].tick_us * 1e-6;
        s.overhead_us = rows[i].overhead_us;
        if (series_add_calls(&s, rows[i].us * 1e-6, rows[i].calls) != rows[i].valid ||
            s.invalid != !rows[i].valid || s.n != rows[i].valid)
            fail_msg("row %zu: %d valid, %d invalid", i, s.n, s.invalid);
    }
}

/* No batches are counted here, as in most patterns. */
TEST(test_all_too_short)
{
    for (double time_s = 0; time_s < 0.1; time_s += 0.05) {
        LOCAL(series) s = series_with((struct limits)PAPER(4, 100000, 0.05, 0, time_s, 1e-9));
        for (int n; (n = series_next(&s, now())) > 0; clock_s += 0.02)
            assert_false(series_add(&s, -1e-6));
        assert_int_equal(s.stop, STOP_UNSYNCHRONISED);
        assert_in_range(s.invalid, 50, 250);
    }
}

TEST(test_overhead_error)
{
    LOCAL(series) s = series_with((struct limits)PAPER(4, 8, 0.05, 0, 0, 1e-9));
    s.overhead_us = 10;
    s.overhead_error_us = 0.5;
    while (series_next(&s, now()) > 0)
        series_add(&s, measure(s.n % 2 == 0 ? 9.5 : 11.5));
    check_near("the mean", series_stats(&s).all.mean_us, 0.5);
    check_near("both errors", series_stats(&s).cleaned.error_us, hypot(0.5, 1 / sqrt(8)));
    assert_int_equal(s.stop, STOP_REPETITIONS); /* mostly overhead */
}

/* Without the time that is to be subtracted, no time can be stated. */
TEST(test_unknown_overhead)
{
    LOCAL(series) s = series_with((struct limits)PAPER(4, 8, 0.03, 0, 0, 0));
    s.overhead_us = NAN;
    assert_int_equal(series_next(&s, now()), 0);
    assert_int_equal(s.stop, STOP_UNSYNCHRONISED);
}

/* Dropped repetitions take time, and so does what happens between repetitions. */
TEST(test_dropped_ones_take_time)
{
    LOCAL(series) s = series_with((struct limits)PAPER(4, 1000, 0.05, 0, 1e-3, 1e-9));
    clock_s = 5;
    while (series_next(&s, now()) > 0) {
        measure(260);
        s.invalid++;
        series_add(&s, measure(10));
    }
    assert_int_equal(s.stop, STOP_TIME);
    assert_int_equal(s.n, 4);
    assert_int_equal(s.invalid, 4);
    check_near("sum", s.sum_s, 4e-5);
}

/* The number of repetitions to come follows from the pace so far, not from their times alone. */
TEST(test_the_pace_tells_the_next_batch)
{
    LOCAL(series) s = series_with((struct limits)PAPER(4, 1000, 0.05, 0, 1e-3, 1e-9));
    assert_int_equal(series_next(&s, now()), 1);
    for (int i = 0; i < 4; i++)
        series_add(&s, measure(10));
    clock_s = 8e-4;
    assert_int_equal(series_next(&s, now()), 1);
}

/* The time limit applies to the time passed, not to the time per call. */
TEST(test_time_is_what_passed)
{
    LOCAL(series) s = series_with((struct limits)PAPER(1, 1000, 0.05, 0, 1e-3, 1e-9));
    s.overhead_us = 90;
    while (series_next(&s, now()) > 0)
        series_add_calls(&s, measure(250), 2);
    assert_int_equal(s.stop, STOP_TIME);
    assert_int_equal(s.n, 4);
    check_near("mean", series_stats(&s).all.mean_us, 35);
}

TEST(test_statistics)
{
    static const double us[] = { 4, 1000, 1, 2 };
    LOCAL(series) s = series_with((struct limits)PAPER(4, 4, 0.05, 0.25, 0, 1e-9));
    for (size_t i = 0; i < COUNT(us); i++)
        series_add(&s, measure(us[i]));
    struct stats stats = series_stats(&s);
    check_near("cleaned", stats.cleaned.mean_us, 3);
    check_near("min", stats.min_us, 1);
    check_near("max", stats.max_us, 1000);
    for (size_t i = 0; i < COUNT(us); i++) /* the order of measuring is kept */
        check_near("time", s.times_us[i], us[i]);
}

TEST(test_no_more_than_there_is_room_for)
{
    LOCAL(series) s = series_with((struct limits)PAPER(1, 3, 0, 0, 0, 1e-9));
    for (int i = 0; i < 10; i++)
        series_add(&s, measure(i));
    assert_int_equal(s.n, 3);
    check_near("mean", series_stats(&s).all.mean_us, 1);
}

/* The one nearest to the mean that is reported, without what is cut off. */
TEST(test_the_typical_repetition)
{
    LOCAL(series) s = series_with((struct limits)PAPER(1, 8, 0, 0.25, 0, 0));
    assert_int_equal(series_typical(&s), -1);
    const double us[] = { 1, 9, 5, 6, 5, 100, 7, 8 }; /* 5, 6, 7, 8 are left */
    for (size_t i = 0; i < COUNT(us); i++)
        series_add(&s, us[i] * 1e-6);
    assert_int_equal(series_typical(&s), 3);
}

/* A look at the clock that finds it wrong drops what was measured since the last one. */
TEST(test_dropped_since_the_last_look)
{
    const struct limits limits = PAPER(4, 8, 0.05, 0, 0, 0);
    LOCAL(series) s;
    assert_int_equal(series_init(&s, &limits, NO_ERR), 0);
    series_add(&s, 1e-6);
    series_add(&s, 1e-6);
    series_keep(&s);
    for (int i = 0; i < 6; i++)
        series_add(&s, 5e-6);
    assert_int_equal(series_next(&s, 1.0), 0);
    assert_int_equal(s.stop, STOP_REPETITIONS);
    series_drop_since(&s);
    assert_int_equal(s.n, 2);
    assert_int_equal(s.invalid, 6);
    assert_true(fabs(s.sum_s - 2e-6) < 1e-12);
    assert_true(series_next(&s, 1.0) > 0);
    assert_true(fabs(series_stats(&s).all.mean_us - 1.0) < 1e-9);
}

/* The first repetitions at a place take longer, by this part, less from one to the next. */
static double at_new_place(int i, double slow, int calls)
{
    return 100.0 * (1.0 + (i < calls ? slow * (calls - i) / calls : 0.0));
}

/* Touches are not in the value; more follow while times fall, but not for long. */
TEST(test_a_place_is_touched)
{
    static const struct {
        double slow;
        int calls;
        double time_s;
        int touched;
    } rows[] = {
        { 0, 0, 0, 2 },   { 9, 1, 0, 4 },    { 0.5, 3, 0, 8 },  { 9, 6, 0, 16 },
        { 99, 14, 0, 3 }, { 9, 6, 0.1, 16 }, { 9, 6, 1e-4, 1 }, { 300, 14, 0, 1 },
    };
    EACH(c, rows) {
        struct limits limits = PAPER(4, 100, 0.001, 0.25, c->time_s, 1e-9);
        limits.touches = TOUCHES_LEAST;
        LOCAL(series) s = series_with(limits);
        int made = 0;
        for (int n; (n = series_next(&s, now())) > 0;)
            for (int k = 0; k < n; k++)
                series_add(&s, measure(at_new_place(made++, c->slow, c->calls)));
        assert_int_equal(s.touched, c->touched);
        assert_int_equal(s.n, made - s.touched);
        if (c->touched >= c->calls)
            check_near("mean", series_stats(&s).all.mean_us, 100);
    }
}

/* The first visit with a limit of time fixes the number of visits, before what counts. */
TEST(test_a_first_visit_fixes_their_number)
{
    static const struct {
        double us;
        int visits, touched, n;
    } rows[] = { { 10, 10, 2, 150 }, { 3e3, 6, 2, 2 }, { 20e3, 1, 2, 1 }, { 100e3, 1, 1, 1 } };
    EACH(c, rows) {
        struct limits limits = PAPER(4, 150, 0.05, 0.25, 6e-3, 1e-9);
        limits.touches = TOUCHES_LEAST;
        limits.fixes_visits = true;
        limits.visits = 10;
        LOCAL(series) s = series_with(limits);
        for (int n; (n = series_next(&s, now())) > 0;)
            for (int k = 0; k < n; k++)
                series_add(&s, measure(c->us));
        assert_int_equal(s.limits.visits, c->visits);
        assert_int_equal(s.touched, c->touched);
        assert_int_equal(s.n, c->n);
    }
}

TEST(test_without_memory)
{
    for (int left = 0; left < 2; left++) {
        struct series s;
        struct err e = { "" };
        const struct limits limits = PAPER(4, 1000, 0.05, 0, 0, 0);
        allocations_left = left;
        int rc = series_init(&s, &limits, &e);
        allocations_left = -1;
        assert_int_equal(rc, -1);
        assert_string_equal(e.text, "out of memory: cannot allocate 8000 bytes");
        series_release(&s); /* the half that was allocated */
        series_release(&s);
        assert_null(s.times_us);
    }
}

/* A signal ends long visits, but not those that take no longer than a person notices. */
TEST(test_a_signal)
{
    interrupt_watch();
    raise(SIGTERM);
    for (int is_short = 0; is_short < 2; is_short++) {
        struct limits limits = PAPER(20, 20, 0.05, 0, 0, 1e-9);
        limits.is_short = is_short != 0;
        LOCAL(series) s = series_with(limits);
        series_add(&s, measure(9));
        assert_int_equal(series_next(&s, now()), is_short ? 19 : 0);
    }
}
