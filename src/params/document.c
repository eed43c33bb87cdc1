#include "params/help.h"

/* "@MULTIPLEOF, @MULTIPLE"; empty if there is only one spelling. */
static void add_aliases(const struct value_row *row, struct text *out)
{
    for (size_t i = 0; i < VALUE_ALIASES && row->aliases[i] != NULL; i++)
        text_add(out, "%s%s", i == 0 ? "" : ", ", row->aliases[i]);
}

static void add_latex_row(const struct value_row *row, struct text *out)
{
    struct text values = { 0 }, aliases = { 0 };
    help_values(row, &values);
    add_aliases(row, &aliases);
    text_add(out, "\\skampirow");
    markup_add_argument(out, row->name);
    markup_add_argument(out, text_get(&values));
    markup_add_argument(out, help_default(row) != NULL ? help_default(row) : "");
    markup_add_argument(out, row->doc);
    markup_add_argument(out, text_get(&aliases));
    text_add(out, "\n");
    out->failed = out->failed || values.failed || aliases.failed;
    text_release(&values);
    text_release(&aliases);
}

static void add_pod_row(const struct value_row *row, struct text *out)
{
    struct text values = { 0 };
    help_values(row, &values);
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
    out->failed = out->failed || values.failed;
    text_release(&values);
}

static void begin_table(const struct help_table *t, enum markup markup, struct text *out)
{
    if (markup == MARKUP_LATEX) {
        text_add(out, "\\begin{skampirows}");
        markup_add_argument(out, t->title);
        markup_add_argument(out, t->form);
        text_add(out, "\n");
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
