#include "params/topologies.h"

#include "base/grow.h"
#include "base/text.h"
#include "params/cursor.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

/* A number with its place, for later complaints. */
struct number {
    int value;
    size_t offset;
};

struct number_list {
    struct number *list; /* owned */
    size_t count;
    size_t capacity;
};

/* The state of the reader. */
struct topology_reading {
    struct topology *t;
    struct cursor *k;
    struct number_list values; /* to become t->values */
    struct number_list ends;   /* to become t->ends; the places of the opening brackets */
};

static int out_of_memory(struct topology_reading *r)
{
    complaints_add(r->k->complaints, r->t->offset, "out of memory for the topology");
    return -1;
}

static int numbers_add(struct topology_reading *r, struct number_list *n, long value, size_t offset)
{
    struct number *list = grow_for_one(n->list, n->count, &n->capacity, sizeof(*list));
    if (list == NULL)
        return out_of_memory(r);
    n->list = list;
    n->list[n->count++] = (struct number){ (int)value, offset };
    return 0;
}

/* Takes a process number into r->values. Returns -1 after a complaint. */
static int read_process(struct topology_reading *r, const char *what)
{
    const struct bounds bounds = { what, 0, INT_MAX };
    size_t offset = cursor_place(r->k);
    long value;
    if (cursor_number(r->k, &bounds, &value) != 0)
        return -1;
    return numbers_add(r, &r->values, value, offset);
}

static int read_periods(struct topology_reading *r)
{
    while (!cursor_at_end(r->k)) {
        struct word w = cursor_word(r->k);
        bool yes = text_same_n(w.bytes, w.len, "yes");
        if (!yes && !text_same_n(w.bytes, w.len, "no")) {
            r->k->at = w.offset;
            return cursor_expected(r->k, "yes or no");
        }
        if (numbers_add(r, &r->values, yes, w.offset) != 0)
            return -1;
    }
    return 0;
}

static int read_cartesian(struct topology_reading *r)
{
    static const struct bounds bounds = { "the number of dimensions", 1, INT_MAX };
    long dimensions;
    size_t offset = cursor_place(r->k);
    if (cursor_number(r->k, &bounds, &dimensions) != 0 || read_periods(r) != 0)
        return -1;
    if ((size_t)dimensions != r->values.count) {
        complaints_add(r->k->complaints, offset,
                       "a yes or no is needed for each dimension: %ld dimension%s, but %zu given",
                       dimensions, dimensions == 1 ? "" : "s", r->values.count);
        return -1;
    }
    r->t->count = (int)dimensions;
    return 0;
}

/* Takes "[1 2]". */
static int read_neighbours(struct topology_reading *r)
{
    size_t offset = cursor_place(r->k);
    if (cursor_expect(r->k, '[', "'[' before a process's neighbours") != 0)
        return -1;
    while (!cursor_take(r->k, ']')) {
        if (cursor_at_end(r->k))
            return cursor_expected(r->k, "']' after a process's neighbours");
        if (read_process(r, "a neighbour") != 0)
            return -1;
    }
    return numbers_add(r, &r->ends, (long)r->values.count, offset);
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

/* MPI requires an edge back for every edge (manual 2.1.9). */
static int edges_lead_back(struct topology_reading *r)
{
    size_t count = r->values.count;
    int rc = 0;
    struct edge *sorted = edges_new(r), *edges = edges_new(r);
    if (sorted == NULL || edges == NULL) {
        rc = out_of_memory(r);
        goto out;
    }
    qsort(sorted, count, sizeof(*sorted), by_ends);
    for (size_t i = 0; i < count; i++) {
        struct edge back = { edges[i].to, edges[i].from };
        if (bsearch(&back, sorted, count, sizeof(*sorted), by_ends) != NULL)
            continue;
        complaints_add(r->k->complaints, r->values.list[i].offset,
                       "process %d lists %d as a neighbour, but %d does not list %d", back.to,
                       back.from, back.from, back.to);
        rc = -1;
    }
out:
    free(sorted);
    free(edges);
    return rc;
}

static int read_graph(struct topology_reading *r)
{
    do
        if (read_neighbours(r) != 0)
            return -1;
    while (!cursor_at_end(r->k));
    if (neighbours_exist(r) != 0 || edges_lead_back(r) != 0)
        return -1;
    r->t->count = (int)r->ends.count;
    return 0;
}

/* Marks in seen which ranks occur; complains about ranks that are too high or repeated. */
static int mark_ranks(struct topology_reading *r, bool *seen)
{
    int rc = 0;
    for (size_t i = 0; i < r->values.count; i++) {
        const struct number *n = &r->values.list[i];
        if ((size_t)n->value >= r->values.count)
            complaints_add(r->k->complaints, n->offset,
                           "rank %d is too high: the highest of %zu is %zu", n->value,
                           r->values.count, r->values.count - 1);
        else if (seen[n->value])
            complaints_add(r->k->complaints, n->offset, "rank %d is given twice", n->value);
        else {
            seen[n->value] = true;
            continue;
        }
        rc = -1;
    }
    return rc;
}

static int check_permutation(struct topology_reading *r)
{
    bool *seen = calloc(r->values.count, sizeof(*seen));
    if (seen == NULL)
        return out_of_memory(r);
    int rc = mark_ranks(r, seen);
    for (size_t i = 0; rc != 0 && i < r->values.count; i++)
        if (!seen[i])
            complaints_add(r->k->complaints, r->t->offset, "rank %zu is missing", i);
    free(seen);
    return rc;
}

static int read_permutation(struct topology_reading *r)
{
    do
        if (read_process(r, "the new rank of a process") != 0)
            return -1;
    while (!cursor_at_end(r->k));
    r->t->count = (int)r->values.count;
    return check_permutation(r);
}

/* One row per kind. */
static const struct topology_kind_row {
    const char *name;
    enum topology_kind kind;
    bool may_keep; /* NOREORDER may follow */
    int (*read)(struct topology_reading *r);
} kind_rows[] = {
    { "Cartesian", TOPOLOGY_CARTESIAN, true, read_cartesian },
    { "Graph", TOPOLOGY_GRAPH, true, read_graph },
    { "Reorder", TOPOLOGY_REORDER, false, read_permutation },
};
enum { KINDS = sizeof(kind_rows) / sizeof(*kind_rows) };

static const char *kind_name(const void *context, size_t i)
{
    (void)context;
    return kind_rows[i].name;
}

/* Takes the keyword; NULL after a complaint. */
static const struct topology_kind_row *read_kind(struct cursor *k)
{
    char shown[WORD_SHOWN];
    struct word w = cursor_word(k);
    if (w.len == 0) {
        cursor_expected(k, "Cartesian, Graph or Reorder");
        return NULL;
    }
    for (size_t i = 0; i < KINDS; i++)
        if (text_same_n(w.bytes, w.len, kind_rows[i].name))
            return &kind_rows[i];
    word_show(&w, shown);
    const char *nearest = text_nearest(shown, KINDS, kind_name, NULL);
    if (nearest == NULL)
        complaints_add(k->complaints, w.offset, "expected Cartesian, Graph or Reorder, got '%s'",
                       shown);
    else
        complaints_add(k->complaints, w.offset, "unknown topology '%s', did you mean '%s'?", shown,
                       nearest);
    return NULL;
}

static bool take_keyword(struct cursor *k, const char *keyword)
{
    struct cursor ahead = *k;
    struct word w = cursor_word(&ahead);
    if (!text_same_n(w.bytes, w.len, keyword))
        return false;
    *k = ahead;
    return true;
}

static int *values_of(struct topology_reading *r, const struct number_list *n)
{
    int *values = malloc((n->count + 1) * sizeof(*values));
    if (values == NULL) {
        out_of_memory(r);
        return NULL;
    }
    for (size_t i = 0; i < n->count; i++)
        values[i] = n->list[i].value;
    return values;
}

static int store(struct topology_reading *r)
{
    r->t->values = values_of(r, &r->values);
    if (r->t->values == NULL)
        return -1;
    if (r->t->kind == TOPOLOGY_GRAPH)
        r->t->ends = values_of(r, &r->ends);
    return r->t->kind == TOPOLOGY_GRAPH && r->t->ends == NULL ? -1 : 0;
}

int topology_parse(struct topology *t, const struct source *s, size_t from, size_t to,
                   struct complaints *c)
{
    struct cursor k = { .source = s, .at = from, .end = to, .complaints = c };
    struct topology_reading r = { .t = t, .k = &k };
    int rc = -1;
    *t = (struct topology){ .kind = TOPOLOGY_NONE, .reorder = true, .offset = cursor_place(&k) };
    const struct topology_kind_row *row = read_kind(&k);
    if (row != NULL) {
        t->kind = row->kind;
        t->reorder = !(row->may_keep && take_keyword(&k, "NOREORDER"));
        rc = row->read(&r);
    }
    if (rc == 0)
        rc = store(&r);
    if (rc != 0)
        topology_release(t);
    free(r.values.list);
    free(r.ends.list);
    return rc;
}

void topology_release(struct topology *t)
{
    free(t->values);
    free(t->ends);
    t->values = NULL;
    t->ends = NULL;
    t->kind = TOPOLOGY_NONE;
}
