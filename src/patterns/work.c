#include "patterns/work.h"

#include "clock/clock.h"

#include <unistd.h>

enum { LINE = 8, TRIES = 5, MEMORY_BYTES = 4 << 20 };

static const double CALIBRATED_S = 2e-4, NO_TIME_S = 1e-5;
static const double MAX_STEPS = 1 << 18; /* take more than NO_TIME_S, if computing takes time */

/* Steps that need the result of the one before, and no memory. */
static void in_registers(struct work *w, long steps)
{
    double x = w->sink;
    for (long i = 0; i < steps; i++)
        x = x * 0.999999 + 1e-6;
    w->sink = x;
}

/* Steps of a cache line each, read and written. */
static void in_memory(struct work *w, long steps)
{
    for (long i = 0; i < steps; i++) {
        w->memory[w->at] += 1.0;
        w->at = w->at + LINE < w->count ? w->at + LINE : 0;
    }
}

static void compute(struct work *w, double steps)
{
    (w->memory != NULL ? in_memory : in_registers)(w, (long)steps);
}

static double time_of(struct work *w, const struct clock *c, double steps)
{
    double start = c->now();
    compute(w, steps);
    return c->now() - start - c->cost_s;
}

/* Measures the shortest of some steps: another process may have had the CPU. */
static void calibrate(struct work *w, const struct clock *c)
{
    double steps = 256, shortest_s = time_of(w, c, steps);
    while (shortest_s < CALIBRATED_S && steps < MAX_STEPS) {
        steps *= 2;
        shortest_s = time_of(w, c, steps);
    }
    for (int i = 0; i < TRIES && shortest_s >= NO_TIME_S; i++) {
        double time_s = time_of(w, c, steps);
        shortest_s = time_s < shortest_s ? time_s : shortest_s;
    }
    w->sleeps = shortest_s < NO_TIME_S;
    w->steps_per_s = steps / shortest_s;
}

/* Work in memory uses twice the second level of the cache. */
int work_init(struct work *w, const struct clock *c, enum work_place place, struct err *e)
{
    *w = (struct work){ .sink = 1.0 };
    if (place == WORK_MEMORY) {
        long level2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
        size_t bytes = level2 > 0 ? 2 * (size_t)level2 : MEMORY_BYTES;
        w->count = bytes / sizeof(double) / LINE * LINE;
        w->memory = calloc(w->count, sizeof(double));
        if (w->memory == NULL)
            return err_no_memory(e, bytes);
        in_memory(w, (long)(w->count / LINE));
    }
    calibrate(w, c);
    return 0;
}

void work_release(struct work *w)
{
    free(w->memory);
    *w = (struct work){ .sink = 0.0 };
}

void work_for(struct work *w, double seconds)
{
    if (w->sleeps)
        clock_sleep(seconds);
    else
        compute(w, seconds * w->steps_per_s);
}
