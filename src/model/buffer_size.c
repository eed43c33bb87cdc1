#include "model/buffer_size.h"

#include "model/application_suite.h"
#include "model/layouts.h"
#include "model/matching.h"
#include "model/spreading.h"
#include "model/topology_rules.h"

#include <limits.h>

enum { CHUNKS_MAX_VALUE = 1024, WINDOW_MAX_VALUE = 1024, WORK_MAX_VALUE = 200 };

/* Larger sums are limited to this: more than any memory, and three of them still add up. */
#define MAX_BYTES (LLONG_MAX / 4 / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT)

long long suite_messages(const struct suite *s, const struct lengths *l, int parts)
{
    bool many = (s->type->traits & TYPE_WINDOW) != 0 && s->options.buffers == BUFFERS_MANY;
    return (l->once + (long long)l->per_process * parts) * (many ? s->options.window : 1);
}

struct suite suite_with_window(const struct suite *s, long window)
{
    struct suite with = *s;
    with.options.window = (int)window;
    return with;
}

int suite_parts(const struct params *p, const struct suite *s, int processes)
{
    const struct topology *t = suite_topology(p, s);
    if ((s->type->traits & TYPE_PARTNERS) != 0)
        return 2 * ((int)s->options.partners + 1);
    if (s->options.spread == SPREAD_FILE)
        return spread_messages(s, processes);
    return t != NULL && (s->type->traits & TYPE_NEIGHBOURS) != 0 ? topology_neighbours(t)
                                                                 : processes;
}

/* Bytes that hold count lengths, rounded up to a page. */
static long long bytes_of(long long count, long length)
{
    if (count == 0 || length < 0)
        return 0;
    if (length > MAX_BYTES / count - BUFFER_ALIGNMENT)
        return MAX_BYTES;
    return (count * length + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT;
}

static long with_overhead(long length)
{
    return length > LONG_MAX - BSEND_OVERHEAD ? LONG_MAX : length + BSEND_OVERHEAD;
}

long long buffer_size_total(const struct buffer_size *d)
{
    return d->send + d->receive + d->attached;
}

static bool has_length(const struct suite *s)
{
    return (s->type->traits & TYPE_HAS_LENGTH) != 0;
}

/* One element of a side's datatype; of types that hold a whole message the shortest element. */
struct element {
    long size, extent; /* bytes of data, and from one to the next; at least 1 */
    bool grows;
    int datatype, basetype;
};

static long at_least_1(long long bytes)
{
    return bytes > 0 ? (long)bytes : 1;
}

static struct element element_of(const struct params *p, int datatype, int basetype)
{
    struct layout l = layout_of(p, datatype, basetype, 1);
    return (struct element){ at_least_1(l.size), at_least_1(l.extent), layout_grows(datatype),
                             datatype, basetype };
}

/* The properties of a suite's messages among a number of processes. Computed once, since many
 * lengths are tried. */
struct messages {
    const struct params *params;
    const struct suite *suite;
    struct element send, receive;
    int parts, processes;
};

static struct messages messages_of(const struct params *p, const struct suite *s, int processes)
{
    int groups = s->options.groups > 1 ? s->options.groups : 1;
    struct messages m = { .params = p,
                          .suite = s,
                          .parts = suite_parts(p, s, processes / groups),
                          .processes = processes };
    bool one = (s->type->traits & TYPE_ONE_DATATYPE) != 0;
    m.send = element_of(p, s->send_datatype, s->send_basetype);
    m.receive =
        one || (s->receive_datatype == s->send_datatype && s->receive_basetype == s->send_basetype)
            ? m.send
            : element_of(p, s->receive_datatype, s->receive_basetype);
    return m;
}

/* A message takes more memory than its bytes of data if its datatype has gaps. */
static long memory_of(const struct params *p, long length, const struct element *e)
{
    long elements = length / e->size + (length % e->size != 0);
    if (elements > 0 && e->grows)
        return (long)layout_of(p, e->datatype, e->basetype, elements).extent;
    return elements > LONG_MAX / e->extent ? LONG_MAX : elements * e->extent;
}

/* A message to pack into, and one to receive packed. */
static long long packed_bytes(const struct suite *s, long length)
{
    return s->options.method == METHOD_PACK ? 2 * bytes_of(1, with_overhead(length)) : 0;
}

/* Data received into the send buffer need that space as well. */
static struct buffer_size size_of(const struct messages *m, long length)
{
    const struct suite *s = m->suite;
    const struct type_info *t = s->type;
    if (t->application != NULL)
        return application_suite_buffers(s, length, m->parts);
    long send = memory_of(m->params, length, &m->send);
    long receive = memory_of(m->params, length, &m->receive);
    bool shared = (t->traits & TYPE_SHARES_BUFFER) != 0;
    return (struct buffer_size){
        .send = bytes_of(suite_messages(s, &t->send, m->parts),
                         shared && receive > send ? receive : send),
        .receive = bytes_of(suite_messages(s, &t->receive, m->parts), receive),
        .attached = bytes_of(suite_messages(s, &t->attached, m->parts), with_overhead(length)) +
                    packed_bytes(s, length),
    };
}

struct buffer_size buffer_size_of(const struct params *p, const struct suite *s, long length,
                                  int processes)
{
    struct messages m = messages_of(p, s, processes);
    return size_of(&m, length);
}

/* LONG_MAX if there is no smaller common multiple; nothing fits then. */
static long common_multiple(long a, long b)
{
    long x = a, y = b;
    while (y != 0) {
        long rest = x % y;
        x = y;
        y = rest;
    }
    return a / x > LONG_MAX / b ? LONG_MAX : a / x * b;
}

long suite_quantum(const struct params *p, const struct suite *s)
{
    if (!has_length(s) || s->type->application != NULL)
        return 1;
    long quantum = s->variation == VARY_LENGTH && s->multiple_of > 1 ? s->multiple_of : 1;
    struct messages m = messages_of(p, s, 1);
    return common_multiple(common_multiple(quantum, m.send.size), m.receive.size);
}

static long round_down(long value, long quantum)
{
    return value < 0 ? value : value / quantum * quantum;
}

/* 0 stays 0; anything else becomes at least one quantum. */
static long bring_to_quantum(long value, long quantum)
{
    if (value <= 0)
        return 0;
    return value < quantum ? quantum : round_down(value, quantum);
}

long suite_default_length(const struct params *p, const struct suite *s)
{
    return has_length(s) ? bring_to_quantum(s->default_length_bytes, suite_quantum(p, s)) : 0;
}

long suite_length_among(const struct params *p, const struct suite *s, int processes)
{
    long length = suite_default_length(p, s);
    return s->options.length_is == LENGTH_TOTAL
               ? round_down(length / processes, suite_quantum(p, s))
               : length;
}

/* MPI counts elements, and places between the processes' parts, in an int. */
static bool counts_fit(const struct params *p, const struct lengths *l, long length,
                       const struct element *e, int parts)
{
    long long messages = (long long)l->per_process * parts;
    if (messages == 0)
        messages = l->once > 0;
    if (messages > 0 && e->grows)
        return messages < INT_MAX && length / e->size <= layout_most(p);
    return messages == 0 || length / e->size < INT_MAX / messages;
}

int buffer_size_sets(const struct suite *s)
{
    static const int least[] = { [DATA_KEPT] = 1, [DATA_FRESH] = 1, [DATA_COLD] = 2 };
    bool many = s->options.data != DATA_KEPT && (s->type->pattern->traits & PATTERN_LOCAL) == 0;
    int sets = least[s->options.data];
    return many && suite_calls(s) > sets ? suite_calls(s) : sets;
}

long long buffer_size_memory(const struct suite *s, const struct buffer_size *d)
{
    return buffer_size_sets(s) * (d->send + d->receive) + d->attached;
}

/* Of a strided file, whole blocks. */
long long suite_file_bytes(const struct suite *s, long length, int processes)
{
    bool strided = (type_options(s->type) & OPTION_BIT(OPTION_IO_BLOCK)) != 0;
    long block = strided ? s->options.io_block : 1;
    if ((s->type->traits & TYPE_FILE) == 0 || length <= 0)
        return 0;
    if (length > MAX_BYTES / processes - block)
        return MAX_BYTES;
    return (length + block - 1) / block * (long long)block * processes;
}

bool suite_file_fits(const struct params *p, const struct suite *s, long length, int processes)
{
    return suite_file_bytes(s, length, processes) <= 1024LL * 1024 * p->io_space_mib;
}

static bool messages_fit(const struct messages *m, long length)
{
    const struct params *p = m->params;
    const struct suite *s = m->suite;
    struct buffer_size d = size_of(m, length);
    if (s->type->application != NULL)
        return buffer_size_memory(s, &d) <= 1024LL * p->memory_kib && length < INT_MAX;
    return buffer_size_memory(s, &d) <= 1024LL * p->memory_kib && d.attached <= INT_MAX &&
           counts_fit(p, &s->type->send, length, &m->send, m->parts) &&
           counts_fit(p, &s->type->receive, length, &m->receive, m->parts) &&
           (s->options.method == METHOD_DDT || length < INT_MAX) &&
           suite_file_fits(p, s, length, m->processes);
}

bool suite_fits(const struct params *p, const struct suite *s, long length, int processes)
{
    struct messages m = messages_of(p, s, processes);
    return messages_fit(&m, length);
}

/* The longest length that fits, a multiple of the quantum; -1 if not even 0 does. */
static long longest_length(const struct params *p, const struct suite *s, long quantum,
                           int processes)
{
    struct messages m = messages_of(p, s, processes);
    long fitting = -1, beyond = 1024L * p->memory_kib / quantum + 1;
    while (beyond - fitting > 1) {
        long middle = fitting + (beyond - fitting) / 2;
        if (messages_fit(&m, middle * quantum))
            fitting = middle;
        else
            beyond = middle;
    }
    return fitting < 0 ? -1 : fitting * quantum;
}

/* Without any that fits, the range begins at the smallest one that does not. */
static struct range range_of_cases(const struct params *p, const struct suite *s, int processes)
{
    long arguments[APPLICATION_CASES];
    struct application_missing missing;
    int count = application_suite_arguments(p, s, processes, arguments, &missing);
    if (count == 0)
        return (struct range){ missing.count > 0 ? missing.smallest : s->start_argument, -1, 1 };
    return (struct range){ arguments[0], arguments[count - 1], 1 };
}

static struct range range_of_lengths(const struct params *p, const struct suite *s, int processes)
{
    long quantum = suite_quantum(p, s);
    long last = longest_length(p, s, quantum, processes);
    if (s->end_argument != MAX_VALUE && s->end_argument < last)
        last = round_down(s->end_argument, quantum);
    return (struct range){ bring_to_quantum(s->start_argument, quantum), last, quantum };
}

/* Does a number of nodes, or of messages in a window, fit with the default length? */
static bool argument_fits(const struct params *p, const struct suite *s, long argument,
                          int processes)
{
    bool window = s->variation == VARY_WINDOW;
    struct suite at = suite_with_window(s, window ? argument : s->options.window);
    int taken = window ? processes : (int)argument;
    return suite_fits(p, &at, suite_length_among(p, s, taken), taken);
}

/* The largest argument up to a limit that fits; memory grows with the argument. */
static long most_fitting(const struct params *p, const struct suite *s, int processes, long limit)
{
    long fitting = 0, beyond = limit + 1;
    while (beyond - fitting > 1) {
        long middle = fitting + (beyond - fitting) / 2;
        if (argument_fits(p, s, middle, processes))
            fitting = middle;
        else
            beyond = middle;
    }
    return fitting;
}

static struct range range_of_numbers(const struct suite *s, long least, long most)
{
    long quantum = s->multiple_of > 1 ? s->multiple_of : 1;
    long first = s->start_argument > least ? s->start_argument : least;
    return (struct range){ bring_to_quantum(first, quantum), round_down(most, quantum), quantum };
}

static struct range range_of_nodes(const struct params *p, const struct suite *s, int processes)
{
    long most = most_fitting(p, s, processes, processes);
    bool up_to_most = s->end_argument == MAX_VALUE || s->end_argument > most;
    return range_of_numbers(s, 2, up_to_most ? most : s->end_argument);
}

static struct range range_of_windows(const struct params *p, const struct suite *s, int processes)
{
    long wanted = s->end_argument == MAX_VALUE ? WINDOW_MAX_VALUE : s->end_argument;
    return range_of_numbers(s, 1, most_fitting(p, s, processes, wanted));
}

static struct range range_of_groups(const struct suite *s, int processes)
{
    int most = suite_groups(s, processes);
    bool up_to_most = s->end_argument == MAX_VALUE || s->end_argument > most;
    return range_of_numbers(s, 1, up_to_most ? most : s->end_argument);
}

/* Both ends are powers of 2, if all distances are. */
static struct range range_of_distances(const struct suite *s, int processes)
{
    bool up_to_most = s->end_argument == MAX_VALUE || s->end_argument > processes - 1;
    struct range r = range_of_numbers(s, 1, up_to_most ? processes - 1 : s->end_argument);
    if (!suite_doubles(s))
        return r;
    long first = 1, last = 1;
    while (first < r.first)
        first *= 2;
    while (2 * last <= r.last)
        last *= 2;
    return (struct range){ first, last, 1 };
}

/* More parts than processes are the same as one for each. */
static struct range range_of_spreads(const struct suite *s, int processes)
{
    const struct spread_info *x = spread_info(s->options.spread);
    bool sparse = s->options.spread == SPREAD_SPARSE;
    long most = s->end_argument == MAX_VALUE ? x->most : s->end_argument;
    return range_of_numbers(s, x->min, sparse && most > processes ? processes : most);
}

struct range suite_range(const struct params *p, const struct suite *s, int processes)
{
    bool up_to_most = s->end_argument == MAX_VALUE;
    processes = topology_processes(p, s, processes);
    switch (s->variation) {
    case VARY_LENGTH:
        return s->type->application != NULL ? range_of_cases(p, s, processes)
                                            : range_of_lengths(p, s, processes);
    case VARY_NODES:
        return range_of_nodes(p, s, processes);
    case VARY_CHUNKS:
        return range_of_numbers(s, 1, up_to_most ? CHUNKS_MAX_VALUE : s->end_argument);
    case VARY_WINDOW:
        return range_of_windows(p, s, processes);
    case VARY_GROUPS:
        return range_of_groups(s, processes);
    case VARY_DISTANCE:
        return range_of_distances(s, processes);
    case VARY_PAIRS: /* the rounds */
        return (struct range){ 0, matching_count(s, processes) - 1, 1 };
    case VARY_WORK:
        return range_of_numbers(s, 0, up_to_most ? WORK_MAX_VALUE : s->end_argument);
    case VARY_SPREAD:
        return range_of_spreads(s, processes);
    default:
        return (struct range){ 0, 0, 1 };
    }
}

static struct application_missing cases_missing(const struct params *p, const struct suite *s,
                                                int processes)
{
    long arguments[APPLICATION_CASES];
    struct application_missing missing;
    application_suite_arguments(p, s, processes, arguments, &missing);
    return missing;
}

static void explain_missing(const struct params *p, const struct suite *s, int processes,
                            struct text *out)
{
    struct application_missing missing = cases_missing(p, s, processes);
    struct buffer_size d = application_suite_buffers(s, missing.smallest, processes);
    text_add(out,
             "case %d, %ld bytes, needs %lld KiB of memory, more than '@MEMORY %d'%s: left out",
             application_suite_case(s, missing.smallest, processes) + 1, missing.smallest,
             buffer_size_memory(s, &d) / 1024, p->memory_kib,
             missing.count > 1 ? ", and larger ones need more" : "");
}

/* Of an argument that the buffers or the file cannot have: which of them? */
static enum range_cut cut_by_bytes(const struct params *p, const struct suite *s,
                                   const struct range *r, int processes)
{
    long next = r->last + r->quantum;
    bool nodes = s->variation == VARY_NODES;
    int taken = nodes ? (int)next : processes;
    long length = nodes ? suite_length_among(p, s, taken) : next;
    return suite_file_fits(p, s, length, taken) ? RANGE_CUT_BY_MEMORY : RANGE_CUT_BY_SPACE;
}

enum range_cut suite_range_cut(const struct params *p, const struct suite *s, int processes)
{
    bool bounded = s->variation == VARY_LENGTH || s->variation == VARY_NODES ||
                   s->variation == VARY_WINDOW || s->variation == VARY_DISTANCE ||
                   s->variation == VARY_SPREAD;
    if (s->type->application != NULL)
        return cases_missing(p, s, processes).count > 0 ? RANGE_CUT_BY_MEMORY : RANGE_WHOLE;
    if (!bounded || s->end_argument == MAX_VALUE)
        return RANGE_WHOLE;
    if (s->variation == VARY_DISTANCE)
        return s->end_argument < processes ? RANGE_WHOLE : RANGE_CUT_BY_PROCESSES;
    struct range r = suite_range(p, s, processes);
    if (round_down(s->end_argument, r.quantum) <= r.last)
        return RANGE_WHOLE;
    if (s->variation == VARY_SPREAD)
        return RANGE_CUT_BY_PROCESSES;
    long most = round_down(topology_processes(p, s, processes), r.quantum);
    return s->variation == VARY_NODES && r.last >= most ? RANGE_CUT_BY_PROCESSES
                                                        : cut_by_bytes(p, s, &r, processes);
}

void suite_range_explain(const struct params *p, const struct suite *s, int processes,
                         struct text *out)
{
    if (s->type->application != NULL) {
        explain_missing(p, s, processes, out);
        return;
    }
    long last = suite_range(p, s, processes).last;
    enum range_cut cut = suite_range_cut(p, s, processes);
    if (s->variation == VARY_DISTANCE)
        text_add(out,
                 "End_Argument %ld is no distance among %d processes: the last argument is %ld",
                 s->end_argument, processes, last);
    else if (cut == RANGE_CUT_BY_PROCESSES)
        text_add(out, "End_Argument %ld is more than the %d processes: the last argument is %ld",
                 s->end_argument, topology_processes(p, s, processes), last);
    else
        text_add(out, "End_Argument %ld needs more than '%s %d': the last argument is %ld",
                 s->end_argument, cut == RANGE_CUT_BY_SPACE ? "@IO_SPACE" : "@MEMORY",
                 cut == RANGE_CUT_BY_SPACE ? p->io_space_mib : p->memory_kib, last);
}

long long suite_memory(const struct params *p, const struct suite *s, int processes)
{
    struct range range = suite_range(p, s, processes);
    bool total = s->options.length_is == LENGTH_TOTAL;
    int taken = s->variation == VARY_NODES ? (int)(total ? range.first : range.last)
                                           : topology_processes(p, s, processes);
    long length = s->variation == VARY_LENGTH ? range.last : suite_length_among(p, s, taken);
    struct suite at =
        suite_with_window(s, s->variation == VARY_WINDOW ? range.last : s->options.window);
    struct buffer_size d = buffer_size_of(p, &at, length, taken);
    return buffer_size_memory(s, &d);
}
