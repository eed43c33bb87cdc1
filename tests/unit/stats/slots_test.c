#include "../test.h"

#include "stats/slots.h"

enum { N = 64 };

static const double US = 1e-6;

/* An operation of 10 us of which nothing but the first try is known. */
static struct slots first(bool varies)
{
    struct slots s = { .announce_s = 2 * US,
                       .between_s = 1 * US,
                       .varies = varies,
                       .accuracy = 0.04,
                       .lead_stretch = 1.0,
                       .slot_stretch = 1.0,
                       .batch_split = 1,
                       .each = 1 };
    slots_first_try(&s, 10 * US);
    return s;
}

/* After a batch with these times; the first ones started late. */
struct batch_case {
    const char *what;
    bool varies;
    double usual_us, slow_us;
    int slow, late;
    double exit_us;
    double slot_us; /* of the next batch */
};

static void adapt(struct slots *s, const struct batch_case *b)
{
    double times_us[N], late[N], needs[NEEDS_COUNT] = { 2 * US, INFINITY, 0.25 * US, 0 };
    for (int i = 0; i < N; i++) {
        times_us[i] = i < b->slow ? b->slow_us : b->usual_us;
        late[i] = i > 0 && i <= b->late ? 1.0 : 0.0;
    }
    needs[NEED_EXIT] = b->exit_us * US;
    slots_adapt(s, &(struct outcome){ times_us, late, needs, N }, N - b->late, 1);
}

static const struct batch_case batches[] = {
    { "as expected", false, 10, 10, 0, 0, 10, 13.5 },
    { "one of 32 may exceed its slot", false, 10, 30, 2, 0, 10, 13.5 },
    { "no more may", false, 10, 30, 3, 0, 10, 38.5 },
    { "those that vary may not", true, 10, 30, 1, 0, 10, 38.5 },
    { "what is far off is a disturbance", false, 10, 1000, 6, 0, 10, 51 },
    { "others are done later", false, 10, 10, 0, 0, 20, 26 },
    { "few did not fit", false, 10, 10, 0, 4, 10, 13.5 },
    { "more did not fit", false, 10, 10, 0, 5, 10, 20.25 },
};

TEST(test_slots_follow_what_the_last_ones_needed)
{
    EACH(b, batches) {
        struct slots s = first(b->varies);
        adapt(&s, b);
        double slot_us = slots_length_s(&s) / US;
        if (fabs(slot_us - b->slot_us) > 1e-9)
            fail_msg("%s: %.3f us, not %.3f", b->what, slot_us, b->slot_us);
    }
}

TEST(test_slots_shrink_again)
{
    const struct batch_case bad = { .usual_us = 10, .late = N / 2, .exit_us = 10 };
    struct slots s = first(false);
    for (int i = 0; i < 9; i++)
        adapt(&s, &bad);
    assert_float_equal((float)(slots_length_s(&s) / US), (float)(8 * 13.5), 1e-4f);
    for (int i = 0; i < 9; i++)
        adapt(&s, &batches[0]);
    assert_float_equal((float)(slots_length_s(&s) / US), (float)(13.5), 1e-4f);
}

TEST(test_first_slots)
{
    struct slots s = first(false), turns = first(true);
    assert_float_equal((float)(slots_length_s(&s) / US), (float)(1.25 * 10 + 1), 1e-4f);
    assert_float_equal((float)(slots_length_s(&turns) / US), (float)(1.25 * 20 + 1), 1e-4f);
    assert_float_equal((float)(slots_lead_s(&s) / US), (float)(1.5 * 2), 1e-4f);
}

/* First tries may have been disturbed: a need is at most four times that of the last batch. */
TEST(test_first_estimates_shrink)
{
    static const struct {
        double first_us, needed_us, then_us;
    } rows[] = { { 100, 5, 20 }, { 20, 5, 20 }, { 10, 5, 10 }, { 100, INFINITY, 100 } };
    EACH(c, rows) {
        struct slots s = first(false);
        double time_us = 10, late = 0.0, needed_s = c->needed_us * US;
        double needs[NEEDS_COUNT] = { 2 * US, needed_s, needed_s, 10 * US };
        s.rewrite_s = s.between_s = c->first_us * US;
        slots_adapt(&s, &(struct outcome){ &time_us, &late, needs, 1 }, 1, 1);
        assert_true(fabs(slots_rewrite_s(&s) / US - 1.5 * c->then_us) < 1e-9);
        assert_true(fabs(slots_length_s(&s) / US - 1.25 * 10 - c->then_us) < 1e-9);
    }
}

/* A lead follows the announcements, but one that was disturbed hardly counts. */
TEST(test_leads)
{
    struct slots s = first(false);
    const double announced_us[] = { 4, 4, 1000, 2, 2 },
                 lead_us[] = { 3.75, 4.3125, 5.390625, 4.792969, 4.344727 };
    double time_us = 10, late = 0.0;
    for (size_t i = 0; i < COUNT(lead_us); i++) {
        double needs[NEEDS_COUNT] = { announced_us[i] * US, INFINITY, INFINITY, 10 * US };
        slots_adapt(&s, &(struct outcome){ &time_us, &late, needs, 1 }, 1, 1);
        assert_float_equal((float)(slots_lead_s(&s) / US), (float)(lead_us[i]), 1e-4f);
    }
}

/* A series of 100 repetitions, of which 8 were made in half a second. */
TEST(test_a_batch_ends_within_the_limits)
{
    static const struct {
        const char *what;
        bool measured, alone;
        double time_s, slot_s;
        int n;
    } cases[] = {
        { "short slots", true, false, 0, 10e-6, 92 },
        { "at least ten long ones", true, false, 0, 1, 10 },
        { "the first batch is short", false, false, 0, 50e-3, 2 },
        { "within the time of the measurement", true, false, 0.8, 0.1, 3 },
        { "at least one", true, false, 0.6, 1, 1 },
        { "each alone", true, true, 0, 10e-6, 1 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct slots s = first(false);
        LOCAL(series) series;
        struct limits l = { .max_repetition = 100, .min_repetition = 100, .visits = 1 };
        l.time_s = cases[i].time_s;
        s.measured = cases[i].measured;
        s.alone = cases[i].alone;
        assert_int_equal(series_init(&series, &l, NO_ERR), 0);
        series.started_s = 0.0;
        for (int k = 0; k < 8; k++)
            series_add(&series, 1e-3);
        assert_int_equal(slots_batch(&s, &series, 0.5, cases[i].slot_s), cases[i].n);
    }
}
