/* An operation that can be timed. One row in src/ops, with a few hooks that only communicate; the
 * pattern owns the clock, the loop and the synchronisation (manual 3.1). */
#pragma once

#include "patterns/pattern.h"

/* Point-to-point, collective and simple operations. Every hook except server_op may be NULL. */
struct op_hooks {
    void (*init)(struct measurement *m);                   /* every process of the run */
    int (*try_init)(struct measurement *m, struct err *e); /* instead of it, if it may fail */
    void (*prepare)(struct measurement *m);   /* before each repetition, outside its time, by those
                                         patterns whose operations have one */
    void (*server_op)(struct measurement *m); /* the side that serves, one repetition */
    void (*client_op)(struct measurement *m); /* the others; NULL: the same as server_op */
    void (*staged_client)(struct measurement *m); /* client_op with staged=yes, if it answers:
                                                   * receives, calls both pattern_stages, sends */
    void (*finalize)(struct measurement *m); /* after each repetition, outside its time: completes
                                              * it, or frees the objects that it made */
    void (*free)(struct measurement *m);     /* undoes either, also an incomplete one */
    bool takes_all; /* one call of server_op or client_op makes all of an interval, m->in_a_row, so
                       that the key loop is possible in spite of prepare and finalize */
    size_t state;   /* bytes of m->state, zeroed, between the beginning of init and the end of free;
                       if a process has failed before, none calls init or free */
};

/* Master-worker operations (manual 3.1.3); init and free are those of op_hooks. */
struct mw_hooks {
    void (*master_receive_ready)(struct measurement *m); /* before the clock starts */
    int (*master_dispatch)(struct measurement *m,
                           int chunks);                /* sends 1 to chunks; returns how many */
    void (*master_worker_stop)(struct measurement *m); /* ends every worker's loop */
    void (*worker_send)(struct measurement *m);        /* asks for work */
    bool (*worker_receive)(struct measurement *m);     /* gets work; false: stop */
};

/* The origin of a message: a rank, and the number of the message in its send buffer. Combined data
 * come from all ranks up to that one. */
struct origin {
    int rank; /* MPI_PROC_NULL: the operation did not send it */
    int message;
    int elements;             /* other than 0: not a message, but this number of elements, */
    int sent_at, received_at; /* from these ones of the buffers */
};

/* A pattern that can measure an operation, and the number of the resulting type. */
struct measured_by {
    const struct pattern *pattern;
    int number;
    enum time_of time; /* definition of the type's times; TIME_OF_PATTERN: the operation's */
};

enum { MAX_PATTERNS = 4 };

enum { PART_ALONE, PART_REST, PART_LIMITED }; /* in .extra of operations with a part */
enum { IO_CACHED, IO_PLACES };                /* in .extra of the io pattern */

struct op {
    struct type_info info;               /* without pattern and number, which lines of in give */
    struct measured_by in[MAX_PATTERNS]; /* number 0 after the last */
    const struct recorder *recorder;     /* of reports by its calls; NULL: nothing */
    const void *form;          /* properties of this row for hooks that rows share; m->form */
    struct op_hooks hooks;     /* of master-worker only init and free, of internal ones none */
    struct op_hooks packed;    /* used with method=pack, if any; its types have TYPE_PACKS */
    struct op_hooks counted;   /* used with counts=c, if any; its types have TYPE_COUNTS */
    struct op_hooks elsewhere; /* used if a message is not in the host's memory, if any */
    struct mw_hooks mw;
    /* Changes a byte in each cache line of the data that this process sends in a call and does not
     * just forward, between timed intervals. NULL: the messages of info.send in the send buffer. */
    void (*rewrite)(struct measurement *m);
    /* The origin of message i in the receive buffer, after a repetition and before free; used to
     * check the data. It may overwrite m->send.counts. NULL: unknown, the data are not checked. */
    struct origin (*origin)(const struct measurement *m, int message);
    /* Moves the results of a checked repetition to the receive buffer. NULL: they are there. */
    void (*fetch)(struct measurement *m);
    /* Checks the data by itself instead of verify_data, between init and free: one repetition, then
     * 0, or -1 if this process has other data than expected. */
    int (*check)(struct measurement *m, const struct op *op, struct err *e);
    /* After init and prepare, and after the series: -1 if a call failed here. NULL: none does. */
    int (*status)(const struct measurement *m, struct err *e);
    /* Rank 0: adds facts of a suite's block, after the pattern's; NULL: there are none. */
    void (*note)(const struct measurement *m, struct text *out);
    /* A part that is also measured alone, once per number of processes, such as the synchronisation
     * of one-sided accesses; it has only hooks. Rows carry its time and what remains without it:
     * .extra. NULL: the operation has no such part. */
    const struct op *part;
    /* Internal measurements: all processes call it; rank 0 gets n times of m->at.partner. */
    void (*internal)(struct measurement *m, double *us, int n);
};

/* For the rows. */

/* A row, without what else it has: .in = ..., .hooks = { ... } and so on. */
#define OP(name_, text_, traits_, ...)                                                             \
    {                                                                                              \
        .info.name = name_, .info.text = text_, .info.traits = traits_, __VA_ARGS__                \
    }
/* The messages that its buffers hold: one or two messages, or one for each process. */
#define SENDS_ONE      .info.send = { .once = 1 }
#define SENDS_TWO      .info.send = { .once = 2 }
#define SENDS_EACH     .info.send = { .per_process = 1 }
#define RECEIVES_ONE   .info.receive = { .once = 1 }
#define RECEIVES_TWO   .info.receive = { .once = 2 }
#define RECEIVES_EACH  .info.receive = { .per_process = 1 }
#define IN_PLACE(what) .info.in_place = IN_PLACE_OF_##what
/* The calls of its two sides. */
#define SIDES(server, client) .hooks.server_op = server, .hooks.client_op = client
/* clang-format off */
/* The numbers of its types, by the patterns that most operations have. */
#define P2P_TYPE(number)            { { &p2p_pattern, number } }
#define P2P_PAIRS_TYPES(p2p, pairs) { { &p2p_pattern, p2p }, { &pairs_pattern, pairs } }
#define PAIRS_TYPE(number)          { { &pairs_pattern, number } }
#define TIMED_P2P_TYPE(number, time) { { &p2p_pattern, number, time } }
#define TIMED_P2P_PAIRS_TYPES(p2p, p2p_time, pairs, pairs_time) \
    { { &p2p_pattern, p2p, p2p_time }, { &pairs_pattern, pairs, pairs_time } }
#define MW_TYPE(number)             { { &mw_pattern, number } }
/* col 0: only synchronised */
#define COL_TYPES(col, syncol)      { { &syncol_pattern, syncol }, { &col_pattern, col } }
#define SYNCOL_TYPE(number)         { { &syncol_pattern, number } }
#define SIMPLE_TYPE(number)         { { &simple_pattern, number } }
#define OVERLAP_TYPE(number)        { { &overlap_pattern, number } }
#define IO_TYPE(number)             { { &io_pattern, number } }
/* clang-format on */

struct op_family {
    const struct op *ops;
    size_t count;
};

/* For a family's last line. */
#define OP_FAMILY(name, rows)                                                                      \
    extern const struct op_family name;                                                            \
    const struct op_family name = { rows, sizeof(rows) / sizeof(*(rows)) }

/* The tags by which master and workers communicate. */
enum { MW_TAG_STOP = 0, MW_TAG_WORK = 1 };
