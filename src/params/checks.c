#include "params/checks.h"

#include "model/algorithms.h"
#include "model/buffer_size.h"
#include "model/layouts.h"
#include "params/tables.h"
#include "model/parameters.h"

size_t section_place(const size_t *at, const char *section)
{
    return at[table_find(&section_table, section, strlen(section)) - section_table.rows];
}

/* The place to report two sections that contradict each other: the second, or else the first. */
static size_t place_of(const size_t *at, const char *first, const char *second)
{
    size_t offset = section_place(at, second);
    return offset == SECTION_MISSING ? section_place(at, first) : offset;
}

#define UP_TO_DATE                                                                                 \
    "write '@VERSION 4.0' and add '-BM' to the names of barrier-measured collective suites"

void checks_version(double version, size_t at, struct complaints *c)
{
    LOCAL_TEXT written = { 0 };
    value_print_float(version, &written);
    if (at == SECTION_MISSING)
        complaints_add(
            c, 0, "no @VERSION: write '@VERSION 4.2'; if the file is older than 4.0, " UP_TO_DATE);
    else if (version < 4.0)
        complaints_add(c, at, "the file is for version %s, older than 4.0: " UP_TO_DATE,
                       text_get(&written));
    else if (version > 4.2)
        complaints_warn(c, at, "the file is for version %s; this is version 4.2",
                        text_get(&written));
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
                       "'@VECTORSTRIDE' %d must be more than '@BLOCKSIZE' %d", p->vectorstride,
                       p->blocksize);
    regime_check(p, at, c);
}

/* Has the field of any suite the value of its section? A field that states the value that holds
 * anyway, as an echo of all sections does, is used. */
static bool is_default_used(const struct params *p, const struct value_row *row,
                            struct complaints *c)
{
    const struct value_row *section =
        table_find(&section_table, row->section, strlen(row->section));
    struct params unsaid = { 0 };
    if (section_set_default(section, &unsaid, c) == 0 &&
        memcmp(value_get(section, &unsaid), value_get(section, p), row->kind->size) == 0)
        return true;
    for (const struct suite *s = p->suites; s < p->suites + p->suite_count; s++)
        if (memcmp(value_get(row, s), value_get(section, p), row->kind->size) == 0)
            return true;
    return false;
}

void checks_defaults(const struct params *p, const size_t *at, struct complaints *c)
{
    for (int i = FIELD_NAME + 1; i < FIELD_COUNT; i++) {
        const struct value_row *row = field_get((enum field)i);
        if (row->section == NULL || section_place(at, row->section) == SECTION_MISSING)
            continue;
        if (!is_default_used(p, row, c))
            complaints_warn(c, section_place(at, row->section),
                            "no suite uses '%s'; '%s = Default_Value' does", row->section,
                            row->name);
    }
}

int type_reject(struct complaints *c, const struct suite *s, enum field at, const char *format, ...)
{
    LOCAL_TEXT words = { 0 };
    text_add(&words, "type '%s' ", type_label_of(s->type));
    text_add_own(&words, format);
    complaints_add(c, s->at[at], "%s", text_get(&words));
    return -1;
}

static void check_variation(const struct suite *s, struct complaints *c)
{
    if (type_varies(s->type, s->variation))
        return;
    LOCAL_TEXT has = { 0 };
    for (int v = 0; v < VARIATION_COUNT; v++)
        if (type_varies(s->type, (enum variation)v))
            text_add(&has, "%s%s", has.len > 0 ? " or " : "",
                     variation_info((enum variation)v)->name);
    type_reject(c, s, FIELD_VARIATION, "is not varied over '%s', only over %s",
                variation_info(s->variation)->name, text_get(&has));
}

static void check_repetitions(const struct params *p, const struct suite *s, struct complaints *c)
{
    bool reported =
        s->min_repetition == p->min_repetition && s->max_repetition == p->max_repetition;
    if (s->min_repetition > s->max_repetition && !reported)
        complaints_add(c, s->at[FIELD_MIN_REPETITION],
                       "Min_Repetition %d is more than Max_Repetition %d", s->min_repetition,
                       s->max_repetition);
}

static void check_scale(const struct suite *s, struct complaints *c)
{
    if (scale_is_log(s->scale) && s->stepwidth <= 1)
        complaints_add(c, s->at[FIELD_STEPWIDTH],
                       "Stepwidth is the factor on a logarithmic scale and must be above 1");
    if (scale_is_dynamic(s->scale) && s->min_distance > s->max_distance)
        complaints_add(c, s->at[FIELD_MIN_DISTANCE], "Min_Distance is more than Max_Distance");
    if (s->end_argument != MAX_VALUE && s->start_argument > s->end_argument)
        complaints_add(c, s->at[FIELD_START], "Start_Argument %ld is more than End_Argument %ld",
                       s->start_argument, s->end_argument);
}

/* Checks the end of numbers that MPI counts as int. */
static void check_end(const struct suite *s, struct complaints *c)
{
    const struct variation_info *v = variation_info(s->variation);
    if (v->limit > 0 && s->end_argument > v->limit)
        complaints_add(c, s->at[FIELD_END], "End_Argument %ld is more than %ld %s", s->end_argument,
                       v->limit, v->limit_unit);
}

/* Checks lengths; over the length, the argument is that of each part. */
static void check_length_is(const struct suite *s, struct complaints *c)
{
    if (s->options.length_is == LENGTH_TOTAL && s->variation != VARY_NODES)
        keys_reject(c, s, "'length_is=total' needs 'Variation = Nodes', not '%s'",
                    variation_info(s->variation)->name);
}

static void check_passes(const struct suite *s, struct complaints *c)
{
    const struct suite_options *x = &s->options;
    if (x->passes == 1 && x->estimate == ESTIMATE_MINIMUM)
        keys_reject(c, s, "'estimate=minimum' needs at least 2 passes; add 'passes=8'");
}

/* Checks buffers: messages of a window are sent at the same time, and a stream may go both ways. */
static void check_buffers(const struct suite *s, struct complaints *c)
{
    bool window = (s->type->traits & TYPE_WINDOW) != 0;
    if (window ? s->options.buffers == BUFFERS_ONE : s->options.buffers == BUFFERS_MANY)
        type_reject(c, s, FIELD_PARAMETERS, "has no 'buffers=%s'; use 'two' or '%s'",
                    window ? "one" : "many", window ? "many" : "one");
}

/* A row for n nodes uses the first n processes, which may not include this rank. */
static void check_partner(const struct suite *s, struct complaints *c)
{
    if (s->options.partner == PARTNER_RANK && s->variation == VARY_NODES)
        keys_reject(c, s, "a fixed partner cannot be combined with 'Variation = Nodes'");
    if (s->options.partner != PARTNER_FARTHEST && s->variation == VARY_DISTANCE)
        keys_reject(c, s,
                    "with 'Variation = Distance', the distance chooses the partner; remove the key "
                    "'partner'");
    if (s->options.neighbours != NEIGHBOURS_RING && s->variation != VARY_DISTANCE)
        keys_reject(c, s, "'neighbours' needs 'Variation = Distance', not '%s'",
                    variation_info(s->variation)->name);
}

static void check_method(const struct suite *s, struct complaints *c)
{
    if (s->options.method == METHOD_PACK && (s->type->traits & TYPE_PACKS) == 0)
        type_reject(c, s, FIELD_PARAMETERS, "cannot send packed messages; try type 1");
    if (s->options.method == METHOD_MANUAL && s->type->application == NULL)
        type_reject(c, s, FIELD_PARAMETERS, "has no loops that pack messages; try type 120");
    if (s->options.method == METHOD_PUT &&
        (s->type->application == NULL || s->type->application->all_processes))
        type_reject(c, s, FIELD_PARAMETERS,
                    "cannot use 'method=put'; try type 120, or type 201 for a plain MPI_Put");
}

/* Checks persistent requests, which always use the same memory, and have one root. */
static void check_bound(const struct suite *s, struct complaints *c)
{
    if ((s->type->traits & TYPE_BOUND) == 0)
        return;
    if (s->options.root != ROOT_RANK)
        type_reject(c, s, FIELD_PARAMETERS,
                    "has one request, whose root cannot change; use 'root=0' or another rank");
    if (s->options.data == DATA_COLD)
        type_reject(
            c, s, FIELD_PARAMETERS,
            "always uses the same memory, which cannot be cold; use 'data=kept' or 'data=fresh'");
}

static void check_language(const struct suite *s, struct complaints *c)
{
    if (s->options.language != LANGUAGE_C && s->options.method != METHOD_MANUAL)
        keys_reject(c, s, "language=fortran is for method=manual; the other methods have no loops");
}

/* Checks an application's messages, whose sizes are those of its table, or of case=. */
static void check_application(const struct suite *s, struct complaints *c)
{
    const struct application *a = s->type->application;
    const struct own_case *own = &s->options.own;
    if (a == NULL)
        return;
    if (datatype_find(s->send_datatype)->kind != DATATYPE_PREDEFINED ||
        datatype_find(s->receive_datatype)->kind != DATATYPE_PREDEFINED)
        type_reject(c, s, FIELD_SEND_DATATYPE, "has datatypes of its own; remove the datatype");
    if (own->count == 0)
        return;
    if (own->count != a->number_count)
        keys_reject(c, s, "case= of type '%s' needs %d number%s: %s", type_label_of(s->type),
                    a->number_count, a->number_count == 1 ? "" : "s", a->numbers);
    else if (application_objection(a, own->k) != NULL)
        keys_reject(c, s, "case= of type '%s' (%s): %s", type_label_of(s->type), a->numbers,
                    application_objection(a, own->k));
}

static int compare_labels(const struct suite *x, const struct suite *y)
{
    int order = strcmp(x->type->pattern->prefix, y->type->pattern->prefix);
    if (order != 0)
        return order;
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
        if (compare_labels(a, b) == 0)
            complaints_add(c, b->at[FIELD_NAME], "duplicate suite '%s'; give it another name",
                           label_of(b));
    }
    free(sorted);
}

/* The minimum number of processes to measure the suite. */
static int smallest_run(const struct suite *s)
{
    if (s->variation == VARY_DISTANCE && s->start_argument > 0)
        return s->start_argument < INT_MAX ? (int)s->start_argument + 1 : INT_MAX;
    if (s->variation != VARY_NODES)
        return 2;
    long nodes = s->start_argument > 2 ? s->start_argument : 2;
    long step = s->multiple_of > 1 ? s->multiple_of : 1;
    nodes = nodes < INT_MAX - step ? (nodes + step - 1) / step * step : INT_MAX - 1;
    return (int)nodes;
}

static void check_groups(const struct suite *s, struct complaints *c)
{
    int groups = s->options.groups;
    if (!type_has_option(s->type, OPTION_GROUPS))
        return;
    if (s->variation == VARY_GROUPS && groups == 1)
        complaints_add(c, s->at[FIELD_VARIATION],
                       "'Variation = Groups' needs the greatest number of groups; write "
                       "'Parameters = \"groups=N\"'");
    if (groups > 1 && s->variation == VARY_NODES)
        keys_reject(c, s, "groups cannot be combined with 'Variation = Nodes'; vary over Groups");
    if (groups > 1 && s->topology != 0)
        keys_reject(c, s, "groups cannot be combined with a virtual topology");
}

/* Checks which of its values the key counts may have. */
static void check_counts(const struct suite *s, struct complaints *c)
{
    const struct suite_options *x = &s->options;
    bool c_calls = x->counts == COUNTS_C;
    if (x->counts == COUNTS_INT || !type_has_option(s->type, OPTION_COUNTS))
        return;
    if (!type_counts_by(s->type, COUNTS_C) && !type_counts_by(s->type, COUNTS_TYPE))
        type_reject(c, s, FIELD_PARAMETERS, "counts elements, below 2^31; 'counts' must be 'int'");
    else if (!type_counts_by(s->type, x->counts))
        type_reject(c, s, FIELD_PARAMETERS, "has no form with 'counts=%s'; use 'counts=%s'",
                    c_calls ? "c" : "type", c_calls ? "type" : "c");
    if (x->method != METHOD_DDT && x->method != METHOD_CONTIGUOUS)
        keys_reject(c, s, "'counts' cannot be combined with packing; use 'method=ddt'");
}

/* Checks that an algorithm has the library's own communicator, and operations that commute. */
static void check_algorithm(const struct suite *s, struct complaints *c)
{
    const struct suite_options *x = &s->options;
    if (s->variation == VARY_ALGORITHM && strcmp(x->algorithm, "0") != 0)
        keys_reject(c, s, "'Variation = Algorithm' varies the key 'algorithm'; remove it");
    if (!suite_chooses(s) && x->processes == PROCESSES_ALL && x->segment == 0 && x->fanout == 0)
        return;
    if (s->topology != 0 || x->groups > 1)
        keys_reject(c, s, "a chosen algorithm, or number of processes, cannot be combined with %s",
                    s->topology != 0 ? "a virtual topology" : "groups");
    if (x->op == COMBINE_USER_ORDERED)
        keys_reject(c, s, "algorithms are chosen for operations that commute; use op=user");
    if (x->processes != PROCESSES_ALL && s->variation == VARY_NODES)
        keys_reject(c, s, "'processes' cannot be combined with 'Variation = Nodes'");
    if (!suite_chooses(s) && (x->segment > 0 || x->fanout > 0))
        keys_reject(c, s,
                    "'segment' and 'fanout' need 'algorithm=NAME' or 'Variation = Algorithm'");
}

/* Checks that partitions are of equal size, and whole elements. */
static void check_partitions(const struct params *p, const struct suite *s, struct complaints *c)
{
    if (!type_has_option(s->type, OPTION_PARTITIONS))
        return;
    if (layout_grows(s->send_datatype) || layout_grows(s->receive_datatype)) {
        type_reject(c, s, FIELD_SEND_DATATYPE,
                    "divides messages into partitions, but one element of this datatype is a whole "
                    "message; try 5, MPI_INT");
        return;
    }
    if (s->variation == VARY_PARTITIONS && s->end_argument > suite_most_partitions(p, s))
        complaints_add(c, s->at[FIELD_END],
                       "End_Argument %ld is more than the elements of the message: increase "
                       "Default_Message_length",
                       s->end_argument);
}

void checks_suites(const struct params *p, const struct gaps *gaps, struct complaints *c)
{
    for (const struct suite *s = p->suites; s < p->suites + p->suite_count; s++) {
        size_t errors = c->errors;
        check_variation(s, c);
        check_repetitions(p, s, c);
        check_partner(s, c);
        check_end(s, c);
        check_buffers(s, c);
        check_length_is(s, c);
        one_sided_check(p, s, c);
        check_passes(s, c);
        check_method(s, c);
        check_application(s, c);
        pairing_check(s, c);
        spread_check(s, c);
        check_language(s, c);
        check_bound(s, c);
        check_groups(s, c);
        check_counts(s, c);
        if (!gaps->datatypes)
            check_partitions(p, s, c);
        check_algorithm(s, c);
        root_check(s, smallest_run(s), c);
        if (s->variation != VARY_NONE)
            check_scale(s, c);
        if (!gaps->topologies)
            topology_check(p, s, c);
        if (!gaps->datatypes)
            datatypes_check(p, s, c);
        if (!gaps->any && c->errors == errors)
            memory_check(p, s, smallest_run(s), c);
    }
    check_labels(p, c);
}
