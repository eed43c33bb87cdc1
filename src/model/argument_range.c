#include "model/argument_range.h"

#include "model/buffer_size.h"
#include "model/matching.h"
#include "model/parameters.h"
#include "model/spreading.h"

int application_suite_arguments(const struct params *p, const struct suite *s, int processes,
                                long arguments[static APPLICATION_CASES],
                                struct application_missing *missing)
{
    int count = 0;
    *missing = (struct application_missing){ 0 };
    for (int i = 0; i < application_suite_cases(s); i++) {
        long bytes = application_suite_bytes(s, i, processes);
        if (!application_suite_divides(s, i, processes) || bytes < s->start_argument ||
            (s->end_argument != MAX_VALUE && bytes > s->end_argument))
            continue;
        if (suite_fits(p, s, bytes, processes))
            arguments[count++] = bytes;
        else if (missing->count++ == 0 || bytes < missing->smallest)
            missing->smallest = bytes;
    }
    qsort(arguments, (size_t)count, sizeof(long), by_long);
    return count;
}

/* If no case fits, the range begins at the smallest one. */
static struct range range_of_cases(const struct params *p, const struct suite *s, int processes)
{
    long arguments[APPLICATION_CASES] = { 0 };
    struct application_missing missing;
    int count = application_suite_arguments(p, s, processes, arguments, &missing);
    if (count == 0)
        return (struct range){ missing.count > 0 ? missing.smallest : s->start_argument, -1, 1 };
    return (struct range){ arguments[0], arguments[count - 1], 1 };
}

static struct range range_of_lengths(const struct params *p, const struct suite *s, int processes)
{
    long quantum = suite_quantum(p, s);
    long last = suite_longest(p, s, quantum, processes);
    if (s->end_argument != MAX_VALUE && s->end_argument < last)
        last = quantum_down(s->end_argument, quantum);
    return (struct range){ quantum_at_least_one(s->start_argument, quantum), last, quantum };
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

/* The largest argument, whatever the suite says. A window has to fit. More parts of a spread than
 * processes are the same as one for each. */
static long most_of(const struct params *p, const struct suite *s, int processes, long wanted)
{
    switch (s->variation) {
    case VARY_NODES:
        return most_fitting(p, s, processes, processes);
    case VARY_WINDOW:
        return most_fitting(p, s, processes, wanted);
    case VARY_GROUPS:
        return suite_groups(s, processes);
    case VARY_DISTANCE:
        return processes - 1;
    case VARY_SPREAD:
        return s->options.spread == SPREAD_SPARSE ? processes : LONG_MAX;
    case VARY_PARTITIONS:
        return suite_most_partitions(p, s);
    default:
        return LONG_MAX;
    }
}

/* The arguments of a variation, if they are plain numbers; those of a spread depend on its kind. */
static struct range range_of_numbers(const struct params *p, const struct suite *s, int processes)
{
    const struct variation_info *v = variation_info(s->variation);
    const struct form *x = s->variation == VARY_SPREAD ? &spread_forms[s->options.spread] : NULL;
    long least = x != NULL ? x->min : v->least, usual = x != NULL ? x->most : v->usual;
    long quantum = s->multiple_of > 1 ? s->multiple_of : 1;
    long last = s->end_argument == MAX_VALUE ? usual : s->end_argument;
    long most = most_of(p, s, processes, last);
    return (struct range){ quantum_at_least_one(
                               s->start_argument > least ? s->start_argument : least, quantum),
                           quantum_down(last < most ? last : most, quantum), quantum };
}

static struct range doubled(const struct range *r)
{
    long first = 1, last = 1;
    while (first < r->first)
        first *= 2;
    while (2 * last <= r->last)
        last *= 2;
    return (struct range){ first, last, 1 };
}

struct range suite_range(const struct params *p, const struct suite *s, int processes)
{
    processes = topology_processes(p, s, processes);
    if (s->variation == VARY_LENGTH)
        return s->type->application != NULL ? range_of_cases(p, s, processes)
                                            : range_of_lengths(p, s, processes);
    if (s->variation == VARY_PAIRS) /* the rounds */
        return (struct range){ 0, matching_count(s, processes) - 1, 1 };
    if (s->variation == VARY_ALGORITHM)
        return (struct range){ 0, s->algorithms.count > 0 ? (long)s->algorithms.count - 1 : 0, 1 };
    if (s->variation == VARY_NONE)
        return (struct range){ 0, 0, 1 };
    struct range r = range_of_numbers(p, s, processes);
    return suite_doubles(s) ? doubled(&r) : r;
}

static enum range_cut cut_of_cases(const struct params *p, const struct suite *s, int processes,
                                   struct text *why)
{
    long arguments[APPLICATION_CASES] = { 0 };
    struct application_missing missing;
    application_suite_arguments(p, s, processes, arguments, &missing);
    if (missing.count == 0)
        return RANGE_WHOLE;
    struct buffer_size d = buffer_size_of(p, s, missing.smallest, processes);
    text_add(why,
             "case %d, %ld bytes, needs %lld KiB of memory, more than '@MEMORY %d'%s: left out",
             application_suite_case(s, missing.smallest, processes) + 1, missing.smallest,
             buffer_size_memory(s, &d) / 1024, p->memory_kib,
             missing.count > 1 ? ", and larger ones need more" : "");
    return CUT_BY_MEMORY;
}

/* Why an argument is too large: the buffers, or the file. */
static enum range_cut cut_by_bytes(const struct params *p, const struct suite *s,
                                   const struct range *r, int processes)
{
    long next = r->last + r->quantum;
    bool nodes = s->variation == VARY_NODES;
    int taken = nodes ? (int)next : processes;
    long length = nodes ? suite_length_among(p, s, taken) : next;
    return suite_file_fits(p, s, length, taken) ? CUT_BY_MEMORY : CUT_BY_SPACE;
}

/* Max_Value of Nodes and Window, if the memory suffices. */
static long max_value(const struct params *p, const struct suite *s, int processes)
{
    return s->variation == VARY_WINDOW ? variation_info(VARY_WINDOW)->usual
                                       : topology_processes(p, s, processes);
}

static enum range_cut cut_of_numbers(const struct params *p, const struct suite *s,
                                     const struct range *r, int processes)
{
    bool all = s->end_argument == MAX_VALUE;
    bool bounded = s->variation == VARY_NODES || s->variation == VARY_WINDOW;
    if (!bounded && (all || (s->variation != VARY_LENGTH && s->variation != VARY_DISTANCE &&
                             s->variation != VARY_SPREAD)))
        return RANGE_WHOLE;
    if (s->variation == VARY_DISTANCE)
        return s->end_argument < processes ? RANGE_WHOLE : CUT_BY_PROCESSES;
    long most = quantum_down(max_value(p, s, processes), r->quantum);
    long wanted = all ? most : quantum_down(s->end_argument, r->quantum);
    if (wanted <= r->last)
        return RANGE_WHOLE;
    bool many = s->variation == VARY_SPREAD || (s->variation == VARY_NODES && r->last >= most);
    return many ? CUT_BY_PROCESSES : cut_by_bytes(p, s, r, processes);
}

enum range_cut suite_range_cut(const struct params *p, const struct suite *s, int processes,
                               struct text *why)
{
    if (s->type->application != NULL)
        return cut_of_cases(p, s, processes, why);
    const struct range r = suite_range(p, s, processes);
    bool all = s->end_argument == MAX_VALUE;
    enum range_cut cut = cut_of_numbers(p, s, &r, processes);
    if (cut != RANGE_WHOLE && s->variation == VARY_DISTANCE)
        text_add(why,
                 "End_Argument %ld is not a distance among %d processes: the last argument is %ld",
                 s->end_argument, processes, r.last);
    else if (cut == CUT_BY_PROCESSES)
        text_add(why, "End_Argument %ld is more than the %d processes: the last argument is %ld",
                 s->end_argument, topology_processes(p, s, processes), r.last);
    else if (cut != RANGE_WHOLE)
        text_add(why, "End_Argument %ld%s needs more than '%s %d': the last argument is %ld",
                 all ? max_value(p, s, processes) : s->end_argument, all ? " (Max_Value)" : "",
                 cut == CUT_BY_SPACE ? "@IO_SPACE" : "@MEMORY",
                 cut == CUT_BY_SPACE ? p->io_space_mib : p->memory_kib, r.last);
    return cut;
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
