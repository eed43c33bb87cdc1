#include "params/checks.h"

#include "model/argument_range.h"
#include "model/buffer_size.h"
#include "model/layouts.h"
#include "model/parameters.h"

struct need {
    size_t at; /* the place that asks for it */
    long length;
    int processes;
};

static int check_file(const struct params *p, const struct suite *s, const struct need *n,
                      struct complaints *c)
{
    const long long mib = 1024 * 1024;
    long long bytes = suite_file_bytes(s, n->length, n->processes);
    if (suite_file_fits(p, s, n->length, n->processes))
        return 0;
    return complaints_add(c, n->at,
                          "parts of %ld bytes among %d processes need %lld bytes of files, "
                          "'@IO_SPACE %d' allows %lld: write '@IO_SPACE %lld', or a shorter length",
                          n->length, n->processes, bytes, p->io_space_mib, mib * p->io_space_mib,
                          bytes / mib + (bytes % mib != 0));
}

static bool fits_with(const struct params *p, const struct suite *s, const struct need *n,
                      enum counting counts)
{
    struct suite at = *s;
    at.options.counts = counts;
    return type_has_option(s->type, OPTION_COUNTS) && type_counts_by(s->type, counts) &&
           s->options.method != METHOD_PACK && suite_fits(p, &at, n->length, n->processes);
}

/* The keys for longer messages than an int can count. */
static const char *other_counts(const struct params *p, const struct suite *s, const struct need *n)
{
    bool by_type = fits_with(p, s, n, COUNTS_TYPE), by_c = fits_with(p, s, n, COUNTS_C);
    if (by_type)
        return by_c ? ", or write 'counts=type' or 'counts=c'" : ", or write 'counts=type'";
    return by_c ? ", or write 'counts=c'" : "";
}

static int check_need(const struct params *p, const struct suite *s, const struct need *n,
                      struct complaints *c)
{
    if (suite_fits(p, s, n->length, n->processes))
        return 0;
    if (check_file(p, s, n, c) != 0)
        return -1;
    struct suite varied = *s;
    varied.variation = VARY_LENGTH;
    varied.start_argument = 0;
    varied.end_argument = MAX_VALUE;
    long longest = suite_range(p, &varied, n->processes).last;
    struct buffer_size d = buffer_size_of(p, s, n->length, n->processes);
    long long needed = buffer_size_memory(s, &d), needed_kib = (needed + 1023) / 1024;
    char remedy[64] = "no length fits", window[32] = "";
    if (s->options.buffers == BUFFERS_MANY)
        snprintf(window, sizeof(window), "windows of %d ", s->options.window);
    if (longest >= 0)
        snprintf(remedy, sizeof(remedy), "the longest that fits is %ld", longest);
    if (needed_kib <= p->memory_kib || needed_kib > INT_MAX)
        complaints_add(c, n->at, "%smessages of %ld bytes among %d processes are too long: %s%s",
                       window, n->length, n->processes, remedy, other_counts(p, s, n));
    else
        complaints_add(c, n->at,
                       "%smessages of %ld bytes among %d processes need %lld bytes of buffers, "
                       "'@MEMORY %d' allows %lld: %s, or write '@MEMORY %lld'",
                       window, n->length, n->processes, needed, p->memory_kib,
                       1024LL * p->memory_kib, remedy, needed_kib);
    return -1;
}

int checks_length(const struct params *p, const struct suite *s, long length, int processes,
                  size_t at, struct complaints *c)
{
    return check_need(p, s, &(struct need){ at, length, processes }, c);
}

/* Complains that no case is between the ends, whatever memory it needs. */
static void complain_of_cases(const struct params *p, const struct suite *s, int processes,
                              struct complaints *c)
{
    struct suite all = *s;
    struct params roomy = *p;
    all.start_argument = 0;
    all.end_argument = MAX_VALUE;
    roomy.memory_kib = INT_MAX;
    struct range r = suite_range(&roomy, &all, processes);
    bool before = s->end_argument != MAX_VALUE && s->end_argument < r.last;
    complaints_add(c, s->at[before ? FIELD_END : FIELD_START],
                   "nothing to measure: the cases of type %d have from %ld to %ld bytes, none of "
                   "them is from Start_Argument to End_Argument",
                   s->type->number, r.first, r.last);
}

static void check_range(const struct params *p, const struct suite *s, const struct range *r,
                        int processes, struct complaints *c)
{
    if (r->first <= r->last)
        return;
    if (suite_varies(s, processes) && r->first > processes)
        complaints_add(
            c, s->at[FIELD_START],
            "nothing to measure: the first number of processes is %ld, more than the %d of the run",
            r->first, processes);
    else if (s->type->application != NULL)
        complain_of_cases(p, s, processes, c);
    else if (suite_varies(s, partner))
        complaints_add(c, s->at[FIELD_START],
                       "nothing to measure: no distance from %ld on among the %d processes",
                       s->start_argument, processes);
    else
        complaints_add(
            c, s->at[FIELD_END],
            "nothing to measure: the arguments begin at %ld and end at %ld, as multiples of %ld",
            r->first, r->last, r->quantum);
}

/* Checks the shortest message of derived types, which may be long: 37 has a dimension per block. */
static int check_datatypes(const struct params *p, const struct suite *s, int processes,
                           struct complaints *c)
{
    bool send = layout_is_derived(p, s->send_datatype, s->send_basetype);
    bool receive = layout_is_derived(p, s->receive_datatype, s->receive_basetype);
    size_t at = s->at[send ? FIELD_SEND_DATATYPE : FIELD_RECEIVE_DATATYPE];
    struct need n = { at, suite_quantum(p, s), suite_varies(s, processes) ? 2 : processes };
    if ((s->type->traits & TYPE_HAS_LENGTH) == 0 || (!send && !receive))
        return 0;
    return check_need(p, s, &n, c);
}

void memory_check(const struct params *p, const struct suite *s, int processes,
                  struct complaints *c)
{
    int taken = topology_processes(p, s, processes);
    struct range r = suite_range(p, s, taken);
    /* The first argument, within the limits: a suite ends before further ones that do not fit. */
    long limit = suite_varies(s, processes) ? taken : variation_info(s->variation)->limit;
    const struct setting at =
        setting_of(p, s, taken, limit > 0 && r.first > limit ? limit : r.first);
    const struct suite with = suite_at(s, &at);
    struct need n = { s->at[suite_varies(s, length) ? FIELD_START : FIELD_LENGTH], at.length,
                      at.processes };
    if (check_datatypes(p, &with, taken, c) == 0 && check_need(p, &with, &n, c) == 0)
        check_range(p, s, &r, taken, c);
}
