#include "base/json.h"
#include "params/tables.h"

enum { NAME_WIDTH = 26, DOC_INDENT = 4, HELP_TABLES = 3 };

/* The title of the table, and the syntax of an entry. */
static const struct help_table {
    const char *title, *form;
    const struct value_table *table;
} tables[HELP_TABLES] = {
    { "Sections", "'@NAME value', first on a line; text may have many lines", &section_table },
    { "Fields of a suite",
      "in @MEASUREMENTS: 'NAME { Field = value; ... }', in any order; a list of numbers or types, "
      "such as 'Type = 47, 61;', makes one suite per value",
      &field_table },
    { "Keys of a suite's Parameters", "'Parameters = \"key=value key=value\";'", &key_table },
};

static const char *help_default(const struct value_row *row)
{
    const char *fallback = row->fallback_doc != NULL ? row->fallback_doc : row->fallback;
    return fallback != NULL && *fallback == '\0' ? "empty" : fallback;
}

/* False if the previous row documents this one as well, such as @BASETYPE2. */
static bool help_is_new(const struct value_table *t, size_t i)
{
    return i == 0 || strcmp(t->rows[i - 1].doc, t->rows[i].doc) != 0;
}

static void add_row(const struct value_row *row, struct text *out)
{
    LOCAL_TEXT values = { 0 };
    value_explain(row, &values);
    if (help_default(row) != NULL)
        text_add(&values, "; default %s", help_default(row));
    text_add(out, "  %-*s", NAME_WIDTH - 2, row->name);
    text_add_wrapped(out, text_get(&values), NAME_WIDTH);
    text_add(out, "%*s", DOC_INDENT, "");
    text_add_wrapped(out, row->doc, DOC_INDENT);
}

static void add_more(const struct value_row *row, struct text *out)
{
    for (size_t i = 0; i < VALUE_ALIASES && row->aliases[i] != NULL; i++)
        text_add(out, "%s%s", i == 0 ? "    Also written as " : ", ", row->aliases[i]);
    text_add(out, "%s", row->aliases[0] != NULL ? ".\n" : "");
    if (row->section != NULL)
        text_add(out, "    Default_Value means the value of %s.\n", row->section);
    if (row->repeats)
        text_add(out, "    May be written more than once.\n");
}

static bool name_matches(const char *name, const char *wanted, bool exactly)
{
    const char *bare = *name == '@' && *wanted != '@' ? name + 1 : name;
    return exactly ? text_same(bare, wanted) : text_has(bare, wanted);
}

static bool row_matches(const struct value_row *row, const char *wanted, bool exactly)
{
    bool matches = name_matches(row->name, wanted, exactly);
    for (size_t i = 0; i < VALUE_ALIASES && row->aliases[i] != NULL; i++)
        matches = matches || name_matches(row->aliases[i], wanted, exactly);
    return matches;
}

static int add_matching(const char *name, bool exactly, struct text *out)
{
    int found = -1;
    for (size_t n = 0; n < HELP_TABLES; n++)
        for (size_t i = 0; i < tables[n].table->count; i++) {
            const struct value_row *row = &tables[n].table->rows[i];
            if (!row_matches(row, name, exactly))
                continue;
            add_row(row, out);
            add_more(row, out);
            found = 0;
        }
    return found;
}

int params_help(const char *name, struct text *out)
{
    if (name != NULL)
        return add_matching(name, true, out) == 0 ? 0 : add_matching(name, false, out);
    for (size_t n = 0; n < HELP_TABLES; n++) {
        const struct help_table *t = &tables[n];
        LOCAL_TEXT title = { 0 };
        text_add(&title, "%s%s%s", t->title, *t->form == '\'' ? ": " : " ", t->form);
        text_add(out, "%s", n == 0 ? "" : "\n");
        text_add_wrapped(out, text_get(&title), 0);
        text_add(out, "\n");
        for (size_t i = 0; i < t->table->count; i++)
            if (help_is_new(t->table, i))
                add_row(&t->table->rows[i], out);
    }
    return 0;
}

static void add_catalog_row(struct text *out, const void *of, int i)
{
    const struct value_table *table = of;
    const struct value_row *row = &table->rows[i];
    LOCAL_TEXT values = { 0 };
    if (!help_is_new(table, (size_t)i))
        return;
    value_explain(row, &values);
    json_add_texts(out, { "name", row->name }, { "values", text_get(&values) },
                   { "default", help_default(row) }, { "text", row->doc });
    json_begin(out, "aliases", '[');
    for (size_t k = 0; k < VALUE_ALIASES; k++)
        json_add(out, NULL, row->aliases[k]);
    json_end(out, ']');
}

static void add_catalog_table(struct text *out, const void *of, int n)
{
    json_add_texts(out, { "title", tables[n].title }, { "form", tables[n].form });
    json_add_list(out, "rows", (int)tables[n].table->count, add_catalog_row, tables[n].table);
}

void params_catalog(struct text *out)
{
    json_add_list(out, "help", HELP_TABLES, add_catalog_table, NULL);
}
