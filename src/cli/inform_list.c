#include "cli/inform.h"

#include "base/json.h"
#include "model/layouts.h"
#include "params/tables.h"

enum { TEXT_INDENT = 42, DATATYPE_INDENT = 7 };

/* A second range of 0 to 0 has no types. */
static const struct topic topics[] = {
    { "basic", "operations of SKaMPI 4.1", { { 1, 101 }, { 420, 420 } } },
    { "neighbours", "neighbourhood collectives", { { 102, 107 }, { 283, 299 } } },
    { "applications", "messages of applications", { { 120, 159 } } },
    { "network", "streams, pairs, halos and rings", { { 160, 199 }, { 305, 306 } } },
    { "rma", "one-sided communication", { { 200, 219 } } },
    { "io", "files", { { 220, 239 } } },
    { "irregular", "collectives with parts of unequal size", { { 240, 259 } } },
    { "persistent", "persistent communication", { { 260, 279 }, { 360, 399 } } },
    { "reductions", "more reductions", { { 280, 282 } } },
    { "nonblocking", "communication that overlaps with work", { { 300, 339 } } },
    { "algorithms", "collectives of point-to-point calls", { { 340, 359 }, { 400, 419 } } },
};
enum { TOPICS = sizeof(topics) / sizeof(*topics) };

const struct topic *topic_of(int number)
{
    for (size_t i = 0; i < 2 * TOPICS; i++)
        if (number >= topics[i / 2].types[i % 2].first && number <= topics[i / 2].types[i % 2].last)
            return &topics[i / 2];
    return &topics[0];
}

const struct topic *topic_find(const char *name)
{
    for (size_t i = 0; i < TOPICS; i++)
        if (text_same(topics[i].name, name))
            return &topics[i];
    return NULL;
}

/* Adds the measured operation, and why it cannot be measured here. */
static void add_type(struct text *out, const struct type_info *t, unsigned lacks)
{
    const char *name = type_label_of(t);
    LOCAL_TEXT text = { 0 };
    const struct capability_info *lacking = capability_first(t->needs & lacks);
    text_add(&text, "%s%s", t->text, type_counts_by(t, COUNTS_C) ? "; counts=c" : "");
    if (lacking != NULL)
        text_add(&text, "; %s", lacking->text);
    text_add(out, "%5d  %-*s", t->number, TEXT_INDENT - 7, name);
    if (strlen(name) >= TEXT_INDENT - 7) /* the text begins on the next line */
        text_add(out, "\n%*s", TEXT_INDENT, "");
    text_add_wrapped(out, text_get(&text), TEXT_INDENT);
}

/* The pattern's types of a topic, with a heading after others. Returns whether any were listed. */
static bool add_topic(struct text *out, const struct catalog *types,
                      const struct pattern_info *pattern, const struct topic *topic, bool others)
{
    bool headed = !others;
    for (size_t i = 0; i < types->count; i++) {
        const struct type_info *t = &types->types[i];
        if (t->pattern != pattern || topic_of(t->number) != topic)
            continue;
        if (!headed)
            text_add(out, "\n  %s:\n", topic->text);
        headed = others = true;
        add_type(out, t, types->lacks);
    }
    return others;
}

/* Adds "Collective operations, varied over Length or Nodes:", its keys, and its types. */
static void add_pattern(struct text *out, const struct catalog *types,
                        const struct pattern_info *pattern)
{
    const char *before = ", varied over ";
    const enum suite_option *key = pattern->options;
    bool others = false;
    text_add(out, "\n%s", pattern->title);
    for (enum variation v = 1; v < VARIATION_COUNT; v++)
        if (pattern->variations & 1U << v) {
            text_add(out, "%s%s", before, variation_info(v)->name);
            before = " or ";
        }
    text_add(out, ":\n");
    for (; key != NULL && *key != OPTIONS_END; key++)
        text_add(out, "%s%s", key == pattern->options ? "  keys: " : ", ",
                 key_table.rows[*key].name);
    text_add(out, "%s", key == pattern->options ? "" : "\n");
    for (const struct topic *topic = topics; topic < topics + TOPICS; topic++)
        others = add_topic(out, types, pattern, topic, others);
}

void type_help(struct text *out, const struct catalog *types, const struct type_info *t)
{
    LOCAL_TEXT vary = { 0 }, keys = { 0 };
    add_type(out, t, types->lacks);
    for (enum variation v = 1; v < VARIATION_COUNT; v++)
        if (type_varies(t, v))
            text_add(&vary, "%s ", variation_info(v)->name);
    for (size_t key = 0; key < key_table.count; key++)
        if (type_has_option(t, (enum suite_option)key))
            text_add(&keys, "%s ", key_table.rows[key].name);
    text_add(out, "  --vary:");
    text_add_wrapped(out, text_get(&vary), DATATYPE_INDENT);
    text_add(out, "  --set KEY=VALUE:");
    text_add_wrapped(out, text_get(&keys), DATATYPE_INDENT);
}

static bool is_named(const char *wanted, int number, const char *text)
{
    char *end;
    long wanted_number = strtol(wanted, &end, 10);
    return *end == '\0' ? number == wanted_number : text_has(text, wanted);
}

/* One line each: what it is, and what it needs. wanted: NULL for all. */
static void add_datatypes(struct text *out, const char *wanted)
{
    const char *heading = "Datatypes: numbers for Send_Datatype_Number and Receive_Datatype_Number";
    for (size_t i = 0; i < datatype_count(); i++) {
        const struct datatype_info *d = datatype_get(i);
        if (wanted != NULL && !is_named(wanted, d->number, d->text))
            continue;
        if (heading != NULL)
            text_add(out, "%s%s\n\n", out->len > 0 ? "\n" : "", heading);
        heading = NULL;
        LOCAL_TEXT text = { 0 };
        const char *demand = layout_demand(d->number);
        text_add(&text, demand == NULL ? "%s" : "%s; needs %s", d->text, demand);
        text_add(out, "%5d: ", d->number);
        text_add_wrapped(out, text_get(&text), DATATYPE_INDENT);
    }
}

static bool add_all(struct text *out, const struct catalog *types)
{
    text_add(out, "Topics: 'skampi --list NAME' lists only this\n\n");
    for (const struct topic *topic = topics; topic < topics + TOPICS; topic++)
        text_add(out, "  %-14s%s\n", topic->name, topic->text);
    text_add(out, "\nTypes: number and name for a suite's field Type, and what is measured\n");
    for (size_t i = 0; i < types->count; i++)
        if (catalog_has_first(types, i))
            add_pattern(out, types, types->types[i].pattern);
    add_datatypes(out, NULL);
    return true;
}

static bool is_wanted(const struct type_info *t, const char *wanted)
{
    const struct topic *topic = topic_find(wanted);
    if (topic != NULL)
        return topic_of(t->number) == topic;
    return is_named(wanted, t->number, type_label_of(t));
}

bool list_add(struct text *out, const struct catalog *types, const char *wanted)
{
    if (wanted == NULL)
        return add_all(out, types);
    for (size_t i = 0; i < types->count; i++)
        if (is_wanted(&types->types[i], wanted))
            add_type(out, &types->types[i], types->lacks);
    if (topic_find(wanted) == NULL)
        add_datatypes(out, text_same(wanted, "datatypes") ? NULL : wanted);
    return out->len > 0;
}

struct listed {
    const struct catalog *types;
    const char *wanted;
};

static void add_listed_type(struct text *out, const void *of_, int i)
{
    const struct listed *of = of_;
    const struct type_info *t = &of->types->types[i];
    const struct capability_info *lacking = capability_first(t->needs & of->types->lacks);
    if (of->wanted != NULL && !is_wanted(t, of->wanted))
        return;
    json_add_number(out, "type", t->number);
    json_add_texts(out, { "name", type_label_of(t) }, { "operation", t->name },
                   { "pattern", t->pattern->title }, { "topic", topic_of(t->number)->name },
                   { "text", t->text }, { "lacking", lacking == NULL ? NULL : lacking->text });
}

static void add_listed_datatype(struct text *out, const void *of_, int i)
{
    const struct listed *of = of_;
    const struct datatype_info *d = datatype_get((size_t)i);
    bool all = of->wanted == NULL || text_same(of->wanted, "datatypes");
    if (!all && (topic_find(of->wanted) != NULL || !is_named(of->wanted, d->number, d->text)))
        return;
    json_add_number(out, "datatype", d->number);
    json_add_texts(out, { "text", d->text }, { "needs", layout_demand(d->number) });
}

bool list_add_json(struct text *out, const struct catalog *types, const char *wanted)
{
    const struct listed of = { types, wanted };
    LOCAL_TEXT plain = { 0 };
    json_begin(out, NULL, '{');
    json_add(out, "schema", "skampi-list/1");
    json_add_list(out, "types", (int)types->count, add_listed_type, &of);
    json_add_list(out, "datatypes", (int)datatype_count(), add_listed_datatype, &of);
    json_end(out, '}');
    text_add(out, "\n");
    return list_add(&plain, types, wanted);
}
