/* The text of a @TOPOLOGYn section (manual 2.1.9), one of
 *
 *     Cartesian [NOREORDER] dimensions yes|no ...     periodic or not, for each dimension
 *     Graph [NOREORDER] [1 2] [0] [0] ...             the neighbours of process 0, 1, 2, ...
 *     Directed [NOREORDER] [1 1] [2] [] ...           the processes that 0, 1, 2, ... sends to
 *     Reorder 3 1 0 2 ...                             the new rank of process 0, 1, 2, ...
 *
 * The brackets of a graph may be in a file: "Graph file:NAME". */
#include "model/topology_rules.h"
#include "params/cursor.h"

struct number {
    int value;
    size_t offset;
};

struct topology_reading {
    struct topology *t; /* of a graph, count and ends are those read so far */
    struct cursor *k;
    struct number *values; /* owned; to become t->values */
    size_t count, capacity, end_capacity;
};

static void add_number(struct topology_reading *r, long value, size_t offset)
{
    grow_for_one(&r->values, r->count, &r->capacity, sizeof(*r->values));
    r->values[r->count++] = (struct number){ (int)value, offset };
}

static int read_process(struct topology_reading *r, const char *what)
{
    const struct bounds bounds = { what, 0, INT_MAX };
    size_t offset = cursor_place(r->k);
    long value;
    if (cursor_number(r->k, &bounds, &value) != 0)
        return -1;
    add_number(r, value, offset);
    return 0;
}

static int read_neighbours(struct topology_reading *r)
{
    if (cursor_expect(r->k, '[', "'[' before a process's neighbours") != 0)
        return -1;
    while (!cursor_take(r->k, ']')) {
        if (cursor_at_end(r->k))
            return cursor_expected(r->k, "']' after a process's neighbours");
        if (read_process(r, "a neighbour") != 0)
            return -1;
    }
    struct topology *t = r->t;
    grow_for_one(&t->ends, (size_t)t->count, &r->end_capacity, sizeof(*t->ends));
    t->ends[t->count++] = (int)r->count;
    return 0;
}

/* One direction of an edge. The other direction must exist. */
struct edge {
    int from, to;
    size_t offset; /* in the text */
};

static int by_ends(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* Checks that every edge leads back, as MPI_Graph_create requires (manual 2.1.9). */
static int edges_lead_back(struct topology_reading *r)
{
    size_t count = r->count;
    int rc = 0;
    struct edge *sorted;
    allocated_array(&sorted, count);
    for (size_t i = 0, from = 0; i < count; i++) {
        while (i >= (size_t)r->t->ends[from])
            from++;
        sorted[i] = (struct edge){ (int)from, r->values[i].value, r->values[i].offset };
    }
    qsort(sorted, count, sizeof(*sorted), by_ends);
    for (const struct edge *x = sorted; x < sorted + count; x++) {
        const struct edge back = { x->to, x->from, 0 };
        if (bsearch(&back, sorted, count, sizeof(*sorted), by_ends) != NULL)
            continue;
        rc = complaints_add(r->k->complaints, x->offset,
                            "process %d lists %d as a neighbour, but %d does not list %d; write "
                            "Directed instead of Graph if edges have one direction",
                            x->from, x->to, x->to, x->from);
    }
    free(sorted);
    return rc;
}

static int read_directed(struct topology_reading *r)
{
    do
        if (read_neighbours(r) != 0)
            return -1;
    while (!cursor_at_end(r->k));
    const int count = r->t->count;
    int rc = 0;
    for (const struct number *n = r->values; n < r->values + r->count; n++) {
        if (n->value < count)
            continue;
        rc = complaints_add(r->k->complaints, n->offset,
                            "process %d does not exist: the graph has %d process%s", n->value,
                            count, count == 1 ? "" : "es");
    }
    return rc;
}

static int read_graph(struct topology_reading *r)
{
    return read_directed(r) != 0 ? -1 : edges_lead_back(r);
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
        add_number(r, yes, w.offset);
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
    if ((size_t)dimensions != r->count)
        return complaints_add(
            r->k->complaints, offset,
            "a yes or no is needed for each dimension: %ld dimension%s, but %zu given", dimensions,
            plural(dimensions), r->count);
    r->t->count = (int)dimensions;
    return 0;
}

static int read_permutation(struct topology_reading *r)
{
    do
        if (read_process(r, "the new rank of a process") != 0)
            return -1;
    while (!cursor_at_end(r->k));
    size_t count = r->count;
    r->t->count = (int)count;
    bool *seen;
    int rc = 0;
    allocated_array(&seen, count);
    for (size_t i = 0; i < count; i++) {
        const struct number *n = &r->values[i];
        if ((size_t)n->value >= count)
            rc = complaints_add(r->k->complaints, n->offset,
                                "rank %d is too high: the highest of %zu is %zu", n->value, count,
                                count - 1);
        else if (seen[n->value])
            rc = complaints_add(r->k->complaints, n->offset, "rank %d is given twice", n->value);
        else
            seen[n->value] = true;
    }
    for (size_t i = 0; i < count && rc != 0; i++)
        if (!seen[i])
            complaints_add(r->k->complaints, r->t->offset, "rank %zu is missing", i);
    free(seen);
    return rc;
}

static const struct topology_kind_row {
    const char *name;
    bool may_keep; /* NOREORDER may follow */
    int (*read)(struct topology_reading *r);
} kinds[] = {
    [TOPOLOGY_NONE] = { "" },
    [TOPOLOGY_CARTESIAN] = { "Cartesian", true, read_cartesian },
    [TOPOLOGY_GRAPH] = { "Graph", true, read_graph },
    [TOPOLOGY_DIRECTED] = { "Directed", true, read_directed },
    [TOPOLOGY_REORDER] = { "Reorder", false, read_permutation },
};

/* Takes the keyword; TOPOLOGY_NONE after a complaint. */
static enum topology_kind read_kind(struct cursor *k)
{
    struct cursor before = *k;
    struct word w = cursor_word(k);
    for (enum topology_kind kind = TOPOLOGY_CARTESIAN; kind <= TOPOLOGY_REORDER; kind++)
        if (text_same_n(w.bytes, w.len, kinds[kind].name))
            return kind;
    const char *shown = quoted(w.bytes, w.len);
    const char *nearest =
        text_nearest(shown, TOPOLOGY_REORDER, &kinds[TOPOLOGY_CARTESIAN].name, sizeof(*kinds));
    if (nearest == NULL)
        cursor_expected(&before, "Cartesian, Graph, Directed or Reorder");
    else
        complaints_add_unknown(k->complaints, w.offset, "topology", shown, nearest, "");
    return TOPOLOGY_NONE;
}

static void store(struct topology_reading *r)
{
    struct topology *t = r->t;
    allocated_array(&t->values, r->count);
    for (size_t i = 0; i < r->count; i++)
        t->values[i] = r->values[i].value;
    if (t->kind == TOPOLOGY_DIRECTED)
        topology_find_sources(t);
}

/* Takes "file:NAME". Returns 1 if it comes next, -1 after a complaint. */
static int read_file_name(struct topology_reading *r)
{
    static const char before[] = "file:";
    struct cursor ahead = *r->k;
    struct word w = cursor_word(&ahead);
    size_t len = strlen(before);
    if (w.len < len || !text_same_n(w.bytes, len, before))
        return 0;
    if (w.len == len)
        return complaints_add(r->k->complaints, w.offset + len,
                              "expected a file name after 'file:'");
    r->t->file = allocated(strndup(w.bytes + len, w.len - len));
    *r->k = ahead;
    return cursor_at_end(r->k) ? 1 : cursor_expected(r->k, "nothing after the file name");
}

static int read_rest(struct topology_reading *r)
{
    struct cursor ahead = *r->k;
    struct word w = cursor_word(&ahead);
    r->t->reorder = !(kinds[r->t->kind].may_keep && text_same_n(w.bytes, w.len, "NOREORDER"));
    if (!r->t->reorder)
        *r->k = ahead;
    int in_file = topology_is_graph(r->t) ? read_file_name(r) : 0;
    if (in_file != 0)
        return in_file < 0 ? -1 : 0;
    if (kinds[r->t->kind].read(r) != 0)
        return -1;
    store(r);
    return 0;
}

static void topology_release(void *value)
{
    struct topology *t = value;
    free(t->values);
    free(t->ends);
    free(t->sources);
    free(t->source_ends);
    free(t->file);
    *t = (struct topology){ .reorder = t->reorder, .offset = t->offset };
}

/* A graph must be symmetric and name processes that exist; a permutation has every rank once. */
static int topology_parse(const struct value_row *row, const struct value_input *in, void *base)
{
    struct cursor k = cursor_over(in);
    struct topology *t = value_at(row, base);
    struct topology_reading r = { .t = t, .k = &k };
    *t = (struct topology){ .reorder = true, .offset = cursor_place(&k) };
    t->kind = read_kind(&k);
    int rc = t->kind == TOPOLOGY_NONE ? -1 : read_rest(&r);
    if (rc != 0)
        topology_release(t);
    free(r.values);
    return rc;
}

int topology_read_file(struct topology *t, const struct source *text, struct complaints *c)
{
    struct cursor k = cursor_over_file(text, c);
    struct topology_reading r = { .t = t, .k = &k };
    size_t offset = t->offset;
    t->offset = 0; /* a place in this file, for complaints */
    int rc = kinds[t->kind].read(&r);
    t->offset = offset;
    if (rc == 0)
        store(&r);
    else
        t->count = 0;
    free(r.values);
    return rc;
}

static void print_graph(const struct topology *t, struct text *out)
{
    int n = 0;
    if (t->file != NULL)
        text_add(out, " file:%s", t->file);
    for (int i = 0; t->file == NULL && i < t->count; i++) {
        text_add(out, " [");
        for (const char *before = ""; n < t->ends[i]; n++, before = " ")
            text_add(out, "%s%d", before, t->values[n]);
        text_add(out, "]");
    }
}

static void topology_print(const struct value_row *row, const void *base, struct text *out)
{
    const struct topology *t = value_get(row, base);
    bool may_keep = kinds[t->kind].may_keep;
    text_add(out, "%s%s", kinds[t->kind].name, t->reorder || !may_keep ? "" : " NOREORDER");
    if (topology_is_graph(t)) {
        print_graph(t, out);
        return;
    }
    if (t->kind == TOPOLOGY_CARTESIAN)
        text_add(out, " %d", t->count);
    for (int i = 0; i < t->count; i++)
        if (t->kind == TOPOLOGY_CARTESIAN)
            text_add(out, "%s", t->values[i] ? " yes" : " no");
        else
            text_add(out, " %d", t->values[i]);
}

VALUE_KIND(topology, topology_parse, topology_print, .lines = true, .release = topology_release,
           .text = "Cartesian, Graph, Directed or Reorder and their numbers");
