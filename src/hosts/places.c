#include "hosts/cpus.h"

enum { WORDS_LISTED = 8 };

/* The ranks of one host, the lowest first. Begins with no rank, before those of all hosts. */
struct host_group {
    const struct place_of_rank *const *ranks;
    int left, count;               /* ranks from here on, and those of the host */
    unsigned long cpus[CPU_WORDS]; /* of all of them */
};

/* Orders ranks so that those of a host are together. */
static int by_host(const void *a, const void *b)
{
    const struct place_of_rank *x = *(const struct place_of_rank *const *)a;
    const struct place_of_rank *y = *(const struct place_of_rank *const *)b;
    int order = strcmp(x->host, y->host);
    return order != 0 ? order : (x > y) - (x < y);
}

static const struct place_of_rank **sorted_by_host(const struct hosts *h)
{
    const struct place_of_rank **sorted;
    allocated_array(&sorted, (size_t)h->processes);
    for (int i = 0; i < h->processes; i++)
        sorted[i] = &h->ranks[i];
    qsort(sorted, (size_t)h->processes, sizeof(*sorted), by_host);
    return sorted;
}

/* Goes on to the next host; false after the last one. */
static bool next_group(struct host_group *g)
{
    *g = (struct host_group){ .ranks = g->ranks + g->count, .left = g->left - g->count };
    while (g->count < g->left && strcmp(g->ranks[g->count]->host, g->ranks[0]->host) == 0) {
        for (int w = 0; w < CPU_WORDS; w++)
            g->cpus[w] |= g->ranks[g->count]->cpus[w];
        g->count++;
    }
    return g->count > 0;
}

static struct crowd crowd_on(const struct host_group *g, const unsigned long *cpus)
{
    struct crowd crowd = { 0, cpus_count(cpus) };
    for (int i = 0; i < g->count && crowd.cpus > 0; i++) {
        bool confined = true;
        for (int w = 0; w < CPU_WORDS && confined; w++)
            confined = (g->ranks[i]->cpus[w] & ~cpus[w]) == 0;
        crowd.processes += confined;
    }
    return crowd;
}

static bool too_many(struct crowd c)
{
    return c.cpus > 0 && c.processes > c.cpus;
}

/* The crowd on the CPUs of each rank, and of all; without_bound excludes ranks bound to a core. */
static struct crowd find_crowd(const struct host_group *g, bool without_bound)
{
    bool any = false;
    for (int i = 0; i < g->count; i++) {
        if (without_bound && g->ranks[i]->cores == 1)
            continue;
        any = true;
        struct crowd own = crowd_on(g, g->ranks[i]->cpus);
        if (too_many(own))
            return own;
    }
    struct crowd together = crowd_on(g, g->cpus);
    return any && too_many(together) ? together : (struct crowd){ 0, 0 };
}

static bool shares_core(const struct host_group *g, int i)
{
    const struct place_of_rank *own = g->ranks[i];
    for (int k = 0; k < g->count; k++)
        if (k != i && own->cores == 1 && g->ranks[k]->cores == 1 && g->ranks[k]->core == own->core)
            return true;
    return false;
}

static void judge_host(struct hosts *h, const struct host_group *g)
{
    struct crowd host = { g->count, g->ranks[0]->host_cpus };
    struct crowd crowd = too_many(host) ? host : find_crowd(g, true);
    int share = cpus_count(g->cpus) / g->count; /* the most that a process may have */
    for (int i = 0; i < g->count; i++) {
        h->verdicts[g->ranks[i] - h->ranks] = (struct verdict){ .first_on_host = i == 0,
                                                                .processes = g->count,
                                                                .shares_core = shares_core(g, i),
                                                                .crowd = crowd };
        int own = cpus_count(g->ranks[i]->cpus), cpus = own;
        if (own > share)
            cpus = share > 0 ? share : 1;
        if (own > 0 && (h->cpus_each == 0 || cpus < h->cpus_each))
            h->cpus_each = cpus;
    }
    h->oversubscribed = h->oversubscribed || too_many(find_crowd(g, false));
}

void hosts_judge(struct hosts *h)
{
    const struct place_of_rank **sorted = sorted_by_host(h);
    for (struct host_group g = { sorted, h->processes, 0, { 0 } }; next_group(&g);)
        judge_host(h, &g);
    free(sorted);
}

int hosts_can_hold(const struct hosts *h, long long bytes, bool spare, struct err *e)
{
    for (int i = 0; i < h->processes; i++) {
        const struct place_of_rank *place = &h->ranks[i];
        long long free = place->free_bytes, all = place->host_bytes;
        int processes = h->verdicts[i].processes;
        if (spare && free > 0 && bytes > free / 2 / processes)
            return err_set(e,
                           "'%s' has %lld MiB of free memory, of which skampi takes at most half: "
                           "too little for %d processes with %lld MiB of message buffers each; use "
                           "shorter lengths (-m) or less @MEMORY, or start fewer processes there",
                           place->host, free >> 20, processes, bytes >> 20);
        if (all > 0 && bytes > all / processes)
            return err_set(
                e,
                "'%s' has %lld MiB of memory, too little for %d processes with %lld MiB "
                "of message buffers each; make @MEMORY smaller, or start fewer processes "
                "there",
                place->host, all >> 20, processes, bytes >> 20);
    }
    return 0;
}

void hosts_summary(const struct hosts *h, struct text *out)
{
    const struct place_of_rank **sorted = sorted_by_host(h);
    const char *blank = "";
    for (struct host_group g = { sorted, h->processes, 0, { 0 } }; next_group(&g);) {
        text_add(out, "%s%s:%d", blank, g.ranks[0]->host, g.count);
        blank = " ";
    }
    free(sorted);
}

void hosts_words(const struct hosts *h, size_t offset, struct text *out)
{
    int count = 0;
    for (int i = 0; i < h->processes && count < WORDS_LISTED; i++) {
        const char *word = (const char *)&h->ranks[i] + offset;
        count += text_add_once(out, *word == '\0' ? "unknown" : word, ", ");
    }
}

const char *hosts_between(const struct hosts *h, int rank, int other)
{
    const struct place_of_rank *a = &h->ranks[rank], *b = &h->ranks[other];
    if (strcmp(a->host, b->host) != 0)
        return "other-host";
    if (a->cores == 1 && b->cores == 1 && a->core == b->core)
        return "same-core";
    return a->sockets == 1 && b->sockets == 1 && a->socket == b->socket ? "same-socket"
                                                                        : "same-host";
}
