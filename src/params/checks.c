#include "params/checks.h"

#include "params/fits.h"
#include "params/sections.h"
#include "params/virtual.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static size_t place(const size_t *at, const char *section)
{
    return at[section_index(section, strlen(section))];
}

/* Where one of two sections stands that do not go together: the second if it is written. */
static size_t place_of(const size_t *at, const char *first, const char *second)
{
    size_t offset = place(at, second);
    return offset == SECTION_MISSING ? place(at, first) : offset;
}

#define UP_TO_DATE                                                                                 \
    "write '@VERSION 4.0' and add '-BM' to the names of barrier-measured collective suites"

void checks_version(double version, size_t at, struct complaints *c)
{
    struct text written = { 0 };
    value_print_float(version, &written);
    if (at == SECTION_MISSING)
        complaints_add(c, 0, "no @VERSION, the file may be older than 4.0: " UP_TO_DATE);
    else if (version < 4.0)
        complaints_add(c, at, "the file is for version %s, older than 4.0: " UP_TO_DATE,
                       text_get(&written));
    else if (version > 4.2)
        complaints_warn(c, at, "the file is for version %s, this is 4.2", text_get(&written));
    text_release(&written);
}

void checks_sections(const struct params *p, const size_t *at, struct complaints *c)
{
    if (p->outfile != NULL && p->logfile != NULL && strcmp(p->outfile, p->logfile) == 0)
        complaints_add(c, place_of(at, "@OUTFILE", "@LOGFILE"),
                       "'@OUTFILE' and '@LOGFILE' are the same file");
    if (p->min_repetition > p->max_repetition)
        complaints_add(c, place_of(at, "@MAXREPDEFAULT", "@MINREPDEFAULT"),
                       "'@MINREPDEFAULT' %d is more than '@MAXREPDEFAULT' %d", p->min_repetition,
                       p->max_repetition);
    if (p->vectorstride <= p->blocksize)
        complaints_add(c, place_of(at, "@BLOCKSIZE", "@VECTORSTRIDE"),
                       "'@VECTORSTRIDE' %d has to be more than '@BLOCKSIZE' %d", p->vectorstride,
                       p->blocksize);
}

static void check_variation(const struct suite *s, struct complaints *c)
{
    if (type_varies(s->type, s->variation))
        return;
    struct text has = { 0 };
    for (int v = 0; v < VARIATION_COUNT; v++)
        if (type_varies(s->type, (enum variation)v))
            text_add(&has, "%s%s", has.len > 0 ? " or " : "",
                     variation_info((enum variation)v)->name);
    complaints_add(c, s->at[FIELD_VARIATION], "type '%s_%s' is not varied over '%s', only over %s",
                   pattern_info(s->type->pattern)->prefix, s->type->name,
                   variation_info(s->variation)->name, text_get(&has));
    text_release(&has);
}

static void check_repetitions(const struct params *p, const struct suite *s, struct complaints *c)
{
    bool told = s->min_repetition == p->min_repetition && s->max_repetition == p->max_repetition;
    if (s->min_repetition > s->max_repetition && !told)
        complaints_add(c, s->at[FIELD_MIN_REPETITION],
                       "Min_Repetition %d is more than Max_Repetition %d", s->min_repetition,
                       s->max_repetition);
}

static void check_scale(const struct suite *s, struct complaints *c)
{
    if (scale_is_log(s->scale) && s->stepwidth <= 1)
        complaints_add(c, s->at[FIELD_STEPWIDTH],
                       "Stepwidth has to be above 1 on a logarithmic scale, it is the factor");
    if (scale_is_dynamic(s->scale) && s->min_distance > s->max_distance)
        complaints_add(c, s->at[FIELD_MIN_DISTANCE], "Min_Distance is more than Max_Distance");
    if (s->end_argument != MAX_VALUE && s->start_argument > s->end_argument)
        complaints_add(c, s->at[FIELD_START], "Start_Argument %ld is more than End_Argument %ld",
                       s->start_argument, s->end_argument);
}

/* MPI counts in int. */
static void check_chunks(const struct suite *s, struct complaints *c)
{
    if (s->variation == VARY_CHUNKS && s->end_argument > CHUNKS_MOST)
        complaints_add(c, s->at[FIELD_END], "End_Argument %ld is more than %ld chunks",
                       s->end_argument, CHUNKS_MOST);
}

/* A row for n nodes is about the first n processes, which need not have that one. */
static void check_partner(const struct suite *s, struct complaints *c)
{
    if (s->extras.partner == PARTNER_RANK && s->variation == VARY_NODES)
        complaints_add(c, s->at[FIELD_PARAMETERS],
                       "a fixed partner cannot be combined with 'Variation = Nodes'");
}

struct side { /* of a message */
    int datatype, basetype;
    size_t at;
};

static void check_basetype(const struct params *p, const struct side *side, struct complaints *c)
{
    const struct basetype *b = &p->basetypes[side->basetype];
    if (b->parts == NULL)
        complaints_add(c, side->at, "datatype %d is built of '@BASETYPE%d', which is not defined",
                       side->datatype, side->basetype);
    else if (b->triples)
        complaints_add(c, side->at,
                       "basetype %d needs a derived type, which this version cannot measure yet",
                       side->basetype);
}

static const struct predefined *predefined_of(const struct params *p, const struct side *side)
{
    const struct datatype_info *info = datatype_find(side->datatype);
    const struct basetype *b = &p->basetypes[side->basetype];
    if (info->kind == DATATYPE_PREDEFINED)
        return predefined_find(info->predefined, strlen(info->predefined));
    return info->kind == DATATYPE_BASETYPE && b->parts != NULL && !b->triples ? b->parts[0].type
                                                                              : NULL;
}

static void check_reduction(const struct params *p, const struct suite *s, const struct side *side,
                            struct complaints *c)
{
    const struct predefined *type = predefined_of(p, side);
    if ((s->type->traits & TYPE_REDUCES) != 0 && type != NULL && type->reduction == REDUCE_NONE)
        complaints_add(c, side->at, "no predefined operation reduces '%s', try 5 (MPI_INT)",
                       type->name);
}

static void check_side(const struct params *p, const struct suite *s, const struct side *side,
                       struct complaints *c)
{
    const struct datatype_info *info = datatype_find(side->datatype);
    if (info->kind == DATATYPE_CONSTRUCTOR)
        complaints_add(c, side->at,
                       "datatype %d needs a derived type, which this version cannot measure yet",
                       side->datatype);
    else if (info->kind == DATATYPE_BASETYPE)
        check_basetype(p, side, c);
    check_reduction(p, s, side, c);
}

static void check_datatypes(const struct params *p, const struct suite *s, struct complaints *c)
{
    struct side send = { s->send_datatype, s->send_basetype, s->at[FIELD_SEND_DATATYPE] };
    struct side receive = { s->receive_datatype, s->receive_basetype,
                            s->at[FIELD_RECEIVE_DATATYPE] };
    check_side(p, s, &send, c);
    if (receive.datatype != send.datatype || receive.basetype != send.basetype)
        check_side(p, s, &receive, c);
}

/* By what makes up a suite's label. */
static int compare_labels(const struct suite *x, const struct suite *y)
{
    if (x->type->pattern != y->type->pattern)
        return x->type->pattern < y->type->pattern ? -1 : 1;
    if ((x->topology == 0) != (y->topology == 0))
        return x->topology == 0 ? -1 : 1;
    return strcmp(x->name, y->name);
}

static int by_label(const void *a, const void *b)
{
    const struct suite *x = *(const struct suite *const *)a, *y = *(const struct suite *const *)b;
    int order = compare_labels(x, y);
    return order != 0 ? order : (x > y) - (x < y);
}

static void check_labels(const struct params *p, struct complaints *c)
{
    const struct suite **sorted = malloc((p->suite_count + 1) * sizeof(const struct suite *));
    if (sorted == NULL) {
        complaints_add(c, 0, "out of memory");
        return;
    }
    for (size_t i = 0; i < p->suite_count; i++)
        sorted[i] = &p->suites[i];
    qsort(sorted, p->suite_count, sizeof(const struct suite *), by_label);
    for (size_t i = 1; i < p->suite_count; i++) {
        const struct suite *a = sorted[i - 1], *b = sorted[i];
        char label[256];
        if (compare_labels(a, b) == 0)
            complaints_add(c, b->at[FIELD_NAME], "there is a suite '%s' already",
                           suite_label(b, label, sizeof(label)));
    }
    free(sorted);
}

/* Processes that measuring the suite takes at least. */
static int smallest_run(const struct suite *s)
{
    if (s->variation != VARY_NODES)
        return 2;
    long nodes = s->start_argument > 2 ? s->start_argument : 2;
    long step = s->multiple_of > 1 ? s->multiple_of : 1;
    nodes = nodes < INT_MAX - step ? (nodes + step - 1) / step * step : INT_MAX - 1;
    return (int)nodes;
}

void checks_suites(const struct params *p, bool sections_read, struct complaints *c)
{
    for (size_t i = 0; i < p->suite_count; i++) {
        const struct suite *s = &p->suites[i];
        size_t errors = c->errors;
        check_variation(s, c);
        check_repetitions(p, s, c);
        check_partner(s, c);
        check_chunks(s, c);
        if (s->variation != VARY_NONE)
            check_scale(s, c);
        if (sections_read) {
            virtual_check(p, s, c);
            check_datatypes(p, s, c);
        }
        if (sections_read && c->errors == errors)
            fits_check(p, s, smallest_run(s), c);
    }
    check_labels(p, c);
}

int params_check_processes(const struct params *p, int processes, struct complaints *c)
{
    size_t errors = c->errors;
    for (size_t i = 0; i < p->suite_count; i++) {
        const struct suite *s = &p->suites[i];
        if (s->variation == VARY_NODES && s->end_argument > processes)
            complaints_add(c, s->at[FIELD_END],
                           "End_Argument %ld is more than the %d processes of this run",
                           s->end_argument, processes);
        if (s->extras.partner == PARTNER_RANK && s->extras.partner_rank >= processes)
            complaints_add(c, s->at[FIELD_PARAMETERS],
                           "there is no partner %d among the %d processes of this run",
                           s->extras.partner_rank, processes);
        virtual_check_processes(p, s, processes, c);
        fits_check(p, s, processes, c);
    }
    return c->errors == errors ? 0 : -1;
}
