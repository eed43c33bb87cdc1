#include "params/kinds.h"

#include "params/basetypes.h"
#include "params/tables.h"
#include "model/topology_rules.h"
#include "params/topologies.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int basetype_value_parse(const struct value_row *row, const struct value_input *in,
                                void *base)
{
    return basetype_parse(value_at(row, base), in->source, in->from, in->to, in->complaints);
}

static void basetype_print(const struct value_row *row, const void *base, struct text *out)
{
    const struct basetype *b = value_get(row, base);
    for (size_t i = 0; i < b->count && b->triples; i++)
        text_add(out, "%s(%ld,%ld,%s)", i == 0 ? "" : ", ", b->parts[i].count, b->parts[i].offset,
                 b->parts[i].type->name);
    if (b->count > 0 && !b->triples)
        text_add(out, "%s", b->parts[0].type->name);
}

static void basetype_explain(const struct value_row *row, struct text *out)
{
    (void)row;
    text_add(out, "a predefined type such as MPI_INT, or triples (count, offset, type)");
}

static void basetype_free(void *value)
{
    basetype_release(value);
}

static int topology_value_parse(const struct value_row *row, const struct value_input *in,
                                void *base)
{
    return topology_parse(value_at(row, base), in->source, in->from, in->to, in->complaints);
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
    static const char *const names[] = {
        [TOPOLOGY_CARTESIAN] = "Cartesian",
        [TOPOLOGY_GRAPH] = "Graph",
        [TOPOLOGY_DIRECTED] = "Directed",
        [TOPOLOGY_REORDER] = "Reorder",
    };
    const struct topology *t = value_get(row, base);
    if (t->kind == TOPOLOGY_NONE)
        return;
    text_add(out, "%s%s", names[t->kind],
             t->reorder || t->kind == TOPOLOGY_REORDER ? "" : " NOREORDER");
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

static void topology_explain(const struct value_row *row, struct text *out)
{
    (void)row;
    text_add(out, "Cartesian, Graph, Directed or Reorder and their numbers");
}

static void topology_free(void *value)
{
    topology_release(value);
}

static void print_nothing(const struct value_row *row, const void *base, struct text *out)
{
    (void)row, (void)base, (void)out;
}

static void suites_explain(const struct value_row *row, struct text *out)
{
    (void)row;
    text_add(out, "suites: NAME { Field = value; ... }");
}

const struct value_kind value_basetype = { .size = sizeof(struct basetype),
                                           .lines = true,
                                           .parse = basetype_value_parse,
                                           .print = basetype_print,
                                           .explain = basetype_explain,
                                           .release = basetype_free };
const struct value_kind value_topology = { .size = sizeof(struct topology),
                                           .lines = true,
                                           .parse = topology_value_parse,
                                           .print = topology_print,
                                           .explain = topology_explain,
                                           .release = topology_free };
const struct value_kind value_suites = { .lines = true,
                                         .print = print_nothing,
                                         .explain = suites_explain };

struct labels {
    size_t count;
    char (*list)[TYPE_LABEL_SIZE]; /* owned */
};

static const char *label_at(const void *context, size_t i)
{
    const struct labels *labels = context;
    return labels->list[i];
}

static int reject_type(const struct value_input *in)
{
    char got[QUOTE_SIZE];
    struct labels labels = { in->types->count, malloc((in->types->count + 1) * TYPE_LABEL_SIZE) };
    if (labels.list == NULL)
        return value_no_memory(in);
    for (size_t i = 0; i < labels.count; i++)
        type_label(&in->types->types[i], labels.list[i]);
    value_quote_part(in->source, in->from, in->to, got);
    const char *nearest = text_nearest(got, labels.count, label_at, &labels);
    if (nearest != NULL)
        complaints_add(in->complaints, in->from, "unknown type '%s', did you mean '%s'?", got,
                       nearest);
    else
        complaints_add(in->complaints, in->from, "unknown type '%s'; --list shows all types", got);
    free(labels.list);
    return -1;
}

static int type_parse(const struct value_row *row, const struct value_input *in, void *base)
{
    struct suite *s = base;
    char name[TYPE_LABEL_SIZE];
    size_t len = in->to - in->from;
    long number;
    (void)row;
    if (value_whole(in, &number)) {
        s->type = number < 0 || number > INT_MAX ? NULL : catalog_find(in->types, (int)number);
    } else if (len < sizeof(name)) {
        memcpy(name, in->source->bytes + in->from, len);
        name[len] = '\0';
        s->type = catalog_find_name(in->types, name);
    }
    return s->type == NULL ? reject_type(in) : 0;
}

static void type_print(const struct value_row *row, const void *base, struct text *out)
{
    const struct suite *s = base;
    (void)row;
    text_add(out, "%d", s->type->number);
}

static void type_explain(const struct value_row *row, struct text *out)
{
    (void)row;
    text_add(out, "a type's number, or its name with prefix (--list shows all)");
}

const struct value_kind value_suite_type = {
    .listed = true, .parse = type_parse, .print = type_print, .explain = type_explain
};

static void datatype_list(struct text *out)
{
    const char *before = "";
    for (size_t i = 0, last; i < datatype_count(); i = last + 1, before = ", ") {
        int number = datatype_get(i)->number;
        for (last = i; last + 1 < datatype_count(); last++)
            if (datatype_get(last + 1)->number != datatype_get(last)->number + 1)
                break;
        text_add(out, last == i ? "%s%d" : "%s%d-%d", before, number, datatype_get(last)->number);
    }
}

static int datatype_parse(const struct value_row *row, const struct value_input *in, void *base)
{
    long number;
    if (!value_whole(in, &number) || number < 0 || number > INT_MAX ||
        datatype_find((int)number) == NULL)
        return value_reject(row, in);
    *(int *)value_at(row, base) = (int)number;
    return 0;
}

static void datatype_print(const struct value_row *row, const void *base, struct text *out)
{
    text_add(out, "%d", *(const int *)value_get(row, base));
}

static void datatype_explain(const struct value_row *row, struct text *out)
{
    (void)row;
    text_add(out, "a datatype's number (");
    datatype_list(out);
    text_add(out, ")");
}

const struct value_kind value_datatype = { .size = sizeof(int),
                                           .listed = true,
                                           .parse = datatype_parse,
                                           .print = datatype_print,
                                           .explain = datatype_explain };

static int parameters_parse(const struct value_row *row, const struct value_input *in, void *base)
{
    const char *s = in->source->bytes;
    if (in->to - in->from < 2 || s[in->from] != '"' || s[in->to - 1] != '"')
        return value_reject(row, in);
    struct value_input keys = *in;
    keys.from++;
    keys.to--;
    return suite_options_parse(base, &keys);
}

static void parameters_print(const struct value_row *row, const void *base, struct text *out)
{
    (void)row;
    text_add(out, "\"");
    suite_options_print(base, out);
    text_add(out, "\"");
}

static void parameters_explain(const struct value_row *row, struct text *out)
{
    (void)row;
    text_add(out, "\"key=value key=value\"");
}

const struct value_kind value_parameters = { .parse = parameters_parse,
                                             .print = parameters_print,
                                             .explain = parameters_explain };

static const char RANDOM[] = "random:";

static int order_parse(const struct value_row *row, const struct value_input *in, void *base)
{
    struct suite_options *x = base;
    const char *value = in->source->bytes + in->from;
    struct value_input seed = *in;
    seed.from += strlen(RANDOM);
    x->order_seed = 0;
    x->order = ORDER_NATURAL;
    if (text_same_n(value, in->to - in->from, "natural"))
        return 0;
    x->order = ORDER_RANDOM;
    if (seed.from >= in->to || !text_same_n(value, strlen(RANDOM), RANDOM) ||
        !value_whole(&seed, &x->order_seed) || x->order_seed < 0 || x->order_seed > INT_MAX)
        return value_reject(row, in);
    return 0;
}

static void order_print(const struct value_row *row, const void *base, struct text *out)
{
    const struct suite_options *x = base;
    (void)row;
    if (x->order == ORDER_RANDOM)
        text_add(out, "%s%ld", RANDOM, x->order_seed);
    else
        text_add(out, "natural");
}

static void order_explain(const struct value_row *row, struct text *out)
{
    (void)row;
    text_add(out, "natural or random:SEED");
}

const struct value_kind value_order = { .parse = order_parse,
                                        .print = order_print,
                                        .explain = order_explain };
