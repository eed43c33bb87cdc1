#include "model/argument_range.h"

#include "model/buffer_size.h"
#include "model/matching.h"
#include "model/parameters.h"
#include "model/spreading.h"

struct application_arguments application_suite_arguments(const struct params *p,
                                                         const struct suite *s, int processes)
{
    struct application_arguments all = { .count = 0 };
    for (int i = 0; i < application_suite_cases(s); i++) {
        long bytes = application_suite_bytes(s, i, processes);
        if (!application_suite_divides(s, i, processes) || bytes < s->start_argument ||
            (s->end_argument != MAX_VALUE && bytes > s->end_argument))
            continue;
        if (suite_fits(p, s, bytes, processes))
            all.list[all.count++] = bytes;
        else if (all.missing++ == 0 || bytes < all.smallest)
            all.smallest = bytes;
    }
    qsort(all.list, (size_t)all.count, sizeof(long), by_long);
    return all;
}

/* The wanted argument, at most the processes if they are an end. */
static long max_value(const struct suite *s, int processes, long wanted)
{
    bool ends = variation_info(s->variation)->beyond != NULL && wanted > processes;
    return ends ? processes : wanted;
}

/* Memory grows with the argument. Below the least one, nothing fits. */
static long most_fitting(const struct params *p, const struct suite *s, int processes, long wanted)
{
    long fitting = variation_info(s->variation)->least - 1;
    long beyond = max_value(s, processes, wanted) + 1;
    while (beyond - fitting > 1) {
        long middle = fitting + (beyond - fitting) / 2;
        const struct setting at = setting_of(p, s, processes, middle);
        const struct suite with = suite_at(s, &at);
        if (suite_fits(p, &with, at.length, at.processes))
            fitting = middle;
        else
            beyond = middle;
    }
    return fitting;
}

/* No argument is beyond it; wanted: the last one that a suite wants. */
static long largest(const struct params *p, const struct suite *s, int processes, long wanted)
{
    const long any = LONG_MAX;
    switch (s->variation) {
#define VARIATION(constant, largest, ...)                                                          \
    case VARY_##constant:                                                                          \
        return largest;
#include "model/variations.def"
    default:
        return any;
    }
}

/* Least and usual arguments of a spread depend on its kind. */
static struct range range_of_numbers(const struct params *p, const struct suite *s, int processes)
{
    const struct variation_info *v = variation_info(s->variation);
    const struct form *x = suite_varies(s, spread) ? &spread_forms[s->options.spread] : NULL;
    long least = x != NULL ? x->min : v->least;
    long usual = x != NULL ? x->most : v->usual;
    long step = s->multiple_of > 1 ? s->multiple_of : 1;
    long quantum = suite_varies(s, length) ? suite_quantum(p, s) : step;
    long first = s->start_argument > least ? s->start_argument : least;
    long last = s->end_argument == MAX_VALUE ? usual : s->end_argument;
    long most = largest(p, s, processes, last);
    last = quantum_down(last < most ? last : most, quantum);
    return (struct range){ quantum_at_least_one(first, quantum), last, quantum };
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
    if (suite_arguments(s) != ARGUMENTS_NUMBERS)
        return (struct range){ 0, largest(p, s, processes, 0), 1 };
    if (s->type->application == NULL) {
        struct range r = range_of_numbers(p, s, processes);
        return suite_doubles(s) ? doubled(&r) : r;
    }
    const struct application_arguments all = application_suite_arguments(p, s, processes);
    if (all.count > 0)
        return (struct range){ all.list[0], all.list[all.count - 1], 1 };
    /* If no case fits, the range begins at the smallest one. */
    return (struct range){ all.missing > 0 ? all.smallest : s->start_argument, -1, 1 };
}

static enum range_cut cut_of_cases(const struct params *p, const struct suite *s, int processes,
                                   struct text *why)
{
    const struct application_arguments all = application_suite_arguments(p, s, processes);
    if (all.missing == 0)
        return RANGE_WHOLE;
    struct buffer_size d = buffer_size_of(p, s, all.smallest, processes);
    text_add(why,
             "case %d, %ld bytes, needs %lld KiB of memory, more than '@MEMORY %d'%s: left out",
             application_suite_case(s, all.smallest, processes) + 1, all.smallest,
             buffer_size_memory(s, &d) / 1024, p->memory_kib,
             all.missing > 1 ? ", and larger ones need more" : "");
    return CUT_BY_MEMORY;
}

/* For suites whose arguments are plain numbers. */
static enum range_cut cut_of_numbers(const struct params *p, const struct suite *s, int processes)
{
    const struct variation_info *v = variation_info(s->variation);
    const struct range r = range_of_numbers(p, s, processes);
    bool all = s->end_argument == MAX_VALUE;
    long most = quantum_down(max_value(s, processes, v->usual), r.quantum);
    long wanted = all ? most : quantum_down(s->end_argument, r.quantum);
    if ((all ? !v->max_value_needs_it : v->beyond == NULL && !v->needs_memory) || wanted <= r.last)
        return RANGE_WHOLE;
    if (v->beyond != NULL && (!v->needs_memory || r.last >= most))
        return CUT_BY_PROCESSES;
    /* The next argument is too large for the buffers, or for the file. */
    const struct setting at = setting_of(p, s, processes, r.last + r.quantum);
    return suite_file_fits(p, s, at.length, at.processes) ? CUT_BY_MEMORY : CUT_BY_SPACE;
}

enum range_cut suite_range_cut(const struct params *p, const struct suite *s, int processes,
                               struct text *why)
{
    if (s->type->application != NULL)
        return cut_of_cases(p, s, processes, why);
    const struct variation_info *v = variation_info(s->variation);
    const struct range r = suite_range(p, s, processes);
    bool all = s->end_argument == MAX_VALUE;
    processes = topology_processes(p, s, processes);
    enum range_cut cut = cut_of_numbers(p, s, processes);
    if (cut == CUT_BY_PROCESSES)
        text_add(why, "End_Argument %ld is %s %d processes: the last argument is %ld",
                 s->end_argument, v->beyond, processes, r.last);
    else if (cut != RANGE_WHOLE && all)
        text_add(why, "End_Argument %ld (Max_Value)", max_value(s, processes, v->usual));
    else if (cut != RANGE_WHOLE)
        text_add(why, "End_Argument %ld", s->end_argument);
    if (cut == CUT_BY_SPACE)
        text_add(why, " needs more than '@IO_SPACE %d'", p->io_space_mib);
    else if (cut == CUT_BY_MEMORY)
        text_add(why, " needs more than '@MEMORY %d'", p->memory_kib);
    if (cut == CUT_BY_SPACE || cut == CUT_BY_MEMORY)
        text_add(why, ": the last argument is %ld", r.last);
    return cut;
}

/* A total length is divided among the processes, so that fewer need more. */
long long suite_memory(const struct params *p, const struct suite *s, int processes)
{
    const struct range range = suite_range(p, s, processes);
    bool grows = variation_info(s->variation)->needs_memory && s->options.length_is != LENGTH_TOTAL;
    const struct setting at =
        setting_of(p, s, topology_processes(p, s, processes), grows ? range.last : range.first);
    const struct suite with = suite_at(s, &at);
    struct buffer_size d = buffer_size_of(p, &with, at.length, at.processes);
    return buffer_size_memory(s, &d);
}
