#include "cli/inform.h"
#include "model/catalog.h"

#include "results/row_text.h"

enum { TEXT_INDENT = 20 };

static const char ROWS[] = "In the rows, after '#':\n";

/* "NAME TEXT [UNIT]; what must be the same; what is submitted" */
static void add_fact(struct text *out, const struct fact_info *fact)
{
    struct text description = { 0 };
    text_add(&description, "%s", fact->text);
    if (fact->unit != NULL)
        text_add(&description, " [%s]", fact->unit);
    if (fact->same != SAME_NOTHING)
        text_add(&description, "; %s", fact_sames[fact->same]);
    if (fact->privacy != FACT_PUBLIC)
        text_add(&description, "; %s", fact_privacies[fact->privacy]);
    text_add(out, "  %-*s", TEXT_INDENT - 2, fact->name);
    text_add_wrapped(out, text_get(&description), TEXT_INDENT);
    text_end(&description, out);
}

void facts_help(struct text *out)
{
    for (enum fact_place place = 0; place < FACT_PLACES; place++) {
        text_add(out, "In the %s:\n", fact_places[place]);
        for (enum fact f = 0; f < FACT_COUNT; f++)
            if (fact_info(f)->place == place)
                add_fact(out, fact_info(f));
        text_add(out, "\n");
    }
    text_add(out, "%s", ROWS);
    for (enum detail d = 0; d < DETAIL_COUNT; d++)
        add_fact(out, detail_info(d));
}

/* An additional value of a row, unless its text was the last one. */
static const char *add_extra(struct text *out, const struct pattern_info *p,
                             const struct extra_info *x, const char *name, const char *last)
{
    for (; x != NULL && x->name != NULL; x++)
        if (text_same(x->name, name) && x->text != last) {
            const struct fact_info value = {
                .name = x->name, .unit = x->unit, .text = x->text, .privacy = FACT_PUBLIC
            };
            text_add(out, "In the rows of %s:\n", p->title);
            add_fact(out, &value);
            last = x->text;
        }
    return last;
}

static bool extra_help_named(struct text *out, const struct catalog *types, const char *name)
{
    const char *last = NULL;
    for (size_t i = 0; i < types->count; i++) {
        const struct pattern_info *p = types->types[i].pattern;
        last = add_extra(out, p, type_extra(&types->types[i]), name, last);
        for (enum variant v = 0; v < VARIANT_COUNT && catalog_has_first(types, i); v++)
            if (p->variants[v] != NULL)
                last = add_extra(out, p, p->variants[v]->extra, name, last);
    }
    return last != NULL;
}

bool facts_help_named(struct text *out, const struct catalog *types, const char *name)
{
    bool found = false;
    for (enum fact f = 0; f < FACT_COUNT; f++) {
        const struct fact_info *fact = fact_info(f);
        if (!text_same(fact->name, name))
            continue;
        text_add(out, "In the %s:\n", fact_places[fact->place]);
        add_fact(out, fact);
        found = true;
    }
    for (enum detail d = 0; d < DETAIL_COUNT; d++)
        if (text_same(detail_info(d)->name, name)) {
            text_add(out, "%s", ROWS);
            add_fact(out, detail_info(d));
            found = true;
        }
    return extra_help_named(out, types, name) || found;
}
