#include "model/layouts.h"
#include "model/parameters.h"

static bool sends_empty_messages(const struct params *p, const struct suite *s)
{
    return (s->type->traits & TYPE_HAS_LENGTH) != 0 &&
           suite_setting(s, 0, s->start_argument).length == 0;
}

static bool sends_derived(const struct params *p, const struct suite *s)
{
    return s->options.method != METHOD_CONTIGUOUS &&
           (layout_is_derived(p, s->send_datatype, s->send_basetype) ||
            layout_is_derived(p, s->receive_datatype, s->receive_basetype));
}

static bool sends_subarrays(const struct params *p, const struct suite *s)
{
    return p->blocks > 1 &&
           (s->send_datatype == DATATYPE_SUBARRAY || s->receive_datatype == DATATYPE_SUBARRAY);
}

/* Are parts at most as long as the memory for one that is sent and two that are received? */
static bool has_long_parts(const struct params *p, const struct suite *s)
{
    const char *collective = s->type->collective;
    if (collective == NULL || strcmp(collective, "allgatherv") != 0)
        return false;
    long longest = suite_setting(s, 0, s->end_argument).length;
    long most = 1024L * p->memory_kib / 3;
    long element = (long)layout_of(p, s->send_datatype, s->send_basetype, 1).size;
    if (longest == MAX_VALUE || longest > most)
        longest = most;
    return longest > INT_MAX * element;
}

static bool needs_gpu(const struct params *p, const struct suite *s)
{
    return suite_memories(s) != 1u << IN_HOST || suite_varies_memory(s);
}

static bool has_threads(const struct params *p, const struct suite *s)
{
    return suite_has_threads(s);
}

static const struct capability_info rows[] = {
#define CAPABILITY(constant, value, calls, ...) { NEEDS_##constant, __VA_ARGS__ },
#include "model/capabilities.def"
};
enum { ROWS = sizeof(rows) / sizeof(*rows) };

const struct capability_info *capability_get(size_t i)
{
    return i < ROWS ? &rows[i] : NULL;
}

const struct capability_info *capability_first(unsigned bits)
{
    for (size_t i = 0; i < ROWS; i++)
        if ((rows[i].bit & bits) != 0)
            return &rows[i];
    return NULL;
}

unsigned suite_needs(const struct params *p, const struct suite *s)
{
    const struct topology *t = suite_topology(p, s);
    unsigned needs = s->type->needs | NEEDS_SUBARRAYS | NEEDS_GPU | NEEDS_THREADS;
    if (t != NULL && topology_is_graph(t))
        needs |= NEEDS_GRAPHS;
    if (s->options.language == LANGUAGE_FORTRAN)
        needs |= NEEDS_FORTRAN;
    if (s->options.counts == COUNTS_C)
        needs |= NEEDS_LARGE_COUNTS | NEEDS_LONG_PARTS;
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].only_if != NULL && !rows[i].only_if(p, s))
            needs &= ~(unsigned)rows[i].bit;
    return needs;
}
