#include "results/fact.h"

#include "results/format.h"

static const struct fact_info facts[FACT_COUNT] = {
#define FACT(place_, privacy_, constant, name_, ...) /* the text and other members */              \
    [FACT_##constant] = {                                                                          \
        .name = name_, .place = FACT_OF_##place_, .privacy = FACT_##privacy_, .text = __VA_ARGS__  \
    },
#include "results/facts.def"
#undef FACT
};

const struct fact_info *fact_info(enum fact f)
{
    return &facts[f];
}

const char *const fact_places[FACT_PLACES] = { [FACT_OF_HEADER] = "header",
                                               [FACT_OF_MERGE] = "header of a merge",
                                               [FACT_OF_BLOCK] = "blocks",
                                               [FACT_OF_TRAILER] = "trailer" };

const char *const fact_kinds[FACT_KINDS] = { "line", "word", "number", "count", "modes" };

const char *const fact_lists[FACT_LIST_COUNT] = {
    [IN_SHOW] = "show",       [IN_REPORT] = "report",           [IN_SIDES] = "sides",
    [IN_RUNS] = "runs",       [IN_DIFFERENCES] = "differences", [IN_DEFINITION] = "definition",
    [IN_CLASS] = "class",     [IN_SETTINGS] = "settings",       [IN_MACHINE] = "machine",
    [IN_HISTORY] = "history",
};

const char *const fact_sames[SAMES] = {
    [SAME_NOTHING] = "",
    [SAME_TEXT] = "must be the same to merge runs",
    [SAME_SECTIONS] = "must be the same to merge runs, except for texts and file names",
    [SAME_VARIABLES] = "settings of the MPI library must be the same to merge runs",
    [SAME_COUNTS] = "the numbers must be the same to merge runs",
    [SAME_SUITES] = "suites with the same name must be the same to merge runs",
    [SAME_LANGUAGES] = "must be the same for each language to merge runs",
    [SAME_FILES] = "files with the same name must hold the same to merge runs",
};

const char *const fact_privacies[FACT_PRIVACIES] = {
    [FACT_PRIVATE] = "not submitted",
    [FACT_PUBLIC] = "",
    [FACT_WITH_NAMES] = "submitted without names",
};

void fact_add(struct text *out, enum fact f, const char *value)
{
    format_field(out, facts[f].name, value);
}

void fact_add_text(struct text *out, enum fact f, struct text *value)
{
    fact_add(out, f, text_get(value));
    text_release(value);
}

void fact_addf(struct text *out, enum fact f, const char *format, ...)
{
    struct text value = { 0 };
    text_add_own(&value, format);
    fact_add_text(out, f, &value);
}

void fact_add_wide(struct text *out, enum fact f, const char *value)
{
    enum { LINE_WIDTH = 170 };
    int width = LINE_WIDTH - (int)strlen(fact_info(f)->name);
    fact_addf(out, f, "%-*.*s", width, width, value);
}

/* The rest of a form, and the values of its names. */
struct filling {
    const char *at, *end;
    const struct fact_value *values;
    size_t count, used;
};

/* Adds the value of "{name:kind}"; false if it is missing. */
static bool fill_name(struct filling *f, struct text *out)
{
    const char *kind = f->at + strcspn(f->at, ":}");
    bool is_text = *kind != ':' || kind[1] == 's';
    f->at += strcspn(f->at, "}") + 1;
    if (f->used++ >= f->count)
        return false;
    const struct fact_value *value = &f->values[f->used - 1];
    if (is_text)
        text_add(out, "%s", value->text);
    else
        text_add(out, "%.*f", kind[1] == '.' ? atoi(kind + 2) : 0, value->number);
    return is_text ? value->text != NULL : !isnan(value->number);
}

static bool fill_part(struct filling *f, struct text *out);

/* Adds the first part of "[A|B]" that has all its values. */
static void fill_choice(struct filling *f, struct text *out)
{
    bool is_chosen = false;
    do {
        LOCAL_TEXT part = { 0 };
        f->at++;
        if (fill_part(f, &part) && !is_chosen) {
            text_add(out, "%s", text_get(&part));
            is_chosen = true;
        }
    } while (*f->at == '|');
    f->at++;
}

/* Adds a part up to its end; false if it lacks a value. */
static bool fill_part(struct filling *f, struct text *out)
{
    bool is_whole = true;
    while (f->at < f->end && *f->at != '|' && *f->at != ']')
        if (*f->at == '{') {
            is_whole = fill_name(f, out) && is_whole;
        } else if (*f->at == '[') {
            fill_choice(f, out);
        } else {
            f->at += *f->at == '\\';
            text_add_bytes(out, f->at++, 1);
        }
    return is_whole;
}

/* The item of a form's list, which a separator follows; the end of a form without a list. */
struct item {
    const char *begin, *end;
    size_t separator;
};

static struct item item_of(const char *form)
{
    const char *dots = strstr(form, "...");
    if (dots == NULL)
        return (struct item){ form + strlen(form), NULL, 0 };
    size_t len = dots[-1] == ' ' && dots[-2] == ',' ? 2 : 1;
    const char *end = dots - len, *begin = end;
    while (begin > form && (begin < form + len || strncmp(begin - len, end, len) != 0))
        begin--;
    return (struct item){ begin, end, len };
}

void fact_fill_values(struct text *value, enum fact fact, const struct fact_value *values,
                      size_t count)
{
    const char *form = fact_info(fact)->form;
    const struct item item = item_of(form);
    struct filling f = { form, item.begin, values, count, 0 };
    if (value->len == 0) {
        f.end -= item.begin > form ? item.separator : 0;
        fill_part(&f, value);
    }
    if (f.used == 0 && item.end != NULL) {
        text_add_bytes(value, item.end, value->len > 0 ? item.separator : 0);
        f.at = item.begin;
        f.end = item.end;
        fill_part(&f, value);
    }
}
