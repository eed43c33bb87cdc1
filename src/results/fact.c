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
    out->failed = out->failed || value->failed; /* a form has too many values */
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
