#include "params/checks.h"

#include "model/algorithms.h"
#include "model/buffer_size.h"
#include "model/layouts.h"
#include "model/others.h"
#include "params/tables.h"
#include "model/parameters.h"

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
        complaints_add(c, at,
                       "the file is for version %s; this is version 4.2: remove what it lacks "
                       "(see --help-params), and write '@VERSION 4.2'",
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

/* MPI counts are int. */
static void check_ends(const struct suite *s, struct complaints *c)
{
    const struct variation_info *v = variation_info(s->variation);
    if (v->limit > 0 && s->end_argument > v->limit)
        complaints_add(c, s->at[FIELD_END], "End_Argument %ld is more than %ld %s", s->end_argument,
                       v->limit, v->limit_unit);
    if (s->end_argument != MAX_VALUE && s->start_argument > s->end_argument)
        complaints_add(c, s->at[FIELD_START], "Start_Argument %ld is more than End_Argument %ld",
                       s->start_argument, s->end_argument);
    const struct few_numbers *few = &s->options.arguments;
    for (int i = 0; i < few->count; i++)
        if (few->k[i] < s->start_argument ||
            (s->end_argument != MAX_VALUE && few->k[i] > s->end_argument))
            complaints_warn(c, s->at[FIELD_PARAMETERS],
                            "%ld of 'arguments' is not measured: it is not between Start_Argument "
                            "and End_Argument",
                            few->k[i]);
}

/* Does a text follow the name of the type, or precede that of the variation? */
enum rule { RULE, RULE_OF_TYPE, RULE_OF_VARIATION };

/* The rules whose text does not depend on values. A row for n nodes uses the first n processes,
 * which may not include a rank, or be too many. A persistent request always uses the same memory,
 * and has one root. An algorithm needs the library's communicator, and operations that commute.
 * Messages of a window are sent at the same time, and a stream may go both ways. */
static void check_rules(const struct suite *s, struct complaints *c)
{
    const struct suite_options *x = &s->options;
    const struct application *a = s->type->application;
    const bool nodes = suite_varies(s, processes), distance = suite_varies(s, partner);
    const bool pairs = suite_arguments(s) == ARGUMENTS_PAIRS;
    const bool varied = suite_arguments(s) != ARGUMENTS_NONE;
    const bool bound = (s->type->traits & TYPE_BOUND) != 0, chooses = suite_chooses(s);
    const bool tuned = x->segment > 0 || x->fanout > 0;
    const bool chosen = chooses || tuned || x->processes != PROCESSES_ALL;
    const bool of_library = (s->type->traits & TYPE_ONE_SIDED) != 0 &&
                            (x->memory == MEMORY_ALLOCATE || x->memory == MEMORY_SHARED);
    const bool away = x->send_in != IN_HOST || suite_varies_memory(s);
    const bool apart =
        suite_varies(s, receive_in) ||
        (x->receive_in != IN_SAME && (x->receive_in != x->send_in || suite_varies(s, send_in)));
    const bool of_gpu = (suite_memories(s) & ~(1u << IN_HOST | 1u << IN_PINNED)) != 0;
    const bool other = x->as != BY_ITSELF;
    const bool threaded = x->threads > 1 || suite_varies(s, threads);
    const bool by_tag =
        (s->type->pattern->traits & PATTERN_TAGS) != 0 && (s->type->traits & TYPE_ANY_TAG) == 0;
    const bool counts = x->counts != COUNTS_INT && type_has_option(s->type, OPTION_COUNTS);
    const bool by_c = type_counts_by(s->type, COUNTS_C);
    const bool by_type = type_counts_by(s->type, COUNTS_TYPE);
    const bool window = (s->type->traits & TYPE_WINDOW) != 0;
    const struct {
        bool broken;
        enum field at;
        enum rule kind;
        const char *text;
    } rules[] = {
#include "params/rules.def"
    };
    for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
        if (rules[i].broken && rules[i].kind == RULE_OF_TYPE)
            type_reject(c, s, rules[i].at, "%s", rules[i].text);
        else if (rules[i].broken && rules[i].kind == RULE_OF_VARIATION)
            complaints_add(c, s->at[rules[i].at], "%s, not '%s'", rules[i].text,
                           variation_info(s->variation)->name);
        else if (rules[i].broken)
            complaints_add(c, s->at[rules[i].at], "%s", rules[i].text);
}

/* Checks an application's messages, whose sizes are those of its table, or of case=. */
static void check_application(const struct suite *s, struct complaints *c)
{
    const struct application *a = s->type->application;
    const struct few_numbers *own = &s->options.own;
    if (a == NULL)
        return;
    if (datatype_find(s->send_datatype)->kind != DATATYPE_PREDEFINED ||
        datatype_find(s->receive_datatype)->kind != DATATYPE_PREDEFINED)
        type_reject(c, s, FIELD_SEND_DATATYPE, "has datatypes of its own; remove the datatype");
    if (own->count == 0)
        return;
    if (own->count != a->number_count)
        keys_reject(c, s, "case= of type '%s' needs %d number%s: %s", type_label_of(s->type),
                    a->number_count, plural(a->number_count), a->numbers);
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
    const struct suite **sorted;
    allocated_array(&sorted, p->suite_count);
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
    if (suite_varies(s, partner) && s->start_argument > 0)
        return s->start_argument < INT_MAX ? (int)s->start_argument + 1 : INT_MAX;
    if (!suite_varies(s, processes))
        return 2;
    long nodes = s->start_argument > 2 ? s->start_argument : 2;
    long step = s->multiple_of > 1 ? s->multiple_of : 1;
    nodes = nodes < INT_MAX - step ? (nodes + step - 1) / step * step : INT_MAX - 1;
    return (int)nodes;
}

static void check_root(const struct suite *s, int smallest_run, struct complaints *c)
{
    const struct suite_options *x = &s->options;
    if (x->root != ROOT_RANK && (s->type->pattern->traits & PATTERN_GLOBAL_CLOCK) == 0)
        keys_reject(c, s, "'root=%s' needs a synchronised operation; write 'Type = syncol_%s'",
                    x->root == ROOT_EACH ? "each" : "rotate", s->type->name);
    else if (x->root == ROOT_EACH && x->groups > 1)
        keys_reject(c, s, "'root=each' cannot be combined with groups; use 'root=rotate'");
    else if (x->root == ROOT_RANK && suite_varies(s, processes) && x->root_rank >= smallest_run)
        keys_reject(c, s,
                    "root %ld is not among the %d processes of the first row; use 'Start_Argument "
                    "= %ld' or a lower root",
                    x->root_rank, smallest_run, x->root_rank + 1);
}

/* Checks that another benchmark has the suite's quantity. */
static void check_other(const struct suite *s, struct complaints *c)
{
    const char *name = benchmark_name(s->options.as);
    LOCAL_TEXT types = { 0 };
    if (s->options.as == BY_ITSELF || other_of(s) != NULL)
        return;
    other_add_types(&types, s->options.as);
    type_reject(c, s, FIELD_PARAMETERS, "cannot be measured as by %s; %s can", name,
                text_get(&types));
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
    if (suite_varies(s, partitions) && s->end_argument > suite_most_partitions(p, s))
        complaints_add(c, s->at[FIELD_END],
                       "End_Argument %ld is more than the elements of the message: increase "
                       "Default_Message_length",
                       s->end_argument);
}

/* A process has one driver. */
static void check_drivers(const struct params *p, struct complaints *c)
{
    const struct suite *of_cuda = NULL, *of_hip = NULL;
    for (const struct suite *s = p->suites; s < p->suites + p->suite_count; s++) {
        unsigned kinds = suite_varies_memory(s) ? 0 : suite_memories(s);
        of_cuda = kinds & 1u << IN_CUDA ? s : of_cuda;
        of_hip = kinds & 1u << IN_HIP ? s : of_hip;
    }
    if (of_cuda != NULL && of_hip != NULL)
        keys_reject(c, of_cuda > of_hip ? of_cuda : of_hip,
                    "suites in memory of cuda and of hip cannot be in one run; "
                    "write two parameter files");
}

void checks_suites(const struct params *p, const struct gaps *gaps, struct complaints *c)
{
    for (const struct suite *s = p->suites; s < p->suites + p->suite_count; s++) {
        size_t errors = c->errors;
        check_variation(s, c);
        check_repetitions(p, s, c);
        check_rules(s, c);
        one_sided_check(p, s, c);
        check_application(s, c);
        pairing_check(s, c);
        spread_check(s, c);
        check_other(s, c);
        if (!gaps->datatypes)
            check_partitions(p, s, c);
        check_root(s, smallest_run(s), c);
        if (suite_arguments(s) != ARGUMENTS_NONE)
            check_ends(s, c);
        if (!gaps->topologies)
            topology_check(p, s, c);
        if (!gaps->datatypes)
            datatypes_check(p, s, c);
        if (!gaps->any && c->errors == errors)
            memory_check(p, s, smallest_run(s), c);
    }
    check_drivers(p, c);
    check_labels(p, c);
}
