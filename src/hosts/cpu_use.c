#define _GNU_SOURCE /* RUSAGE_THREAD */
#include "hosts/cpu_use.h"

#include "hosts/system.h"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* A process should get this share of a CPU, and the host that of its working CPUs. */
static const double SHARE_LEAST = 0.9, STEAL_MOST = 0.05;

/* Five ticks of 10 ms. */
static const double TICKS_S = 0.05;

/* "time on a CPU, time waiting for one, in ns": the first is late by up to a tick. NaN: unknown. */
static double read_wait(const char *directory)
{
    LOCAL_TEXT all = { 0 };
    const char *line = system_read(directory, "/thread-self/schedstat", &all);
    double ran_ns, waited_ns;
    bool known = sscanf(line, "%lf %lf", &ran_ns, &waited_ns) == 2 && ran_ns > 0.0;
    return known ? waited_ns * 1e-9 : NAN;
}

/* The first line of stat: user, nice, system, idle, iowait, irq, softirq, steal, in ticks. */
static void read_host(const char *directory, struct cpu_use *use)
{
    LOCAL_TEXT all = { 0 };
    const char *line = system_read(directory, "/stat", &all);
    double t[8], tick_s = 1.0 / (double)sysconf(_SC_CLK_TCK);
    if (sscanf(line, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &t[0], &t[1], &t[2], &t[3], &t[4],
               &t[5], &t[6], &t[7]) != 8)
        return;
    use->steal_s = t[7] * tick_s;
    use->working_s = (t[0] + t[1] + t[2] + t[5] + t[6] + t[7]) * tick_s;
}

struct cpu_use cpu_use_read(const char *directory, bool host)
{
    struct cpu_use use = { .waited_s = read_wait(directory) };
    struct rusage usage;
    struct timespec ran;
    if (getrusage(RUSAGE_THREAD, &usage) == 0)
        use.switches = (double)usage.ru_nivcsw;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ran) == 0)
        use.ran_s = (double)ran.tv_sec + (double)ran.tv_nsec * 1e-9;
    if (host && clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ran) == 0) {
        use.own_s = (double)ran.tv_sec + (double)ran.tv_nsec * 1e-9;
        read_host(directory, &use);
    }
    return use;
}

/* Adds a use, times 1 or -1. */
static void add(struct cpu_use *sum, const struct cpu_use *use, double times)
{
    sum->ran_s += times * use->ran_s;
    sum->waited_s += times * use->waited_s;
    sum->switches += times * use->switches;
    sum->steal_s += times * use->steal_s;
    sum->working_s += times * use->working_s;
    sum->own_s += times * use->own_s;
}

struct cpu_use cpu_use_between(const struct cpu_use *from, const struct cpu_use *to, double time_s)
{
    struct cpu_use use = *to;
    add(&use, from, -1.0);
    if (isnan(use.waited_s))
        use.waited_s = use.switches > 0.0 ? fmax(time_s - use.ran_s, 0.0) : 0.0;
    return use;
}

void cpu_use_add(struct cpu_use *sum, const struct cpu_use *use)
{
    add(sum, use, 1.0);
}

double cpu_use_share(const struct cpu_use *use)
{
    return use->waited_s > 0.0 ? use->ran_s / (use->ran_s + use->waited_s) : 1.0;
}

double cpu_use_steal(const struct cpu_use *use)
{
    return use->steal_s > 0.0 ? use->steal_s / use->working_s : 0.0;
}

bool cpu_use_is_contended(const struct cpu_use *use, double least_s)
{
    return use->waited_s >= least_s && cpu_use_share(use) < SHARE_LEAST;
}

bool cpu_use_is_stolen(const struct cpu_use *use)
{
    return use->steal_s >= TICKS_S && cpu_use_steal(use) > STEAL_MOST;
}

double cpu_use_others(const struct cpu_use *use, double ours_s)
{
    double others_s = use->working_s - use->steal_s - ours_s;
    return others_s >= use->waited_s + TICKS_S ? others_s : 0.0;
}
