#include "model/topology_rules.h"

#include "base/complaints.h"
#include "model/parameters.h"

const struct topology *suite_topology(const struct params *p, const struct suite *s)
{
    return s->topology == 0 ? NULL : &p->topologies[s->topology];
}

static bool is_fixed(const struct topology *t)
{
    return t->count > 0 && t->kind != TOPOLOGY_CARTESIAN;
}

int topology_processes(const struct params *p, const struct suite *s, int processes)
{
    const struct topology *t = suite_topology(p, s);
    return t != NULL && is_fixed(t) ? t->count : suite_processes(s, processes);
}

bool topology_is_graph(const struct topology *t)
{
    return t->kind == TOPOLOGY_GRAPH || t->kind == TOPOLOGY_DIRECTED;
}

struct edges topology_targets(const struct topology *t, int rank)
{
    int begin = rank == 0 ? 0 : t->ends[rank - 1];
    return (struct edges){ t->values + begin, t->ends[rank] - begin };
}

struct edges topology_sources(const struct topology *t, int rank)
{
    if (t->sources == NULL)
        return topology_targets(t, rank);
    int begin = rank == 0 ? 0 : t->source_ends[rank - 1];
    return (struct edges){ t->sources + begin, t->source_ends[rank] - begin };
}

int topology_neighbours(const struct topology *t)
{
    int dimensions = t->kind == TOPOLOGY_CARTESIAN ? t->count : 0, most = 0;
    if (!topology_is_graph(t))
        return 2 * (dimensions < MAX_DIMENSIONS ? dimensions : MAX_DIMENSIONS);
    for (int i = 0; i < t->count; i++) {
        int out = topology_targets(t, i).count, in = topology_sources(t, i).count;
        most = out > most ? out : most;
        most = in > most ? in : most;
    }
    return most;
}

void topology_find_sources(struct topology *t)
{
    size_t edges = (size_t)t->ends[t->count - 1], n = 0;
    int *next;
    allocated_array(&t->sources, edges);
    allocated_array(&t->source_ends, (size_t)t->count);
    allocated_array(&next, (size_t)t->count);
    for (size_t i = 0; i < edges; i++)
        next[t->values[i] + 1]++;
    for (int i = 0; i < t->count; i++)
        t->source_ends[i] = next[i + 1] += next[i];
    for (int from = 0; from < t->count; from++)
        for (; n < (size_t)t->ends[from]; n++)
            t->sources[next[t->values[n]]++] = from;
    free(next);
}

static void check_size(const struct suite *s, const struct topology *t, struct complaints *c)
{
    size_t at = s->at[FIELD_TOPOLOGY];
    if (t->kind == TOPOLOGY_CARTESIAN && t->count > MAX_DIMENSIONS)
        complaints_add(c, at, "'@TOPOLOGY%d' has %d dimensions, the maximum is %d", s->topology,
                       t->count, MAX_DIMENSIONS);
    if (!is_fixed(t))
        return;
    if (t->count < 2)
        complaints_add(c, at, "'@TOPOLOGY%d' has one process, a measurement needs two",
                       s->topology);
    if (suite_varies(s, processes))
        complaints_add(c, at,
                       "'@TOPOLOGY%d' is for %d processes, it cannot be combined with "
                       "'Variation = Nodes'",
                       s->topology, t->count);
}

static void check_grid(const struct suite *s, const struct topology *t, struct complaints *c)
{
    if ((s->type->traits & TYPE_GRID) == 0)
        return;
    if (topology_is_graph(t))
        complaints_add(c, s->at[FIELD_TOPOLOGY],
                       "'%s' goes along the dimensions of a grid, '@TOPOLOGY%d' is a Graph",
                       s->type->name, s->topology);
    if (t->kind == TOPOLOGY_CARTESIAN && t->count == 1 && s->options.y_distance != 0)
        complaints_add(c, s->at[FIELD_TOPOLOGY],
                       "y_distance %d needs a second dimension, '@TOPOLOGY%d' has one",
                       s->options.y_distance, s->topology);
}

static void check_neighbours(const struct suite *s, const struct topology *t, struct complaints *c)
{
    bool has = t != NULL && (t->kind == TOPOLOGY_CARTESIAN || topology_is_graph(t));
    if ((s->type->traits & TYPE_NEIGHBOURS) != 0 && !has)
        complaints_add(c, s->at[FIELD_TOPOLOGY],
                       "'%s' needs the neighbours of a virtual topology, Cartesian, Graph or "
                       "Directed",
                       s->type->name);
}

void topology_check(const struct params *p, const struct suite *s, struct complaints *c)
{
    const struct topology *t = suite_topology(p, s);
    if (t == NULL) {
        check_neighbours(s, t, c);
    } else if (t->kind == TOPOLOGY_NONE) {
        complaints_add(c, s->at[FIELD_TOPOLOGY], "'@TOPOLOGY%d' is not defined", s->topology);
    } else if ((s->type->pattern->traits & PATTERN_TOPOLOGY) == 0) {
        complaints_add(c, s->at[FIELD_TOPOLOGY],
                       "pattern '%s' cannot be measured on a virtual topology",
                       s->type->pattern->prefix);
    } else {
        check_size(s, t, c);
        check_grid(s, t, c);
        check_neighbours(s, t, c);
    }
}

void topology_check_graph(const struct params *p, const struct suite *s, struct complaints *c)
{
    const struct topology *t = suite_topology(p, s);
    if (t != NULL && t->file != NULL)
        check_size(s, t, c);
}

void topology_check_processes(const struct params *p, const struct suite *s, int processes,
                              struct complaints *c)
{
    int needed = topology_processes(p, s, processes);
    if (needed > processes)
        complaints_add(c, s->at[FIELD_TOPOLOGY],
                       "'@TOPOLOGY%d' is for %d processes, this run has %d", s->topology, needed,
                       processes);
}
