#include "patterns/mapping.h"

#include "context/topology.h"
#include "model/topology_rules.h"

static bool in_order(const struct run *r)
{
    for (int rank = 0; rank < r->size; rank++)
        if (r->processes[rank] != rank)
            return false;
    return true;
}

static void add_ranks(const struct run *r, struct text *out)
{
    const struct place_of_rank *places = r->machine->hosts.ranks;
    for (int rank = 0; rank < r->size; rank++)
        text_add(out, "# %d %d %s\n", rank, r->processes[rank], places[r->processes[rank]].host);
}

void mapping_note(const struct run *r, bool everything, struct text *out)
{
    const struct topology *t = suite_topology(r->params, r->suite);
    if (t == NULL)
        return;
    bool shown = everything || !in_order(r);
    text_add(out, "#@TOPOLOGY ");
    topology_describe(t, r->size, out);
    if (r->size < r->machine->size)
        text_add(out, ", the first of %d", r->machine->size);
    text_add(out, shown ? ": rank process host\n" : "\n");
    if (shown)
        add_ranks(r, out);
}
