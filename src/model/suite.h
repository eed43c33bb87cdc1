/* A suite of the parameter file (manual 2.1), with every default filled in. */
#pragma once

#include "model/applications.h"
#include "model/catalog.h"
#include "model/elements.h"

/* The kinds of memory in which messages can be (keys send_in and receive_in), and the libraries
 * that give memory of a GPU. */
enum driver { DRIVER_NONE, DRIVER_ANY, DRIVER_CUDA, DRIVER_HIP, DRIVERS };

enum memory_kind {
#define MEMORY(constant, ...) IN_##constant,
#include "model/memories.def"
    MEMORY_KINDS,
    IN_SAME = MEMORY_KINDS /* receive_in: as send_in */
};

struct memory_info {
    const char *name; /* "cuda" */
    enum driver driver;
    const char *text;
};

const struct memory_info *memory_info(enum memory_kind kind);

/* Is this kind of memory a GPU's, which only a GPU-aware library sends? */
bool memory_is_of_gpu(enum memory_kind kind);

/* Default_Chunks = 0: this number for each worker. */
enum { CHUNKS_PER_WORKER = 8 };
#define MAX_CHUNKS 1000000000L

enum { MAX_WINDOW = 1000000, MAX_LOOP = 1000000 }; /* messages in a window, calls in a row */
enum { PASSES_AUTO = 0, MAX_PASSES = 10000, MAX_WORK = 10000, MAX_TESTS = 1000000 };
enum { MAX_PARTITIONS = 1000000, MAX_THREADS = 1024 };

#define MAX_VALUE (-1L) /* End_Argument = Max_Value: what memory and processes allow */

enum cache_mode { CACHE_WARM, CACHE_COLD }; /* cold exactly if the data are */
enum data_regime { DATA_KEPT, DATA_FRESH, DATA_COLD };
enum buffering { BUFFERS_TWO, BUFFERS_ONE, BUFFERS_MANY };
enum partner_choice { PARTNER_FARTHEST, PARTNER_NEAREST, PARTNER_RANK };
enum pairing {
    PAIRS_HALF,
    PAIRS_NEXT,
    PAIRS_SHIFT,
    PAIRS_XOR,
    PAIRS_RANDOM,
    PAIRS_FILE,
    PAIRS_ROUND,
    PAIRING_COUNT
};
enum halo_partners { PARTNERS_2, PARTNERS_4, PARTNERS_6, PARTNERS_8 };
enum rank_order { ORDER_NATURAL, ORDER_RANDOM };
enum group_layout { LAYOUT_BLOCK, LAYOUT_CYCLIC };
enum waiting { WAIT_ALL, WAIT_ANY };
enum entry { ENTER_BARRIER, ENTER_TOGETHER };
enum method { METHOD_DDT, METHOD_PACK, METHOD_CONTIGUOUS, METHOD_MANUAL, METHOD_PUT, METHOD_COUNT };
enum counting { COUNTS_INT, COUNTS_TYPE, COUNTS_C }; /* how MPI learns a message's length */
enum building { CALL_CREATE, CALL_FREE };            /* of datatypes */
enum estimate { ESTIMATE_CUT, ESTIMATE_MEDIAN, ESTIMATE_MINIMUM }; /* over the passes */
enum warming { WARMUP_NO, WARMUP_AUTO };
enum placing { PLACING_VISITS, PLACING_ONE }; /* of the buffers */
enum work_place { WORK_REGISTERS, WORK_MEMORY };
enum length_rule { LENGTH_EACH, LENGTH_TOTAL };
enum synchronising { SYNC_FENCE, SYNC_PSCW, SYNC_LOCK, SYNC_FLUSH, SYNC_FLUSH_LOCAL, SYNC_NOTIFY };
enum window_memory { MEMORY_ALLOCATE, MEMORY_CREATE, MEMORY_DYNAMIC, MEMORY_SHARED };
enum locking { LOCK_SHARED, LOCK_EXCLUSIVE };
enum assertions { ASSERT_NONE, ASSERT_ALL };
/* How elements are divided into the parts of an irregular collective. */
enum spreading {
    SPREAD_UNIFORM,
    SPREAD_LINEAR,
    SPREAD_GEOMETRIC,
    SPREAD_ONE_LARGE,
    SPREAD_SPARSE,
    SPREAD_RANDOM,
    SPREAD_TRANSPOSE, /* of all-to-all only */
    SPREAD_FILE,
    SPREADING_COUNT
};
enum { MOST_DELAY_US = 10000000 };
#define SPREAD_NO_NUMBER (-1L) /* none was written */
enum targets { TARGETS_NEXT, TARGETS_ROOT, TARGETS_ALL };
enum arriving { ARRIVE_TOGETHER, ARRIVE_LAST, ARRIVE_RAMP, ARRIVE_RANDOM, ARRIVE_FILE };
enum root_choice { ROOT_RANK, ROOT_ROTATE, ROOT_EACH };
enum io_cache { IO_CACHE_KEPT, IO_CACHE_DROPPED }; /* pages of a file, between repetitions */
enum benchmark { BY_ITSELF, BY_OSU, BY_IMB };      /* whose definition a suite measures by */
enum process_choice { PROCESSES_ALL, PROCESSES_BELOW, PROCESSES_NUMBER };
enum { ALGORITHM_NAME = 48, MAX_CONNECTIONS = 16 };
enum ready_order { READY_ASCENDING, READY_DESCENDING, READY_RANDOM }; /* of partitions */
enum ready_delay { DELAY_MESSAGE, DELAY_US };                         /* of the last one */
enum receiving { RECEIVER_WAIT, RECEIVER_POLL, RECEIVER_BUSY };
/* As MPI_THREAD_SINGLE and so on; auto: as the suites need it. */
enum thread_level { LEVEL_AUTO, LEVEL_SINGLE, LEVEL_FUNNELED, LEVEL_SERIALIZED, LEVEL_MULTIPLE };
enum thread_communicator { THREAD_COMM_OWN, THREAD_COMM_SHARED };
enum distances { NEIGHBOURS_RING, NEIGHBOURS_DOUBLE, NEIGHBOURS_HYPERCUBE };

/* A form of a key's value: a word, maybe with a colon and a number or a file name, or a number. */
struct form {
    const char *name; /* "random"; NULL: no word */
    const char *part; /* the meaning of the number or file, "SEED"; NULL: neither */
    long min, max;    /* of the number; both 0: it is a file */
    long none;        /* other than 0: the part may be omitted, and the number is then this */
    long most;        /* varied: the last one, if a suite does not say */
};

/* case=... and arguments=...: a few numbers; 0 of them: those of a table, or of the scale. */
struct few_numbers {
    int count;
    long k[APPLICATION_NUMBERS];
};

/* Parameters = "key=value ..." of a suite; one row per key in keys.def. */
struct suite_options {
    enum partner_choice partner;
    long partner_rank; /* with PARTNER_RANK */
    enum cache_mode cache;
    enum method method;
    enum counting counts;
    int x_distance, y_distance, distance;
    enum pairing pairs;
    long pairs_number; /* distance or seed */
    int matchings;     /* with PAIRS_RANDOM */
    enum halo_partners partners;
    bool periodic;
    enum waiting wait;
    int groups; /* of processes; 1: all form one */
    enum group_layout layout;
    int ring; /* processes in a ring; 0: all */
    enum rank_order order;
    long order_seed; /* with ORDER_RANDOM */
    enum error_rule error;
    enum entry enter;
    enum data_regime data;
    enum buffering buffers;
    bool in_place;
    int window; /* messages, if they are not varied */
    enum combining op;
    int elem; /* number of a datatype instead of the suite's; 0: none */
    enum length_rule length_is;
    bool paced;                   /* always, if the data are not kept */
    struct few_numbers own;       /* the sizes of one message of an application */
    struct few_numbers arguments; /* instead of those that Scale and Stepwidth give */
    enum language language;       /* of method=manual */
    enum building call;
    bool histogram, raw;
    int work; /* percent of the time without work, if it is not varied */
    int tests;
    enum work_place work_in;
    int passes;
    enum estimate estimate;
    enum placing placing;
    enum warming warmup;
    int loop;        /* calls in a row in one timed interval */
    double outliers; /* multiples of the mean; 0: none are left out */
    enum synchronising sync;
    enum window_memory memory;
    enum locking lock; /* with SYNC_LOCK */
    enum assertions assertions;
    enum targets targets;
    int busy_us; /* of the target, at the start of each repetition */
    enum root_choice root;
    long root_rank; /* with ROOT_RANK */
    enum distances neighbours;
    enum spreading spread;
    long spread_number; /* factor, percent, parts or seed, if it is not varied */
    char file[256];     /* of the pairs or of the spread, with PAIRS_FILE or SPREAD_FILE */
    enum arriving arrival;
    long arrival_us; /* the last process after the first, except with ARRIVE_FILE */
    char arrival_file[256];
    enum io_cache io_cache;
    bool io_sync; /* writes end on the disk */
    int io_block; /* bytes of a process in a row in the file, of strided types */
    int io_walk;  /* bytes of a process through which its repetitions advance; 0: they do not */
    char algorithm[ALGORITHM_NAME]; /* of the library, by name or number, if it is not varied */
    int segment, fanout;            /* of the algorithm; 0: the library's own */
    enum process_choice processes;
    long processes_number; /* of processes, or of powers of 2 below */
    int partitions;        /* of a message, if they are not varied */
    enum ready_order ready;
    long ready_seed; /* with READY_RANDOM */
    enum ready_delay ready_delay;
    long ready_delay_us; /* with DELAY_US */
    enum receiving receiver;
    char interface[ALGORITHM_NAME]; /* of the network */
    int connections;
    enum memory_kind send_in, receive_in; /* if they are not varied */
    bool staged;                          /* messages are copied to the host and back by hand */
    enum benchmark as;
    int threads; /* of a process, if they are not varied */
    enum thread_communicator thread_comm;
};

/* An algorithm of the MPI library for a collective operation. */
struct algorithm {
    int number;
    char name[ALGORITHM_NAME];
    const char *misfit; /* why it cannot be measured in the suite; NULL: it can */
};

struct algorithms {
    struct algorithm *list; /* owned, in the library's order; 0 is its own choice */
    size_t count;
    char variable[128]; /* the library's, by which it is chosen */
    int number;         /* of the one that the suite chooses, if it does not vary them */
};

/* The index of struct suite's at[]. */
enum field {
    FIELD_NAME,
#define FIELD(constant, ...) FIELD_##constant,
#include "model/fields.def"
    FIELD_COUNT
};

/* The files that a suite may name: of pairs or shares, and of arrivals. The numbers are the partner
 * of each rank (-1: none); the share of each process, or of each message, row by row; the delay of
 * each process in microseconds. */
enum named_file { FILE_PARTS, FILE_ARRIVALS, NAMED_FILES };

struct numbers {
    long *list; /* owned */
    int count;
};

struct suite {
    char *name;                          /* owned; without the pattern's prefix */
    const struct type_info *type;        /* borrowed from the catalog */
    int send_basetype, receive_basetype; /* 1 to BASETYPE_MAX */
    int send_datatype, receive_datatype; /* numbers of struct datatype_info */
    enum variation variation;
    enum scale scale;
    int max_repetition, min_repetition;
    int multiple_of; /* 1 if the variation is not Length and none was written */
    double time_measurement_minutes, time_suite_minutes; /* 0: no limit */
    bool node_times;
    double cut_quantile;
    long default_chunks; /* 0: CHUNKS_PER_WORKER for each worker */
    long default_length_bytes;
    long start_argument;
    long end_argument; /* or MAX_VALUE */
    double stepwidth;
    int max_steps; /* 0: of the plan (plan/plan.h) */
    double min_distance, max_distance;
    double standard_error; /* relative */
    int topology;          /* 0: none */
    struct suite_options options;
    struct numbers named[NAMED_FILES]; /* in the files */
    struct algorithms algorithms; /* if it chooses or varies them, once the library was asked */
    char *skip;                   /* owned; why this run omits it; NULL: it does not */
    bool other_variation;         /* one was written that the type cannot have: it is ignored */
    size_t at[FIELD_COUNT]; /* the place of each value; of a missing one: the place of the name */
};

/* The meaning of a suite's argument. */
struct setting {
    int partner; /* ping-pong: the client; internal measurements: the process concerned */
    int processes;
    int chunks;              /* master-worker */
    int window;              /* messages in a window, if the type has one */
    int work;                /* of the overlap pattern, in percent */
    int spread;              /* the number of the key spread */
    int groups;              /* how many of them work, or how many pairs; 0: all */
    int matching;            /* with Variation = Pairs: the one that is measured */
    int algorithm;           /* its number, if the suite chooses one */
    int partitions;          /* of a message, if the type has them */
    int send_in, receive_in; /* of enum memory_kind */
    int threads;             /* of each process */
    long length;             /* bytes of a message */
    int visit;               /* to the argument: 0, 1, ... */
};

/* The setting as the suite has it, with the argument in the member that its variation sets. Chunks
 * may be 0, and a length that is not varied is the one that was written; setting_of has the one
 * that is sent. */
struct setting suite_setting(const struct suite *s, int processes, long argument);

/* Does the suite's variation set this member of struct setting? */
#define suite_varies(s, member) suite_sets(s, offsetof(struct setting, member))
bool suite_sets(const struct suite *s, size_t member);

enum arguments suite_arguments(const struct suite *s);

/* When a variant of a pattern measures, "root=each". */
const char *variant_text(enum variant variant);

/* The pattern that measures a suite: its type's, or a variant of it. */
const struct pattern_info *suite_pattern(const struct suite *s);

/* Does the suite keep times (histogram, raw)? */
bool suite_keeps_times(const struct suite *s);

/* Does each process keep the times of its own part of the repetitions? */
bool suite_keeps_own_times(const struct suite *s);

/* Calls of the operation in one timed interval; local operations choose it themselves. */
int suite_calls(const struct suite *s);

/* The file that it names; NULL without one. */
const char *suite_file(const struct suite *s, enum named_file which);

/* The values that its rows carry besides the time; ends with a NULL name. */
const struct extra_info *suite_extra(const struct suite *s);

/* Every label fits: vt, prefix, '_', a name of at most 200 bytes, NUL. */
enum { SUITE_LABEL_SIZE = 256 };

/* "p2p_MPI_Send-MPI_Recv", on a virtual topology "vtcol_...", into the caller's buffer; unique. */
const char *suite_label(const struct suite *s, char *buffer, size_t size);

/* The label in a buffer that lasts until the end of the block. */
#define label_of(s) suite_label(s, (char[SUITE_LABEL_SIZE]){ "" }, SUITE_LABEL_SIZE)

/* The scale and the step of its arguments: those that were written, except for distances that are
 * all powers of 2, and for all pairs. */
enum scale suite_scale(const struct suite *s);
double suite_stepwidth(const struct suite *s);

/* Are its arguments those of the key arguments? */
bool suite_has_list(const struct suite *s);

/* Are the distances powers of 2? */
bool suite_doubles(const struct suite *s);

/* Can the key counts of such a suite have this value? */
bool type_counts_by(const struct type_info *t, enum counting counts);

/* How many of these processes take part by the key processes; below 2: too few are there. */
int suite_processes(const struct suite *s, int processes);

/* The kinds of memory of its messages: bits 1 << kind. Without a GPU's driver: IN_HOST's. */
unsigned suite_memories(const struct suite *s);

/* Is its argument a kind of memory? */
bool suite_varies_memory(const struct suite *s);

/* Does a suite that is not skipped need a GPU's driver? */
bool params_use_gpu(const struct params *p);

/* Do several threads of a process make its calls, at least of an argument? */
bool suite_has_threads(const struct suite *s);

/* Does a suite have threads, or does @THREADS name a level? */
bool params_use_threads(const struct params *p);

/* The level of thread support that the file asks for. */
enum thread_level params_thread_level(const struct params *p);

/* Is the time of the run limited? */
bool params_are_timed(const struct params *p);

/* Does a suite access files (TYPE_FILE)? */
bool params_use_files(const struct params *p);
