/* Values, errors and marks of visited rows, for repetitions that depend on time in many ways. */
#include "../test.h"

#include "../visited.h"

enum { FEW_SEEDS = 4 };

/* The number of rows, and of visits for the truth; SKAMPI_LONG: more, and rows are printed
 * (docs/bench.md). */
static int SEEDS = 100, FEWER_SEEDS = 50, TRUTH_VISITS = 600;

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

static struct visited_result result_of(const struct visited_case *c, const struct visiting *v,
                                       int seeds)
{
    return visited_measure(c, seeds, v, visited_truth(c, v, TRUTH_VISITS));
}

static void fail_of(const struct visited_case *c, const struct visiting *v,
                    const struct visited_result *r)
{
    fail_msg("%s, %d visits: bias %.3f, %.1f %% within, %.1f %% unsteady, %.1f %% marked, %.1f %% "
             "with two modes, %.1f %% with states",
             c->name, v->passes, r->bias, r->within * 100, r->unsteady * 100, r->marked * 100,
             r->modes * 100, r->states * 100);
}

static void print_row(const struct visited_case *c, const struct visited_result *r)
{
    if (getenv("SKAMPI_LONG") != NULL)
        print_message("%-39s| %.3f %6.2f %5.1f %6.1f %6.1f %6.1f %6.1f %5.0f\n", c->name, r->bias,
                      r->scatter, r->within * 100, r->mean_within * 100, r->unsteady * 100,
                      r->modes * 100, r->states * 100, r->repetitions);
}

/* With the numbers of visits that the program makes. */
TEST(test_visited_rows)
{
    static const struct visiting numbers[] = { { .passes = 10 }, { .passes = 5 } };
    for (size_t k = 0; k < COUNT(numbers); k++)
        for (size_t i = 0; i < VISITED_CASES; i++) {
            const struct visited_case *c = &visited_cases[i];
            struct visited_result r = result_of(c, &numbers[k], SEEDS);
            print_row(c, &r);
            if (!visited_is_unbiased(c, &r) || !visited_is_marked(c, &r, SEEDS) ||
                !visited_is_covered(c, &r, numbers[k].passes, SEEDS))
                fail_of(c, &numbers[k], &r);
        }
}

/* With the defaults: of twenty repetitions, errors cover the truth, and chance is not marked. */
TEST(test_few_repetitions)
{
    const struct visiting v = { .passes = 5, .max_repetition = 20 };
    int seeds = 4 * SEEDS < SEEDS_MOST ? 4 * SEEDS : SEEDS_MOST;
    for (size_t i = 0; i < VISITED_CASES; i++) {
        const struct visited_case *c = &visited_cases[i];
        struct visited_result r = result_of(c, &v, seeds);
        if (c->next != next_cold && /* all of them */
            (!visited_is_covered(c, &r, v.passes, seeds) ||
             (c->next == next_normal && r.unsteady > 0.05)))
            fail_of(c, &v, &r);
    }
}

/* The expectation does not depend on the number of visits. */
TEST(test_numbers_of_visits)
{
    for (int passes = 1; passes <= 3; passes += 2)
        for (size_t i = 0; i < VISITED_CASES; i++) {
            const struct visited_case *c = &visited_cases[i];
            const struct visiting v = { .passes = passes };
            struct visited_result r = result_of(c, &v, FEWER_SEEDS);
            if (!visited_is_unbiased(c, &r))
                fail_of(c, &v, &r);
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
    const struct visiting v = { .passes = 10 };
    for (size_t i = 0; i < VISITED_CASES; i++)
        for (int seed = 0; seed < FEW_SEEDS; seed++) {
            LOCAL_TEXT first = { 0 }, second = { 0 };
            struct row once = visited_row(&visited_cases[i], seed, &v, false);
            struct row again = visited_row(&visited_cases[i], seed, &v, true);
            add_row(&first, &once);
            add_row(&second, &again);
            assert_string_equal(text_get(&first), text_get(&second));
        }
}
