/* Properties of a host, from the operating system. The caller passes the directory in which Linux
 * describes them, usually /sys, so that tests can have one of their own. No MPI. */
#pragma once

#include "base/text.h"

#define SYSTEM_DIRECTORY       "/sys"
#define SYSTEM_CLOCKSOURCE     "/devices/system/clocksource/clocksource0/current_clocksource"
#define SYSTEM_GOVERNOR_WANTED "performance"

enum { SYSTEM_WORD_SIZE = 32 };

/* Bytes of this host's memory; 0: unknown. hwloc adds up NUMA nodes, which miss memory that a
 * virtual machine received while it ran. */
long long system_memory(void);

/* Bytes of it that processes can get: what the kernel estimates in PROC/meminfo, or, if that is
 * less, what the cgroups of this process leave; 0: unknown. */
long long system_free_memory(const char *sys, const char *proc);

/* The first of these variables of the environment that is set, and the number in it; the names end
 * with NULL. NULL and 0 if no variable is set. */
const char *system_variable_text(const char *const *names);
int system_variable(const char *const *names);

/* The directory in which the launcher and the MPI library keep the files of a run, as files of
 * shared memory: the library's own variable, TMPDIR, or /tmp. */
const char *system_session_directory(void);

/* The terminal to which this process's standard output or error (1 or 2) leads, itself or through a
 * local launcher: its lines, 0: it does not lead to one. Open MPI gives processes a terminal of
 * their own, so what the launcher has counts. */
int system_terminal_lines(int fd);

/* Reads a file of the directory, whose name begins with '/', into an empty text, which is returned;
 * "" if it cannot be read. */
const char *system_read(const char *directory, const char *name, struct text *all);

/* The first word of such a file, as "tsc" or "hpet" of SYSTEM_CLOCKSOURCE; "" without one. */
void system_word(const char *directory, const char *name, char word[SYSTEM_WORD_SIZE]);

/* The number at the beginning of such a file; -1 without one, as in "max". */
long long system_number(const char *directory, const char *name);

/* The governor of the CPUs in a bit mask (places.h): the first one that is not
 * SYSTEM_GOVERNOR_WANTED, or that one. "" if unknown, as on virtual machines. */
void system_governor(const char *directory, const unsigned long *cpus, char word[SYSTEM_WORD_SIZE]);

/* Can a machine, as uname names it, use a time stamp counter as its clock source? */
bool system_has_tsc(const char *machine);
