/* The numbers of a row are those of rule 1: a file has visits and rows that never change. */
#include "../test.h"

#include "merge/pass_rows.h"
#include "model/suite.h"
#include "stats/stats.h"

#include "../random.h"

#define GOLDEN "tests/unit/merge/golden/rule-1.txt"

enum { MOST = 1000, NUMBERS = 7 };

static const struct pattern_info pattern = { .prefix = "p2p" };
static const struct type_info type = { .name = "a", .pattern = &pattern };

/* Appends a visit of these repetitions, as a suite does. */
static void add_visit(struct block *b, double *us, int n)
{
    struct row row = { .stats = stats_of(
                           us, n, (struct summing){ .cut_quantile = b->suite->cut_quantile }),
                       .kept = kept_of(us, n, us),
                       .kept_us = us };
    block_append(b, &row);
}

static struct row row_of(const struct block *b)
{
    LOCAL(pass_rows) rows;
    struct row row;
    pass_rows_init(&rows, b);
    assert_non_null(pass_rows_next(&rows, &row));
    return row;
}

static int read_numbers(const char *at, double *numbers, int most)
{
    int n = 0;
    for (char *end; n < most; n++, at = end) {
        numbers[n] = strtod(at, &end);
        if (end == at)
            break;
    }
    return n;
}

static void check_row(const struct block *b, const char *expected)
{
    struct row r = row_of(b);
    double wanted[NUMBERS];
    const double got[NUMBERS] = {
        r.stats.cleaned.mean_us, r.stats.cleaned.count, r.stats.all.mean_us, r.stats.min_us,
        r.stats.p25_us,          r.stats.median_us,     r.stats.p75_us,
    };
    assert_int_equal(read_numbers(expected, wanted, NUMBERS), NUMBERS);
    for (int i = 0; i < NUMBERS; i++)
        if (!(fabs(got[i] - wanted[i]) <= 2e-9 * fabs(wanted[i])))
            fail_msg("%s: number %d is %.12g", expected, i, got[i]);
}

TEST(values_of_rule_1)
{
    char line[4096];
    double us[MOST];
    struct suite s = { .type = &type };
    LOCAL(block) b = { .suite = &s };
    FILE *file = fopen(GOLDEN, "r");
    int rows = 0;
    assert_non_null(file);
    while (fgets(line, sizeof(line), file) != NULL) {
        if (strncmp(line, "cut ", 4) == 0) {
            s.cut_quantile = strtod(line + 4, NULL);
            block_drop_rows(&b, 0);
        } else if (strncmp(line, "visit ", 6) == 0) {
            add_visit(&b, us, read_numbers(line + 6, us, MOST));
        } else if (strncmp(line, "row ", 4) == 0) {
            check_row(&b, line + 4);
            rows++;
        }
    }
    fclose(file);
    assert_int_equal(rows, 7);
}

/* Two slow visits of ten are cut, but another sample may have more of them. The expected error is
 * that of binomial numbers of three slow ones in twelve. */
TEST(error_of_two_slow_visits)
{
    struct suite s = { .type = &type, .cut_quantile = 0.25, .options.passes = 10 };
    LOCAL(block) b = { .suite = &s };
    double squares = 0, share = pow(0.75, 10);
    for (int i = 0; i < 10; i++)
        add_visit(&b, &(double){ i < 2 ? 2 : 1 }, 1);
    for (int k = 0; k <= 10; share *= (10.0 - k) / (k + 1) / 3, k++)
        squares += share * pow(fmax(0, fmin(1, (k - 2) / 6.0)), 2);
    struct row r = row_of(&b);
    assert_true(r.stats.cleaned.mean_us == 1);
    assert_float_equal(r.stats.cleaned.error_us, sqrt(squares * 11 / 9), 0.04);
}

/* The means that are kept of a longer visit change a row by less than 0.1 %, and the quartiles
 * contain the time. */
TEST(long_visits)
{
    struct suite s = { .type = &type, .cut_quantile = 0.25 };
    for (int set = 0; set < 200; set++) {
        LOCAL(block) b = { .suite = &s };
        uint64_t random = 0x2545u * (uint64_t)(set + 1);
        double all[10 * MOST], us[MOST];
        int n = 0, visits = set % 2 == 0 ? 10 : 5;
        int length = (int)(KEPT_MOST * (1 + 14 * generated_random(&random)));
        for (int visit = 0; visit < visits; visit++) {
            for (int i = 0; i < length; i++)
                us[i] = all[n++] = exp(0.5 * generated_normal(&random));
            add_visit(&b, us, length);
        }
        struct row r = row_of(&b);
        double us_of_all =
            stats_of(all, n, (struct summing){ .cut_quantile = 0.25 }).cleaned.mean_us;
        if (fabs(r.stats.cleaned.mean_us / us_of_all - 1) >= 1e-3)
            fail_msg("%d repetitions: %.6f times", length, r.stats.cleaned.mean_us / us_of_all);
        assert_true(r.stats.p25_us <= r.stats.cleaned.mean_us);
        assert_true(r.stats.p75_us >= r.stats.cleaned.mean_us);
    }
}

/* The quartiles contain the time of unequal visits, too. */
TEST(unequal_visits)
{
    struct suite s = { .type = &type, .cut_quantile = 0.25 };
    for (int set = 0; set < 5000; set++) {
        LOCAL(block) b = { .suite = &s };
        uint64_t random = 0x9731u * (uint64_t)(set + 1);
        int visits = 1 + (int)(10 * generated_random(&random));
        for (int visit = 0; visit < visits; visit++) {
            double us[20];
            int n = 1 + (int)(19 * generated_random(&random));
            for (int i = 0; i < n; i++)
                us[i] = 1 / (0.001 + generated_random(&random));
            add_visit(&b, us, n);
        }
        struct row r = row_of(&b);
        if (r.stats.p25_us > r.stats.cleaned.mean_us || r.stats.p75_us < r.stats.cleaned.mean_us)
            fail_msg("set %d: %g of %g, %g", set, r.stats.cleaned.mean_us, r.stats.p25_us,
                     r.stats.p75_us);
    }
}
