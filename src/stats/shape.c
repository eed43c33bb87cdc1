#include "stats/shape.h"

#include "stats/stats.h"

/* The sum of squares that 1.3 % of chi-squared values with SHAPE_LAGS degrees of freedom exceed. */
static const double LARGE = 22.5;

/* Dependence matters if the sum of the autocorrelations is at least this: the error of independent
 * repetitions is then 1.5 times too small. */
static const double MATTERS = 0.625;

/* Modes are this number of standard deviations apart, that of a mode being the root of the mean of
 * both variances. Halves of a uniform distribution have 3.5; of 20 normal values, rarely 5. */
static const double APART = 5.0;

/* Differences of fewer ticks are the clock's. */
static const double CLOCK_TICKS = 2.0;

enum { ENDS = 20, LEAST_PART = 10, FEWEST_IN_MODE = 2, FEWEST_FOR_MODES = 20 };

/* Fewer repetitions show no dependence. */
enum { FEWEST_FOR_LAGS = 8 };

/* APART for visits, which are few. */
static const double STATES_APART = 5.0, FEW_VISITS = 14.0;
enum { FEWEST_FOR_STATES = 4 };

/* The number of sorted values below the limit, or not above it. */
static int count_below(const double *sorted, int n, double limit, bool with_equal)
{
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        bool below = with_equal ? sorted[middle] <= limit : sorted[middle] < limit;
        low = below ? middle + 1 : low;
        high = below ? high : middle;
    }
    return low;
}

/* Mean and variance of the autocorrelation of random ranks (Dufour and Roy 1985). */
static double standardised(double correlation, double n, double k)
{
    double mean = -(n - k) / (n * (n - 1));
    double above = 5 * pow(n, 4) - (5 * k + 9) * pow(n, 3) + 9 * (k - 2) * n * n +
                   2 * k * (5 * k + 8) * n + 16 * k * k;
    double variance = above / (5 * (n - 1) * (n - 1) * n * n * (n + 1));
    return (correlation - mean) / sqrt(variance);
}

static void find_lags(const double *times_us, const double *sorted_us, int n, double *lags)
{
    double last[SHAPE_LAGS], products[SHAPE_LAGS] = { 0 }, squares = 0;
    for (int i = 0; i < n; i++) {
        /* From the middle rank; equal values share their mean rank. */
        int below = count_below(sorted_us, n, times_us[i], false);
        int up_to = count_below(sorted_us, n, times_us[i], true);
        double rank = (below + up_to - n) / 2.0;
        for (int k = 1; k <= SHAPE_LAGS && k <= i; k++)
            products[k - 1] += rank * last[(i - k) % SHAPE_LAGS];
        last[i % SHAPE_LAGS] = rank;
        squares += rank * rank;
    }
    for (int k = 1; k <= SHAPE_LAGS && 2 * k <= n && squares > 0; k++)
        lags[k - 1] = standardised(products[k - 1] / squares, n, k);
}

bool lags_show(const double *lags)
{
    double squares = 0;
    for (int i = 0; i < SHAPE_LAGS; i++)
        squares += lags[i] * lags[i];
    return squares > LARGE;
}

bool lags_are_large(const double *lags, double n)
{
    double sum = 0;
    for (int i = 0; i < SHAPE_LAGS; i++)
        sum += fabs(lags[i]);
    return lags_show(lags) && sum > MATTERS * sqrt(n);
}

/* Sums of distances from the middle value, and of their squares. */
struct part {
    int n;
    double sum, squares;
};

static void add_distance(struct part *p, double distance, int sign)
{
    p->n += sign;
    p->sum += sign * distance;
    p->squares += sign * distance * distance;
}

static double variance_of(const struct part *p)
{
    double mean = p->sum / p->n;
    return fmax(p->squares / p->n - mean * mean, 0);
}

/* The variance between both parts, except for a factor. */
static double separation(const struct part *low, const struct part *high)
{
    double distance = high->sum / high->n - low->sum / low->n;
    return (double)low->n * high->n * distance * distance;
}

/* The division of n sorted values, without the ends, into parts of the least number or more that
 * separates them best. Returns the distance of their means. */
static double divide(const double *sorted, int n, int ends, int least, struct part *parts)
{
    double middle = sorted[n / 2];
    struct part low = { 0 }, high = { 0 };
    parts[0] = low;
    for (int i = ends; i < n - ends; i++)
        add_distance(&high, sorted[i] - middle, 1);
    for (int i = ends; high.n > least; i++) {
        add_distance(&low, sorted[i] - middle, 1);
        add_distance(&high, sorted[i] - middle, -1);
        if (low.n >= least &&
            (parts[0].n == 0 || separation(&low, &high) > separation(&parts[0], &parts[1]))) {
            parts[0] = low;
            parts[1] = high;
        }
    }
    return parts[1].sum / parts[1].n - parts[0].sum / parts[0].n;
}

static struct modes as_modes(const struct part *parts, double middle_us)
{
    return (struct modes){ middle_us + parts[0].sum / parts[0].n,
                           middle_us + parts[1].sum / parts[1].n, parts[0].n, parts[1].n };
}

struct modes modes_of(const double *sorted_us, int n, double tick_us)
{
    struct part parts[2];
    if (n < FEWEST_FOR_MODES)
        return (struct modes){ 0 };
    int ends = n / ENDS, inner = n - 2 * ends;
    int least = inner / LEAST_PART > FEWEST_IN_MODE ? inner / LEAST_PART : FEWEST_IN_MODE;
    double middle = sorted_us[n / 2], apart_us = divide(sorted_us, n, ends, least, parts);
    double deviation = sqrt((variance_of(&parts[0]) + variance_of(&parts[1])) / 2);
    double least_us =
        fmax(fmax(APART * deviation, CLOCK_TICKS * tick_us), STATS_EQUAL * fabs(middle));
    return apart_us > least_us ? as_modes(parts, middle) : (struct modes){ 0 };
}

struct modes states_of(const double *sorted_us, int n, double least_us)
{
    struct part parts[2];
    if (n < FEWEST_FOR_STATES)
        return (struct modes){ 0 };
    double apart_us = divide(sorted_us, n, 0, 1, parts);
    double squares = parts[0].n * variance_of(&parts[0]) + parts[1].n * variance_of(&parts[1]);
    double far = STATES_APART + FEW_VISITS / (n - FEWEST_FOR_STATES + 1);
    return apart_us > fmax(far * sqrt(squares / (n - 2)), least_us)
               ? as_modes(parts, sorted_us[n / 2])
               : (struct modes){ 0 };
}

struct shape shape_of(const double *times_us, const double *sorted_us, int n, double tick_us)
{
    struct shape s = { .unsteady = false };
    if (n >= FEWEST_FOR_LAGS && sorted_us[n * 3 / 4] - sorted_us[n / 4] > CLOCK_TICKS * tick_us)
        find_lags(times_us, sorted_us, n, s.lags);
    return s;
}
