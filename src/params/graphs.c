#include "params/graphs.h"

#include <stdlib.h>

/* Takes "[1 2]". */
static int read_neighbours(struct topology_reading *r)
{
    size_t offset = cursor_place(r->k);
    if (cursor_expect(r->k, '[', "'[' before a process's neighbours") != 0)
        return -1;
    while (!cursor_take(r->k, ']')) {
        if (cursor_at_end(r->k))
            return cursor_expected(r->k, "']' after a process's neighbours");
        if (topology_read_process(r, "a neighbour") != 0)
            return -1;
    }
    return topology_add(r, &r->ends, (long)r->values.count, offset);
}

static int neighbours_exist(struct topology_reading *r)
{
    int rc = 0;
    for (size_t i = 0; i < r->values.count; i++) {
        const struct number *n = &r->values.list[i];
        if ((size_t)n->value < r->ends.count)
            continue;
        complaints_add(r->k->complaints, n->offset,
                       "process %d does not exist: the graph has %zu process%s", n->value,
                       r->ends.count, r->ends.count == 1 ? "" : "es");
        rc = -1;
    }
    return rc;
}

/* One direction of an edge. The other direction must exist. */
struct edge {
    int from, to;
};

static int by_ends(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static struct edge *edges_new(const struct topology_reading *r)
{
    struct edge *edges = malloc((r->values.count + 1) * sizeof(*edges));
    size_t i = 0;
    if (edges == NULL)
        return NULL;
    for (size_t process = 0; process < r->ends.count; process++)
        for (; i < (size_t)r->ends.list[process].value; i++)
            edges[i] = (struct edge){ (int)process, r->values.list[i].value };
    return edges;
}

/* MPI requires an edge back for every edge of MPI_Graph_create (manual 2.1.9). */
static int edges_lead_back(struct topology_reading *r)
{
    size_t count = r->values.count;
    int rc = 0;
    struct edge *sorted = edges_new(r), *edges = edges_new(r);
    if (sorted == NULL || edges == NULL) {
        rc = topology_no_memory(r);
        goto out;
    }
    qsort(sorted, count, sizeof(*sorted), by_ends);
    for (size_t i = 0; i < count; i++) {
        struct edge back = { edges[i].to, edges[i].from };
        if (bsearch(&back, sorted, count, sizeof(*sorted), by_ends) != NULL)
            continue;
        complaints_add(
            r->k->complaints, r->values.list[i].offset,
            "process %d lists %d as a neighbour, but %d does not list %d; write Directed "
            "instead of Graph if edges have one direction",
            back.to, back.from, back.from, back.to);
        rc = -1;
    }
out:
    free(sorted);
    free(edges);
    return rc;
}

static int read_all(struct topology_reading *r)
{
    do
        if (read_neighbours(r) != 0)
            return -1;
    while (!cursor_at_end(r->k));
    r->t->count = (int)r->ends.count;
    return neighbours_exist(r);
}

int directed_read(struct topology_reading *r)
{
    return read_all(r);
}

int graph_read(struct topology_reading *r)
{
    return read_all(r) != 0 ? -1 : edges_lead_back(r);
}
