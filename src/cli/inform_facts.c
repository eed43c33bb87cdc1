#include "cli/inform.h"

#include "results/row_text.h"

enum { TEXT_INDENT = 20 };

/* "NAME TEXT [UNIT]; what must be the same; what is submitted" */
static void add_fact(struct text *out, const struct fact_info *fact)
{
    LOCAL_TEXT description = { 0 };
    text_add(&description, "%s", fact->text);
    if (fact->unit != NULL)
        text_add(&description, " [%s]", fact->unit);
    if (fact->same != SAME_NOTHING)
        text_add(&description, "; %s", fact_sames[fact->same]);
    if (fact->privacy != FACT_PUBLIC)
        text_add(&description, "; %s", fact_privacies[fact->privacy]);
    text_add(out, "  %-*s", TEXT_INDENT - 2, fact->name);
    text_add_wrapped(out, text_get(&description), TEXT_INDENT);
}

/* Adds a place's facts, or only the one of this name; the place after the others is the rows. */
static bool add_place(struct text *out, int place, const char *name)
{
    bool rows = place == FACT_PLACES, found = false;
    for (int i = 0; i < (rows ? (int)DETAIL_COUNT : (int)FACT_COUNT); i++) {
        const struct fact_info *f = rows ? detail_info((enum detail)i) : fact_info((enum fact)i);
        if ((!rows && (int)f->place != place) || (name != NULL && !text_same(f->name, name)))
            continue;
        if (!found)
            text_add(out, "In the %s:\n", rows ? "rows, after '#'" : fact_places[place]);
        found = true;
        add_fact(out, f);
    }
    return found;
}

/* Adds an additional value of a row, unless its text was the last one. */
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

static bool add_extras(struct text *out, const struct catalog *types, const char *name)
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

bool facts_help(struct text *out, const struct catalog *types, const char *name)
{
    bool found = false;
    for (int place = 0; place <= FACT_PLACES; place++) {
        text_add(out, name == NULL && found ? "\n" : "");
        found = add_place(out, place, name) || found;
    }
    return (name != NULL && add_extras(out, types, name)) || found;
}
