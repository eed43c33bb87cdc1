#include "../test.h"

#include "clock/link.h"

/* Sightings of a clock with errors of 10 ns, -10 ns and 0 in turn. */
static struct sighting sighting_of(double at_s, double offset_s, double drift)
{
    static int turn;
    turn++;
    double wrong_s = turn % 3 == 0 ? 10e-9 : turn % 3 == 1 ? -10e-9 : 0.0;
    return (struct sighting){ at_s, offset_s + drift * at_s + wrong_s, 100e-9 };
}

static struct link link_of(double offset_s, double drift, enum link_kind kind, bool global)
{
    struct link k = { .kind = kind, .global = global };
    for (int i = 0; i < 12; i++)
        link_learn(&k, sighting_of(i * 5e-3, offset_s, drift));
    return k;
}

/* Like a check: a sighting that differs is checked by a second one. */
static bool check_twice(struct link *k, struct sighting seen)
{
    bool changed = link_check(k, seen);
    if (!k->suspect)
        return changed;
    seen.at_s += 1e-3;
    return link_check(k, seen);
}

static double error_at(const struct link *k, double at_s, double offset_s, double drift)
{
    return fabs(line_offset(&k->line, at_s) - (offset_s + drift * at_s));
}

TEST(test_learns_drift)
{
    struct link k = link_of(-700.0, 1e-4, LINK_MESSAGES, false);
    assert_true(error_at(&k, 0.06, -700.0, 1e-4) < 10e-9);
    assert_true(error_at(&k, 10.0, -700.0, 1e-4) < 5e-6);
}

TEST(test_follows_sightings)
{
    struct link k = link_of(3.0, 0.0, LINK_MESSAGES, false);
    assert_false(link_check(&k, sighting_of(1.0, 3.0, 0.0)));
    assert_true(link_is_right(&k));
    assert_true(error_at(&k, 1.0, 3.0, 0.0) < 10e-9);
}

/* Sightings that are far apart improve the drift. */
TEST(test_long_time_improves_drift)
{
    struct link k = link_of(0.0, 1e-5, LINK_MESSAGES, false);
    k.line.drift += 0.05e-6;
    assert_false(link_check(&k, sighting_of(1.0, 0.0, 1e-5)));
    assert_true(error_at(&k, 2.0, 0.0, 1e-5) < 40e-9);
}

/* A single deviating sighting may be wrong; a second one shows that the clock was set. */
TEST(test_clock_was_set)
{
    struct link k = link_of(0.0, 1e-5, LINK_MESSAGES, false);
    double offset_s = k.line.offset_s;
    assert_false(link_check(&k, sighting_of(1.0, 0.5, 1e-5)));
    assert_true(k.suspect && !link_is_right(&k));
    assert_true(k.line.offset_s == offset_s);
    assert_true(link_check(&k, sighting_of(1.001, 0.5, 1e-5)));
    assert_true(k.learning && !link_is_right(&k));
    assert_true(error_at(&k, 1.001, 0.5, 1e-5) < 20e-9);
    assert_int_equal(k.count, 2);
    assert_true(fabs(k.line.drift - 1e-5) < 1e-6);
    link_check(&k, sighting_of(1.002, 0.5, 1e-5));
    link_learnt(&k);
    assert_true(k.learning); /* not yet */
    for (int i = 3; i < 12; i++)
        link_check(&k, sighting_of(1.0 + i * 5e-3, 0.5, 1e-5));
    link_learnt(&k);
    assert_true(link_is_right(&k));
}

TEST(test_suspicion_passes)
{
    struct link k = link_of(0.0, 0.0, LINK_MESSAGES, false);
    link_check(&k, sighting_of(1.0, 0.5, 0.0));
    assert_false(link_check(&k, sighting_of(1.001, 0.0, 0.0)));
    assert_true(link_is_right(&k));
    assert_int_equal(k.count, 13); /* without the wrong one */
}

/* A disturbed sighting is not a reason to doubt the line. */
TEST(test_disturbed_sighting)
{
    struct link k = link_of(0.0, 0.0, LINK_MESSAGES, false);
    struct sighting s = { 1.0, 500e-9, 5e-6 };
    assert_false(check_twice(&k, s));
    assert_true(link_is_right(&k));
    s.error_s = 100e-9;
    assert_true(check_twice(&k, s));
}

/* A sighting from a round trip in which a process had to wait for a CPU. */
static struct sighting long_wait(double at_s, double wrong_s)
{
    return (struct sighting){ at_s, wrong_s, 2e-3 };
}

/* Any number of delayed messages leaves the line as known before, including its drift. */
TEST(test_long_waits)
{
    struct link k = link_of(0.0, 1e-5, LINK_MESSAGES, false);
    for (int i = 1; i <= 2 * MAX_SIGHTINGS; i++)
        assert_false(link_check(&k, long_wait(0.1 * i, i % 2 == 0 ? 1.9e-3 : -1.9e-3)));
    assert_true(error_at(&k, 5.0, 0.0, 1e-5) < 2e-6);
    link_check(&k, sighting_of(5.0, 0.0, 1e-5));
    link_check(&k, sighting_of(6.0, 0.0, 1e-5));
    assert_true(error_at(&k, 7.0, 0.0, 1e-5) < 0.1e-6);
}

/* One good sighting has more weight than all the bad ones from which the line was learnt, although
 * it is well within their scatter; later bad ones do not undo this. */
TEST(test_improves_on_long_waits)
{
    struct link k = { .kind = LINK_MESSAGES };
    for (int i = 0; i < 12; i++)
        link_learn(&k, long_wait(i * 5e-3, i % 2 == 0 ? 1.5e-3 : -0.5e-3));
    link_check(&k, sighting_of(1.0, 0.0, 0.0));
    assert_true(error_at(&k, 1.0, 0.0, 0.0) < 0.1e-6);
    for (int i = 2; i < 9; i++)
        link_check(&k, long_wait(i, 1.9e-3));
    assert_true(error_at(&k, 9.0, 0.0, 0.0) < 20e-6);
}

/* A good sighting outweighs bad ones even if it is the only one left. */
TEST(test_clock_was_set_then_long_waits)
{
    struct link k = link_of(0.0, 0.0, LINK_MESSAGES, false);
    assert_true(check_twice(&k, sighting_of(1.0, 0.5, 0.0)));
    for (int i = 2; i < 9; i++)
        link_check(&k, long_wait(i, 0.5 + 1.9e-3));
    assert_true(error_at(&k, 9.0, 0.5, 0.0) < 20e-6);
}

/* A long round trip shows that a clock was set if the change exceeds half of it. */
TEST(test_clock_was_set_in_long_wait)
{
    struct link k = link_of(0.0, 0.0, LINK_MESSAGES, false);
    assert_true(check_twice(&k, long_wait(1.0, 0.5)));
    assert_true(error_at(&k, 1.0, 0.5, 0.0) < 2e-3);
}

/* Messages cannot show an offset within their round trip, but they show that it changes. */
TEST(test_global)
{
    struct link k = link_of(90e-9, 0.0, LINK_MESSAGES, true);
    assert_true(k.global);
    assert_true(fabs(line_offset(&k.line, 0.03) - 90e-9) < 10e-9);
    struct line none = link_line(&k);
    assert_true(line_offset(&none, 5.0) == 0.0);
    assert_false(link_check(&k, sighting_of(1.0, 90e-9, 0.0)));
    assert_true(link_is_right(&k) && k.global);
    assert_true(check_twice(&k, sighting_of(2.0, 20e-9, 0.0)));
    assert_false(k.global);
    k = link_of(1e-3, 0.0, LINK_MESSAGES, true);
    assert_false(k.global);
    k = link_of(0.0, 1e-5, LINK_MESSAGES, true); /* 0.55 us within the sightings */
    assert_false(k.global);
}

TEST(test_settled)
{
    struct link none = { .kind = LINK_NONE };
    struct link messages = link_of(1.0, 0.0, LINK_MESSAGES, false);
    struct link host = link_of(1.0, 0.0, LINK_HOST, false);
    struct link drifting = { .kind = LINK_HOST };
    struct link global = link_of(0.0, 0.0, LINK_MESSAGES, true);
    struct link young = { .kind = LINK_HOST };
    link_learn(&young, sighting_of(0.0, 1.0, 0.0));
    for (int i = 0; i < 5; i++)
        link_learn(&drifting, sighting_of(i * 1e-3, 1.0, 1e-4));
    assert_true(link_is_settled(&none));
    assert_true(link_is_settled(&host));
    assert_true(link_is_settled(&global));
    assert_false(link_is_settled(&messages));
    assert_false(link_is_settled(&drifting));
    assert_false(link_is_settled(&young));
}

/* Four sightings off a line without drift by off_s, on alternating sides; their scatter is as
 * large. */
static struct link link_of_four(double apart_s, double off_s, double drift)
{
    static const int turn[] = { 1, -1, -1, 1 };
    struct link k = { .kind = LINK_HOST };
    for (int i = 0; i < 4; i++)
        link_learn(&k,
                   (struct sighting){ i * apart_s, i * apart_s * drift + turn[i] * off_s, 100e-9 });
    return k;
}

/* The limits apply to four standard errors of the drift, each sqrt(0.4) * off / apart: 5e-6 if no
 * drift was found, 0.05e-6 otherwise. */
TEST(test_settled_when_drift_is_known)
{
    static const struct {
        double apart_s, drift;
        bool settled;
    } rows[] = {
        { 0.48e-3, 0.0, false },
        { 0.53e-3, 0.0, true },
        { 48e-3, 1e-4, false },
        { 53e-3, 1e-4, true },
    };
    EACH(c, rows) {
        struct link k = link_of_four(c->apart_s, 1e-9, c->drift);
        assert_int_equal(link_is_settled(&k), c->settled);
    }
}

/* The tolerance is the largest of four times the scatter, 20 ns and the grain of the clocks, plus
 * the excess of its round trip over the fastest one. */
TEST(test_tolerance_follows_scatter)
{
    static const struct {
        double scatter_s, grain_s, error_s, tolerance_s;
    } rows[] = {
        { 0.0, 0.0, 100e-9, 20e-9 },   { 20e-9, 0.0, 100e-9, 80e-9 },
        { 0.0, 0.0, 150e-9, 70e-9 },   { 20e-9, 0.0, 150e-9, 130e-9 },
        { 0.0, 70e-9, 100e-9, 70e-9 }, { 50e-9, 0.0, 100e-9, 100e-9 }, /* its own bound */
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct link k = link_of_four(1.0, rows[i].scatter_s, 0.0);
        k.grain_s = rows[i].grain_s;
        struct sighting seen = { 4.0, 0.0, rows[i].error_s };
        if (!(fabs(link_tolerance(&k, &seen) - rows[i].tolerance_s) < 1e-10))
            fail_msg("row %zu: %g", i, link_tolerance(&k, &seen));
    }
}

/* A line is right if the sighting agrees with it to within the tolerance. */
TEST(test_right_if_confirmed)
{
    static const struct {
        double at_s, off_s;
        bool right;
    } rows[] = { { 4.0, 19e-9, true }, { 4.0, -21e-9, false }, { 4.0, 0.0, true } };
    EACH(c, rows) {
        struct link k = link_of_four(1.0, 5e-9, 0.0);
        link_check(&k, (struct sighting){ c->at_s, c->off_s, 100e-9 });
        assert_int_equal(link_is_right(&k), c->right);
    }
}

/* A delayed sighting has too little weight: the drift is known from 3 ms only. */
TEST(test_not_certain_until_drift_is_known)
{
    struct link k = link_of_four(1e-3, 5e-9, 0.0);
    link_check(&k, (struct sighting){ 0.5, 0.0, 2e-6 });
    assert_true(link_is_right(&k) && !link_is_certain(&k));
    link_check(&k, (struct sighting){ 0.501, 0.0, 100e-9 });
    assert_true(link_is_certain(&k));
}

/* With any scatter, a difference larger than both half round trips is a change. */
TEST(test_no_deviation_beyond_the_bounds)
{
    for (int beyond = 0; beyond < 2; beyond++) {
        struct link k = link_of_four(1.0, 1e-6, 0.0);
        struct sighting seen = { 4.0, beyond ? 230e-9 : 210e-9, 100e-9 };
        assert_int_equal(check_twice(&k, seen), beyond);
    }
}

/* If memory is full, one of two sightings close together is dropped: the oldest and the latest
 * remain, and those in between reach back evenly. */
TEST(test_keeps_old_and_new)
{
    struct link k = { .kind = LINK_MESSAGES };
    for (int i = 0; i < 500; i++)
        link_learn(&k, sighting_of(i, 0.0, 0.0));
    assert_int_equal(k.count, MAX_SIGHTINGS);
    assert_true(k.seen[0].at_s == 0.0);
    assert_true(k.seen[k.count - 1].at_s == 499.0);
    assert_true(k.seen[k.count - 2].at_s == 498.0);
    assert_true(k.seen[k.count / 2].at_s > 400.0 && k.seen[4].at_s < 400.0);
}
