/* Which host, link, direction, pair or group of hosts is slow. Rank 0 fills in what was measured,
 * asks for suspects, has them measured again alone, and asks for verdicts. All values are times, so
 * that more is worse; ratios are differences of their logarithms. No MPI. */
#pragma once

#include "base/text.h"

/* Names of the rows of limits.def. */
#define KIND(constant, ...) HEALTH_##constant,
#define LIMIT(constant, ...)
enum health_kind {
#include "health/limits.def"
    HEALTH_KINDS
};
#define KIND(constant, ...)
#define LIMIT(constant, ...) LIMIT_##constant,
enum health_limit {
#include "health/limits.def"
    HEALTH_LIMITS
};

struct health_kind_info {
    const char *name, *what;
    long bytes;   /* of a message: shown as a bandwidth; 0: shown as a time */
    double least; /* slower by less than this factor does not matter */
    double few;   /* the factor instead, if there are too few hosts to know how they differ */
    bool pairs;   /* of pairs of hosts, not of single ones */
    const char *todo;
};
extern const struct health_kind_info health_kinds[HEALTH_KINDS];

struct health_limit_info {
    const char *name, *line;
    double value; /* negative: lower values than its amount are bad */
    const char *unit, *against, *what, *todo;
};
extern const struct health_limit_info health_limits[HEALTH_LIMITS];

/* The amount of a limit; a part, if its unit is percent. */
double health_limit(enum health_limit limit);

/* A pair has three values, and a host those of the other kinds. */
enum health_value { VALUE_LATENCY, VALUE_THERE, VALUE_BACK, PAIR_VALUES };
enum { HOST_VALUES = HEALTH_KINDS - HEALTH_NEAR, MOST_VALUES = HOST_VALUES };
enum { HEALTH_VISITS = 21, HEALTH_FEW_HOSTS = 5, HEALTH_SURE_HOSTS = 12 };

/* Pairs of hosts of one group, or of none; and of two groups, such as racks. */
enum health_class { CLASS_WITHIN, CLASS_ACROSS, HEALTH_CLASSES };

/* Logarithms: what hosts and pairs usually need, and by how much more each one needs. */
struct health_level {
    double reference;  /* within; NaN: nothing is known */
    double across;     /* how much more usual pairs of two groups need, in the rounds */
    double alone;      /* the same, alone; NaN: not measured */
    int groups;        /* 0: hosts are not judged in groups */
    int *group;        /* owned: of each host; negative: none */
    double *from, *to; /* owned: of each host as a sender and a receiver; or one value */
    double host_limit, pair_limit[HEALTH_CLASSES]; /* healthy ones are slower by less, at 5 % for
                                                      all together */
};

/* A pair, or a host (b < 0), that is measured while nothing else happens. */
struct health_look {
    int a, b;
    bool control;                          /* a healthy one: what others are compared with */
    double us[HEALTH_VISITS][MOST_VALUES]; /* of each visit; NaN: not measured */
    double low[MOST_VALUES], middle[MOST_VALUES], high[MOST_VALUES]; /* logarithms of the ratio */
};

/* HEALTH_LOOK: something differs that may be so by design. */
enum health_state { HEALTH_GOOD, HEALTH_UNKNOWN, HEALTH_LOOK, HEALTH_BAD, HEALTH_STATES };

struct health_state_info {
    const char *name, *shown; /* by skampi health; by skampi-show and skampi-launch, NULL: never */
    int status;               /* of these programs */
    const char *what;
};
extern const struct health_state_info health_states[HEALTH_STATES];

/* The verdict on a suspect. */
enum health_fault {
    FAULT_NONE,      /* it is healthy alone: it was slow beside other messages */
    FAULT_FAR,       /* one of some hosts that are near each other, and farther from all others */
    FAULT_UNKNOWN,   /* its interval has the limit in it, or it could not be compared */
    FAULT_HOST,      /* all that the host does with others, or what it does alone */
    FAULT_LATENCY,   /* short messages from and to the host */
    FAULT_LINK,      /* long messages from and to the host */
    FAULT_SENDING,   /* long messages from the host */
    FAULT_RECEIVING, /* long messages to the host */
    FAULT_PAIR,      /* only messages between two hosts */
    FAULT_GROUP,     /* long messages between these hosts and all others */
    FAULT_BASELINE,  /* slower than the host was when the baseline was measured */
    FAULTS
};
struct health_fault_info {
    const char *name, *what; /* what of a host is slow; NULL: that is not said */
};
extern const struct health_fault_info health_faults[FAULTS];

struct health_suspect {
    int host, other; /* other < 0: a host */
    double excess;   /* how far beyond its limit it was in the rounds: a logarithm */
    bool since;      /* it is slower than in the baseline */
    int looks[3];    /* its measurements: host: with two others, or alone; pair: itself, and
                        each of the two with another one; negative: none */
    enum health_fault fault;
    enum health_kind kind;   /* the kind that is worst */
    double ratio, low, high; /* of that kind, as factors */
    double limit;
    int group; /* FAULT_GROUP: the first suspect of the group */
};

struct health {
    int hosts;
    const char *const *names; /* borrowed */
    const int *switches;      /* borrowed: the number of each host's; NULL: unknown */
    double *us[HEALTH_KINDS]; /* owned: from sender a to receiver b at [a * hosts + b]; or of a
                                 host at [a]; NaN: not measured */
    double *baseline[HEALTH_KINDS][2]; /* owned: logarithms: of each host as a sender and a
                                          receiver; NULL: no baseline */
    struct health_level levels[HEALTH_KINDS];
    struct health_suspect *suspects; /* owned; the hosts come first */
    int suspect_count;
    int left;                  /* pairs that were slow, but not measured again */
    struct health_look *looks; /* owned */
    int look_count;
};

void health_init(struct health *h, int hosts, const char *const *names);
void health_release(struct health *h);

/* Finds the levels of all kinds; then the suspects, and what is to be measured alone: at most
 * pairs suspicious pairs, the slowest first. */
void health_find(struct health *h, int pairs);

/* Judges the suspects by what was measured alone. */
void health_judge(struct health *h);

/* How far a sender and a receiver, or a host, is from the reference: a logarithm. */
double health_excess(const struct health *h, enum health_kind kind, int host, bool receives);

/* --- for health*.c --- */

void health_find_levels(struct health *h);

/* Finds groups of hosts whose pairs are near each other and farther from all others, by the
 * switches or by the times of the rounds; else there are none. list: hosts * hosts values. */
void health_find_groups(struct health *h, enum health_kind kind, double *list);

enum health_class health_class_of(const struct health *h, enum health_kind kind, int a, int b);

/* How many times as long as within groups pairs across take, alone or else in the rounds; NaN:
 * there are no groups. */
double health_across(const struct health *h, enum health_kind kind);

/* The number of hosts in a host's group, and whether it is the first of them; 0: it is in none. */
int health_group_size(const struct health *h, enum health_kind kind, int host, bool *first);

/* How far the time of a pair is beyond what its class usually needs, in the rounds. */
double health_pair_time(const struct health *h, enum health_kind kind, int a, int b);

/* By how many standard deviations the farthest of n values is from the rest at most, in 95 % of
 * cases for all n together, if the deviation is known from half of them. */
double health_critical(int n);
