#include "cli/topics.h"

#include "base/text.h"

enum {
    BASIC,
    NEIGHBOURS,
    APPLICATIONS,
    NETWORK,
    RMA,
    IO,
    IRREGULAR,
    PERSISTENT,
    REDUCTIONS,
    NONBLOCKING,
    ALGORITHMS,
    TOPICS
};

static const struct topic topics[TOPICS] = {
    [BASIC] = { "basic", "operations of SKaMPI 4.1" },
    [NEIGHBOURS] = { "neighbours", "neighbourhood collectives" },
    [APPLICATIONS] = { "applications", "messages of applications" },
    [NETWORK] = { "network", "streams, pairs, halos and rings" },
    [RMA] = { "rma", "one-sided communication" },
    [IO] = { "io", "files" },
    [IRREGULAR] = { "irregular", "collectives with parts of unequal size" },
    [PERSISTENT] = { "persistent", "persistent communication" },
    [REDUCTIONS] = { "reductions", "more reductions" },
    [NONBLOCKING] = { "nonblocking", "communication that overlaps with work" },
    [ALGORITHMS] = { "algorithms", "collectives of point-to-point calls" },
};

/* Numbers of types, first and last. */
static const struct {
    int first, last, topic;
} ranges[] = {
    { 1, 101, BASIC },        { 102, 107, NEIGHBOURS },  { 120, 159, APPLICATIONS },
    { 160, 199, NETWORK },    { 200, 219, RMA },         { 220, 239, IO },
    { 240, 259, IRREGULAR },  { 260, 279, PERSISTENT },  { 280, 282, REDUCTIONS },
    { 283, 299, NEIGHBOURS }, { 300, 339, NONBLOCKING }, { 340, 359, ALGORITHMS },
    { 360, 399, PERSISTENT }, { 400, 419, ALGORITHMS },
};

const struct topic *topic_get(size_t i)
{
    return i < TOPICS ? &topics[i] : NULL;
}

const struct topic *topic_of(int number)
{
    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
        if (number >= ranges[i].first && number <= ranges[i].last)
            return &topics[ranges[i].topic];
    return &topics[BASIC];
}

const struct topic *topic_find(const char *name)
{
    for (size_t i = 0; i < TOPICS; i++)
        if (text_same(topics[i].name, name))
            return &topics[i];
    return NULL;
}
