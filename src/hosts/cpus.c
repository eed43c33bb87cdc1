#define _GNU_SOURCE
#include "hosts/cpus.h"

#include "hosts/system.h"

#include <sched.h>

enum { WORD_BITS = sizeof(unsigned long) * CHAR_BIT };

int cpus_count(const unsigned long *cpus)
{
    int count = 0;
    for (int w = 0; w < CPU_WORDS; w++)
        count += __builtin_popcountl(cpus[w]);
    return count;
}

int cpus_next(const unsigned long *cpus, int from)
{
    while (from < CPUS_MOST && (cpus[from / WORD_BITS] >> from % WORD_BITS & 1) == 0)
        from++;
    return from;
}

void cpus_list(const unsigned long *cpus, struct text *out)
{
    int first = cpus_next(cpus, 0);
    text_add(out, "%s", first == CPUS_MOST ? "unknown" : "");
    for (const char *comma = ""; first < CPUS_MOST; comma = ",") {
        int end = first + 1;
        while (end < CPUS_MOST && cpus_next(cpus, end) == end)
            end++;
        text_add(out, "%s%d", comma, first);
        if (end > first + 1)
            text_add(out, "-%d", end - 1);
        first = cpus_next(cpus, end);
    }
}

/* If a process asks for all CPUs, the kernel gives it those that it lets processes use. */
void cpus_allowed(unsigned long *own, unsigned long *all)
{
    size_t size = CPU_WORDS * sizeof(*own);
    memset(own, 0, size);
    memset(all, 0xff, size);
    bool is_known = sched_getaffinity(0, size, (cpu_set_t *)own) == 0;
    sched_setaffinity(0, size, (cpu_set_t *)all);
    if (!is_known || sched_getaffinity(0, size, (cpu_set_t *)all) != 0)
        memset(all, 0, size);
    if (is_known)
        sched_setaffinity(0, size, (cpu_set_t *)own);
}

static bool read_word(const char *directory, int cpu, const char *name, char word[SYSTEM_WORD_SIZE])
{
    char path[96];
    snprintf(path, sizeof(path), "/devices/system/cpu/cpu%d/%s", cpu, name);
    system_word(directory, path, word);
    return word[0] != '\0';
}

/* The list of the CPUs of a part begins with the lowest. */
void cpus_parts(const char *directory, const unsigned long *cpus, const char *list,
                unsigned long *parts)
{
    char word[SYSTEM_WORD_SIZE];
    memset(parts, 0, CPU_WORDS * sizeof(*parts));
    for (int cpu = cpus_next(cpus, 0); cpu < CPUS_MOST; cpu = cpus_next(cpus, cpu + 1)) {
        int first = read_word(directory, cpu, list, word) ? atoi(word) : CPUS_MOST;
        if (first >= 0 && first < CPUS_MOST)
            parts[first / WORD_BITS] |= 1UL << first % WORD_BITS;
    }
}

bool cpus_cache(const char *directory, int cpu, int index, struct cache *c)
{
    char word[3][SYSTEM_WORD_SIZE];
    static const char *const names[] = { "level", "type", "size" };
    for (int i = 0; i < 3; i++) {
        snprintf(c->list, sizeof(c->list), "cache/index%d/%s", index, names[i]);
        if (!read_word(directory, cpu, c->list, word[i]))
            return false;
    }
    snprintf(c->list, sizeof(c->list), "cache/index%d/shared_cpu_list", index);
    c->level = atoi(word[0]);
    c->kind = word[1][0] == 'D' ? "d" : word[1][0] == 'I' ? "i" : "";
    c->bytes = atoll(word[2]) * 1024; /* "32K" */
    return true;
}
