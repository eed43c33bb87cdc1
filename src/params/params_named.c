/* The texts of the files that suites name: pairs, shares, delays. */
#include "model/matching.h"
#include "model/suite.h"
#include "model/topology_rules.h"
#include "params/cursor.h"

/* Makes room for a rank. */
static void reach(struct numbers *partners, long rank)
{
    if (rank < partners->count)
        return;
    partners->list = allocated(realloc(partners->list, ((size_t)rank + 1) * sizeof(long)));
    while (partners->count <= rank)
        partners->list[partners->count++] = MATCHING_NONE;
}

static int read_rank(struct numbers *partners, struct cursor *k, int processes, long *rank)
{
    const struct bounds bounds = { "a rank", 0, 100000000 };
    size_t at = cursor_place(k);
    if (cursor_number(k, &bounds, rank) != 0)
        return -1;
    if (processes > 0 && *rank >= processes)
        return complaints_add(k->complaints, at,
                              "rank %ld is not among the %d processes of this run", *rank,
                              processes);
    reach(partners, *rank);
    if (partners->list[*rank] == MATCHING_NONE)
        return 0;
    return complaints_add(k->complaints, at, "rank %ld occurs twice; its partner is already %ld",
                          *rank, partners->list[*rank]);
}

static int read_pair(struct numbers *partners, struct cursor *k, int processes)
{
    long one, other;
    if (read_rank(partners, k, processes, &one) != 0)
        return -1;
    size_t at = cursor_place(k);
    if (cursor_at_end(k))
        return complaints_add(k->complaints, at,
                              "rank %ld has no partner: write two ranks for each pair", one);
    if (read_rank(partners, k, processes, &other) != 0)
        return -1;
    if (one == other)
        return complaints_add(k->complaints, at, "rank %ld cannot be its own partner", one);
    partners->list[one] = other;
    partners->list[other] = one;
    return 0;
}

int pairing_read(struct suite *s, const struct source *text, int processes, struct complaints *c)
{
    struct cursor k = cursor_over_file(text, c);
    struct numbers *partners = &s->named[FILE_PARTS];
    int rc = 0;
    while (rc == 0 && !cursor_at_end(&k))
        rc = read_pair(partners, &k, processes);
    if (rc == 0 && partners->count == 0)
        return complaints_add(c, 0, "no pairs: write two ranks for each pair");
    return rc;
}

/* Appends the numbers of a text, whose end is then at end. */
static int read_numbers(struct numbers *n, const struct source *text, const struct bounds *bounds,
                        size_t *end, struct complaints *c)
{
    struct cursor k = cursor_over_file(text, c);
    size_t capacity = 0;
    while (!cursor_at_end(&k)) {
        size_t count = (size_t)n->count;
        long value;
        if (cursor_number(&k, bounds, &value) != 0)
            return -1;
        if (count == INT_MAX)
            return complaints_add(c, 0, "more than %d numbers", INT_MAX);
        grow_for_one(&n->list, count, &capacity, sizeof(*n->list));
        n->list[n->count++] = value;
    }
    *end = cursor_place(&k);
    return 0;
}

/* Checks that the shares are for n processes; 0: any number. */
static int check_count(const struct suite *s, int n, size_t end, struct complaints *c)
{
    bool matrix = (s->type->traits & TYPE_ALL_TO_ALL) != 0;
    long wanted = matrix ? (long)n * n : n;
    if (n == 0 || s->named[FILE_PARTS].count == wanted)
        return 0;
    return complaints_add(c, end,
                          "type '%s' among %d processes needs %ld shares, %s, but there are %d",
                          type_label_of(s->type), n, wanted,
                          matrix ? "a row of them for each process" : "one for each process",
                          s->named[FILE_PARTS].count);
}

static int check_sum(const struct numbers *shares, struct complaints *c)
{
    for (int i = 0; i < shares->count; i++)
        if (shares->list[i] > 0)
            return 0;
    return complaints_add(c, 0, "%s; at least one must be above 0",
                          shares->count == 0 ? "no shares" : "all shares are 0");
}

static size_t place_of_number(const struct source *text, int index, struct complaints *c)
{
    struct cursor k = cursor_over_file(text, c);
    for (int i = 0; i < index; i++)
        cursor_word(&k);
    return cursor_place(&k);
}

int spread_read(const struct params *p, struct suite *s, const struct source *text, int processes,
                struct complaints *c)
{
    static const struct bounds bounds = { "a share", 0, 1000000000 };
    struct numbers *shares = &s->named[FILE_PARTS];
    int n = topology_processes(p, s, processes) / s->options.groups;
    size_t end;
    if (read_numbers(shares, text, &bounds, &end, c) != 0 || check_sum(shares, c) != 0)
        return -1;
    int rc = check_count(s, n, end, c);
    bool mirrored = s->options.in_place && (s->type->traits & TYPE_ALL_TO_ALL) != 0;
    if (rc != 0 || n == 0 || !mirrored)
        return rc;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            if (shares->list[i * n + k] != shares->list[k * n + i])
                return complaints_add(
                    c, place_of_number(text, i * n + k, c),
                    "in place, the share of process %d for %d must be that of %d for %d, %ld", i, k,
                    k, i, shares->list[k * n + i]);
    return 0;
}

int arrival_read(struct suite *s, const struct source *text, int processes, struct complaints *c)
{
    static const struct bounds bounds = { "a delay", 0, MOST_DELAY_US };
    struct numbers *delays_us = &s->named[FILE_ARRIVALS];
    int n = processes / s->options.groups;
    size_t end;
    if (read_numbers(delays_us, text, &bounds, &end, c) != 0)
        return -1;
    if (delays_us->count >= n)
        return 0;
    return complaints_add(c, end, "%d processes need a delay each, but there are %d delays", n,
                          delays_us->count);
}
