/* The resources of one measurement: its processes and its messages. Rank 0 is master and server,
 * and root unless the suite says otherwise. A virtual topology decides which process that is. */
#pragma once

#include "context/derived.h"
#include "context/resources.h"
#include "context/sent.h"
#include "model/buffer_size.h"
#include "results/extra_values.h"
#include "stats/pool.h"

struct crew;
struct op_hooks;
struct pattern;

/* Processes that communicate with each other. */
struct team {
    MPI_Comm comm; /* MPI_COMM_NULL on a process that is not among them */
    int rank, size;
};

/* The state of the file in the series being measured, on this process. */
struct file_status {
    struct err why;        /* the first call that failed */
    double cached_percent; /* of the file, in the page cache before a repetition; the most so far */
    bool looked;           /* in that cache */
    int places;            /* in the file, which the repetitions access in turn */
};

/* The times of one pair in a visit (Variation = Pairs). */
struct pair_times {
    struct stats stats;
    int kept;
    double kept_us[KEPT_MOST]; /* pool.h */
};

/* The tags of a measurement's messages are FIRST_TAG and a few more; of each further thread that
 * has no communicator of its own, the next ones. */
enum { FIRST_TAG = 1, TAGS_OF_THREAD = 8 };

struct measurement {
    struct setting at;
    struct resources *resources;
    const struct params *params;
    const struct suite *suite;

    struct team all;  /* the participating processes, with the suite's virtual topology */
    MPI_Comm control; /* the same, for control messages */
    MPI_Comm comm; /* those with which an operation communicates: with groups above 1 the group of
                      this process, otherwise all */
    int rank, size;
    int group;              /* number of that group */
    MPI_Comm group_control; /* MPI_COMM_NULL without groups */
    int home; /* rank of the process that has the plan and the block: the world's rank 0 */
    int peer; /* the other side's rank, if the pattern has two; see patterns/pattern.h */
    int root; /* of the next call; in a group, the rank there */

    struct algorithm_choice algorithm; /* by which the library does the operation */
    struct pair_times *pairs; /* owned, rank 0: their results, by the lower rank; or NULL */

    int warmup;   /* repetitions before the first that counts (@CACHE_WARMUP) */
    int calls;    /* ping-pong: calls of the operation in one timed interval */
    int in_a_row; /* calls that the running hook makes (op_hooks.takes_all); otherwise 1 */
    struct side send, receive;
    MPI_Op reduction;     /* MPI_OP_NULL for types without a reduction */
    MPI_Op own_reduction; /* owned; for op=none, user, user_noncommutative */

    struct buffer_size sizes;
    char *attached; /* where all buffers of this measurement begin, or those of its threads */
    long long next; /* where the messages in use start, after first_at of both sides */
    bool in_place;  /* with MPI_IN_PLACE; the send buffer is in the receive buffer, or vice versa */
    bool separate;  /* receives at a place of its own, even with buffers=one */
    struct sent sent;        /* where the data of this process's messages are in the send buffer */
    long long first_call_at; /* next of the repetition's first call, if data are rewritten */
    int last_calls;          /* of the last repetition; 0: there was none */

    int thread;         /* number of the thread in its process; 0: the process's own */
    int tag;            /* the first of the tags of its messages */
    struct crew *crew;  /* the other threads (patterns/crew.h), between begin and end of a series */
    MPI_Comm *for_crew; /* owned; their communicators, of thread 1 and so on */
    int for_crew_count;

    int *processes;        /* owned; per process its rank in the world */
    MPI_Request *requests; /* owned; room for two per process */

    /* Properties of all repetitions of a series, which pattern_begin finds. */
    const struct pattern *pattern;       /* of the suite */
    const struct op_hooks *hooks;        /* of the operation, those that the suite uses */
    void (*call)(struct measurement *m); /* this process's side of it; NULL: it changes */
    bool rewrites;                       /* data are changed before each repetition */
    bool moves;                          /* a call and the next one have other buffers */
    const struct recorder *recorder;     /* of the series being measured; NULL: none is */
    void *recorded;          /* owned; its state, to which the operation's calls also report */
    struct file_status file; /* of the io pattern */
    const void *form;        /* of the operation's row, or set by its init */
    void *state;             /* the operation's own, between its init and free */
    struct extra_value extra[MAX_EXTRA]; /* rank 0, of suite_extra(): additional measured values */
    double first_call_s; /* rank 0: of the suite's first call, never a result; negative: unknown */
};

/* Do two settings differ at most in the length of a message? */
bool setting_is_like(const struct setting *one, const struct setting *other);

/* Allocates nothing, but may fill the buffers. All arguments are borrowed. */
void measurement_init(struct measurement *m, struct resources *res, const struct params *p,
                      const struct suite *suite);

/* Collective over the machine's world; ranks >= processes do not participate and have comm ==
 * MPI_COMM_NULL. A run already prepared for this number of processes keeps its communicators. */
int measurement_prepare(struct measurement *m, const struct setting *s, struct err *e);

/* control_agree of the run's processes (context/control.h). */
int measurement_agree(const struct measurement *m, int rc, struct err *e);
void measurement_release(struct measurement *m);

/* The group of a rank if the run has this number of processes. */
int measurement_group_of(const struct measurement *m, int processes, int rank);

/* Call before the first call of a series, and before each call: with root=rotate and root=each, the
 * first call has rank 0 as its root, each next one the next rank. */
void measurement_first_root(struct measurement *m);
void measurement_next_root(struct measurement *m);

/* The processes other than the root, for i from 1 to size - 1. */
int measurement_other(const struct measurement *m, int i);

/* Sets the part of a measurement that is that of another of its threads, of which it is a copy:
 * number, tags, and the place of its messages. */
void measurement_be_thread(struct measurement *m, int thread);

/* The buffers of a measurement's first call, of each next one, and of the call for which
 * next had this value. */
void measurement_first_buffers(struct measurement *m);
void measurement_next_buffers(struct measurement *m);
bool measurement_moves_buffers(const struct measurement *m);
void measurement_use_buffers(struct measurement *m, long long next);

/* How many messages a buffer of this measurement holds, by the row of its operation. */
long long measurement_messages(const struct measurement *m, const struct lengths *l);

/* Collective over the world: its first processes get a communicator with the topology (NULL: none,
 * in their order), to be freed; the others get MPI_COMM_NULL. A graph or a permutation must have
 * this number of processes. */
MPI_Comm topology_comm(const struct topology *t, MPI_Comm world, int processes);

/* Adds which process got which rank, for the header of a block. Call it after measurement_prepare,
 * on the world's rank 0. With a topology, adds the line #@TOPOLOGY and one "# rank process host"
 * each; without everything, only if a rank differs from the process's. */
void mapping_note(const struct measurement *m, bool everything, struct text *out);

/* The suite's reduction operation; MPI_OP_NULL without one. m->own_reduction if not predefined. */
MPI_Op measurement_reduction(struct measurement *m);

/* Sets an element to one of a few small numbers, which any number of processes can combine without
 * rounding, unless the result exceeds the type. */
void reduction_set(char *to, const struct predefined *type, enum combining op, unsigned number);

/* Fills the buffers with ones if the suite multiplies floating-point numbers. Where a result is
 * used again (MPI_Reduce_local, MPI_Accumulate), products of others would soon be infinite or
 * denormal, and slow. */
void reduction_fill(struct buffers *b, const struct params *p, const struct suite *s);
