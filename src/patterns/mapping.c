#include "patterns/mapping.h"

#include "context/topology.h"
#include "model/topology_rules.h"
#include "results/fact.h"

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
        text_add(out, "\n%d %d %s", rank, r->processes[rank], places[r->processes[rank]].host);
}

void mapping_note(const struct run *r, bool everything, struct text *out)
{
    const struct topology *t = suite_topology(r->params, r->suite);
    if (t == NULL)
        return;
    struct text value = { 0 };
    bool shown = everything || !in_order(r);
    topology_describe(t, r->size, &value);
    if (r->size < r->machine->size)
        text_add(&value, ", the first of %d", r->machine->size);
    if (shown) {
        text_add(&value, ": rank process host");
        add_ranks(r, &value);
    }
    fact_add(out, FACT_TOPOLOGY, text_get(&value));
    out->failed = out->failed || value.failed;
    text_release(&value);
}
