#include "stats/warmup.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>

static const double STEADY = 0.95;

bool warmup_goes_on(struct warmup *w, double *times_us, int n)
{
    if (n > 0)
        qsort(times_us, (size_t)n, sizeof(*times_us), by_double);
    double median_us = n > 0 ? (times_us[(n - 1) / 2] + times_us[n / 2]) / 2.0 : NAN;
    bool falls = isnan(w->before_us) || median_us < STEADY * w->before_us;
    w->n += n;
    w->before_us = median_us;
    return falls && n == WARMUP_WINDOW && w->n < WARMUP_MOST;
}
