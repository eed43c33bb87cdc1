#include "model/matching.h"

#include "model/permutation.h"
#include "model/suite.h"

static int half(const struct suite *s, int processes, int i, int rank)
{
    int pairs = processes / 2;
    if (rank >= 2 * pairs)
        return MATCHING_NONE;
    return rank < pairs ? rank + pairs : rank - pairs;
}

static int exists(long partner, int processes)
{
    return partner >= 0 && partner < processes ? (int)partner : MATCHING_NONE;
}

/* Processes 0 to d - 1 with d to 2d - 1, and so on: each in turn takes a free one at distance d. */
static int shift(const struct suite *s, int processes, int i, int rank)
{
    long d = s->options.pairs_number;
    return exists(rank / d % 2 == 0 ? rank + d : rank - d, processes);
}

static int next(const struct suite *s, int processes, int i, int rank)
{
    return exists(rank ^ 1, processes);
}

static int exclusive_or(const struct suite *s, int processes, int i, int rank)
{
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
    const struct numbers *partners_of = &s->named[FILE_PARTS];
    return rank < partners_of->count ? exists(partners_of->list[rank], processes) : MATCHING_NONE;
}

/* The circle method of tournaments: the last of an even number of places stays, the others move on
 * by one place in each round, and those opposite each other meet. Of an odd number of processes,
 * none has the last place, and the one opposite to it idles. */
int matching_round(int processes, int i, int rank)
{
    int last = processes - 1 + processes % 2;
    if (rank == last)
        return i % last;
    int partner = (int)((2L * i - rank) % last);
    partner = partner < 0 ? partner + last : partner;
    return exists(partner == rank ? last : partner, processes);
}

static int (*const partners[PAIRING_COUNT])(const struct suite *s, int processes, int i,
                                            int rank) = {
    [PAIRS_HALF] = half,        [PAIRS_NEXT] = next,     [PAIRS_SHIFT] = shift,
    [PAIRS_XOR] = exclusive_or, [PAIRS_RANDOM] = chosen, [PAIRS_FILE] = from_file,
};

/* In the rounds, every two processes meet once. */
int matching_count(const struct suite *s, int processes)
{
    if (s->options.pairs == PAIRS_ROUND)
        return processes - 1 + processes % 2;
    return s->options.pairs == PAIRS_RANDOM ? s->options.matchings : 1;
}

int matching_partner(const struct suite *s, int processes, int i, int rank)
{
    return s->options.pairs == PAIRS_ROUND ? matching_round(processes, i, rank)
                                           : partners[s->options.pairs](s, processes, i, rank);
}

/* Adds idle processes: of all matchings of a pairing; a round robin leaves none always idle. */
int matching_idle(const struct suite *s, int processes, struct text *out)
{
    enum { LISTED = 16 };
    int idle = 0;
    if (s->options.pairs == PAIRS_ROUND && processes > 1)
        return 0;
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
    LOCAL_TEXT idle = { 0 };
    if (!type_has_option(s->type, OPTION_PAIRS))
        return s->options.groups;
    int pairs = (processes - matching_idle(s, processes, &idle)) / 2;
    return pairs > 0 ? pairs : 1;
}
