/* What the operating system says about a host. The caller passes the directory in which Linux says
 * it, usually /sys, so that tests can have one of their own. No MPI. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define SYSTEM_DIRECTORY       "/sys"
#define SYSTEM_CLOCKSOURCE     "/devices/system/clocksource/clocksource0/current_clocksource"
#define SYSTEM_GOVERNOR_WANTED "performance"

enum { SYSTEM_WORD_SIZE = 32 };

/* Bytes of this host's memory; 0: unknown. hwloc adds up NUMA nodes, which miss memory that a
 * virtual machine received while it ran. */
long long system_memory(void);

/* The kernel's clock source: "tsc", "hpet", ...; "" if unknown. */
void system_clocksource(const char *directory, char word[SYSTEM_WORD_SIZE]);

/* What sets the frequency of the CPUs in a bit mask of a number of words: the first governor that
 * is not SYSTEM_GOVERNOR_WANTED, or that one. "" if unknown, as on virtual machines. */
void system_governor(const char *directory, const unsigned long *cpus, size_t words,
                     char word[SYSTEM_WORD_SIZE]);

/* Can a machine, as uname names it, use a time stamp counter as its clock source? */
bool system_has_tsc(const char *machine);
