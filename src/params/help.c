
#include "params/tables.h"

enum { NAME_WIDTH = 26, DOC_INDENT = 4 };

static size_t fields_count(void)
{
    return FIELD_COUNT - FIELD_NAME - 1;
}

static const struct value_row *fields_get(size_t i)
{
    return field_get((enum field)(FIELD_NAME + 1 + i));
}

static const struct help_table tables[HELP_TABLES] = {
    { "Sections", "'@NAME value', first on a line; text may have many lines", section_count,
      section_get },
    { "Fields of a suite",
      "in @MEASUREMENTS: 'NAME { Field = value; ... }', in any order; a list of numbers or types, "
      "such as 'Type = 47, 61;', makes one suite per value",
      fields_count, fields_get },
    { "Keys of a suite's Parameters", "'Parameters = \"key=value key=value\";'", suite_option_count,
      suite_option_get },
};

const struct help_table *help_table_get(size_t n)
{
    return &tables[n];
}

const char *help_default(const struct value_row *row)
{
    const char *fallback = row->fallback_doc != NULL ? row->fallback_doc : row->fallback;
    return fallback != NULL && *fallback == '\0' ? "empty" : fallback;
}

bool help_is_new(const struct help_table *t, size_t i)
{
    return i == 0 || strcmp(t->get(i - 1)->doc, t->get(i)->doc) != 0;
}

static void add_row(const struct value_row *row, struct text *out)
{
    struct text values = { 0 };
    value_explain(row, &values);
    if (help_default(row) != NULL)
        text_add(&values, "; default %s", help_default(row));
    text_add(out, "  %-*s", NAME_WIDTH - 2, row->name);
    text_add_wrapped(out, text_get(&values), NAME_WIDTH);
    text_add(out, "\n%*s", DOC_INDENT, "");
    text_add_wrapped(out, row->doc, DOC_INDENT);
    text_add(out, "\n");
    text_release(&values);
}

/* "@MULTIPLEOF, @MULTIPLE"; empty if there is only one spelling. */
static void add_aliases(const struct value_row *row, struct text *out)
{
    for (size_t i = 0; i < VALUE_ALIASES && row->aliases[i] != NULL; i++)
        text_add(out, "%s%s", i == 0 ? "" : ", ", row->aliases[i]);
}

/* Adds what the overview omits. */
static void add_more(const struct value_row *row, struct text *out)
{
    if (row->aliases[0] != NULL) {
        text_add(out, "    Also written as ");
        add_aliases(row, out);
        text_add(out, ".\n");
    }
    if (row->section != NULL)
        text_add(out, "    Default_Value means the value of %s.\n", row->section);
    if (row->repeats)
        text_add(out, "    May be written more than once.\n");
}

static void add_all(struct text *out)
{
    for (size_t n = 0; n < HELP_TABLES; n++) {
        const struct help_table *t = &tables[n];
        struct text title = { 0 };
        text_add(&title, "%s%s%s", t->title, *t->form == '\'' ? ": " : " ", t->form);
        text_add(out, "%s", n == 0 ? "" : "\n");
        text_add_wrapped(out, text_get(&title), 0);
        text_add(out, "\n\n");
        text_release(&title);
        for (size_t i = 0; i < t->count(); i++)
            if (help_is_new(t, i))
                add_row(t->get(i), out);
    }
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
        for (size_t i = 0; i < tables[n].count(); i++) {
            if (!row_matches(tables[n].get(i), name, exactly))
                continue;
            add_row(tables[n].get(i), out);
            add_more(tables[n].get(i), out);
            found = 0;
        }
    return found;
}

int params_help(const char *name, struct text *out)
{
    if (name != NULL)
        return add_matching(name, true, out) == 0 ? 0 : add_matching(name, false, out);
    add_all(out);
    return 0;
}

static void add_latex_row(const struct value_row *row, struct text *out)
{
    struct text values = { 0 }, aliases = { 0 };
    value_explain(row, &values);
    add_aliases(row, &aliases);
    markup_add_macro(out, "\\skampirow", row->name, text_get(&values),
                     help_default(row) != NULL ? help_default(row) : "", row->doc,
                     text_get(&aliases));
    text_end(&values, out);
    text_end(&aliases, out);
}

static void add_pod_row(const struct value_row *row, struct text *out)
{
    struct text values = { 0 };
    value_explain(row, &values);
    text_add(out, "=item ");
    markup_add_font(out, 'B', row->name);
    text_add(out, "\n\n");
    if (help_default(row) != NULL)
        text_add(&values, "; default %s", help_default(row));
    markup_add_font(out, 'I', text_get(&values));
    text_add(out, "\n\n");
    markup_add(out, MARKUP_POD, row->doc);
    for (size_t i = 0; i < VALUE_ALIASES && row->aliases[i] != NULL; i++) {
        text_add(out, i == 0 ? " Also written as " : ", ");
        markup_add_font(out, 'B', row->aliases[i]);
    }
    text_add(out, "%s\n\n", row->aliases[0] != NULL ? "." : "");
    text_end(&values, out);
}

static void begin_table(const struct help_table *t, enum markup markup, struct text *out)
{
    if (markup == MARKUP_LATEX) {
        markup_add_macro(out, "\\begin{skampirows}", t->title, t->form);
        return;
    }
    text_add(out, "=head2 ");
    markup_add(out, MARKUP_POD, t->title);
    text_add(out, "\n\n");
    markup_add(out, MARKUP_POD, t->form);
    text_add(out, "\n\n=over\n\n");
}

void params_document(enum markup markup, struct text *out)
{
    for (size_t n = 0; n < HELP_TABLES; n++) {
        const struct help_table *t = help_table_get(n);
        begin_table(t, markup, out);
        for (size_t i = 0; i < t->count(); i++)
            if (help_is_new(t, i))
                (markup == MARKUP_LATEX ? add_latex_row : add_pod_row)(t->get(i), out);
        text_add(out, "%s\n\n", markup == MARKUP_LATEX ? "\\end{skampirows}" : "=back");
    }
}
