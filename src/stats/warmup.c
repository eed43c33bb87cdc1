#include "stats/warmup.h"

#include "stats/stats.h"

#include <string.h>

enum { WINDOW = 8 };

static const double SLOW = 1.05;

static double median_of(const double *us, double *sorted, int n)
{
    memcpy(sorted, us, (size_t)n * sizeof(double));
    stats_sort(sorted, n);
    return stats_percentile(sorted, n, 0.5);
}

int warmup_of(const double *us, double *sorted, int n)
{
    int half = n / 2, slow = 0;
    double usual_us = median_of(us + half, sorted, n - half);
    for (int window; half >= WINDOW && slow < half; slow += window) {
        window = half - slow < WINDOW ? half - slow : WINDOW;
        if (median_of(us + slow, sorted, window) <= SLOW * usual_us)
            break;
    }
    while (slow > 0 && slow < half && us[slow] > SLOW * usual_us)
        slow++;
    return slow;
}
