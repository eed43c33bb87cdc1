#include "model/capabilities.h"

#include "model/topology_rules.h"

static const struct capability_info rows[] = {
    { NEEDS_GRAPHS, "the MPI library lacks graph topologies", false },
    { NEEDS_NEIGHBOURHOODS, "the MPI library lacks neighbourhood collectives", false },
    { NEEDS_EMPTY_REPLACE, "the MPI library lacks MPI_Sendrecv_replace of empty messages", true },
    { NEEDS_PERSISTENT_COLLECTIVES, "the MPI library lacks persistent collectives", false },
    { NEEDS_PERSISTENT_GATHERS,
      "MPI_Gather_init, MPI_Scatter_init and MPI_Allgather_init of the MPI library deliver wrong "
      "data",
      false },
    { NEEDS_FILES, "the MPI library lacks files (MPI-IO)", false },
    { NEEDS_FORTRAN, "this program was built without a Fortran compiler", false },
};

size_t capability_count(void)
{
    return sizeof(rows) / sizeof(rows[0]);
}

const struct capability_info *capability_get(size_t i)
{
    return &rows[i];
}

const struct capability_info *capability_first(unsigned bits)
{
    for (size_t i = 0; i < capability_count(); i++)
        if ((rows[i].bit & bits) != 0)
            return &rows[i];
    return NULL;
}

static bool sends_empty_messages(const struct suite *s)
{
    long shortest = s->variation == VARY_LENGTH ? s->start_argument : s->default_length_bytes;
    return (s->type->traits & TYPE_HAS_LENGTH) != 0 && shortest == 0;
}

unsigned suite_needs(const struct params *p, const struct suite *s)
{
    const struct topology *t = suite_topology(p, s);
    unsigned needs = s->type->needs;
    if (t != NULL && topology_is_graph(t))
        needs |= NEEDS_GRAPHS;
    if (s->options.language == LANGUAGE_FORTRAN)
        needs |= NEEDS_FORTRAN;
    for (size_t i = 0; i < capability_count(); i++)
        if (rows[i].only_if_empty && !sends_empty_messages(s))
            needs &= ~(unsigned)rows[i].bit;
    return needs;
}
