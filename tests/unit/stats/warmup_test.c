#include "../random.h"
#include "../test.h"
#include "stats/series.h"

enum { N = 200 };

/* The first calls of a visit of 200 take three times as long: if they are at most half of it, the
 * mean without windows that are still slow is within 2 % of that of the others. */
TEST(slow_calls_are_left_out)
{
    static const struct {
        int slow;
        double noise;
        int dropped_least, dropped_most;
    } rows[] = {
        { 0, 0, 0, 0 },    { 1, 0, 0, 0 },       { 8, 0, 8, 8 },
        { 30, 0, 32, 32 }, { 100, 0, 100, 100 }, { 200, 0, 0, 0 },
        { 0, 0.1, 0, 32 }, { 40, 0.1, 40, 72 },  { 100, 0.1, 100, 100 },
    };
    EACH(c, rows) {
        uint64_t random = 7;
        double sum = 0, sorted[N], us[N];
        for (int run = 0; run < 100; run++) {
            for (int k = 0; k < N; k++)
                us[k] = (k < c->slow ? 30 : 10) + 10 * c->noise * generated_normal(&random);
            int n = warmup_of(us, sorted, N);
            assert_in_range(n, c->dropped_least, c->dropped_most);
            for (int k = n; k < N; k++)
                sum += us[k] / (N - n) / 100;
        }
        assert_true(c->slow > N / 2 || fabs(sum - 10) < 0.2);
    }
}

TEST(few_repetitions_stay)
{
    static const double us[] = { 90, 80, 70, 60, 50, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10 };
    double sorted[COUNT(us)];
    for (int n = 1; n <= (int)COUNT(us); n++)
        assert_int_equal(warmup_of(us, sorted, n), 0);
}
