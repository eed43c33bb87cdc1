#include "context/measurement.h"

#include "results/fact.h"

/* Makes a communicator of the first processes, in their order or permuted. */
static MPI_Comm take_first(const struct topology *t, MPI_Comm world, int processes)
{
    MPI_Comm first;
    int rank = rank_in(world);
    bool takes_part = rank < processes;
    bool permuted = takes_part && t != NULL && t->kind == TOPOLOGY_REORDER;
    int place = permuted ? t->values[rank] : rank;
    MPI_Comm_split(world, takes_part ? 0 : MPI_UNDEFINED, place, &first);
    return first;
}

static void factor(const struct topology *t, int processes, int dims[MAX_DIMENSIONS])
{
    for (int i = 0; i < t->count; i++)
        dims[i] = 0;
    MPI_Dims_create(processes, t->count, dims);
}

static MPI_Comm make_cartesian(const struct topology *t, MPI_Comm first, int processes)
{
    int dims[MAX_DIMENSIONS];
    MPI_Comm made;
    factor(t, processes, dims);
    MPI_Cart_create(first, t->count, dims, t->values, t->reorder, &made);
    return made;
}

static MPI_Comm make_graph(const struct topology *t, MPI_Comm first, int processes)
{
    MPI_Comm made;
    MPI_Graph_create(first, processes, t->ends, t->values, t->reorder, &made);
    return made;
}

/* Makes a directed graph; with reordering, ranks are those of the result. */
static MPI_Comm make_directed(const struct topology *t, MPI_Comm first, int processes)
{
    int rank = rank_in(first);
    MPI_Comm made;
    struct edges in = topology_sources(t, rank), out = topology_targets(t, rank);
    MPI_Dist_graph_create_adjacent(first, in.count, in.ranks, MPI_UNWEIGHTED, out.count, out.ranks,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, t->reorder, &made);
    return made;
}

/* "4 x 4" and "yes no". */
static void add_dimensions(const struct topology *t, int processes, struct text *sizes,
                           struct text *periodic)
{
    int dims[MAX_DIMENSIONS];
    factor(t, processes, dims);
    for (int i = 0; i < t->count; i++) {
        text_add(sizes, "%s%d", i == 0 ? "" : " x ", dims[i]);
        text_add(periodic, i == 0 ? "" : " ");
        text_add(periodic, t->values[i] ? "yes" : "no");
    }
}

/* make: creates the topology from the first processes' communicator; NULL: no topology. */
static const struct kind_row {
    const char *name;
    MPI_Comm (*make)(const struct topology *t, MPI_Comm first, int processes);
} kind_rows[] = {
    [TOPOLOGY_CARTESIAN] = { "Cartesian", make_cartesian },
    [TOPOLOGY_GRAPH] = { "Graph", make_graph },
    [TOPOLOGY_DIRECTED] = { "Directed graph", make_directed },
    [TOPOLOGY_REORDER] = { "Reorder", NULL },
};

/* Describes the topology; the columns follow if the ranks are listed. */
static void describe(const struct topology *t, int processes, int all, bool listed,
                     struct text *value)
{
    bool is_grid = t->kind == TOPOLOGY_CARTESIAN;
    LOCAL_TEXT sizes = { 0 }, periodic = { 0 };
    if (is_grid)
        add_dimensions(t, processes, &sizes, &periodic);
    fact_fill(value, FACT_TOPOLOGY, { .text = is_grid ? text_get(&sizes) : NULL },
              { .text = text_get(&periodic) }, { .text = kind_rows[t->kind].name },
              { .number = processes },
              { .number = t->kind == TOPOLOGY_DIRECTED ? (double)t->ends[t->count - 1] : NAN },
              { .text = is_grid && !t->reorder ? "NOREORDER" : NULL },
              { .number = processes < all ? (double)all : NAN },
              { .text = listed ? "rank process host" : NULL });
}

MPI_Comm topology_comm(const struct topology *t, MPI_Comm world, int processes)
{
    MPI_Comm first = take_first(t, world, processes);
    if (first == MPI_COMM_NULL || t == NULL || kind_rows[t->kind].make == NULL)
        return first;
    MPI_Comm made = kind_rows[t->kind].make(t, first, processes);
    MPI_Comm_free(&first);
    return made;
}

void mapping_note(const struct measurement *m, bool everything, struct text *out)
{
    const struct topology *t = suite_topology(m->params, m->suite);
    if (t == NULL)
        return;
    struct text value = { 0 };
    bool shown = everything;
    for (int rank = 0; rank < m->all.size; rank++)
        shown = shown || m->processes[rank] != rank;
    describe(t, m->all.size, m->resources->size, shown, &value);
    for (int rank = 0; rank < m->all.size && shown; rank++)
        fact_fill(&value, FACT_TOPOLOGY, { .number = rank }, { .number = m->processes[rank] },
                  { .text = m->resources->hosts.ranks[m->processes[rank]].host });
    fact_add_text(out, FACT_TOPOLOGY, &value);
}
