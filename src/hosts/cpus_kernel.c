#define _GNU_SOURCE
#include "hosts/cpus.h"

#include <sched.h>

/* The number that begins a file about a CPU; -1: unknown. */
static int number_of(int cpu, const char *name)
{
    char path[96];
    snprintf(path, sizeof(path), "/devices/system/cpu/cpu%d/%s", cpu, name);
    return (int)system_number(SYSTEM_DIRECTORY, path);
}

/* Counts the cores or sockets that have some of the CPUs; a file has the number of each CPU's. */
static int count_parts(const unsigned long *cpus, const char *name, int *first)
{
    unsigned long found[CPU_WORDS] = { 0 };
    for (int cpu = CPUS_MOST - 1; cpu >= 0; cpu--) {
        int part = cpus_have(cpus, cpu) ? number_of(cpu, name) : -1;
        if (part < 0 || part >= CPUS_MOST)
            continue;
        found[part / CPUS_PER_WORD] |= 1UL << part % CPUS_PER_WORD;
        *first = part;
    }
    return cpus_count(found);
}

/* If a process asks for all CPUs, the kernel gives it those that the host lets processes use. */
void cpus_of_process(struct place_of_rank *own)
{
    unsigned long all[CPU_WORDS];
    if (sched_getaffinity(0, sizeof(all), (cpu_set_t *)own->cpus) != 0)
        return;
    memset(all, 0xff, sizeof(all));
    sched_setaffinity(0, sizeof(all), (cpu_set_t *)all);
    own->host_cpus = sched_getaffinity(0, sizeof(all), (cpu_set_t *)all) == 0 ? cpus_count(all) : 0;
    sched_setaffinity(0, sizeof(all), (cpu_set_t *)own->cpus);
    own->cores = count_parts(own->cpus, "topology/thread_siblings_list", &own->core);
    own->sockets = count_parts(own->cpus, "topology/physical_package_id", &own->socket);
}

/* In the usual order: those of level 1 for data and for instructions, of level 2, of level 3. */
long long cpus_largest_cache(void)
{
    int level2 = number_of(0, "cache/index2/size"), level3 = number_of(0, "cache/index3/size");
    int kib = level3 > level2 ? level3 : level2;
    return kib > 0 ? kib * 1024LL : 0;
}

void cpus_hardware(struct text *out)
{
    struct place_of_rank own = { .host_cpus = 0 };
    cpus_of_process(&own);
    text_add(out, "%d CPUs (built without hwloc)", own.host_cpus);
}
