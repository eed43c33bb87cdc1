/* Dependence between repetitions, and two modes. */
#include "../test.h"

#include "stats/shape.h"

#include "stats/stats.h"

#include "../random.h"

enum { MOST = 100, SETS = 1000 };

/* For the shapes of many series. */
struct found {
    double unsteady, modal; /* shares */
};

typedef double next_time(uint64_t *random, double last, int i);

static struct found find(next_time *next, int n, double tick_us)
{
    int unsteady = 0, modal = 0;
    for (int set = 0; set < SETS; set++) {
        uint64_t random = 0x98765u * (uint64_t)(set + 1);
        double us[MOST], sorted[MOST], last = 0;
        for (int i = 0; i < n; i++)
            us[i] = last = next(&random, last, i);
        memcpy(sorted, us, sizeof(us));
        stats_sort(sorted, n);
        struct shape s = shape_of(us, sorted, n, tick_us);
        unsteady += lags_are_large(s.lags, n);
        modal += modes_of(sorted, n, tick_us).high > 0;
    }
    return (struct found){ (double)unsteady / SETS, (double)modal / SETS };
}

#define NEXT(name, us)                                                                             \
    static double name(uint64_t *random, double last, int i)                                       \
    {                                                                                              \
        return us;                                                                                 \
    }

NEXT(next_equal, 5)
NEXT(next_normal, 5 + generated_normal(random))
NEXT(next_exponential, -log1p(-generated_random(random)))
NEXT(next_of_two, (generated_random(random) < 0.3 ? 6 : 5))
NEXT(next_of_two_with_noise, next_of_two(random, last, i) + 0.1 * generated_normal(random))
NEXT(next_rounded, generated_random(random) < 0.3 ? 10 : 11)
NEXT(next_autoregressive, 0.8 * last + generated_normal(random))
NEXT(next_sine, sqrt(2) * sin(TWO_PI * i / 6) + generated_normal(random))
NEXT(next_step, (i < 50 ? 5 : 6.5) + generated_normal(random))

TEST(test_shares)
{
    static const struct {
        const char *name;
        next_time *next;
        int n;
        double tick_us, least_unsteady, most_unsteady, least_modal, most_modal;
    } rows[] = {
        { "equal", next_equal, 100, 0.1, 0, 0, 0, 0 },
        { "too few", next_autoregressive, 7, 0, 0, 0, 0, 0 },
        { "normal", next_normal, 20, 0, 0, 0.05, 0, 0.05 },
        { "normal", next_normal, 100, 0, 0, 0.03, 0, 0.01 },
        { "exponential", next_exponential, 100, 0, 0, 0.03, 0, 0.05 },
        { "two values", next_of_two, 20, 0.1, 0, 0.05, 0.9, 1 },
        { "two values", next_of_two, 100, 0.1, 0, 0.03, 0.99, 1 },
        { "two modes", next_of_two_with_noise, 100, 0.1, 0, 0.03, 0.99, 1 },
        { "two ticks", next_rounded, 100, 1, 0, 0.03, 0, 0 },
        { "autoregressive", next_autoregressive, 20, 0, 0.4, 1, 0, 0.1 },
        { "autoregressive", next_autoregressive, 100, 0, 0.99, 1, 0, 0.05 },
        { "sine", next_sine, 100, 0, 0.99, 1, 0, 0.05 },
        { "step", next_step, 100, 0, 0.9, 1, 0, 0.05 },
    };
    EACH(c, rows) {
        struct found f = find(c->next, c->n, c->tick_us);
        if (f.unsteady < c->least_unsteady || f.unsteady > c->most_unsteady ||
            f.modal < c->least_modal || f.modal > c->most_modal)
            fail_msg("%s, %d: %.3f unsteady, %.3f with two modes", c->name, c->n, f.unsteady,
                     f.modal);
    }
}

/* The first and the last are beyond the ends. */
TEST(test_times_of_modes)
{
    double us[20] = { 1, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 7, 7, 7, 7, 7, 999 };
    struct modes m = modes_of(us, 20, 0.1);
    assert_true(m.low == 13 && m.high == 5);
    assert_float_equal(m.low_us, 5, 1e-9);
    assert_float_equal(m.high_us, 7, 1e-9);
}
