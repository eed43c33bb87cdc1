#include "hosts/cpus.h"

int cpus_count(const unsigned long *cpus)
{
    int count = 0;
    for (int w = 0; w < CPU_WORDS; w++)
        count += __builtin_popcountl(cpus[w]);
    return count;
}

bool cpus_have(const unsigned long *cpus, int cpu)
{
    return (cpus[cpu / CPUS_PER_WORD] >> cpu % CPUS_PER_WORD & 1) != 0;
}

void cpus_list(const unsigned long *cpus, struct text *out)
{
    const char *comma = "";
    for (int cpu = 0; cpu < CPUS_MOST; cpu++) {
        int first = cpu;
        while (cpu < CPUS_MOST && cpus_have(cpus, cpu))
            cpu++;
        if (cpu == first)
            continue;
        text_add(out, "%s%d", comma, first);
        if (cpu > first + 1)
            text_add(out, "-%d", cpu - 1);
        comma = ",";
    }
    text_add(out, "%s", comma[0] == '\0' ? "unknown" : "");
}
