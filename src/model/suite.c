#include "model/parameters.h"

const struct memory_info *memory_info(enum memory_kind kind)
{
    static const struct memory_info rows[MEMORY_KINDS] = {
#define MEMORY(constant, ...) [IN_##constant] = { __VA_ARGS__ },
#include "model/memories.def"
    };
    return &rows[kind];
}

bool memory_is_of_gpu(enum memory_kind kind)
{
    return kind != IN_HOST && kind != IN_PINNED;
}

enum arguments suite_arguments(const struct suite *s)
{
    return variation_info(s->variation)->kind;
}

bool suite_sets(const struct suite *s, size_t member)
{
    const struct variation_info *v = variation_info(s->variation);
    return v->kind != ARGUMENTS_NONE && v->set == member;
}

struct setting suite_setting(const struct suite *s, int processes, long argument)
{
    struct setting at = { .processes = processes,
                          .chunks = (int)s->default_chunks,
                          .window = s->options.window,
                          .work = s->options.work,
                          .spread = (int)s->options.spread_number,
                          .algorithm = s->algorithms.number,
                          .partitions = s->options.partitions,
                          .send_in = (int)s->options.send_in,
                          .receive_in = (int)s->options.receive_in,
                          .threads = s->options.threads,
                          .length = s->default_length_bytes };
    if (suite_varies(s, length))
        at.length = argument;
    else if (suite_arguments(s) != ARGUMENTS_NONE)
        *(int *)((char *)&at + variation_info(s->variation)->set) =
            argument < INT_MAX ? (int)argument : INT_MAX;
    return at;
}

bool suite_doubles(const struct suite *s)
{
    return suite_varies(s, partner) && s->options.neighbours != NEIGHBOURS_RING;
}

bool suite_has_list(const struct suite *s)
{
    return s->options.arguments.count > 0 && suite_arguments(s) == ARGUMENTS_NUMBERS &&
           s->type->application == NULL && !suite_doubles(s);
}

enum scale suite_scale(const struct suite *s)
{
    if (suite_arguments(s) == ARGUMENTS_PAIRS)
        return SCALE_FIXED_LINEAR;
    if (suite_has_list(s))
        return scale_is_log(s->scale) ? SCALE_FIXED_LOG : SCALE_FIXED_LINEAR;
    return suite_doubles(s) ? SCALE_FIXED_LOG : s->scale;
}

double suite_stepwidth(const struct suite *s)
{
    if (suite_arguments(s) == ARGUMENTS_PAIRS)
        return 1.0;
    return suite_doubles(s) ? 2.0 : s->stepwidth;
}

const char *variant_text(enum variant variant)
{
    static const char *const texts[VARIANT_COUNT] = {
        [VARIANT_OTHER] = "as=osu or imb",      [VARIANT_TOGETHER] = "enter=together",
        [VARIANT_MATRIX] = "Variation = Pairs", [VARIANT_GROUPS] = "groups above 1",
        [VARIANT_EACH_ROOT] = "root=each",
    };
    return texts[variant];
}

const struct pattern_info *suite_pattern(const struct suite *s)
{
    const struct pattern_info *pattern = s->type->pattern;
    const bool holds[VARIANT_COUNT] = {
        [VARIANT_OTHER] = s->options.as != BY_ITSELF,
        [VARIANT_TOGETHER] = s->options.enter == ENTER_TOGETHER,
        [VARIANT_MATRIX] = suite_arguments(s) == ARGUMENTS_PAIRS,
        [VARIANT_GROUPS] = s->options.groups > 1,
        [VARIANT_EACH_ROOT] = s->options.root == ROOT_EACH,
    };
    for (enum variant v = 0; v < VARIANT_COUNT; v++)
        if (pattern->variants[v] != NULL && holds[v])
            return pattern->variants[v];
    return pattern;
}

const char *suite_file(const struct suite *s, enum named_file which)
{
    if (which == FILE_ARRIVALS)
        return s->options.arrival == ARRIVE_FILE ? s->options.arrival_file : NULL;
    bool named = s->options.pairs == PAIRS_FILE || s->options.spread == SPREAD_FILE;
    return named ? s->options.file : NULL;
}

const struct extra_info *suite_extra(const struct suite *s)
{
    const struct pattern_info *pattern = suite_pattern(s);
    return pattern != s->type->pattern && pattern->extra != NULL ? pattern->extra
                                                                 : type_extra(s->type);
}

int suite_calls(const struct suite *s)
{
    long long calls = (long long)s->options.loop * (s->type->calls > 0 ? s->type->calls : 1);
    return calls > MAX_LOOP ? MAX_LOOP : (int)calls;
}

bool suite_keeps_times(const struct suite *s)
{
    return s->options.histogram || s->options.raw;
}

bool suite_keeps_own_times(const struct suite *s)
{
    bool has_own = (suite_pattern(s)->traits & PATTERN_OWN_TIMES) != 0;
    return has_own && (s->node_times || suite_keeps_times(s));
}

const char *suite_label(const struct suite *s, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s%s_%s", s->topology == 0 ? "" : "vt", s->type->pattern->prefix,
             s->name);
    return buffer;
}

bool suite_has_threads(const struct suite *s)
{
    return suite_varies(s, threads) ? s->end_argument > 1 || s->end_argument == MAX_VALUE
                                    : s->options.threads > 1;
}

enum thread_level params_thread_level(const struct params *p)
{
    enum thread_level level = p->thread_level == LEVEL_AUTO ? LEVEL_SINGLE : p->thread_level;
    for (size_t i = 0; i < p->suite_count && p->thread_level == LEVEL_AUTO; i++)
        if (suite_has_threads(&p->suites[i]))
            level = LEVEL_MULTIPLE;
    return level;
}

bool params_use_threads(const struct params *p)
{
    return p->thread_level != LEVEL_AUTO || params_thread_level(p) != LEVEL_SINGLE;
}

bool params_are_timed(const struct params *p)
{
    return p->time_run_minutes > 0.0;
}

bool params_use_files(const struct params *p)
{
    for (size_t i = 0; i < p->suite_count; i++)
        if ((p->suites[i].type->traits & TYPE_FILE) != 0)
            return true;
    return false;
}

/* Operations that count elements themselves, and reductions, need the number of elements. */
bool type_counts_by(const struct type_info *t, enum counting counts)
{
    const unsigned by_element = TYPE_REDUCES | TYPE_FETCHES | TYPE_SWAPS;
    if (counts == COUNTS_TYPE)
        return (t->traits & by_element) == 0 && t->application == NULL &&
               !type_has_option(t, OPTION_SPREAD) && !type_has_option(t, OPTION_PARTITIONS);
    return counts == COUNTS_INT || (t->traits & TYPE_COUNTS) != 0;
}

int suite_processes(const struct suite *s, int processes)
{
    int below = processes;
    switch (s->options.processes) {
    case PROCESSES_NUMBER:
        return s->options.processes_number <= processes ? (int)s->options.processes_number : 0;
    case PROCESSES_BELOW:
        for (long i = 0; i < s->options.processes_number; i++) {
            int power = 1;
            while (2 * power < below)
                power *= 2;
            below = below > 1 ? power : 0;
        }
        return below;
    default:
        return processes;
    }
}

bool suite_varies_memory(const struct suite *s)
{
    return suite_varies(s, send_in) || suite_varies(s, receive_in);
}

unsigned suite_memories(const struct suite *s)
{
    const struct suite_options *x = &s->options;
    unsigned kinds =
        1u << x->send_in | 1u << (x->receive_in == IN_SAME ? x->send_in : x->receive_in);
    if (suite_varies_memory(s))
        for (size_t i = 0; i < s->algorithms.count; i++)
            kinds |= s->algorithms.list[i].misfit == NULL ? 1u << s->algorithms.list[i].number : 0;
    return kinds | (x->staged ? 1u << IN_PINNED : 0) | 1u << IN_HOST;
}

bool params_use_gpu(const struct params *p)
{
    for (size_t i = 0; i < p->suite_count; i++)
        if (p->suites[i].skip == NULL && suite_memories(&p->suites[i]) != 1u << IN_HOST)
            return true;
    return false;
}
