#include "../random.h"
#include "../test.h"
#include "stats/warmup.h"

/* The time of repetition i, in us. */
typedef double repetition(int i);

#define REPETITION(name, us)                                                                       \
    static double name(int i)                                                                      \
    {                                                                                              \
        return us;                                                                                 \
    }

REPETITION(steady, 10.0)
REPETITION(first_slow, i < 5 ? 30.0 : 10.0)

/* Most of the second window is fast. */
REPETITION(ten_slow, i < 10 ? 30.0 : 10.0)
REPETITION(decays, 10.0 + 90.0 * exp(-i / 10.0))
REPETITION(falls_for_ever, 1000.0 * pow(0.98, i))
REPETITION(rises, 10.0 + i)

/* Steps of less than 5 percent are not worth a window. */
REPETITION(falls_little, 10.0 - i / 8 * 0.4)

/* Rare delays do not move medians. */
REPETITION(with_delays, i % 8 == 3 ? 5000.0 : 10.0)

/* How many repetitions do not count. */
static int dropped(repetition *us)
{
    struct warmup w = { .before_us = NAN };
    double window[WARMUP_WINDOW];
    do
        for (int i = 0; i < WARMUP_WINDOW; i++)
            window[i] = us(w.n + i);
    while (warmup_goes_on(&w, window, WARMUP_WINDOW));
    return w.n;
}

TEST(ends_when_times_stop_falling)
{
    static const struct {
        repetition *us;
        int dropped;
    } rows[] = {
        { steady, 16 }, { first_slow, 24 },   { ten_slow, 24 },    { decays, 64 },
        { rises, 16 },  { falls_little, 16 }, { with_delays, 16 }, { falls_for_ever, WARMUP_MOST },
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(dropped(rows[i].us), rows[i].dropped);
}

/* Repetitions that begin 100 times as slow as they end: those that count are within 10 %. */
TEST(noise_does_not_end_it_while_times_fall)
{
    uint64_t random = 7;
    for (int run = 0; run < 200; run++) {
        struct warmup w = { .before_us = NAN };
        double window[WARMUP_WINDOW], us = 1000.0;
        do
            for (int i = 0; i < WARMUP_WINDOW; i++, us = 10.0 + 0.9 * (us - 10.0))
                window[i] = us * (1.0 + 0.1 * generated_random(&random));
        while (warmup_goes_on(&w, window, WARMUP_WINDOW));
        assert_true(us < 11.0);
        assert_true(w.n <= WARMUP_MOST);
    }
}

TEST(ends_without_repetitions)
{
    struct warmup w = { .before_us = NAN };
    double window[WARMUP_WINDOW] = { 5.0, 4.0, 3.0 };
    assert_false(warmup_goes_on(&w, window, 0));
    assert_false(warmup_goes_on(&w, window, 3));
    assert_int_equal(w.n, 3);
}
