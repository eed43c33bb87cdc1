#include "params/checks.h"

#include "model/others.h"
#include "model/parameters.h"
#include "params/tables.h"

static enum cache_mode cache_of(enum data_regime data)
{
    return data == DATA_COLD ? CACHE_COLD : CACHE_WARM;
}

/* The regime of data that are not cold: that of the file, or kept. */
static enum data_regime data_of(enum cache_mode cache, enum data_regime usual)
{
    if (cache == CACHE_COLD)
        return DATA_COLD;
    return usual == DATA_COLD ? DATA_KEPT : usual;
}

#define SAME "cold data and a cold cache are the same; leave one of them out"

void regime_check(const struct params *p, const size_t *at, struct complaints *c)
{
    size_t data = section_place(at, "@DATA"), cache = section_place(at, "@CACHE");
    if (data != SECTION_MISSING && cache != SECTION_MISSING && cache_of(p->data) != p->cache)
        complaints_add(c, data, "'@DATA %s' contradicts '@CACHE %s': " SAME, data_names[p->data],
                       cache_names[p->cache]);
}

void regime_join(struct params *p, const size_t *at)
{
    if (section_place(at, "@DATA") == SECTION_MISSING)
        p->data = data_of(p->cache, p->data);
    p->cache = cache_of(p->data);
}

/* Other benchmarks send the same data again. */
static int join_other(struct suite_options *x, const bool *written, const struct value_input *in)
{
    bool data = written[OPTION_DATA] || written[OPTION_CACHE];
    if (x->as == BY_ITSELF)
        return 0;
    if (data && x->data != DATA_KEPT)
        return complaints_add(in->complaints, in->from,
                              "'data=%s' contradicts 'as': %s sends data that never change",
                              data_names[x->data], benchmark_name(x->as));
    x->data = DATA_KEPT;
    x->cache = cache_of(x->data);
    return 0;
}

int other_join_suite(struct suite *s, bool cut_written, const struct value_input *in)
{
    if (s->options.as == BY_ITSELF)
        return 0;
    if (cut_written && s->cut_quantile > 0.0)
        return complaints_add(in->complaints, s->at[FIELD_CUT_QUANTILE],
                              "'as' needs the mean of all repetitions: remove Cut_Quantile");
    s->cut_quantile = 0.0;
    return 0;
}

/* Types whose messages must be in the host's memory have it, whatever @BUFFERS_IN says, unless the
 * suite says otherwise. */
static void join_memories(struct suite *s, const bool *written)
{
    struct suite_options *x = &s->options;
    bool one_sided = s->type != NULL && (s->type->traits & TYPE_ONE_SIDED) != 0;
    bool of_library = one_sided && (x->memory == MEMORY_ALLOCATE || x->memory == MEMORY_SHARED);
    bool has = s->type != NULL && type_has_option(s->type, OPTION_SEND_IN);
    if (!written[OPTION_SEND_IN] && (!has || of_library))
        x->send_in = IN_HOST;
}

int regime_join_suite(struct suite *s, const bool *written, const struct value_input *in)
{
    struct suite_options *x = &s->options;
    bool data = written[OPTION_DATA], cache = written[OPTION_CACHE];
    join_memories(s, written);
    if (data && cache && cache_of(x->data) != x->cache)
        return complaints_add(in->complaints, in->from, "'data=%s' contradicts 'cache=%s': " SAME,
                              data_names[x->data], cache_names[x->cache]);
    if (cache && !data)
        x->data = data_of(x->cache, x->data);
    x->cache = cache_of(x->data);
    if (join_other(x, written, in) != 0)
        return -1;
    if (x->data != DATA_KEPT && written[OPTION_PACED] && !x->paced)
        return complaints_add(in->complaints, in->from,
                              "'paced=no' contradicts 'data=%s': only kept data are sent unpaced",
                              data_names[x->data]);
    x->paced = x->paced || x->data != DATA_KEPT;
    if (s->type != NULL && (s->type->traits & TYPE_ONE_SIDED) != 0 && !written[OPTION_WINDOW])
        x->window = 1;
    return 0;
}
