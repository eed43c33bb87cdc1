/* How much of a CPU this process gets: a process that waits for a CPU while others have it
 * measures these. The caller passes the directory in which Linux says it, usually /proc,
 * so that tests can have one of their own. No MPI. */
#pragma once

#include <stdbool.h>

#define CPU_USE_DIRECTORY "/proc"

/* Since the process started, or between two readings. */
struct cpu_use {
    double ran_s;     /* on a CPU */
    double waited_s;  /* ready to run, but without a CPU; sleeping and blocking are not waiting */
    double switches;  /* how often it lost its CPU without giving it up */
    double steal_s;   /* time of the host's CPUs that its hypervisor gave to other guests */
    double working_s; /* of the host's CPUs, all but idle ones, with steal_s */
    double own_s;     /* of them by this process, with its threads */
};

/* Reads the process's use, and with host that of the host, too, which takes longer. If the kernel
 * does not count how long a process waits, waited_s is time_s without what it ran, as far as it
 * lost its CPU: a guess that is right for processes that spin. */
struct cpu_use cpu_use_read(const char *directory, bool host);

/* From one reading to the other, time_s apart. */
struct cpu_use cpu_use_between(const struct cpu_use *from, const struct cpu_use *to, double time_s);
void cpu_use_add(struct cpu_use *sum, const struct cpu_use *use);

/* The share of a CPU that it got when it wanted one; 1 if it never did. And the share of the host's
 * working CPUs that other guests had. */
double cpu_use_share(const struct cpu_use *use);
double cpu_use_steal(const struct cpu_use *use);

/* Is that so little that times are wrong? Waits below least_s, and a few ticks, are noise. */
bool cpu_use_is_contended(const struct cpu_use *use, double least_s);
bool cpu_use_is_stolen(const struct cpu_use *use);

/* The CPU time that other programs of the host had, if all processes of this run there had ours_s;
 * 0 if it is not longer than this process waited, which may then have been for those. */
double cpu_use_others(const struct cpu_use *use, double ours_s);
