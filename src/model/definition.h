/* The definition of a suite's times and starts: closed lists, whose names every block of the
 * results has (#@TIME, #@START). Programs that read results go by these names; the texts are for
 * people. */
#pragma once

#include "base/text.h"

struct setting;
struct suite;

enum start {
    START_OWN,     /* each process begins when it is ready */
    START_BARRIER, /* when it leaves a barrier */
    START_CLOCK,   /* at a common instant of the global clock */
    START_COUNT
};

enum time_of {
    TIME_OF_PATTERN, /* of a type: that of the pattern */
#define TIME(constant, ...) TIME_##constant,
#include "model/times.def"
    TIMES_OF
};

/* The transfers of one repetition, from which reports compute bandwidths and rates. */
enum rate_of {
    RATE_OF_TIME, /* of a type: that of its times */
    RATE_NONE,
#define RATE(constant, ...) RATE_##constant,
#include "model/rates.def"
    RATES
};

struct rate {
    const char *name;
    int messages, events; /* messages of the length, and counted events */
    const char *by;       /* what both are multiplied by, "window pairs"; NULL: nothing */
    /* The formulas and their units; NULL without them. L: message length, W: messages in a window,
     * x: time, P: pairs, p: processes. */
    const char *bandwidth, *rate;
    const char *plotted;   /* without formulas: the bandwidth in plots */
    enum rate_of notified; /* with sync=notify, if that is another one; otherwise 0 */
    enum rate_of single;   /* without windows, likewise */
};

/* The row; NULL for RATE_NONE. */
const struct rate *rate_info(enum rate_of rate);

struct definition {
    const char *name;  /* "round_trip" */
    const char *text;  /* part of a sentence */
    enum rate_of rate; /* of types that do not say another one */
    double lasts_s;    /* a repetition, of which accuracy is not expected; 0: unknown */
};

const struct definition *definition_of(enum time_of time);

/* A change of the times by a key, or by the variation over pairs. */
struct time_change {
    const char *when;     /* "sync=notify" */
    enum time_of of;      /* TIME_OF_PATTERN: any time */
    enum time_of becomes; /* TIME_OF_PATTERN: the same time, with a word and a text */
    const char *word;     /* "pipelined"; NULL: becomes says it */
    const char *text;
};

/* A change by its number; NULL after the last. */
const struct time_change *time_change_get(size_t i);

/* Adds the time of a suite: one definition, and the additions of its keys; the names, and as a
 * sentence's part ("round_trip pipelined"). */
void definition_add_names(struct text *out, const struct suite *s);
void definition_add_text(struct text *out, const struct suite *s);

const char *start_name(enum start start);

/* Bytes and counted events of one repetition; NaN without a formula, or if the processes' topology
 * or chunks would have to be known. */
struct transferred {
    double bytes, events;
};
struct transferred suite_transfers(const struct suite *s, const struct setting *at);
