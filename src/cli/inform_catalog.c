#include "cli/inform.h"

#include "base/json.h"
#include "base/version.h"
#include "cli/door.h"
#include "cli/options.h"
#include "health/health_report.h"
#include "hosts/job.h"
#include "model/layouts.h"
#include "params/tables.h"
#include "results/row_text.h"

struct bit_name {
    unsigned bit;
    const char *name;
};

static const struct bit_name pattern_traits[] = {
    { PATTERN_ONE_PAIR, "one_pair" },         { PATTERN_TOPOLOGY, "topology" },
    { PATTERN_PER_PROCESS, "per_process" },   { PATTERN_LOCAL, "local" },
    { PATTERN_GLOBAL_CLOCK, "global_clock" }, { PATTERN_OWN_TIMES, "own_times" },
};

static const struct bit_name type_traits[] = {
    { TYPE_HAS_LENGTH, "has_length" },
    { TYPE_REDUCES, "reduces" },
    { TYPE_ROOTED, "rooted" },
    { TYPE_ONE_SIDED, "one_sided" },
    { TYPE_WINDOW, "window" },
    { TYPE_FILE, "file" },
    { TYPE_NEIGHBOURS, "neighbours" },
    { TYPE_ALL_TO_ALL, "all_to_all" },
    { TYPE_PACKS, "packs" },
    { TYPE_BUILDS, "builds" },
    { TYPE_COUNTS, "counts" },
    { TYPE_GRID, "grid" },
    { TYPE_TCP, "tcp" },
    { TYPE_OF_OTHERS, "of_others" },
};

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static void add_bits(struct text *out, const char *name, unsigned bits, const struct bit_name *rows,
                     size_t count)
{
    json_begin(out, name, '[');
    for (size_t i = 0; i < count; i++)
        if ((bits & rows[i].bit) != 0)
            json_add(out, NULL, rows[i].name);
    json_end(out, ']');
}

static const char *rate_name(enum rate_of rate)
{
    return rate_info(rate) == NULL ? NULL : rate_info(rate)->name;
}

static void add_time(struct text *out, const void *of, int i)
{
    const struct definition *d = definition_of((enum time_of)(i + 1));
    json_add_texts(out, { "name", d->name }, { "text", d->text }, { "rate", rate_name(d->rate) });
    json_add_true(out, "round_trip", d->rate == RATE_ROUND_TRIP);
}

/* Adds what a key changes about times: about one definition or, with a word, about any. */
static void add_time_change(struct text *out, const void *of, int i)
{
    const struct time_change *c = time_change_get((size_t)i);
    json_add(out, "when", c->when);
    if (c->of != TIME_OF_PATTERN) {
        json_add(out, "time", definition_of(c->of)->name);
        json_add(out, "becomes", definition_of(c->becomes)->name);
    }
    json_add_texts(out, { "word", c->word }, { "text", c->text });
}

static void add_variation(struct text *out, const void *of, int i)
{
    const struct variation_info *info = variation_info((enum variation)i);
    json_add_texts(out, { "name", info->name }, { "text", info->text }, { "unit", info->unit },
                   { "axis", info->axis });
}

static enum rate_of own_rate(enum rate_of rate, const struct definition *times)
{
    return rate != RATE_OF_TIME ? rate : times->rate;
}

static void add_rate(struct text *out, const void *of, int i)
{
    const struct rate *rate = rate_info((enum rate_of)(RATE_NONE + 1 + i));
    json_add(out, "name", rate->name);
    json_add_number(out, "messages", rate->messages);
    json_add_number(out, "events", rate->events);
    json_add_texts(out, { "by", rate->by }, { "bandwidth", rate->bandwidth },
                   { "rate", rate->rate }, { "plotted", rate->plotted },
                   { "notified", rate_name(rate->notified) },
                   { "single", rate_name(rate->single) });
}

static void add_pattern_times(struct text *out, const struct pattern_info *p)
{
    json_add(out, "start", start_name(p->start));
    if (p->time != TIME_OF_PATTERN)
        json_add(out, "time", definition_of(p->time)->name);
}

static void add_variant(struct text *out, const void *of, int i)
{
    const struct pattern_info *const *variants = of;
    if (variants[i] == NULL)
        return;
    json_add(out, "when", variant_text((enum variant)i));
    add_pattern_times(out, variants[i]);
}

static void add_pattern(struct text *out, const void *of, int i)
{
    const struct catalog *types = of;
    const struct pattern_info *p = types->types[i].pattern;
    if (!catalog_has_first(types, (size_t)i))
        return;
    json_add_texts(out, { "prefix", p->prefix }, { "title", p->title },
                   { "family", p->family != NULL ? p->family : p->prefix },
                   { "section", p->section });
    json_add_number(out, "place", p->place);
    add_pattern_times(out, p);
    json_add_texts(out, { "rate", rate_name(own_rate(p->rate, definition_of(p->time))) },
                   { "processes", p->processes }, { "first_call_on", p->first_call_on });
    add_bits(out, "traits", p->traits, pattern_traits, COUNT(pattern_traits));
    json_begin(out, "variations", '[');
    for (enum variation v = 0; v < VARIATION_COUNT; v++)
        if ((p->variations & 1u << v) != 0)
            json_add(out, NULL, variation_info(v)->name);
    json_end(out, ']');
    json_add_list(out, "variants", VARIANT_COUNT, add_variant, p->variants);
}

static void add_type(struct text *out, const void *of, int i)
{
    const struct type_info *t = &((const struct catalog *)of)->types[i];
    json_add_number(out, "number", t->number);
    json_add_texts(out, { "name", t->name }, { "pattern", t->pattern->prefix }, { "text", t->text },
                   { "topic", topic_of(t->number)->name });
    const struct definition *times = definition_of(t->time != 0 ? t->time : t->pattern->time);
    json_add_texts(out, { "time", times->name }, { "rate", rate_name(own_rate(t->rate, times)) });
    const bool local = (t->pattern->traits & PATTERN_LOCAL) != 0;
    const int least = local ? 1 : 2; /* that take part in a repetition; a run has at least two */
    json_add_number(out, "least_processes", least);
    if (local || (t->pattern->traits & PATTERN_ONE_PAIR) != 0 || (t->traits & TYPE_ONE_PAIR) != 0)
        json_add_number(out, "most_processes", least);
    add_bits(out, "traits", t->traits, type_traits, COUNT(type_traits));
    json_begin(out, "needs", '[');
    for (size_t k = 0; capability_get(k) != NULL; k++)
        if ((t->needs & capability_get(k)->bit) != 0)
            json_add(out, NULL, capability_get(k)->text);
    json_end(out, ']');
    json_begin(out, "keys", '[');
    for (size_t key = 0; key < key_table.count; key++)
        if (type_has_option(t, (enum suite_option)key))
            json_add(out, NULL, key_table.rows[key].name);
    json_end(out, ']');
}

static void add_key(struct text *out, const void *of, int i)
{
    const struct value_row *row = &key_table.rows[(size_t)i];
    LOCAL_TEXT values = { 0 };
    const char *usual = row->before; /* what applies to results without the key; NULL: it depends */
    if (usual == NULL && row->section == NULL)
        usual = row->fallback;
    else if (usual == NULL)
        usual = table_find(&section_table, row->section, strlen(row->section))->fallback;
    value_explain(row, &values);
    json_add_texts(out, { "name", row->name }, { "default", usual },
                   { "values", text_get(&values) }, { "text", row->doc });
    json_add_true(out, "aside", row->aside);
}

static void add_datatype(struct text *out, const void *of, int i)
{
    const struct datatype_info *d = datatype_get((size_t)i);
    json_add_number(out, "number", d->number);
    json_add_texts(out, { "name", d->name }, { "text", d->text },
                   { "needs", layout_demand(d->number) });
}

static void add_fact(struct text *out, const void *of, int i)
{
    const struct fact_info *fact = fact_info((enum fact)i);
    json_add_texts(out, { "name", fact->name }, { "title", fact->title },
                   { "place", fact_places[fact->place] }, { "unit", fact->unit },
                   { "form", fact->form }, { "text", fact->text });
    json_begin(out, "shown", '{');
    for (enum fact_list list = 0; list < FACT_LIST_COUNT; list++)
        if (fact->shown[list] != 0)
            json_add_number(out, fact_lists[list], fact->shown[list]);
    json_end(out, '}');
    json_add(out, "same", fact_sames[fact->same]);
    json_add(out, "submitted", fact_privacies[fact->privacy]);
    json_add_true(out, "public", fact->privacy != FACT_PRIVATE);
    json_add_true(out, "with_names", fact->privacy == FACT_WITH_NAMES);
}

static void add_detail(struct text *out, const void *of, int i)
{
    const struct fact_info *d = detail_info((enum detail)i);
    json_add_texts(out, { "name", d->name }, { "kind", fact_kinds[d->kind] }, { "unit", d->unit },
                   { "text", d->text });
}

void catalog_print(struct text *out, const struct catalog *types)
{
    int changes = 0;
    while (time_change_get((size_t)changes) != NULL)
        changes++;
    json_begin(out, NULL, '{');
    json_add(out, "version", SKAMPI_VERSION);
    json_add_list(out, "times", TIMES_OF - 1, add_time, NULL);
    json_add_list(out, "time_changes", changes, add_time_change, NULL);
    json_add_list(out, "rates", RATES - RATE_NONE - 1, add_rate, NULL);
    json_add_list(out, "variations", VARIATION_COUNT, add_variation, NULL);
    json_add_list(out, "patterns", (int)types->count, add_pattern, types);
    json_add_list(out, "types", (int)types->count, add_type, types);
    json_add_list(out, "keys", (int)key_table.count, add_key, NULL);
    json_add_list(out, "datatypes", (int)datatype_count(), add_datatype, NULL);
    json_add_list(out, "facts", FACT_COUNT, add_fact, NULL);
    json_add_list(out, "details", DETAIL_COUNT, add_detail, NULL);
    health_catalog(out);
    params_catalog(out);
    options_catalog(out);
    door_catalog(out);
    launcher_catalog(out);
    json_end(out, '}');
    text_add(out, "\n");
}
