#include "params/checks.h"

#include "model/parameters.h"
#include "params/tables.h"

void memories_join_suite(struct suite *s, const bool *written)
{
    struct suite_options *x = &s->options;
    bool one_sided = s->type != NULL && (s->type->traits & TYPE_ONE_SIDED) != 0;
    bool of_library = one_sided && (x->memory == MEMORY_ALLOCATE || x->memory == MEMORY_SHARED);
    bool has = s->type != NULL && type_has_option(s->type, OPTION_SEND_IN);
    if (!written[OPTION_SEND_IN] && (!has || of_library))
        x->send_in = IN_HOST;
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

void memories_check(const struct params *p, struct complaints *c)
{
    check_drivers(p, c);
}
