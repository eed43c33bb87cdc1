/* A pattern (manual 3.1.2 to 3.1.7): how the processes of one measurement are coordinated and
 * timed. One row in a file of its own; the operations (op.h) name the patterns that can measure
 * them. Functions for both are here; nothing between two clock readings is done but the calls. */
#pragma once

#include "context/measurement.h"

struct op;

struct pattern {
    struct pattern_info
        info; /* first, so that pattern_of can convert a type's pattern to its row */

    /* Measures one argument. Called by all processes that take part. Only rank 0's series is used:
     * rank 0 decides how many repetitions follow. */
    void (*measure)(struct measurement *m, const struct op *op, struct series *s);

    /* One repetition, whose data are verified; NULL: a call of the operation. */
    void (*once)(struct measurement *m, const struct op *op);

    /* The parameters of common_start_measure; and the recorder of repetitions; NULL: nothing. */
    const struct common_start *common;
    const struct recorder *recorder;

    enum hooks_needed {
        HOOKS_SERVER,
        HOOKS_SIDES,       /* server_op and client_op */
        HOOKS_SIDES_ALONE, /* without prepare */
        HOOKS_MASTER,
        HOOKS_INTERNAL
    } needs; /* those of an operation that it calls */

    /* The rank of the other side, if the pattern has two; NULL: as in a ping-pong. */
    int (*peer)(const struct measurement *m);

    /* Does this process call server_op? The others call client_op. NULL: only the root does. */
    bool (*serves)(const struct measurement *m);

    /* Rank 0: the process of a setting; NULL: the argument is one, or there is none. */
    int (*partner)(const struct resources *res, const struct suite *s, const struct setting *at);

    /* Rank 0: adds facts of a suite's block; NULL: none. If time was up, m has no processes. */
    void (*note)(const struct measurement *m, struct text *out);

    bool node_times; /* can a suite have Node_Times? */
};

/* For the rows: the beginning of a pattern's info. */
#define PATTERN_INFO(prefix_, title_, section_, place_, ...)                                       \
    .info = {                                                                                      \
        .prefix = prefix_, .title = title_, .section = section_, .place = place_, __VA_ARGS__      \
    }

extern const struct pattern p2p_pattern, mw_pattern, col_pattern, syncol_pattern, simple_pattern,
    internal_pattern, delayed_pattern, pairs_pattern, col_together_pattern, groups_pattern,
    mean_process_pattern, mean_pair_pattern, by_ack_pattern, each_root_pattern, matrix_pattern,
    overlap_pattern, io_pattern;

/* The pattern of a suite. */
static inline const struct pattern *pattern_of(const struct suite *s)
{
    return (const struct pattern *)suite_pattern(s);
}

/* Do only rank 0 and its partner take part, by the suite's pattern or type? */
bool pattern_is_pair(const struct measurement *m);

/* Does this process take part? If not, it waits for the next argument. */
bool pattern_takes_part(const struct measurement *m);

/* Exchanges the status of the processes that take part; 0 or -1 on all of them. */
int pattern_agree(struct measurement *m, int rc, struct err *e);

static inline bool pattern_serves(const struct measurement *m)
{
    return m->pattern->serves != NULL ? m->pattern->serves(m) : m->rank == m->root;
}

/* An empty message from the side that serves to its peer, or the other way. Both call it. */
void pattern_tell(const struct measurement *m, bool server_sends, MPI_Comm comm, int tag);

/* Takes the first buffers and runs init, unless rc says that this process failed to get ready.
 * Collective over those that take part; 0 or -1 on all. If rc was 0, call end, which runs free. */
int pattern_begin(struct measurement *m, const struct op *op, int rc, struct err *e);
void pattern_end(struct measurement *m);

/* Runs init, the pattern of the suite's type, and free, unless rc says that this process failed to
 * get ready. Collective over the processes that take part; 0 or -1 on all of them. */
int pattern_measure(struct measurement *m, const struct op *op, struct series *s, int rc,
                    struct err *e);

/* Sends all of m->control the number of repetitions to come, at most this; 0: the end. */
int pattern_next_batch(struct measurement *m, struct series *s, int most);

/* Rank 0 calls it with the time of the first, uncounted call of a batch. The first argument's first
 * one is the suite's first call, with connections and memory that the library allocates only then.
 * s: the place that it touches is that of this series; may be NULL. */
void pattern_first_call(struct measurement *m, struct series *s, double seconds);

/* Call before and after a repetition's call, outside its time. finalize: is there a hook for it? */
void pattern_prepare(struct measurement *m, const struct op *op);
bool pattern_finalize(struct measurement *m, const struct op *op);

/* For staged_client: copies what is sent from its kind of memory to the host's, and back. */
void pattern_stage_sent(const struct measurement *m);
void pattern_stage_received(const struct measurement *m);

/* Computes for this time without a call of MPI, for an operation. */
void pattern_keep_busy(const struct measurement *m, double seconds);

/* A repetition's calls in a row, on this process's side. Between two, buffers may be changed. */
void pattern_calls(struct measurement *m, const struct op *op, int calls);

/* Are data changed before each repetition (m->rewrites)? The same on all processes. */
bool repetition_rewrites(const struct measurement *m);

/* Takes the buffers of the next repetition's first call and changes the data that its calls will
 * send (fresh), or those that were sent by the last one (cold). Never in a timed interval. Between
 * two calls of a repetition, measurement_next_buffers follows. */
void repetition_next(struct measurement *m, const struct op *op, int calls);

/* Rewrites the data that this process sends; only rank 0 sends its own, others forward. */
void rewrite_all(struct measurement *m);
void rewrite_as_root(struct measurement *m);

/* Like rewrite_all, if only the processes that serve send. */
void rewrite_as_server(struct measurement *m);

/* Is this process rank 0, which measures the series, or the process that receives it? If a virtual
 * topology makes a process other than the world's rank 0 the root, the series is measured there,
 * but plan and block are kept at home. Both need memory for it. */
bool keeps_series(const struct measurement *m);

/* Sends home what rank 0 measured and the time of its first call. Other processes do nothing. */
void series_send_home(struct measurement *m, struct series *s);

/* Sends home one repetition's time of every process that took part, in microseconds and in rank
 * order; returns their number. Rank 0 gives the number of the repetition. */
int node_times_send_home(struct measurement *m, const struct series *s, int repetition,
                         double *node_us);

/* Sends rank 0 the value of the process whose us is extreme by op, without the overhead; returns
 * its rank. */
int extreme_send_home(struct measurement *m, double us, MPI_Op op, struct extra_value own,
                      double overhead_us, struct extra_value *found);

/* Does the suite's operation move any data, and is their origin known? Then it moves numbered
 * bytes, untimed, or combines exact numbers: packed as sent and as received, they are compared. */
bool verify_is_possible(const struct suite *s, const struct op *op);

/* Collective over the processes that take part, after measurement_prepare: one repetition of the
 * operation. -1, on all of them: a message did not arrive as it was sent; e says which one, and how
 * it differs. The message buffers are changed: nothing is measured with them afterwards. */
int verify_data(struct measurement *m, const struct op *op, struct err *e);

/* Further data of a series' repetitions besides their times: phases of packing, pairs and groups
 * that differ, roots, turns. Every pattern drives the recorders by the same calls; everything
 * except reports by an operation itself happens outside the timed intervals.
 *
 * A batch that is over. A repetition has one or several starts. */
struct repetitions {
    int n, starts;        /* starts of the batch, and of a repetition */
    const double *own_us; /* of this process, per start */
    /* On all processes; rank 0, and where they are shared (common_start.h). */
    const double *us;   /* the repetition's */
    const double *late; /* not 0: too late at this start */
};

/* Is the repetition that begins with start i valid? Where late is known. */
bool repetitions_valid(const struct repetitions *b, int i);

/* Every hook may be NULL. of: the state of the series. */
struct recorder {
    size_t bytes; /* of the state: zeros, except for what follows */
    int values;   /* it begins with this number of struct values, one value per valid repetition in
                     each, which are made, cut and released with it */
    void (*init)(void *of, struct measurement *m, const struct op *op);
    void (*before)(struct measurement *m, int i, void *of); /* start i of a batch */
    void (*hold)(int i, void *of);                          /* after the call of start i */
    /* After a batch, on all processes that take part. */
    void (*batch)(struct measurement *m, const struct repetitions *b, void *of);
    /* After the series, on all processes that take part: sets m->extra. */
    void (*conclude)(struct measurement *m, double overhead_us, void *of);
    void (*release)(void *of); /* accepts what init left */
    /* The time of reading the clock in a repetition, more often than without this recorder. */
    double (*readings_s)(const struct measurement *m, const void *of);
};

/* For a pattern's row: a recorder with this state. */
#define RECORDER(state_, values_, ...)                                                             \
    .recorder = &(const struct recorder)                                                           \
    {                                                                                              \
        .bytes = sizeof(state_), .values = values_, __VA_ARGS__                                    \
    }

/* Calls of the hooks, if there is a recorder. */
void recorder_before(struct measurement *m, int i);
void recorder_hold(struct measurement *m, int i);
void recorder_batch(struct measurement *m, const struct repetitions *b);
void recorder_keep(struct measurement *m, int first, int kept); /* as values_keep */
double recorder_readings_s(const struct measurement *m);

/* Takes one valid repetition, on each process, for patterns without batches. */
void recorder_take(struct measurement *m, struct series *s, double seconds);

/* How values are cleaned, like the suite's times; and the mean of those of the repetitions. */
struct summing recorded_how(const struct measurement *m);
struct extra_value recorded_mean(const struct measurement *m, const struct values *v);

/* All parts in one repetition. */
struct parts {
    double sum_us, fastest_us;
    struct ranked slowest; /* its time, and its number */
};

/* Collective: one process speaks for each part, with its time and its number. Rank 0 gets them. */
struct parts parts_reduce(const struct measurement *m, bool speaks, double us, int number);
