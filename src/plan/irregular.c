#include "plan/irregular.h"

enum { NO_DIVISOR = 32 };

static int smallest_divisor(long n)
{
    int d = 2;
    while (d < NO_DIVISOR && (n <= d || n % d != 0))
        d++;
    return d;
}

/* Among 66 numbers in a row, one has no divisor up to 31: the search is short. */
long irregular_near(long near, long reach)
{
    long best = near;
    int divisor = smallest_divisor(near);
    for (long away = 1; away <= reach && divisor < NO_DIVISOR; away++)
        for (int side = 0; side < 2; side++) {
            long n = side == 0 ? near + away : near - away;
            int its = smallest_divisor(n);
            if (its > divisor) {
                divisor = its;
                best = n;
            }
        }
    return best;
}
