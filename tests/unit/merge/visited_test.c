/* Values, errors and marks of visited rows, for repetitions that depend on time in many ways. */
#include "../test.h"

#include "../visited.h"

enum { FEW_SEEDS = 4 };

/* The number of rows, and of visits for the truth; SKAMPI_LONG: more. */
static int SEEDS = 200, FEWER_SEEDS = 60, TRUTH_VISITS = 600;

static int choose_numbers(void **state)
{
    if (getenv("SKAMPI_LONG") != NULL) {
        SEEDS = SEEDS_MOST;
        FEWER_SEEDS = 150;
        TRUTH_VISITS = 3000;
    }
    return 0;
}

ALL_TESTS_WITH(choose_numbers, NULL)

static double truth_of(const struct visited_case *c, int passes)
{
    const struct visiting v = { .passes = passes };
    return visited_truth(c, &v, TRUTH_VISITS);
}

TEST(test_visited_rows)
{
    const struct visiting v = { .passes = VISITS };
    for (size_t i = 0; i < VISITED_CASES; i++) {
        const struct visited_case *c = &visited_cases[i];
        struct visited_result r = visited_measure(c, SEEDS, &v, truth_of(c, VISITS));
        if (!visited_is_good(c, &r, SEEDS))
            fail_msg("%s: bias %.3f, %.1f %% within, %.1f %% unsteady, %.1f %% with two modes, "
                     "%.1f %% with states",
                     c->name, r.bias, r.within * 100, r.unsteady * 100, r.modes * 100,
                     r.states * 100);
    }
}

/* The expectation does not depend on the number of visits. */
TEST(test_numbers_of_visits)
{
    for (int passes = 1; passes <= 3; passes += 2) {
        const struct visiting v = { .passes = passes };
        for (size_t i = 0; i < VISITED_CASES; i++) {
            const struct visited_case *c = &visited_cases[i];
            struct visited_result r = visited_measure(c, FEWER_SEEDS, &v, truth_of(c, passes));
            if (!visited_is_unbiased(&r))
                fail_msg("%s, passes=%d: bias %.3f", c->name, passes, r.bias);
        }
    }
}

/* With the defaults, visits that agree end rows, and two errors cover the truth nearly as often. */
TEST(test_agreeing)
{
    const struct visiting v = { .passes = 5, .max_repetition = 20 };
    double agreed = 0, within = 0;
    for (size_t i = 0; i < VISITED_CASES; i++) {
        const struct visited_case *c = &visited_cases[i];
        if ((c->wanted & FINE) != FINE)
            continue;
        struct visited_result r =
            visited_measure(c, FEWER_SEEDS, &v, visited_truth(c, &v, TRUTH_VISITS));
        if (c->size <= 0.02 && c->next == next_normal)
            assert_true(r.agreed > 0.9 * FEWER_SEEDS && r.repetitions < 15);
        assert_true(r.agreed - r.agreed_within < 0.15 * FEWER_SEEDS);
        agreed += r.agreed;
        within += r.agreed_within;
    }
    if (within < 0.9 * agreed)
        fail_msg("%.0f of %.0f are within two errors", within, agreed);
}

/* Visits that wait for CPUs by chance change no expectation; 0.5 % as far as the seeds show it. */
TEST(test_left_out)
{
    const struct visiting whole = { .passes = VISITS }, some = { .passes = VISITS, .waited = 0.2 };
    for (size_t i = 0; i < VISITED_CASES; i++) {
        const struct visited_case *c = &visited_cases[i];
        double mean = 0, squares = 0;
        int left_out = 0;
        for (int seed = 0; seed < FEWER_SEEDS; seed++) {
            struct row all = visited_row(c, seed, &whole, false);
            struct row row = visited_row(c, seed, &some, false);
            double by = row.stats.cleaned.mean_us / all.stats.cleaned.mean_us - 1;
            mean += by / FEWER_SEEDS;
            squares += by * by / FEWER_SEEDS;
            left_out += row.disturbed > 0;
            assert_float_equal(row.all_visits_us, all.stats.cleaned.mean_us, 1e-9);
        }
        if (fabs(mean) > 0.005 + 3 * sqrt(squares / FEWER_SEEDS) || left_out < FEWER_SEEDS / 2)
            fail_msg("%s: %.3f, %d rows", c->name, 1 + mean, left_out);
    }
}

static void add_row(struct text *out, const struct row *r)
{
    pass_add_text(out, r, 1, 0.0);
    text_add(out, " %d %d %.17g %.17g %.17g %.17g", r->passes, r->disturbed, r->within_us,
             r->visit_median_us, r->states.low_us, r->states.high_us);
}

/* The log has enough of the visits for the same row. */
TEST(test_resumed)
{
    const struct visiting v = { .passes = VISITS, .waited = 0.2 };
    for (size_t i = 0; i < VISITED_CASES; i++)
        for (int seed = 0; seed < FEW_SEEDS; seed++) {
            LOCAL_TEXT first = { 0 };
            LOCAL_TEXT second = { 0 };
            struct row once = visited_row(&visited_cases[i], seed, &v, false);
            struct row again = visited_row(&visited_cases[i], seed, &v, true);
            add_row(&first, &once);
            add_row(&second, &again);
            assert_string_equal(text_get(&first), text_get(&second));
        }
}
