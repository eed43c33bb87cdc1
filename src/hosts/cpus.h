/* The CPUs of this host as bit masks, and what Linux says of them in a directory, usually /sys, so
 * that tests can have one of their own. No MPI. */
#pragma once

#include "base/text.h"

enum { CPU_WORDS = 64 }; /* of unsigned long in a mask: 4096 CPUs per host */
enum { CPUS_MOST = CPU_WORDS * sizeof(unsigned long) * CHAR_BIT };

/* Lists of the CPUs that share a core or a socket with a CPU. */
#define CPUS_OF_CORE   "topology/thread_siblings_list"
#define CPUS_OF_SOCKET "topology/core_siblings_list"

struct cache {
    int level;
    const char *kind; /* "d" for data, "i" for instructions, "" for both */
    long long bytes;
    char list[40]; /* as CPUS_OF_CORE */
};

int cpus_count(const unsigned long *cpus);

/* The first CPU of a mask that is not below from; CPUS_MOST without one. */
int cpus_next(const unsigned long *cpus, int from);

/* Adds "0-3,8", or "unknown" for none. */
void cpus_list(const unsigned long *cpus, struct text *out);

/* The CPUs that this process may use, and those that the host lets processes use. None: unknown. */
void cpus_allowed(unsigned long *own, unsigned long *all);

/* Finds the cores, sockets or caches that have some of the CPUs, each by its lowest CPU. */
void cpus_parts(const char *directory, const unsigned long *cpus, const char *list,
                unsigned long *parts);

/* The cache of a CPU with an index from 0. False: it has no more. */
bool cpus_cache(const char *directory, int cpu, int index, struct cache *c);
