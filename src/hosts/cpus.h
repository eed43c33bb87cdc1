/* The CPUs of this host. The Makefile chooses who reads them: cpus_hwloc.c, or where hwloc is
 * missing, cpus_kernel.c. No MPI. */
#pragma once

#include "hosts/places.h"

enum { CPUS_PER_WORD = sizeof(unsigned long) * CHAR_BIT };
enum { CPUS_MOST = CPU_WORDS * CPUS_PER_WORD };

/* The number of CPUs in a mask. */
int cpus_count(const unsigned long *cpus);

/* Is a CPU, below CPUS_MOST, in a mask? */
bool cpus_have(const unsigned long *cpus, int cpu);

/* Adds "0-3,8", or "unknown" for none. */
void cpus_list(const unsigned long *cpus, struct text *out);

/* Fills in what this process may use: cpus, host_cpus, cores, core, sockets, socket. */
void cpus_of_process(struct place_of_rank *own);

/* Bytes of the largest cache; 0: unknown. */
long long cpus_largest_cache(void);

/* Adds CPU model, cores and caches of this host, one line, as far as they are known. */
void cpus_hardware(struct text *out);
