#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "clock/link.h"

#include <math.h>

/* A clock of which every sighting is up to 10 ns wrong, in turn to both sides. */
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

static double error_at(const struct link *k, double at_s, double offset_s, double drift)
{
    return fabs(line_offset(&k->line, at_s) - (offset_s + drift * at_s));
}

static void test_learns_drift(void **state)
{
    (void)state;
    struct link k = link_of(-700.0, 1e-4, LINK_MESSAGES, false);
    assert_true(error_at(&k, 0.06, -700.0, 1e-4) < 10e-9);
    assert_true(error_at(&k, 10.0, -700.0, 1e-4) < 5e-6);
}

static void test_refreshes_only_when_off(void **state)
{
    (void)state;
    struct link k = link_of(3.0, 0.0, LINK_MESSAGES, false);
    struct line before = k.line;
    assert_false(link_check(&k, sighting_of(1.0, 3.0, 0.0)));
    assert_true(k.line.offset_s == before.offset_s);
    assert_true(link_check(&k, sighting_of(2.0, 3.0, 1e-6))); /* 2 us */
    assert_true(error_at(&k, 2.0, 3.0, 1e-6) < 1e-6);
}

/* Far apart, sightings tell the drift better than at the start. */
static void test_refresh_improves_drift(void **state)
{
    (void)state;
    struct link k = link_of(0.0, 1e-5, LINK_MESSAGES, false);
    k.line.drift += 1e-6;
    assert_true(link_check(&k, sighting_of(10.0, 0.0, 1e-5)));
    assert_true(error_at(&k, 20.0, 0.0, 1e-5) < 0.2e-6);
}

static void test_clock_was_set(void **state)
{
    (void)state;
    struct link k = link_of(0.0, 1e-5, LINK_MESSAGES, false);
    assert_true(link_check(&k, sighting_of(1.0, 0.5, 1e-5)));
    assert_true(error_at(&k, 1.0, 0.5, 1e-5) < 20e-9);
    assert_int_equal(k.count, 1);
    assert_true(fabs(k.line.drift - 1e-5) < 1e-6);
}

/* What a disturbed sighting says is no reason to doubt the line. */
static void test_disturbed_sighting(void **state)
{
    (void)state;
    struct link k = link_of(0.0, 0.0, LINK_MESSAGES, false);
    struct sighting s = { 1.0, 500e-9, 5e-6 };
    assert_false(link_check(&k, s));
    s.error_s = 100e-9;
    assert_true(link_check(&k, s));
}

/* Of a round trip in which a process had to wait for a CPU. */
static struct sighting long_wait(double at_s, double wrong_s)
{
    return (struct sighting){ at_s, wrong_s, 2e-3 };
}

/* However many messages had to wait, what was known before stays known: the drift as well. */
static void test_long_waits(void **state)
{
    (void)state;
    struct link k = link_of(0.0, 1e-5, LINK_MESSAGES, false);
    for (int i = 1; i <= 2 * SIGHTINGS_MOST; i++)
        assert_false(link_check(&k, long_wait(0.1 * i, i % 2 == 0 ? 1.9e-3 : -1.9e-3)));
    assert_true(error_at(&k, 5.0, 0.0, 1e-5) < 2e-6);
    link_check(&k, sighting_of(5.0, 0.0, 1e-5));
    link_check(&k, sighting_of(6.0, 0.0, 1e-5));
    assert_true(error_at(&k, 7.0, 0.0, 1e-5) < 0.1e-6);
}

/* One good sighting tells more than all the bad ones that the line was learnt from, though it lies
 * well within their scatter; the next bad one does not take that away again. */
static void test_improves_on_long_waits(void **state)
{
    (void)state;
    struct link k = { .kind = LINK_MESSAGES };
    for (int i = 0; i < 12; i++)
        link_learn(&k, long_wait(i * 5e-3, i % 2 == 0 ? 1.5e-3 : -0.5e-3));
    assert_true(link_check(&k, sighting_of(1.0, 0.0, 0.0)));
    assert_true(error_at(&k, 1.0, 0.0, 0.0) < 0.1e-6);
    for (int i = 2; i < 9; i++)
        link_check(&k, long_wait(i, 1.9e-3));
    assert_true(error_at(&k, 9.0, 0.0, 0.0) < 20e-6);
}

/* Even where it is the only one that is left. */
static void test_clock_was_set_then_long_waits(void **state)
{
    (void)state;
    struct link k = link_of(0.0, 0.0, LINK_MESSAGES, false);
    assert_true(link_check(&k, sighting_of(1.0, 0.5, 0.0)));
    for (int i = 2; i < 9; i++)
        link_check(&k, long_wait(i, 0.5 + 1.9e-3));
    assert_true(error_at(&k, 9.0, 0.5, 0.0) < 20e-6);
}

/* A clock that was set by more than half of a long round trip is noticed by that. */
static void test_clock_was_set_in_long_wait(void **state)
{
    (void)state;
    struct link k = link_of(0.0, 0.0, LINK_MESSAGES, false);
    assert_true(link_check(&k, long_wait(1.0, 0.5)));
    assert_true(error_at(&k, 1.0, 0.5, 0.0) < 2e-3);
}

static void test_global(void **state)
{
    (void)state;
    struct link k = link_of(0.0, 0.0, LINK_MESSAGES, true);
    assert_true(k.global);
    assert_true(line_offset(&k.line, 5.0) == 0.0);
    assert_false(
        link_check(&k, (struct sighting){ 1.0, 90e-9, 100e-9 })); /* messages cannot tell */
    assert_true(link_check(&k, (struct sighting){ 2.0, 300e-9, 100e-9 }));
    assert_false(k.global);
    k = link_of(1e-3, 0.0, LINK_MESSAGES, true);
    assert_false(k.global);
    k = link_of(0.0, 1e-5, LINK_MESSAGES, true); /* 0.55 us within the sightings */
    assert_false(k.global);
}

static void test_settled(void **state)
{
    (void)state;
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

/* Four sightings, so much off a line without drift in turn; their scatter is as much. */
static struct link link_of_four(double apart_s, double off_s, double drift)
{
    static const int turn[] = { 1, -1, -1, 1 };
    struct link k = { .kind = LINK_HOST };
    for (int i = 0; i < 4; i++)
        link_learn(&k,
                   (struct sighting){ i * apart_s, i * apart_s * drift + turn[i] * off_s, 100e-9 });
    return k;
}

/* Four standard errors of the drift, each sqrt(0.4) * off / apart, are what it may be off: 5e-6
 * where none was found, 0.05e-6 where there is one. */
static void test_settled_when_drift_is_known(void **state)
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
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct link k = link_of_four(rows[i].apart_s, 1e-9, rows[i].drift);
        assert_int_equal(link_is_settled(&k), rows[i].settled);
    }
}

/* Four times the scatter; 20 ns where there is less. */
static void test_tolerates_what_scatters(void **state)
{
    static const struct {
        double scatter_s, off_s;
        bool mended;
    } rows[] = {
        { 0.0, 19e-9, false },
        { 0.0, -21e-9, true },
        { 100e-9, -390e-9, false },
        { 100e-9, 410e-9, true },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct link k = link_of_four(1.0, rows[i].scatter_s, 0.0);
        struct sighting seen = { 4.0, rows[i].off_s, 100e-9 };
        assert_int_equal(link_check(&k, seen), rows[i].mended);
    }
}

/* The oldest give way. */
static void test_keeps_latest(void **state)
{
    (void)state;
    struct link k = { .kind = LINK_MESSAGES };
    for (int i = 0; i < 2 * SIGHTINGS_MOST; i++)
        link_learn(&k, sighting_of(i, 0.0, 0.0));
    assert_int_equal(k.count, SIGHTINGS_MOST);
    assert_true(k.seen[0].at_s == SIGHTINGS_MOST);
    assert_true(k.seen[k.count - 1].at_s == 2 * SIGHTINGS_MOST - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_learns_drift),
        cmocka_unit_test(test_refreshes_only_when_off),
        cmocka_unit_test(test_refresh_improves_drift),
        cmocka_unit_test(test_clock_was_set),
        cmocka_unit_test(test_disturbed_sighting),
        cmocka_unit_test(test_long_waits),
        cmocka_unit_test(test_improves_on_long_waits),
        cmocka_unit_test(test_clock_was_set_then_long_waits),
        cmocka_unit_test(test_clock_was_set_in_long_wait),
        cmocka_unit_test(test_global),
        cmocka_unit_test(test_settled),
        cmocka_unit_test(test_settled_when_drift_is_known),
        cmocka_unit_test(test_tolerates_what_scatters),
        cmocka_unit_test(test_keeps_latest),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
