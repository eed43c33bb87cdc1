#include "model/elements.h"
#include "model/spreading.h"
#include "params/checks.h"
#include "params/tables.h"

#include <limits.h>

static const struct form partners[] = { [PARTNER_FARTHEST] = { .name = "farthest" },
                                        [PARTNER_NEAREST] = { .name = "nearest" },
                                        [PARTNER_RANK] = { NULL, "a rank from 1", 1, INT_MAX },
                                        { 0 } };
static const struct form roots[] = { [ROOT_RANK] = { NULL, "a rank", 0, INT_MAX },
                                     [ROOT_ROTATE] = { .name = "rotate" },
                                     [ROOT_EACH] = { .name = "each" },
                                     { 0 } };
static const struct form process_choices[] = { [PROCESSES_ALL] = { .name = "all" },
                                               [PROCESSES_BELOW] = { "below", "K", 1, 30 },
                                               [PROCESSES_NUMBER] = { NULL, "a number from 2", 2,
                                                                      INT_MAX },
                                               { 0 } };
static const struct form orders[] = { [ORDER_NATURAL] = { .name = "natural" },
                                      [ORDER_RANDOM] = { "random", "SEED", 0, INT_MAX },
                                      { 0 } };
static const struct form pairings[PAIRING_COUNT + 1] = {
    [PAIRS_HALF] = { .name = "half" },
    [PAIRS_NEXT] = { .name = "next" },
    [PAIRS_SHIFT] = { "shift", "DISTANCE", 1, INT_MAX },
    [PAIRS_XOR] = { "xor", "DISTANCE", 1, INT_MAX },
    [PAIRS_RANDOM] = { "random", "SEED", 0, INT_MAX },
    [PAIRS_FILE] = { .name = "file", .part = "NAME" },
    [PAIRS_ROUND] = { .name = "round" },
};

static const struct form arrivals[] = { [ARRIVE_TOGETHER] = { .name = "together" },
                                        [ARRIVE_LAST] = { "last", "D", 1, MOST_DELAY_US },
                                        [ARRIVE_RAMP] = { "ramp", "D", 1, MOST_DELAY_US },
                                        [ARRIVE_RANDOM] = { "random", "D", 1, MOST_DELAY_US },
                                        [ARRIVE_FILE] = { .name = "file", .part = "NAME" },
                                        { 0 } };

static const struct form ready_orders[] = { [READY_ASCENDING] = { .name = "ascending" },
                                            [READY_DESCENDING] = { .name = "descending" },
                                            [READY_RANDOM] = { "random", "SEED", 1, INT_MAX },
                                            { 0 } };
static const struct form ready_delays[] = { [DELAY_MESSAGE] = { .name = "message" },
                                            [DELAY_US] = { NULL, "microseconds", 0, MOST_DELAY_US },
                                            { 0 } };

/* As ddtbench's paper calls it. */
static const struct value_word datatype[] = { { "datatype", METHOD_DDT }, { NULL, 0 } };

static const struct value_word chosen[] = { { "auto", PASSES_AUTO }, { NULL, 0 } };
static const struct value_word all_processes[] = { { "all", 0 }, { NULL, 0 } };

enum { MAX_RANKS = 1000000000, MAX_MATCHINGS = 1000000 };

enum { BUSY_MOST_US = 1000000 };

/* For outliers, and io_walk. */
static const struct value_word kept[] = { { "kept", 0 }, { NULL, 0 } };
static const struct value_word not_at_all[] = { { "no", 0 }, { NULL, 0 } };

#define AT(member) .offset = offsetof(struct suite_options, member)
#define FORMED(member, number_, forms_)                                                            \
    .kind = &value_formed, AT(member), .number = offsetof(struct suite_options, number_),          \
    .file = offsetof(struct suite_options, file), .forms = forms_

/* clang-format off */
static const struct value_row options[] = {
    [OPTION_PARTNER] = { .name = "partner", FORMED(partner, partner_rank, partners), .fallback = "farthest",
      .doc = "The partner of rank 0: the process with the slowest short messages, the one with the fastest, "
            "or this rank. Point-to-point only." },
    [OPTION_CACHE] = { .name = "cache", .kind = &value_choice, AT(cache), .fallback = "Default_Value",
      .section = "@CACHE", .names = cache_names,
      .doc = "warm: every repetition uses the same buffer; cold: memory not used recently, as with "
             "data=cold." },
    [OPTION_METHOD] = { .name = "method", .kind = &value_choice, AT(method), .fallback = "ddt", .words = datatype,
      .names = NAMES([METHOD_DDT] = "ddt", [METHOD_PACK] = "pack",
                     [METHOD_CONTIGUOUS] = "contiguous", [METHOD_MANUAL] = "manual",
                     [METHOD_PUT] = "put"),
      .doc = "ddt: messages are sent as their datatypes; contiguous: the same number of bytes as MPI_BYTE; "
             "pack: MPI_Pack, MPI_Send, MPI_Recv, MPI_Unpack (types 1 and 120 to 136); manual: "
             "loops pack and unpack (types 120 to 136); put: MPI_Put of the datatypes between two fences "
             "(types 120 to 134). Point-to-point and FFT." },
    [OPTION_X_DISTANCE] = { .name = "x_distance", .kind = &value_int, AT(x_distance), .fallback = "1",
      .min = -MAX_RANKS, .max = MAX_RANKS,
      .doc = "Distance along the first dimension; Col_Sendrecv_replace and "
             "Col_Isend_Irecv_Waitall." },
    [OPTION_Y_DISTANCE] = { .name = "y_distance", .kind = &value_int, AT(y_distance), .fallback = "0",
      .min = -MAX_RANKS, .max = MAX_RANKS,
      .doc = "Distance along the second dimension, for the same types." },
    [OPTION_DISTANCE] = { .name = "distance", .kind = &value_int, AT(distance), .fallback = "1", .min = -MAX_RANKS,
      .max = MAX_RANKS,
      .doc = "Distance from a process to the one it sends to; Ring_Sendrecv." },
    [OPTION_PAIRS] = { .name = "pairs", FORMED(pairs, pairs_number, pairings), .fallback = "half",
      .doc = "The partner of each process. half: process i with i + p/2; next: process 0 with 1, "
             "2 with 3, and so on; shift:D: i with i + D, each process once; xor:D: i with i XOR "
             "D; random:SEED: at random, in several matchings; file:NAME: the pairs of ranks that "
             "the file lists; round: each with each other, in rounds. Pairs only." },
    [OPTION_MATCHINGS] = { .name = "matchings", .kind = &value_int, AT(matchings), .fallback = "10", .before = "10",
      .min = 1, .max = MAX_MATCHINGS,
      .doc = "The number of matchings that random pairs use in turn, a repetition each. Pairs "
             "only." },
    [OPTION_PARTNERS] = { .name = "partners", .kind = &value_choice, AT(partners), .fallback = "4",
      .names = NAMES([PARTNERS_2] = "2", [PARTNERS_4] = "4", [PARTNERS_6] = "6", [PARTNERS_8] = "8"),
      .doc = "The number of partners of each process: those at distance 1 and -1; S and -S, where S is the "
             "square root of the number of processes, rounded down, at least 2; S + 1 and -(S + 1); "
             "S - 1 and -(S - 1). Halo only." },
    [OPTION_PERIODIC] = { .name = "periodic", .kind = &value_yesno, AT(periodic), .fallback = "yes",
      .doc = "Whether the ranks wrap around, as in a domain without edges; with no, the processes at the "
             "ends lack partners and send less. Halo only." },
    [OPTION_WAIT] = { .name = "wait", .kind = &value_choice, AT(wait), .fallback = "all",
      .names = NAMES([WAIT_ALL] = "all", [WAIT_ANY] = "any"),
      .doc = "all: MPI_Waitall; any: MPI_Waitany for each message. Halos, Fan_out and Fan_in "
             "only." },
    [OPTION_GROUPS] = { .name = "groups", .kind = &value_int, AT(groups), .fallback = "1", .before = "1", .min = 1,
      .max = MAX_RANKS,
      .doc = "Divides the processes into this number of groups of equal size, which make the same "
             "calls at the same time, independently of each other. Synchronised collectives only." },
    [OPTION_LAYOUT] = { .name = "layout", .kind = &value_choice, AT(layout), .fallback = "block", .before = "block",
      .names = NAMES([LAYOUT_BLOCK] = "block", [LAYOUT_CYCLIC] = "cyclic"),
      .doc = "The processes of a group. block: successive ranks; cyclic: ranks that differ by the number of "
             "groups. With groups only." },
    [OPTION_RING] = { .name = "ring", .kind = &value_int, AT(ring), .fallback = "all", .words = all_processes,
      .min = 2, .max = MAX_RANKS,
      .doc = "The number of processes in a ring. If it does not divide all, the number "
             "of rings is the nearest one, and their sizes differ by one. Rings only." },
    [OPTION_ORDER] = { .name = "order", FORMED(order, order_seed, orders), .fallback = "natural",
      .doc = "The order of the ranks in the rings. natural: that of their numbers; random:SEED: "
             "at random. Rings only." },
    [OPTION_ERROR] = { .name = "error", .kind = &value_choice, AT(error), .aside = true, .fallback = "Default_Value",
      .section = "@ERROR", .names = error_names,
      .doc = "winsorised: standard errors take into account that Cut_Quantile was cut off, and accuracy "
             "requires a least number of repetitions; paper: as in 4.1." },
    [OPTION_ENTER] = { .name = "enter", .kind = &value_choice, AT(enter), .fallback = "barrier",
      .names = NAMES([ENTER_BARRIER] = "barrier", [ENTER_TOGETHER] = "together"),
      .doc = "How processes enter the operation. barrier: when they leave the previous barrier, one "
             "after the other; together: at the same instant of the global clock. Collective "
             "only." },
    [OPTION_DATA] = { .name = "data", .kind = &value_choice, AT(data), .fallback = "Default_Value", .before = "kept",
      .section = "@DATA", .names = data_names,
      .doc = "kept: what is sent does not change; fresh: each process changes what it will send before each "
             "repetition; cold: the same long before, in memory not used recently." },
    [OPTION_PACED] = { .name = "paced", .kind = &value_yesno, AT(paced), .fallback = "no", .before = "no",
      .fallback_doc = "no; yes unless data=kept",
      .doc = "Whether the server of a ping-pong waits before each repetition until the client reports that "
             "it is ready, as it does with fresh and cold data. Point-to-point only." },
    [OPTION_BUFFERS] = { .name = "buffers", .kind = &value_choice, AT(buffers), .fallback = "two", .before = "two",
      .names = NAMES([BUFFERS_TWO] = "two", [BUFFERS_ONE] = "one", [BUFFERS_MANY] = "many"),
      .doc = "two: a process sends from one buffer and receives in another; one: it does both in one buffer "
             "(ping-pongs only, except for exchanges and ready sends); many: each message of a window has a "
             "buffer of its own (streams and RMA only)." },
    [OPTION_CASE] = { .name = "case", .kind = &value_case, AT(own), .fallback = "table",
      .doc = "The sizes of an application's arrays and message: those of the test's table, or one "
             "set of numbers of your own, separated by commas. Types 120 to 154 only." },
    [OPTION_LANGUAGE] = { .name = "language", .kind = &value_choice, AT(language), .fallback = "c",
      .names = NAMES([LANGUAGE_C] = "c", [LANGUAGE_FORTRAN] = "fortran"),
      .doc = "The language of the loops of method=manual. Without a Fortran compiler, suites with "
             "language=fortran are skipped. Types 120 to 136 only." },
    [OPTION_CALL] = { .name = "call", .kind = &value_choice, AT(call), .fallback = "create",
      .names = NAMES([CALL_CREATE] = "create", [CALL_FREE] = "free"),
      .doc = "create: creating and committing the datatypes is timed; free: freeing them. Types 140 "
             "to 154 only." },
    [OPTION_HISTOGRAM] = { .name = "histogram", .kind = &value_yesno, AT(histogram), .aside = true, .fallback = "no",
      .before = "no",
      .doc = "Whether a file beside the results gets the distribution of the times of all repetitions, for "
             "each argument and process." },
    [OPTION_RAW] = { .name = "raw", .kind = &value_yesno, AT(raw), .aside = true, .fallback = "no", .before = "no",
      .doc = "Whether that file gets the time of every single repetition, for each argument and process." },
    [OPTION_WINDOW] = { .name = "window", .kind = &value_int, AT(window), .fallback = "64", .before = "1", .min = 1,
      .max = MAX_WINDOW, .fallback_doc = "64; RMA: 1",
      .doc = "Messages in a window if they are not varied; for MPI_Put, MPI_Get and MPI_Accumulate accesses to "
             "each target in one epoch, as in osu_put_bw. Streams and RMA only." },
    [OPTION_OP] = { .name = "op", .kind = &value_choice, AT(op), .fallback = "usual", .before = "sum",
      .choice = reduction_name, .fallback_doc = "usual: sum; bor of bytes, lor of logicals, maxloc of pairs",
      .doc = "How reductions combine: MPI_SUM and so on, each with the elements that MPI permits. none: not at "
             "all, so that only communication takes time; user: a function of this program, with the same result "
             "as bxor; user_noncommutative: the same, declared not to be commutative; replace, no_op: one-sided "
             "only." },
    [OPTION_ELEM] = { .name = "elem", .kind = &value_elem, AT(elem), .fallback = "datatype", .before = "datatype",
      .doc = "The elements of a reduction: a predefined type without MPI_, instead of the suite's datatype." },
    [OPTION_LENGTH_IS] = { .name = "length_is", .kind = &value_choice, AT(length_is), .fallback = "each",
      .before = "each",
      .names = NAMES([LENGTH_EACH] = "each", [LENGTH_TOTAL] = "total"),
      .doc = "each: Default_Message_length is that of one process's part; total: of all parts "
             "together, so that more processes have shorter parts. Suites that vary Nodes only." },
    [OPTION_OUTLIERS] = { .name = "outliers", .kind = &value_float, AT(outliers), .fallback = "kept",
      .before = "kept",
      .words = kept, .min = 1, .max = 1e6, .bounds = VALUE_ABOVE_MIN,
      .doc = "Repetitions that take longer than this multiple of the mean are excluded from the "
             "mean; the row counts them as outliers. kept: none." },
    [OPTION_LOOP] = { .name = "loop", .kind = &value_int, AT(loop), .fallback = "1", .before = "1", .min = 1,
      .max = MAX_LOOP,
      .doc = "Calls in a row in one timed interval, with nothing between them; the result is the time per call. "
             "Above 1, a call may begin before the previous one has ended elsewhere, as in benchmarks that time "
             "loops; one epoch has all accesses of RMA, as in IMB's aggregate mode. Point-to-point, pairs and "
             "collective." },
    [OPTION_SYNC] = { .name = "sync", .kind = &value_choice, AT(sync), .fallback = "flush",
      .names = NAMES([SYNC_FENCE] = "fence", [SYNC_PSCW] = "pscw", [SYNC_LOCK] = "lock",
                     [SYNC_FLUSH] = "flush", [SYNC_FLUSH_LOCAL] = "flush_local",
                     [SYNC_NOTIFY] = "notify"),
      .doc = "How one-sided accesses are synchronised. fence: a fence before and after; pscw: post, start, "
             "complete, wait; lock: lock and unlock each target; flush, flush_local: the same after accesses in an "
             "epoch that is always open; notify: flush, then an empty message to the target. RMA only." },
    [OPTION_MEMORY] = { .name = "memory", .kind = &value_choice, AT(memory), .fallback = "allocate",
      .names = NAMES([MEMORY_ALLOCATE] = "allocate", [MEMORY_CREATE] = "create",
                     [MEMORY_DYNAMIC] = "dynamic", [MEMORY_SHARED] = "shared"),
      .doc = "The memory of the window. allocate: MPI_Win_allocate; create: the message buffers, by "
             "MPI_Win_create; dynamic: the same, attached to a dynamic window; shared: MPI_Win_allocate_shared, on "
             "one host. RMA only." },
    [OPTION_LOCK] = { .name = "lock", .kind = &value_choice, AT(lock), .fallback = "shared",
      .names = NAMES([LOCK_SHARED] = "shared", [LOCK_EXCLUSIVE] = "exclusive"),
      .doc = "The kind of lock of sync=lock. RMA only." },
    [OPTION_ASSERT] = { .name = "assert", .kind = &value_choice, AT(assertions), .fallback = "none",
      .names = NAMES([ASSERT_NONE] = "none", [ASSERT_ALL] = "all"),
      .doc = "all: the fences of sync=fence say that no access precedes the first one and none follows the last. "
             "RMA only." },
    [OPTION_TARGETS] = { .name = "targets", .kind = &value_choice, AT(targets), .fallback = "next",
      .names = NAMES([TARGETS_NEXT] = "next", [TARGETS_ROOT] = "root", [TARGETS_ALL] = "all"),
      .doc = "Whose memory each process accesses. next: that of the next rank; root: of rank 0; all: of all other "
             "processes. RMA in synchronised collectives only." },
    [OPTION_BUSY] = { .name = "busy", .kind = &value_int, AT(busy_us), .fallback = "0", .min = 0,
      .max = BUSY_MOST_US,
      .doc = "How long the target computes, in microseconds, before it calls MPI again. It shows "
             "whether an access needs the help of the target. RMA in a ping-pong only." },
    [OPTION_ROOT] = { .name = "root", FORMED(root, root_rank, roots), .fallback = "0", .before = "0",
      .doc = "The root of operations that have one. A rank: this process; rotate: in each repetition the "
             "next process; each: every process in each repetition, whose time is the median over them. "
             "rotate and each are for synchronised collectives only." },
    [OPTION_NEIGHBOURS] = { .name = "neighbours", .kind = &value_choice, AT(neighbours), .fallback = "ring",
      .before = "ring",
      .names = NAMES([NEIGHBOURS_RING] = "ring", [NEIGHBOURS_DOUBLE] = "double",
                     [NEIGHBOURS_HYPERCUBE] = "hypercube"),
      .doc = "The distances of Variation = Distance. ring: any; double and hypercube: powers of "
             "2. In a hypercube, the ranks of neighbours differ in one bit; seen from rank 0, "
             "both are the same. Point-to-point only." },
    [OPTION_PASSES] = { .name = "passes", .kind = &value_int, AT(passes), .aside = true, .fallback = "auto",
      .before = "1",
      .words = chosen, .min = 1, .max = MAX_PASSES,
      .doc = "How often all arguments are visited in turn. The limits of repetitions and time are for all visits "
             "together. A disturbance or drift of the machine becomes scatter between the visits of every argument, "
             "not a step between arguments. auto: 5 if Max_Repetition permits, and up to 10 visits of arguments "
             "whose visits differ by more than Standard_error. 1: all repetitions of an argument in a row." },
    [OPTION_ESTIMATE] = { .name = "estimate", .kind = &value_choice, AT(estimate), .fallback = "median",
      .before = "median",
      .names = NAMES([ESTIMATE_MEDIAN] = "median", [ESTIMATE_MINIMUM] = "minimum"),
      .doc = "How the passes are combined. median: the median of their times, without those that "
             "other programs disturbed; minimum: the smallest, with half of the distance to the "
             "second smallest as error. With passes only." },
    [OPTION_SPREAD] = { .name = "spread", FORMED(spread, spread_number, spread_forms), .fallback = "linear",
      .doc = "How an irregular collective divides what the regular one sends. uniform: parts of "
             "equal size; linear: p, p-1, and so on to 1 times the smallest; geometric: each is "
             "1/FACTOR of the previous one; one_large: one of PERCENT, the others equal; sparse: "
             "only this number of PARTS; random: at random; transpose: all to the process in the "
             "transposed place of a grid, all-to-all only; file: shares from a file. With "
             "Variation = Spread, omit the number here. Irregular only." },
    [OPTION_ARRIVAL] = { .name = "arrival", .kind = &value_formed, AT(arrival), .forms = arrivals,
      .fallback = "together",
      .number = offsetof(struct suite_options, arrival_us), .before = "together",
      .file = offsetof(struct suite_options, arrival_file),
      .doc = "When processes start: together, or each later than the agreed instant by a delay of its own, in "
             "microseconds; the time is then from the last arrival to the last exit. last:D: the last rank is late "
             "by D; ramp:D: evenly from rank 0, 0, to the last rank, D; random:D: the delays of ramp in another "
             "random order in each repetition; file:NAME: the delay of each rank from a file. Synchronised "
             "collectives only." },
    [OPTION_WORK] = { .name = "work", .kind = &value_int, AT(work), .fallback = "100", .min = 0, .max = MAX_WORK,
      .doc = "Work between the start of the operation and the wait for its end, in percent of its time without "
             "work, if it is not varied. Overlap only." },
    [OPTION_TESTS] = { .name = "tests", .kind = &value_int, AT(tests), .fallback = "0", .min = 0, .max = MAX_TESTS,
      .doc = "Calls of MPI_Testall, spread evenly over the work. Overlap only." },
    [OPTION_WORK_IN] = { .name = "work_in", .kind = &value_choice, AT(work_in), .fallback = "registers",
      .names = NAMES([WORK_REGISTERS] = "registers", [WORK_MEMORY] = "memory"),
      .doc = "registers: the work needs no memory; memory: it reads and writes twice as much as the second level "
             "of the cache holds. Overlap only." },
    [OPTION_IO_CACHE] = { .name = "io_cache", .kind = &value_choice, AT(io_cache), .fallback = "kept",
      .names = NAMES([IO_CACHE_KEPT] = "kept", [IO_CACHE_DROPPED] = "dropped"),
      .doc = "kept: a repetition finds the file in the system's page cache as the previous one left it; dropped: "
             "after each repetition, outside the time, the file is written to the disk and dropped from that cache. "
             "Rows say how much is left in it. Files only." },
    [OPTION_IO_SYNC] = { .name = "io_sync", .kind = &value_yesno, AT(io_sync), .fallback = "no",
      .doc = "Whether the time of a write includes MPI_File_sync, so that the data are on the disk. Files only." },
    [OPTION_IO_BLOCK] = { .name = "io_block", .kind = &value_int, AT(io_block), .fallback = "4096", .min = 1,
      .max = 1 << 30,
      .unit = "bytes",
      .doc = "How many bytes of a process follow each other in the file before those of the next process. "
             "Strided files only." },
    [OPTION_IO_WALK] = { .name = "io_walk", .kind = &value_int, AT(io_walk), .fallback = "33554432", .before = "no",
      .min = 1,
      .max = 1 << 30, .words = not_at_all, .unit = "bytes",
      .doc = "Each repetition accesses the next place in the file, as in IMB and IOR, until a process has accessed "
             "this many bytes, 1024 places or its part of @IO_SPACE; then they begin again. Reads find all places "
             "written; writes extend the file, which is emptied before they begin again. no: every repetition "
             "accesses the same place. Rows state the number of places. Files only." },
    [OPTION_ALGORITHM] = { .name = "algorithm", .kind = &value_word, AT(algorithm), .fallback = "0", .before = "0",
      .fallback_doc = "0: the library's own choice",
      .doc = "The algorithm by which the MPI library does the collective, by the library's name or number, set "
             "through MPI_T for this suite alone. Variation = Algorithm measures all that fit; their names are in "
             "the results. Suites whose algorithm cannot be set are skipped with the reason." },
    [OPTION_SEGMENT] = { .name = "segment", .kind = &value_int, AT(segment), .fallback = "0", .before = "0",
      .min = 0, .max = 1 << 30,
      .unit = "bytes",
      .doc = "Bytes of a segment of the algorithm, where the library lets a program set them. 0: the library's "
             "own." },
    [OPTION_FANOUT] = { .name = "fanout", .kind = &value_int, AT(fanout), .fallback = "0", .before = "0", .min = 0,
      .max = MAX_RANKS,
      .doc = "How many processes each one sends to in the algorithm's tree or how many chains it has, likewise." },
    [OPTION_PROCESSES] = { .name = "processes", FORMED(processes, processes_number, process_choices),
      .fallback = "all", .before = "all",
      .doc = "The first processes that take part. all: of the run; below:K: the K-th power of 2 below all; a number. "
             "With fewer processes, the suite is skipped. Collectives whose algorithms have names only." },
    [OPTION_COUNTS] = { .name = "counts", .kind = &value_choice, AT(counts), .fallback = "int", .before = "int",
      .names = NAMES([COUNTS_INT] = "int", [COUNTS_TYPE] = "type", [COUNTS_C] = "c"),
      .doc = "How MPI learns the length of a message. int: as a number of elements, below 2^31. For longer ones, type: "
             "each message is one element of a derived datatype that holds it (not for reductions); c: the calls of MPI "
             "4 with large counts, such as MPI_Send_c, of the types that 'skampi --list' marks 'counts=c'." },
    [OPTION_PARTITIONS] =
    { .name = "partitions", .kind = &value_int, AT(partitions), .fallback = "1", .min = 1, .max = MAX_PARTITIONS,
      .doc = "The number of parts of equal size in which a message becomes ready, if it is not varied; lengths are "
             "multiples of this number of elements. Partitioned only." },
    [OPTION_READY] =
    { .name = "ready", FORMED(ready, ready_seed, ready_orders), .fallback = "ascending",
      .doc = "The order in which MPI_Pready is called for the partitions. Partitioned only." },
    [OPTION_READY_DELAY] =
    { .name = "ready_delay", FORMED(ready_delay, ready_delay_us, ready_delays), .fallback = "message",
      .doc = "How much later than all others the last partition becomes ready, for the gain of early arrival. message: "
             "as long as the message takes without a delay; a number: microseconds. Partitioned only." },
    [OPTION_RECEIVER] =
    { .name = "receiver", .kind = &value_choice, AT(receiver), .fallback = "wait",
      .names = NAMES([RECEIVER_WAIT] = "wait", [RECEIVER_POLL] = "poll", [RECEIVER_BUSY] = "busy"),
      .doc = "What the receiver does until the last partition is ready. wait: MPI_Wait; poll: MPI_Parrived of one "
             "partition after the other; busy: it computes, without a call of MPI. Partitioned only." },
};

_Static_assert(sizeof(options) / sizeof(options[0]) == SUITE_OPTION_COUNT,
               "each key has a row");
/* clang-format on */

size_t suite_option_count(void)
{
    return SUITE_OPTION_COUNT;
}

const struct value_row *suite_option_get(size_t i)
{
    return &options[i];
}

/* The number of the row; suite_option_count() after a complaint. */
static size_t key_find(const struct value_input *in, size_t from, size_t to)
{
    const char *s = in->source->bytes + from;
    for (size_t i = 0; i < suite_option_count(); i++)
        if (value_named(&options[i], s, to - from))
            return i;
    const char *key = quoted(s, to - from);
    const char *nearest =
        text_nearest(key, suite_option_count(), &options[0].name, sizeof(*options));
    complaints_add_unknown(in->complaints, from, "key", key, nearest,
                           "; --help-params shows all keys");
    return suite_option_count();
}

static bool option_allowed(size_t i, const struct suite *s)
{
    return s->type == NULL || type_has_option(s->type, (enum suite_option)i);
}

/* Reads the key=value that in delimits; written: for each key, whether it was read. */
static int pair_parse(struct suite *s, const struct value_input *in, bool *written)
{
    const char *bytes = in->source->bytes;
    size_t equals = in->from;
    while (equals < in->to && bytes[equals] != '=')
        equals++;
    if (equals == in->to)
        return complaints_add(in->complaints, in->from, "expected key=value, got '%s'",
                              quoted_part(in->source, in->from, in->to));
    size_t i = key_find(in, in->from, equals);
    if (i == suite_option_count())
        return -1;
    const struct value_row *row = &options[i];
    if (written[i])
        return complaints_add(in->complaints, in->from, "key '%s' is given twice", row->name);
    written[i] = true;
    if (!option_allowed(i, s)) {
        return complaints_add(in->complaints, in->from, "key '%s' has no meaning for type %d '%s'",
                              row->name, s->type->number, type_label_of(s->type));
    }
    struct value_input value = *in;
    value.from = equals + 1;
    return section_value_parse(row, &value, &s->options);
}

static int set_defaults(struct suite *s, const struct value_input *in)
{
    for (size_t i = 0; i < suite_option_count(); i++) {
        const struct value_row *row = &options[i];
        if (section_text_parse(row, row->fallback, in, &s->options) != 0)
            return -1;
    }
    return 0;
}

int suite_options_parse(struct suite *s, const struct value_input *in)
{
    int rc = set_defaults(s, in);
    bool written[SUITE_OPTION_COUNT] = { false };
    struct value_input pair = *in;
    pair.to = in->from;
    for (;;) {
        pair.from = pair.to;
        while (pair.from < in->to && value_blank(in->source->bytes[pair.from]))
            pair.from++;
        if (pair.from == in->to)
            return rc == 0 ? regime_join_suite(s, written, in) : rc;
        pair.to = pair.from;
        while (pair.to < in->to && !value_blank(in->source->bytes[pair.to]))
            pair.to++;
        rc |= pair_parse(s, &pair, written);
    }
}

void suite_options_print(const struct suite *s, struct text *out)
{
    const char *before = "";
    for (size_t i = 0; i < suite_option_count(); i++) {
        const struct value_row *row = &options[i];
        if (!option_allowed(i, s))
            continue;
        text_add(out, "%s%s=", before, row->name);
        row->kind->print(row, &s->options, out);
        before = " ";
    }
}
