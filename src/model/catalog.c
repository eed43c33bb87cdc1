#include "model/suite.h"

#define SET(member) .set = offsetof(struct setting, member)

static const struct variation_info variation_rows[VARIATION_COUNT] = {
#define VARIATION(constant, largest, ...) [VARY_##constant] = { __VA_ARGS__ },
#include "model/variations.def"
};

const char *variation_word(enum variation variation)
{
    const struct variation_info *v = variation_info(variation);
    return v->word != NULL ? v->word : v->axis;
}

const struct variation_info *variation_info(enum variation variation)
{
    return &variation_rows[variation];
}

const char *scale_name(size_t scale)
{
    static const char *const names[] = {
        [SCALE_FIXED_LINEAR] = "Fixed_linear",
        [SCALE_FIXED_LOG] = "Fixed_log",
        [SCALE_DYNAMIC_LINEAR] = "Dynamic_linear",
        [SCALE_DYNAMIC_LOG] = "Dynamic_log",
        NULL,
    };
    return names[scale];
}

bool scale_is_log(enum scale scale)
{
    return scale == SCALE_FIXED_LOG || scale == SCALE_DYNAMIC_LOG;
}

bool scale_is_dynamic(enum scale scale)
{
    return scale == SCALE_DYNAMIC_LINEAR || scale == SCALE_DYNAMIC_LOG;
}

static int by_number(const void *number, const void *type)
{
    const int *x = number, y = ((const struct type_info *)type)->number;
    return (*x > y) - (*x < y);
}

const struct type_info *catalog_find(const struct catalog *c, int number)
{
    return c->count == 0 ? NULL
                         : bsearch(&number, c->types, c->count, sizeof(*c->types), by_number);
}

bool catalog_has_first(const struct catalog *c, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (c->types[k].pattern == c->types[i].pattern)
            return false;
    return true;
}

const char *type_label(const struct type_info *type, char buffer[static TYPE_LABEL_SIZE])
{
    snprintf(buffer, TYPE_LABEL_SIZE, "%s_%s", type->pattern->prefix, type->name);
    return buffer;
}

const struct type_info *catalog_find_name(const struct catalog *c, const char *name)
{
    for (const struct type_info *type = c->types; type < c->types + c->count; type++) {
        size_t len = strlen(type->pattern->prefix);
        if (strlen(name) > len && name[len] == '_' &&
            text_same_n(name, len, type->pattern->prefix) && text_same(name + len + 1, type->name))
            return type;
    }
    return NULL;
}

static bool has_key(const enum suite_option *keys, enum suite_option key)
{
    for (; keys != NULL && *keys != OPTIONS_END; keys++)
        if (*keys == key)
            return true;
    return false;
}

bool type_varies(const struct type_info *type, enum variation variation)
{
    enum suite_option key = variation_info(variation)->key;
    bool length = variation == VARY_LENGTH, has_length = (type->traits & TYPE_HAS_LENGTH) != 0;
    if (type->application != NULL || (length && !has_length))
        return length && has_length;
    if (key != 0)
        return type_has_option(type, key);
    if (length && (type->traits & TYPE_COPIES_BYTES) != 0)
        return true;
    return (type->pattern->variations & 1u << variation) != 0;
}

const struct extra_info *type_extra(const struct type_info *type)
{
    static const struct extra_info none = { NULL, NULL, NULL };
    if (type->extra != NULL)
        return type->extra;
    return type->pattern->extra != NULL ? type->pattern->extra : &none;
}

/* Are its messages in buffers that can be in other memory than the host's? An application's loops,
 * files, connections, attached buffers and datatypes that are built are the host's. */
static bool has_free_buffers(const struct type_info *type)
{
    const struct lengths *attached = &type->attached;
    return (type->traits & TYPE_HAS_LENGTH) != 0 && type->application == NULL &&
           (type->traits & (TYPE_FILE | TYPE_BUILDS | TYPE_TCP)) == 0 &&
           attached->once + attached->per_process == 0;
}

/* Can its messages be copied by hand? Nothing else may happen between the first and the last. */
static bool can_be_staged(const struct type_info *type)
{
    const unsigned others = TYPE_ONE_SIDED | TYPE_COPIES_BYTES | TYPE_WINDOW;
    return has_free_buffers(type) && (type->traits & others) == 0 &&
           (type->pattern->traits & PATTERN_STAGES) != 0 &&
           !has_key(type->options, OPTION_PARTITIONS);
}

static bool has_for_messages(const struct type_info *type, enum suite_option key)
{
    bool reduces = (type->traits & TYPE_REDUCES) != 0;
    bool parts = type->send.per_process > 0 || type->receive.per_process > 0;
    switch (key) {
    case OPTION_OP:
        return reduces && (type->traits & TYPE_SWAPS) == 0;
    case OPTION_ELEM:
        return reduces;
    case OPTION_LENGTH_IS:
        return parts && type_varies(type, VARY_NODES) && type_varies(type, VARY_LENGTH) &&
               (type->traits & TYPE_NEIGHBOURS) == 0;
    case OPTION_ROOT:
        return (type->traits & TYPE_ROOTED) != 0;
    case OPTION_WINDOW:
    case OPTION_BUFFERS:
        return (type->traits & TYPE_WINDOW) != 0;
    case OPTION_SEND_IN:
        return has_free_buffers(type);
    case OPTION_RECEIVE_IN:
        return has_free_buffers(type) && type->receive.once + type->receive.per_process > 0 &&
               (type->traits & TYPE_ONE_SIDED) == 0;
    case OPTION_IN_PLACE:
        return type->in_place != NEVER_IN_PLACE;
    case OPTION_STAGED:
        return can_be_staged(type);
    case OPTION_THREADS:
    case OPTION_THREAD_COMM:
        return type_threads_misfit(type) == NULL;
    default:
        return false;
    }
}

const char *type_threads_misfit(const struct type_info *type)
{
    const struct {
        bool broken;
        const char *why;
    } rules[] = {
        { (type->traits & TYPE_FILE) != 0, "the threads of a process would share a file" },
        { type->application != NULL, "the arrays of an application are those of one thread" },
        { (type->traits & TYPE_ONE_SIDED) != 0, "the threads of a process would share a window" },
        { (type->traits & TYPE_MAKES) != 0,
          "MPI libraries crash if threads make communicators at the same time" },
        { (type->traits & TYPE_TCP) != 0, "the threads of a process would share a connection" },
        { has_key(type->options, OPTION_PARTITIONS),
          "the partitions of a message become ready one after the other" },
        { (type->pattern->traits & PATTERN_LOCAL) != 0, "only one process works, with one thread" },
        { (type->pattern->traits & PATTERN_THREADS) == 0,
          "threads are for point-to-point, pairs and collectives" },
    };
    for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
        if (rules[i].broken)
            return rules[i].why;
    return NULL;
}

bool type_has_option(const struct type_info *type, enum suite_option key)
{
    static const enum suite_option all[] = { OPTION_CACHE,     OPTION_ERROR, OPTION_DATA,
                                             OPTION_HISTOGRAM, OPTION_RAW,   OPTION_OUTLIERS,
                                             OPTION_ARGUMENTS, OPTIONS_END };
    static const enum suite_option passes[] = { OPTION_PASSES, OPTION_ESTIMATE, OPTION_PLACING,
                                                OPTION_WARMUP, OPTIONS_END };
    static const enum suite_option tuned[] = { OPTION_ALGORITHM, OPTION_SEGMENT, OPTION_FANOUT,
                                               OPTION_PROCESSES, OPTIONS_END };
    static const enum suite_option unphased[] = { OPTION_LOOP, OPTION_GROUPS, OPTION_LAYOUT,
                                                  OPTIONS_END };
    bool internal = (type->pattern->traits & PATTERN_PER_PROCESS) != 0;
    bool single = (type->traits & TYPE_SINGLE) != 0, phases = (type->traits & TYPE_PHASES) != 0;
    if (has_key(type->options, key) || has_key(all, key) || has_for_messages(type, key))
        return true;
    if (has_key(tuned, key))
        return type->collective != NULL;
    if (has_key(passes, key)) /* internal measurements have no arguments to measure in turn */
        return !internal;
    if ((single && key == OPTION_LOOP) || (phases && has_key(unphased, key)))
        return false;
    return has_key(type->pattern->options, key);
}
