/* The choices of a parameter file: patterns (manual table 2.1 and 2.2) and types (tables 3.2 to
 * 3.5), each an operation measured by a pattern. Both are rows of src/patterns and src/ops, handed
 * in by the caller, so that reading a parameter file needs no MPI. */
#pragma once

#include "base/text.h"

struct params;
struct setting;
struct suite;

/* The definition of a suite's times and starts: closed lists, whose names every block of the
 * results has (#@TIME, #@START). Programs that read results go by these names; the texts are for
 * people. */
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

/* Returns a change by its number; NULL after the last. */
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

enum variation {
#define VARIATION(constant, ...) VARY_##constant,
#include "model/variations.def"
    VARIATION_COUNT
};

enum {
#define VARIATION(constant, ...) VARIES_##constant = 1u << VARY_##constant,
#include "model/variations.def"
};

/* The keys of a suite's Parameters. */
enum suite_option {
#define KEY(constant, ...) OPTION_##constant,
#include "model/keys.def"
#undef KEY
    SUITE_OPTION_COUNT
};

/* A list of keys, for a row: .options = OPTIONS(OPTION_GROUPS, OPTION_LAYOUT). */
#define OPTIONS_END  SUITE_OPTION_COUNT
#define OPTIONS(...) ((const enum suite_option[]){ __VA_ARGS__, OPTIONS_END })

/* Values that plan, statistics and loops need without the other parameters. */
enum scale { SCALE_FIXED_LINEAR, SCALE_FIXED_LOG, SCALE_DYNAMIC_LINEAR, SCALE_DYNAMIC_LOG };
enum error_rule { ERROR_WINSORISED, ERROR_PAPER }; /* stats_of explains them */

const char *scale_name(size_t scale); /* as written in the parameter file; NULL after the last */
bool scale_is_log(enum scale scale);
bool scale_is_dynamic(enum scale scale);

enum pattern_trait {
    PATTERN_ONE_PAIR = 1,      /* rank 0 and a partner; Nodes: chosen among that number */
    PATTERN_TOPOLOGY = 2,      /* can be measured on a virtual topology */
    PATTERN_PER_PROCESS = 4,   /* a row for each process */
    PATTERN_LOCAL = 8,         /* many calls in one timed interval, no messages */
    PATTERN_GLOBAL_CLOCK = 16, /* needs the global clock */
    PATTERN_OWN_TIMES = 32,    /* every process times its own part of each repetition */
    PATTERN_STAGES = 64,       /* what is sent and received can be copied before and after a call */
    PATTERN_THREADS = 128,     /* threads of a process can make the calls at the same time, */
    PATTERN_TAGS = 256         /* also on one communicator: messages have the tag of their thread */
};

/* A value that rows carry besides their time, as NAME=value NAME_error=error. */
struct extra_info {
    const char *name;
    const char *unit; /* "microsec."; NULL: a plain number, without an error */
    const char *text; /* its meaning */
};

/* Cases in which another pattern measures; one row each in suite.c. */
enum variant {
    VARIANT_OTHER,
    VARIANT_TOGETHER,
    VARIANT_MATRIX,
    VARIANT_GROUPS,
    VARIANT_EACH_ROOT,
    VARIANT_COUNT
};

/* Properties of a pattern without MPI; the first member of its row (patterns/pattern.h). */
struct pattern_info {
    const char *prefix;               /* "p2p", before the suite's name in every output */
    const char *title;                /* "Point-to-Point", in the output's Pattern line */
    const char *family;               /* whose operations and texts it shares; NULL: its own */
    const char *section;              /* title of its section in reports */
    int place;                        /* among the sections; on a topology, 5 later */
    unsigned variations;              /* VARIES_... of those that it has */
    unsigned traits;                  /* of enum pattern_trait */
    const enum suite_option *options; /* keys of Parameters; NULL: none */
    enum time_of time;                /* definition of its times; TIME_OF_PATTERN: each type says */
    enum rate_of rate;                /* the transfers of an operation that is not known (in old
                                       * results); RATE_OF_TIME: the times say it */
    enum start start;                 /* how a repetition starts */
    const char *processes;            /* which ones take part */
    const char *first_call_on;        /* where a suite's first call is timed */
    const struct extra_info *extra;   /* ends with a NULL name; NULL: none */
    /* The patterns that measure instead in these cases; NULL: this one does. The first that holds
     * counts. Its row has only the differences: the suite keeps names, keys and variations. */
    const struct pattern_info *variants[VARIANT_COUNT];
};

/* The arguments of a suite. */
enum arguments {
    ARGUMENTS_NUMBERS,
    ARGUMENTS_NONE,  /* nothing is varied */
    ARGUMENTS_PAIRS, /* all pairs of ranks, which are measured in rounds */
    ARGUMENTS_NAMES  /* the suite's list says which number has which name */
};

struct variation_info {
    const char *name; /* "Length", in the parameter file */
    const char *text; /* "message length", in the output */
    const char *unit; /* "bytes" */
    const char *axis; /* "length": one word, in names of suites and plots; NULL: nothing varies */
    const char *word; /* what people read instead of the axis, and write for the name; NULL: it */
    enum arguments kind;
    bool first_choice;     /* of a type that has it, if a suite does not say */
    enum suite_option key; /* the types with it have the variation; 0: the types of its patterns */
    size_t set;            /* the offset of the member of struct setting that it sets */
    enum scale scale;      /* of a suite that does not say */
    const char *linear_step, *log_step; /* its Stepwidth; NULL: the usual one */
    const char *multiple;               /* its Multiple_of; NULL: 1 */
    long least, usual;                  /* the first argument; what Max_Value means, or LONG_MAX */
    long limit;                         /* of End_Argument, in the unit "messages"; 0: none */
    const char *limit_unit;
    bool needs_memory;       /* @MEMORY can end it before End_Argument, */
    bool max_value_needs_it; /* and even before Max_Value */
    const char *beyond;      /* the number of processes can: "more than the"; NULL: not it */
};

const struct variation_info *variation_info(enum variation variation);

/* A word for people for what is varied: "length", "processes". */
const char *variation_word(enum variation variation);

/* How many message lengths a buffer must hold: once + per_process * number of processes; with
 * TYPE_WINDOW and buffers=many that number for each message of a window. */
struct lengths {
    int once;
    int per_process; /* with TYPE_NEIGHBOURS: per neighbour, TYPE_PARTNERS: per partner */
};

enum type_trait {
    TYPE_HAS_LENGTH = 1,         /* communicates messages whose length can be varied */
    TYPE_REDUCES = 2,            /* combines data, so the datatype must have an operation */
    TYPE_OF_OTHERS = 4,          /* internal: concerns the processes other than rank 0 */
    TYPE_ONE_DATATYPE = 8,       /* the send datatype is used on both sides */
    TYPE_SHARES_BUFFER = 16,     /* receives into the send buffer, by the receive datatype */
    TYPE_COPIES_BYTES = 32,      /* knows no datatypes */
    TYPE_PACKS = 64,             /* has a form with packed messages */
    TYPE_BUILDS = 128,           /* makes or frees the send datatype, which must be derived */
    TYPE_GRID = 256,             /* goes along the dimensions of a grid of processes */
    TYPE_NEIGHBOURS = 512,       /* needs the neighbours in a virtual topology */
    TYPE_PHASES = 1024,          /* its packing and unpacking are timed by themselves */
    TYPE_PARTNERS = 2048,        /* has as many partners as the key partners says */
    TYPE_WINDOW = 4096,          /* sends a window of messages in one call */
    TYPE_SINGLE = 8192,          /* something must happen between two calls, so no loop */
    TYPE_ONE_SIDED = 1 << 14,    /* accesses the memory of other processes */
    TYPE_RMA_REQUESTS = 1 << 15, /* by calls that return a request */
    TYPE_SWAPS = 1 << 16,        /* by MPI_Compare_and_swap, which combines only integers */
    TYPE_ROOTED = 1 << 17,       /* one process sends to all, or receives from all */
    TYPE_BOUND = 1 << 18,        /* is bound to the buffers of its first repetition */
    TYPE_FETCHES = 1 << 19,      /* one-sided: also returns what the target had */
    TYPE_ALL_TO_ALL = 1 << 20,   /* a spread divides what each process sends among all of them */
    TYPE_FILE = 1 << 21,         /* accesses a file, which has a part of a length per process */
    TYPE_OWN_FILES = 1 << 22,    /* each process has a file of its own */
    TYPE_REORDERS = 1 << 23,     /* does not reduce in the order of the ranks */
    TYPE_COUNTS = 1 << 24,       /* has a form with calls that count by MPI_Count */
    TYPE_ONE_PAIR = 1 << 25,     /* as PATTERN_ONE_PAIR, in a pattern of all processes */
    TYPE_ANY_TAG = 1 << 26,      /* receives messages of any tag */
    TYPE_MAKES = 1 << 27,        /* makes a communicator */
    TYPE_TCP = 1 << 28           /* goes through TCP connections, without MPI */
};

/* Features that an MPI library or this program may lack. */
enum capability {
#define CAPABILITY(constant, value, ...) NEEDS_##constant = value,
#include "model/capabilities.def"
};

/* A feature that may be missing. An operation's row names its needs; a topology adds its own. */
struct capability_info {
    enum capability bit;
    const char *text; /* "the MPI library lacks graph topologies" */
    /* The suites that need it; NULL for all. */
    bool (*only_if)(const struct params *p, const struct suite *s);
};

/* Rows by their number; NULL after the last. */
const struct capability_info *capability_get(size_t i);

/* The first row among the bits; NULL if none is set. */
const struct capability_info *capability_first(unsigned bits);

/* The features that the suite needs, as bits of enum capability. */
unsigned suite_needs(const struct params *p, const struct suite *s);

/* Where MPI_IN_PLACE leaves the data that a process would send from a buffer of its own. */
enum in_place {
    NEVER_IN_PLACE,
    IN_PLACE_OF_RESULTS, /* where its results arrive */
    IN_PLACE_OF_PART,    /* in its own part of the receive buffer */
    IN_PLACE_OF_SOURCE   /* in the send buffer, which has the root's part of a scatter */
};

struct type_info {
    int number;        /* manual tables 3.2 to 3.5; written, never implied */
    const char *name;  /* "MPI_Bcast"; with the pattern's prefix, unique */
    const char *text;  /* one line on the measured operation */
    enum time_of time; /* definition of its times */
    enum rate_of rate; /* its transfers, if its times do not say it */
    const struct pattern_info *pattern;
    unsigned traits;                  /* of enum type_trait */
    unsigned needs;                   /* of enum capability */
    const enum suite_option *options; /* keys of Parameters besides the pattern's */
    int calls; /* in a timed interval, whose time is divided by it, 0: one; of local operations the
                  most, 0: as many as are needed */
    const struct extra_info *extra; /* instead of the pattern's; NULL: the pattern's */
    enum in_place in_place;
    const char *collective; /* "bcast", in names of the library's variables; NULL: not collective */
    const struct application *application; /* whose messages it sends; NULL: those of datatypes */
    /* demands of the process that needs most */
    struct lengths send;
    struct lengths receive;
    struct lengths attached; /* for MPI_Buffer_attach; BSEND_OVERHEAD is added to each length */
};

enum { BSEND_OVERHEAD = 1024 }; /* no library's MPI_BSEND_OVERHEAD is larger */

struct catalog {
    const struct type_info *types; /* in the order of the numbers */
    size_t count;
    unsigned lacks; /* of enum capability: features that are missing here */
};

/* By number, and by name with prefix ("col_MPI_Bcast", case ignored); NULL without a match. */
const struct type_info *catalog_find(const struct catalog *c, int number);
const struct type_info *catalog_find_name(const struct catalog *c, const char *name);

/* Does type i have the smallest number of its pattern? */
bool catalog_has_first(const struct catalog *c, size_t i);

/* "col_MPI_Bcast", into a buffer of the caller, or in one that lasts until the end of the block. */
enum { TYPE_LABEL_SIZE = 128 };
const char *type_label(const struct type_info *type, char buffer[static TYPE_LABEL_SIZE]);
#define type_label_of(type) type_label(type, (char[TYPE_LABEL_SIZE]){ "" })

/* The values that its rows carry besides the time; ends with a NULL name. */
const struct extra_info *type_extra(const struct type_info *type);

/* Does the type use this key of Parameters? */
bool type_has_option(const struct type_info *type, enum suite_option key);

/* Why threads cannot make the type's calls at the same time; NULL: they can (key threads). */
const char *type_threads_misfit(const struct type_info *type);

/* Does the type have this variation? Its pattern must, and Length needs a length; a copy of bytes
 * has it in all patterns. */
bool type_varies(const struct type_info *type, enum variation variation);
