#include "model/matching.h"

#include "model/permutation.h"

static int half(const struct suite *s, int processes, int i, int rank)
{
    int pairs = processes / 2;
    (void)s, (void)i;
    if (rank >= 2 * pairs)
        return MATCHING_NONE;
    return rank < pairs ? rank + pairs : rank - pairs;
}

static int exists(long partner, int processes)
{
    return partner >= 0 && partner < processes ? (int)partner : MATCHING_NONE;
}

/* Processes 0 to d - 1 with d to 2d - 1, and so on: as if each in turn took the one at distance d,
 * if both are free. */
static int shift(const struct suite *s, int processes, int i, int rank)
{
    long d = s->options.pairs_number;
    (void)i;
    return exists(rank / d % 2 == 0 ? rank + d : rank - d, processes);
}

static int next(const struct suite *s, int processes, int i, int rank)
{
    (void)s, (void)i;
    return exists(rank ^ 1, processes);
}

static int exclusive_or(const struct suite *s, int processes, int i, int rank)
{
    (void)i;
    return exists(rank ^ s->options.pairs_number, processes);
}

static int chosen(const struct suite *s, int processes, int i, int rank)
{
    uint64_t key = permutation_key((uint64_t)s->options.pairs_number, (uint64_t)i);
    int paired = processes / 2 * 2;
    if (rank >= paired)
        return MATCHING_NONE;
    return permuted(permuted(rank, paired, key, false) ^ 1, paired, key, true);
}

static int from_file(const struct suite *s, int processes, int i, int rank)
{
    (void)i;
    return rank < s->partner_count ? exists(s->partners[rank], processes) : MATCHING_NONE;
}

static const struct pairing_row {
    const char *name;
    bool number;
    bool many; /* several matchings */
    int (*partner)(const struct suite *s, int processes, int i, int rank);
} pairing_rows[PAIRING_COUNT + 1] = {
    [PAIRS_HALF] = { "half", false, false, half },
    [PAIRS_NEXT] = { "next", false, false, next },
    [PAIRS_SHIFT] = { "shift", true, false, shift },
    [PAIRS_XOR] = { "xor", true, false, exclusive_or },
    [PAIRS_RANDOM] = { "random", true, true, chosen },
    [PAIRS_FILE] = { "file", false, false, from_file },
};

const char *pairing_name(size_t i)
{
    return pairing_rows[i].name;
}

bool pairing_has_number(enum pairing pairing)
{
    return pairing_rows[pairing].number;
}

int matching_count(const struct suite *s)
{
    return pairing_rows[s->options.pairs].many ? s->options.matchings : 1;
}

int matching_partner(const struct suite *s, int processes, int i, int rank)
{
    return pairing_rows[s->options.pairs].partner(s, processes, i, rank);
}

/* Each pairing has the same idle processes in all its matchings. */
int matching_idle(const struct suite *s, int processes, struct text *out)
{
    enum { LISTED = 16 };
    int idle = 0;
    for (int rank = 0; rank < processes; rank++) {
        if (matching_partner(s, processes, 0, rank) != MATCHING_NONE)
            continue;
        if (idle < LISTED)
            text_add(out, "%s%d", idle > 0 ? ", " : "", rank);
        idle++;
    }
    if (idle > LISTED)
        text_add(out, " and %d more", idle - LISTED);
    return idle;
}

int suite_groups(const struct suite *s, int processes)
{
    struct text idle = { 0 };
    if ((type_options(s->type) & OPTION_BIT(OPTION_PAIRS)) == 0)
        return s->options.groups;
    int pairs = (processes - matching_idle(s, processes, &idle)) / 2;
    text_release(&idle);
    return pairs > 0 ? pairs : 1;
}
