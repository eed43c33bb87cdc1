#include "model/definition.h"

#include "model/parameters.h"

/* clang-format off */
static const struct definition rows[TIMES_OF] = {
    [TIME_OF_PATTERN] = { "", "", RATE_NONE },
    [TIME_ROUND_TRIP] = { "round_trip",
      "full round trip of server_op on rank 0: to the client and back", RATE_ROUND_TRIP },
    [TIME_POSTED_ROUND_TRIP] = { "posted_round_trip",
      "full round trip of server_op on rank 0, to the client and back; both receives are posted "
      "before", RATE_ROUND_TRIP },
    [TIME_PAIRS_ROUND_TRIP] = { "pairs_round_trip",
      "full round trip of the slowest pair, all pairs at once", RATE_ROUND_TRIP },
    [TIME_PAIR_ROUND_TRIP] = { "pair_round_trip",
      "full round trip of a pair, all pairs of a round at once", RATE_ROUND_TRIP },
    [TIME_EXCHANGE] = { "exchange", "one exchange on rank 0, half of two in a row", RATE_EXCHANGE },
    [TIME_PAIRS_EXCHANGE] = { "pairs_exchange",
      "one exchange of the slowest pair, all pairs at once: until both sides have sent and "
      "received", RATE_EXCHANGE },
    [TIME_WINDOW] = { "window",
      "a window of messages to the client and its acknowledgement, on rank 0", RATE_WINDOW },
    [TIME_PAIRS_WINDOW] = { "pairs_window",
      "a window of messages to the client and its acknowledgement in the slowest pair, all pairs "
      "at once", RATE_PAIRS_WINDOW },
    [TIME_WINDOWS] = { "windows",
      "a window of messages in each direction at the same time, on rank 0; half of two in a row",
      RATE_WINDOWS },
    [TIME_PAIRS_WINDOWS] = { "pairs_windows",
      "a window of messages in each direction in the slowest pair, all pairs at once", RATE_PAIRS_WINDOWS },
    [TIME_ISSUE] = { "issue",
      "until the last send of a window has returned, on rank 0; receives are posted before",
      RATE_ISSUE },
    [TIME_MESSAGE] = { "message", "a message to the client and its acknowledgement, on rank 0", RATE_MESSAGE },
    [TIME_ACCESS] = { "access", "from opening an epoch to closing it, on the server", RATE_ACCESSES },
    [TIME_SLOWEST_ACCESS] = { "slowest_access",
      "from opening an epoch to closing it, on the slowest process", RATE_PROCESS },
    [TIME_DISPATCH] = { "dispatch", "dispatch of all chunks, on the master", RATE_CHUNKS },
    [TIME_SLOWEST] = { "slowest",
      "the slowest process of a call that all start at the same instant", RATE_PROCESS },
    [TIME_SLOWEST_GROUP] = { "slowest_group",
      "the slowest process of a call that all groups of processes make at the same time, "
      "independently of each other", RATE_PROCESS },
    [TIME_SLOWEST_WITH_WORK] = { "slowest_with_work",
      "the slowest process of a call that all start at the same instant, with work between its "
      "start and the wait for its end", RATE_NONE },
    [TIME_MEDIAN_ROOT] = { "median_root",
      "median over the roots of the slowest process of a call that all start at the same instant",
      RATE_PROCESS },
    [TIME_LAST_ACKNOWLEDGED] = { "last_acknowledged",
      "the last process to finish, by acknowledgements that one process at a time sends, less half "
      "of an empty round trip", RATE_NONE },
    [TIME_ROOT_AND_BARRIER] = { "root_and_barrier",
      "one call and the closing barrier, on the root; contains the skew with which the processes "
      "left the previous barrier", RATE_PROCESS },
    [TIME_TOGETHER_AND_BARRIER] = { "together_and_barrier",
      "one call that all processes enter at the same instant, and the closing barrier, on the root",
      RATE_PROCESS },
    [TIME_CALL] = { "call", "one local call", RATE_NONE },
    [TIME_CLOCK_READING] = { "clock_reading",
      "cost of reading the clock, on each process", RATE_NONE },
    [TIME_LOST] = { "lost", "what detours take of 2 ms in which the process only reads its clock", RATE_NONE, 2e-3 },
    [TIME_MISSING] = { "missing",
      "what 512 quanta of 50 microsec. lack of the usual work, readings of the clock, as time", RATE_NONE,
      25.6e-3 },
    [TIME_ADDED] = { "added",
      "what a delay of 100 microsec. of this process adds to the slowest process of a call, or to a "
      "ping-pong on rank 0", RATE_NONE },
    [TIME_BARRIER] = { "barrier", "MPI_Barrier of all processes, as each of them sees it", RATE_NONE },
    [TIME_LATENCY] = { "latency",
      "ping-pong of rank 0 with each process: chooses the partner", RATE_NONE },
    [TIME_CLOCK_ERROR] = { "clock_error",
      "error of the global clock, as messages with rank 0 show it", RATE_NONE },
};

#define TIMES_PARTS(what) what " times the message length, divided by the time"
static const struct rate rates[RATES] = {
    [RATE_ROUND_TRIP] = { "round_trip", 2, 1, NULL, "2 L / x, both directions of a round trip",
      "1 / x, round trips (transactions) per second" },
    [RATE_BOTH_WAYS] = { "both_ways", 2, 0, NULL,
      .plotted = "of both directions together: twice the message length, divided by the time" },
    [RATE_EXCHANGE] = { "exchange", 2, 1, NULL, "2 L / x, both directions of an exchange",
      "1 / x, exchanges per second" },
    [RATE_WINDOW] = { "window", 1, 1, "window", "W L / x, a window in one direction",
      "W / x, messages per second" },
    [RATE_PAIRS_WINDOW] = { "pairs_window", 1, 1, "window pairs",
      "P times W L / x, a window in one direction", "P times W / x, messages per second" },
    [RATE_WINDOWS] = { "windows", 2, 2, "window", "2 W L / x, windows in both directions",
      "2 W / x, messages per second in both directions" },
    [RATE_PAIRS_WINDOWS] = { "pairs_windows", 2, 2, "window pairs",
      "P times 2 W L / x, windows in both directions",
      "P times 2 W / x, messages per second in both directions" },
    [RATE_ISSUE] = { "issue", 0, 1, "window", NULL, "W / x, messages issued per second" },
    [RATE_MESSAGE] = { "message", 1, 1, NULL, "L / x, a message in one direction",
      "1 / x, messages per second" },
    [RATE_ACCESSES] = { "accesses", 1, 1, "window", "W L / x, a window of accesses",
      "W / x, accesses per second", .notified = RATE_NOTIFIED_ACCESSES, .single = RATE_ACCESS },
    [RATE_ACCESS] = { "access", 1, 1, NULL, "L / x, one access", "1 / x, accesses per second" },
    [RATE_NOTIFIED_ACCESSES] = { "notified_accesses", 2, 2, "window",
      "2 W L / x, windows of accesses in both directions",
      "2 W / x, accesses per second in both directions", .single = RATE_NOTIFIED },
    [RATE_NOTIFIED] = { "notified", 2, 1, NULL,
      "2 L / x, both directions of a round trip with notifications",
      "1 / x, round trips with notifications per second" },
    [RATE_PARTS] = { "parts", 1, 1, "processes", "p L / x, the parts of all processes together",
      "p / x, calls of all processes per second" },
    [RATE_SYNCED] = { "synced", 1, 0, "processes",
      "p L / x, what all processes have written before", NULL },
    [RATE_COMBINED] = { "combined", 1, 0, NULL, "L / x, what one process combines", NULL },
    [RATE_CHUNKS] = { "chunks", 1, 0, "chunks", .plotted = "of all that the master sends: number "
      "of chunks times their length, divided by the time" },
    [RATE_PROCESS] = { "process", 1, 0, NULL,
      .plotted = "of one process: the message length, divided by the time" },
    [RATE_SENT_TWICE] = { "sent_twice", 2, 0, NULL,
      .plotted = "of one process, what it sends: twice the message length, divided by the time" },
    [RATE_NEXT] = { "next", 2, 0, NULL, .plotted = "of one process, what it sends and receives: "
      "twice the message length, divided by the time" },
    [RATE_NEIGHBOURS] = { "neighbours", 4, 0, NULL,
      .plotted = TIMES_PARTS("of one process, what it sends and receives: 4") },
    [RATE_PARTNERS] = { "partners", 1, 0, "partners",
      .plotted = TIMES_PARTS("of one process, what it sends: number of partners") },
    [RATE_GRID] = { "grid", 1, 0, "neighbours",
      .plotted = TIMES_PARTS("of one process, what it sends: number of neighbours") },
    [RATE_OTHERS] = { "others", 1, 0, "others",
      .plotted = TIMES_PARTS("of rank 0: number of other processes") },
};
/* clang-format on */

static const char *const starts[START_COUNT] = {
    [START_OWN] = "own", [START_BARRIER] = "barrier", [START_CLOCK] = "clock"
};

const struct definition *definition_of(enum time_of time)
{
    return &rows[time];
}

const struct rate *rate_info(enum rate_of rate)
{
    return rates[rate].name == NULL ? NULL : &rates[rate];
}

const char *start_name(enum start start)
{
    return starts[start];
}

enum { NOTIFIES, OWN_PAIR, GROUPED, PIPELINED, ONE_EPOCH, LATE, ONE_ELEMENT, SYNCED, CHANGES };

static const struct time_change changes[CHANGES] = {
    [NOTIFIES] = { "sync=notify", TIME_ACCESS, TIME_ROUND_TRIP, NULL, NULL },
    [OWN_PAIR] = { "Variation = Pairs", TIME_OF_PATTERN, TIME_OF_PATTERN, "own_pair",
                   "here of each row's own pair" },
    [GROUPED] = { "groups above 1", TIME_OF_PATTERN, TIME_OF_PATTERN, "grouped",
                  "in all groups at the same time" },
    [PIPELINED] = { "loop above 1", TIME_OF_PATTERN, TIME_OF_PATTERN, "pipelined",
                    "per call of several in a row" },
    [ONE_EPOCH] = { "loop above 1 of accesses", TIME_OF_PATTERN, TIME_OF_PATTERN, "one_epoch",
                    "all of them in one epoch" },
    [LATE] = { "arrival other than together", TIME_OF_PATTERN, TIME_OF_PATTERN,
               "after_last_arrival",
               "from the last arrival, as processes arrive at different instants" },
    [ONE_ELEMENT] = { "counts=type", TIME_OF_PATTERN, TIME_OF_PATTERN, "one_element",
                      "each message as one element of a derived datatype" },
    [SYNCED] = { "io_sync=yes", TIME_OF_PATTERN, TIME_OF_PATTERN, "synced", "with MPI_File_sync" },
};

/* Only a type with times of its own does not have those of the pattern that measures it. */
static bool applies(const struct suite *s, size_t change)
{
    const struct suite_options *x = &s->options;
    const unsigned traits = s->type->traits, accesses = TYPE_HAS_LENGTH | TYPE_REDUCES;
    const bool own = s->type->time != TIME_OF_PATTERN, one_sided = (traits & TYPE_ONE_SIDED) != 0;
    const bool all[CHANGES] = {
        [NOTIFIES] = x->sync == SYNC_NOTIFY,
        [OWN_PAIR] = s->variation == VARY_PAIRS && own,
        [GROUPED] = x->groups > 1 && own,
        [PIPELINED] = x->loop > 1,
        [ONE_EPOCH] = x->loop > 1 && one_sided && (traits & accesses) != 0,
        [LATE] = x->arrival != ARRIVE_TOGETHER,
        [ONE_ELEMENT] = x->counts == COUNTS_TYPE,
        [SYNCED] = x->io_sync,
    };
    return all[change];
}

const struct time_change *time_change_get(size_t i)
{
    return i < CHANGES ? &changes[i] : NULL;
}

static const struct definition *definition_of_suite(const struct suite *s)
{
    enum time_of time = s->type->time != TIME_OF_PATTERN ? s->type->time : suite_pattern(s)->time;
    for (size_t i = 0; i < CHANGES; i++)
        if (changes[i].of == time && applies(s, i))
            return definition_of(changes[i].becomes);
    return definition_of(time);
}

void definition_add_names(struct text *out, const struct suite *s)
{
    text_add(out, "%s", definition_of_suite(s)->name);
    for (size_t i = 0; i < CHANGES; i++)
        if (changes[i].word != NULL && applies(s, i))
            text_add(out, " %s", changes[i].word);
}

void definition_add_text(struct text *out, const struct suite *s)
{
    text_add(out, "%s", definition_of_suite(s)->text);
    for (size_t i = 0; i < CHANGES; i++)
        if (changes[i].text != NULL && applies(s, i))
            text_add(out, "; %s", changes[i].text);
}
