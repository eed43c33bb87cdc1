/* The measurements of one suite, held until they are written. */
#pragma once

#include "results/extra_values.h"
#include "model/argument_range.h"
#include "plan/plan.h"

/* The state of a measurement, as bits: its times are doubtful; and the kernel counted that a
 * process waited for a CPU. */
enum contended { CONTENDED = 1, CONTENDED_WAITED = 2 };

struct row {
    long argument;
    long partner_argument; /* with Variation = Pairs: the other rank of the pair */
    long asked;            /* the argument that the plan asked for, or the round of the pair */
    int visits;            /* fixed before the first repetition; 0: as many as passes */
    int unsynchronised;    /* rows of the first pass: visits so far that could not start together */
    struct stats stats;
    struct shape shape;
    enum stop stop;
    double *kept_us; /* owned; the visit's repetitions (pool.h); of several visits: NULL */
    int kept;
    int refined;        /* 1: the argument was placed by the refinement */
    int warmup;         /* repetitions before those that count */
    int invalid;        /* repetitions that were dropped and repeated */
    double residual_us; /* synchronised: the largest difference between the clocks */
    double looking;     /* synchronised: the share of the time spent comparing the clocks; else 0 */
    double overhead_us; /* subtracted from each repetition (@ABSOLUTE) */
    long length;        /* of a message */
    int contended;      /* bits of enum contended; of several visits: 1, a time is doubtful */
    int order;          /* which measurement of its turn it is from */
    double before_s;    /* of a visit, before its repetitions: without the calls */
    int calls_before;   /* these, which do not count */
    int passes;         /* that measured it; 0: a suite without passes */
    double within_us;   /* with passes: the median of their own errors */
    bool few_visits;    /* too few for an error between them */
    bool warming;       /* warmup=auto: the first visit is slower than the others */
    int disturbed;      /* visits that estimate=median excludes */
    double visit_median_us; /* median of the visits' times */
    struct modes states;    /* of the visits */
    double *visit_us;       /* owned; the visits' times, in their order; NULL: not kept */
    int partner;            /* ping-pong: rank of the client; 0: not a ping-pong */
    const char *place;      /* where the client is; NULL: not stated */
    double *node_us; /* owned; NULL without Node_Times; times of one repetition, one per process */
    int nodes;
    struct extra_value extra[MAX_EXTRA]; /* of suite_extra() */
};

/* Fewer visits do not show the error between them. */
enum { FEWEST_VISITS = 5 };

/* A suite ends early after this number of such rows. */
enum { HOPELESS_ROWS = 4 };
#define BLOCK_HOPELESS                                                                             \
    "ended early: in %d measurements one after the other, most repetitions were invalid"

/* The reason why a row has no value. */
#define ROW_EMPTY                                                                                  \
    "in every repetition, a process started late, a clock was off, or the time was below half of " \
    "the overhead"

/* All measurements of one suite. */
struct block {
    const struct params *params;
    const struct suite *suite;
    struct range range;
    int processes;        /* in the run */
    bool hopeless;        /* it was ended early, for the reason below */
    bool late;            /* it was ended by a limit of time */
    bool keeps_visits;    /* rows of several visits have their times */
    double tick_us;       /* of the clock */
    double least_us;      /* a difference between clocks that they hardly show */
    double bound_us;      /* by which they may differ unnoticed */
    double time_minutes;  /* duration of the suite */
    double first_call_us; /* not part of any row; negative: not timed */
    long first_argument;  /* the argument of the first call */
    struct text notes;    /* additional lines "#@NAME value\n" */
    struct row *rows;     /* owned */
    size_t count;
    size_t capacity; /* of rows */
};

/* Appends a copy of the row, including copies of its arrays. */
void block_append(struct block *b, const struct row *row);

/* Frees the row's arrays. */
void row_release(struct row *r);

/* For qsort, rows by argument, then by the second one: the order in which they are written. */
int row_compare(const void *a, const void *b);
void block_sort(struct block *b);

/* Keeps the first rows only. */
void block_drop_rows(struct block *b, size_t kept);

/* Is there a row for this argument of the plan? */
bool block_has(const struct block *b, long asked);

/* The number of rows without a result: all of their repetitions were invalid. */
size_t block_empty_rows(const struct block *b);

/* May the clocks be apart by more than the error that was requested for the row: is the residual
 * more than half of it, and more than clocks hardly show, or is it below the bound? And the number
 * of such rows whose residual shows it. */
bool row_is_apart(const struct block *b, const struct row *r);
size_t block_apart_rows(const struct block *b);

/* Errors of such rows are at least what the clocks may be apart. */
void block_widen_errors(struct block *b);

void block_release(struct block *b);

/* The text of a block of skampi.out (manual 3.2): adds the separator, eight header lines, "#@START"
 * and "#@TIME", "#@TIMEOF" (the definition of the times), "#@FIRSTCALL", notes, rows, "#eol". */
void output_block(struct text *out, const struct block *b);

/* Adds the facts SWEEP and INTERPOLATION of a block: the part of the sweep that a suite on a
 * dynamic scale measured, and the error of straight lines between its points. */
void plan_add_notes(struct text *out, const struct plan_outcome *o);

/* Begins the line of a single row, of a pass that is not complete. */
#define PASS_PART "~"

/* Adds a pass of a suite as a line of the journal: numbers that give exactly the same rows again,
 * without a line end. first_call_us: see struct block. */
void pass_add_text(struct text *out, const struct row *rows, size_t count, double first_call_us);

/* Read them from *at, which moves on, after the last row beyond the line end; false if the text is
 * damaged. The caller frees the row in any case. */
bool pass_read_head(const char **at, size_t *count, double *first_call_us);
bool pass_read_row(const char **at, struct row *row);
