#include "model/definition.h"

#include "model/parameters.h"

/* clang-format off */
static const struct definition rows[TIMES_OF] = {
    [TIME_OF_PATTERN] = { "", "", false },
    [TIME_ROUND_TRIP] = { "round_trip",
      "full round trip of server_op on rank 0: to the client and back", true },
    [TIME_POSTED_ROUND_TRIP] = { "posted_round_trip",
      "full round trip of server_op on rank 0, to the client and back; both receives are posted "
      "before", true },
    [TIME_PAIRS_ROUND_TRIP] = { "pairs_round_trip",
      "full round trip of the slowest pair, all pairs at once", true },
    [TIME_PAIR_ROUND_TRIP] = { "pair_round_trip",
      "full round trip of a pair, all pairs of a round at once", true },
    [TIME_EXCHANGE] = { "exchange", "one exchange on rank 0, half of two in a row", false },
    [TIME_PAIRS_EXCHANGE] = { "pairs_exchange",
      "one exchange of the slowest pair, all pairs at once: until both sides have sent and "
      "received", false },
    [TIME_WINDOW] = { "window",
      "a window of messages to the client and its acknowledgement, on rank 0", false },
    [TIME_PAIRS_WINDOW] = { "pairs_window",
      "a window of messages to the client and its acknowledgement in the slowest pair, all pairs "
      "at once", false },
    [TIME_WINDOWS] = { "windows",
      "a window of messages in each direction at the same time, on rank 0; half of two in a row",
      false },
    [TIME_PAIRS_WINDOWS] = { "pairs_windows",
      "a window of messages in each direction in the slowest pair, all pairs at once", false },
    [TIME_ISSUE] = { "issue",
      "until the last send of a window has returned, on rank 0; receives are posted before",
      false },
    [TIME_ACCESS] = { "access", "from opening an epoch to closing it, on the server", false },
    [TIME_SLOWEST_ACCESS] = { "slowest_access",
      "from opening an epoch to closing it, on the slowest process", false },
    [TIME_DISPATCH] = { "dispatch", "dispatch of all chunks, on the master", false },
    [TIME_SLOWEST] = { "slowest",
      "the slowest process of a call that all start at the same instant", false },
    [TIME_SLOWEST_GROUP] = { "slowest_group",
      "the slowest process of a call that all groups of processes make at the same time, "
      "independently of each other", false },
    [TIME_SLOWEST_WITH_WORK] = { "slowest_with_work",
      "the slowest process of a call that all start at the same instant, with work between its "
      "start and the wait for its end", false },
    [TIME_MEDIAN_ROOT] = { "median_root",
      "median over the roots of the slowest process of a call that all start at the same instant",
      false },
    [TIME_LAST_ACKNOWLEDGED] = { "last_acknowledged",
      "the last process to finish, by acknowledgements that one process at a time sends, less half "
      "of an empty round trip", false },
    [TIME_ROOT_AND_BARRIER] = { "root_and_barrier",
      "one call and the closing barrier, on the root; contains the skew with which the processes "
      "left the previous barrier", false },
    [TIME_TOGETHER_AND_BARRIER] = { "together_and_barrier",
      "one call that all processes enter at the same instant, and the closing barrier, on the root",
      false },
    [TIME_CALL] = { "call", "one local call", false },
    [TIME_CLOCK_READING] = { "clock_reading",
      "cost of reading the clock, on each process", false },
    [TIME_BARRIER] = { "barrier", "MPI_Barrier of all processes, as each of them sees it", false },
    [TIME_LATENCY] = { "latency",
      "ping-pong of rank 0 with each process: chooses the partner", false },
    [TIME_CLOCK_ERROR] = { "clock_error",
      "error of the global clock, as messages with rank 0 show it", false },
};
/* clang-format on */

static const char *const starts[START_COUNT] = {
    [START_OWN] = "own", [START_BARRIER] = "barrier", [START_CLOCK] = "clock"
};

const struct definition *definition_of(enum time_of time)
{
    return &rows[time];
}

const char *start_name(enum start start)
{
    return starts[start];
}

static bool notifies(const struct suite *s)
{
    return s->options.sync == SYNC_NOTIFY;
}

/* Only a type with times of its own does not have those of the pattern that measures it. */
static bool is_own_pair(const struct suite *s)
{
    return s->variation == VARY_PAIRS && s->type->time != TIME_OF_PATTERN;
}

static bool is_grouped(const struct suite *s)
{
    return s->options.groups > 1 && s->type->time != TIME_OF_PATTERN;
}

static bool is_pipelined(const struct suite *s)
{
    return s->options.loop > 1;
}

static bool has_one_epoch(const struct suite *s)
{
    unsigned accesses = TYPE_HAS_LENGTH | TYPE_REDUCES;
    return is_pipelined(s) && (s->type->traits & TYPE_ONE_SIDED) != 0 &&
           (s->type->traits & accesses) != 0;
}

static bool is_synced(const struct suite *s)
{
    return s->options.io_sync;
}

static bool is_late(const struct suite *s)
{
    return s->options.arrival != ARRIVE_TOGETHER;
}

static const struct time_change changes[] = {
    { "sync=notify", TIME_ACCESS, TIME_ROUND_TRIP, NULL, NULL, notifies },
    { "Variation = Pairs", TIME_OF_PATTERN, TIME_OF_PATTERN, "own_pair",
      "here of each row's own pair", is_own_pair },
    { "groups above 1", TIME_OF_PATTERN, TIME_OF_PATTERN, "grouped",
      "in all groups at the same time", is_grouped },
    { "loop above 1", TIME_OF_PATTERN, TIME_OF_PATTERN, "pipelined", "per call of several in a row",
      is_pipelined },
    { "loop above 1 of accesses", TIME_OF_PATTERN, TIME_OF_PATTERN, "one_epoch",
      "all of them in one epoch", has_one_epoch },
    { "arrival other than together", TIME_OF_PATTERN, TIME_OF_PATTERN, "after_last_arrival",
      "from the last arrival, as processes arrive at different instants", is_late },
    { "io_sync=yes", TIME_OF_PATTERN, TIME_OF_PATTERN, "synced", "with MPI_File_sync", is_synced },
};

enum { CHANGES = sizeof(changes) / sizeof(changes[0]) };

const struct time_change *time_change_get(size_t i)
{
    return i < CHANGES ? &changes[i] : NULL;
}

static const struct definition *definition_of_suite(const struct suite *s)
{
    enum time_of time = s->type->time != TIME_OF_PATTERN ? s->type->time : suite_pattern(s)->time;
    for (size_t i = 0; i < CHANGES; i++)
        if (changes[i].of == time && changes[i].applies(s))
            return definition_of(changes[i].becomes);
    return definition_of(time);
}

void definition_add_names(struct text *out, const struct suite *s)
{
    text_add(out, "%s", definition_of_suite(s)->name);
    for (size_t i = 0; i < CHANGES; i++)
        if (changes[i].word != NULL && changes[i].applies(s))
            text_add(out, " %s", changes[i].word);
}

void definition_add_text(struct text *out, const struct suite *s)
{
    text_add(out, "%s", definition_of_suite(s)->text);
    for (size_t i = 0; i < CHANGES; i++)
        if (changes[i].text != NULL && changes[i].applies(s))
            text_add(out, "; %s", changes[i].text);
}
