#include "machine/places.h"

#include <stdlib.h>
#include <string.h>

/* The position of each rank in an order that keeps those of a host together. */
static int by_host(const void *a, const void *b)
{
    const struct place_of_rank *x = *(const struct place_of_rank *const *)a;
    const struct place_of_rank *y = *(const struct place_of_rank *const *)b;
    int order = strcmp(x->host, y->host);
    return order != 0 ? order : (x > y) - (x < y);
}

/* One host's ranks stand at [0, count) of sorted. */
struct host_group {
    const struct place_of_rank *const *ranks;
    int count;
};

/* Do more of the host's ranks have to make do with these CPUs than there are? */
static bool too_few(const struct host_group *g, const unsigned long *cpus)
{
    int available = 0, ranks = 0;
    for (int w = 0; w < CPU_WORDS; w++)
        available += __builtin_popcountl(cpus[w]);
    for (int i = 0; i < g->count && available > 0; i++) {
        bool confined = true;
        for (int w = 0; w < CPU_WORDS && confined; w++)
            confined = (g->ranks[i]->cpus[w] & ~cpus[w]) == 0;
        ranks += confined;
    }
    return ranks > available;
}

/* Asked of the CPUs of each rank, and of all of them together. */
static bool shares_cpus(const struct host_group *g)
{
    unsigned long all[CPU_WORDS] = { 0 };
    for (int i = 0; i < g->count; i++) {
        for (int w = 0; w < CPU_WORDS; w++)
            all[w] |= g->ranks[i]->cpus[w];
        if (too_few(g, g->ranks[i]->cpus))
            return true;
    }
    return too_few(g, all);
}

/* The groups of all hosts: sorted has h->processes entries. Returns the next group after g. */
static struct host_group next_group(const struct hosts *h,
                                    const struct place_of_rank *const *sorted, struct host_group g)
{
    const struct place_of_rank *const *from = g.ranks == NULL ? sorted : g.ranks + g.count;
    int left = h->processes - (int)(from - sorted), count = 0;
    while (count < left && strcmp(from[count]->host, from[0]->host) == 0)
        count++;
    return (struct host_group){ from, count };
}

static const struct place_of_rank **sorted_by_host(const struct hosts *h)
{
    const struct place_of_rank **sorted = malloc((size_t)h->processes * sizeof(*sorted));
    if (sorted == NULL)
        return NULL;
    for (int i = 0; i < h->processes; i++)
        sorted[i] = &h->ranks[i];
    qsort(sorted, (size_t)h->processes, sizeof(*sorted), by_host);
    return sorted;
}

void hosts_judge(struct hosts *h)
{
    const struct place_of_rank **sorted = sorted_by_host(h);
    if (sorted == NULL)
        return;
    for (struct host_group g = next_group(h, sorted, (struct host_group){ NULL, 0 });
         g.count > 0 && !h->oversubscribed; g = next_group(h, sorted, g))
        h->oversubscribed = shares_cpus(&g);
    free(sorted);
}

void hosts_summary(const struct hosts *h, struct text *out)
{
    const struct place_of_rank **sorted = sorted_by_host(h);
    if (sorted == NULL)
        return;
    const char *blank = "";
    for (struct host_group g = next_group(h, sorted, (struct host_group){ NULL, 0 }); g.count > 0;
         g = next_group(h, sorted, g)) {
        text_add(out, "%s%s:%d", blank, g.ranks[0]->host, g.count);
        blank = " ";
    }
    free(sorted);
}
