#include "results/output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char SEPARATOR[] = "#-----\n";
static const char END_OF_LIST[] = "#eol\n";
static const char RESULT_COLUMNS[] =
    "time_cleaned [microsec.] (%f) standard_error_cleaned [microsec.] (%f)"
    " count_cleaned [number] (%d) time_all [microsec.] (%f)"
    " standard_error_all [microsec.] (%f) count_all [number] (%d)";
static const char NODE_COLUMNS[] = " node_time [microsec.] (%f) per process";

static size_t length_without_line_ends(const char *value)
{
    size_t len = strlen(value);
    while (len > 0 && (value[len - 1] == '\n' || value[len - 1] == '\r'))
        len--;
    return len;
}

void output_field(struct text *out, const char *name, const char *value)
{
    const char *end = value + length_without_line_ends(value);
    text_add(out, "#@%s%s", name, value < end ? " " : "");
    for (;;) {
        size_t len = strcspn(value, "\n");
        const char *stop = value + len < end ? value + len : end;
        bool crlf = stop > value && stop[-1] == '\r';
        text_add_printable(out, value, (size_t)(stop - value) - (crlf ? 1 : 0));
        text_add(out, "\n");
        if (stop == end)
            return;
        text_add(out, "# ");
        value = stop + 1;
    }
}

static bool is_varied(const struct suite *s)
{
    return s->variation != VARY_NONE;
}

/* Does a row begin with what is varied, or with its process? */
static bool has_argument(const struct suite *s)
{
    return is_varied(s) || (s->type->pattern->traits & PATTERN_PER_PROCESS) != 0;
}

static void add_pattern(struct text *out, const struct suite *s)
{
    const struct variation_info *v = variation_info(s->variation);
    text_add(out, "#Pattern: %s", s->type->pattern->title);
    if (is_varied(s))
        text_add(out, " varied over the %s [%s] (%%d)", v->text, v->unit);
    text_add(out, ".\n");
}

static void add_chunks(struct text *out, const struct block *b)
{
    long chunks = b->suite->default_chunks;
    if (chunks == 0)
        text_add(out, ", %d chunks per worker", CHUNKS_PER_WORKER);
    else
        text_add(out, ", %ld chunks", chunks);
}

/* The values of what is not varied, and how long the suite could and did take. */
static void add_defaults(struct text *out, const struct block *b)
{
    const struct suite *s = b->suite;
    text_add(out, "#default values: %d nodes", b->processes);
    if ((s->type->pattern->variations & VARIES_CHUNKS) != 0 && s->variation != VARY_CHUNKS)
        add_chunks(out, b);
    if ((s->type->traits & TYPE_HAS_LENGTH) != 0 && s->variation != VARY_LENGTH)
        text_add(out, ", message length %ld bytes", suite_default_length(b->params, s));
    text_add(out, ", max. / act. time for suite ");
    if (s->time_suite_minutes > 0)
        text_add(out, "%.2f", s->time_suite_minutes);
    else
        text_add(out, "disabled");
    text_add(out, "/%.2f min.\n", b->time_minutes);
}

/* Lines 4 to 6 of the eight: nothing to say without a variation. */
static void add_variation(struct text *out, const struct block *b)
{
    const struct suite *s = b->suite;
    if (!is_varied(s)) {
        text_add(out, "#\n#\n#\n");
        return;
    }
    text_add(out, "#The x scale is %s, %s x wide adaption\n",
             scale_is_log(s->scale) ? "logarithmic" : "linear",
             scale_is_dynamic(s->scale) ? "automatic" : "no automatic");
    text_add(out, "#range: %ld - %ld, stepwidth: %f.\n", b->range.first, b->range.last,
             s->stepwidth);
    add_defaults(out, b);
}

static void add_accuracy(struct text *out, const struct suite *s)
{
    text_add(out, "#max. allowed standard error is %.2f %%", s->standard_error * 100);
    if (is_varied(s))
        text_add(out, ", cut quantile is %.2f %%", s->cut_quantile * 100);
    text_add(out, "\n");
}

static bool has_node_times(const struct block *b)
{
    for (size_t i = 0; i < b->count; i++)
        if (b->rows[i].nodes > 0)
            return true;
    return false;
}

static void add_format(struct text *out, const struct block *b)
{
    const struct suite *s = b->suite;
    const struct variation_info *v = variation_info(s->variation);
    text_add(out, "#Format: <args> ");
    if (is_varied(s))
        text_add(out, "%s [%s] (%%d) ", v->text, v->unit);
    else if (has_argument(s))
        text_add(out, "process [number] (%%d) ");
    text_add(out, "<results> %s%s\n", RESULT_COLUMNS, has_node_times(b) ? NODE_COLUMNS : "");
}

static void add_header(struct text *out, const struct block *b)
{
    const struct suite *s = b->suite;
    char label[SUITE_LABEL_SIZE];
    text_add(out, "%s", SEPARATOR);
    text_add(out, "#/*@in%s.ski*/\n", suite_label(s, label, sizeof(label)));
    text_add(out, "#Description of the %s measurement:\n", s->name);
    add_pattern(out, s);
    add_variation(out, b);
    add_accuracy(out, s);
    add_format(out, b);
}

static void add_first_call(struct text *out, const struct block *b)
{
    const struct suite *s = b->suite;
    if (b->first_call_us < 0.0)
        return;
    text_add(out, "#@FIRSTCALL %.6f microsec.", b->first_call_us);
    if (is_varied(s))
        text_add(out, " at %s %ld", variation_info(s->variation)->text, b->first_argument);
    text_add(out, " on %s; in no row\n", s->type->pattern->first_call_on);
}

/* A suite's name is the user's: this is what it measures. */
static void add_type(struct text *out, const struct type_info *type)
{
    char label[TYPE_LABEL_SIZE];
    text_add(out, "#@TYPE %d %s\n", type->number, type_label(type, label));
}

/* Where the suite ends before its End_Argument. */
static void add_cut(struct text *out, const struct block *b)
{
    struct text why = { 0 };
    if (suite_range_cut(b->params, b->suite, b->processes) == RANGE_WHOLE)
        return;
    suite_range_explain(b->params, b->suite, b->processes, &why);
    output_field(out, "NOTE", text_get(&why));
    text_release(&why);
}

static void add_notes(struct text *out, const struct block *b)
{
    const struct type_info *type = b->suite->type;
    add_type(out, type);
    add_cut(out, b);
    const char *meaning = type->time_of != NULL ? type->time_of : type->pattern->time_of;
    output_field(out, "TIMEOF", meaning != NULL ? meaning : type->text);
    extra_add_notes(out, type_extra(type));
    add_first_call(out, b);
    if (b->notes != NULL)
        text_add(out, "%s", b->notes);
}

/* "nan", never "-nan": gnuplot leaves such a point out. */
static void add_time(struct text *out, const char *before, double us)
{
    if (isnan(us))
        text_add(out, "%snan", before);
    else
        text_add(out, "%s%.6f", before, us);
}

static void add_summary(struct text *out, const char *before, const struct summary *s)
{
    add_time(out, before, s->mean_us);
    add_time(out, " ", s->error_us);
    text_add(out, " %d", s->count);
}

static void add_details(struct text *out, const struct row *r)
{
    text_add(out, " # stop=%s", stop_name(r->stop));
    add_time(out, " min=", r->stats.min_us);
    add_time(out, " p25=", r->stats.p25_us);
    add_time(out, " median=", r->stats.median_us);
    add_time(out, " p75=", r->stats.p75_us);
    add_time(out, " max=", r->stats.max_us);
    text_add(out, " invalid=%d", r->invalid);
    if (r->overhead_us > 0.0)
        add_time(out, " overhead=", r->overhead_us);
    if (r->partner > 0)
        text_add(out, " partner=%d", r->partner);
    if (r->refined)
        text_add(out, " refined=1");
}

static void add_extra(struct text *out, const struct row *r, const struct type_info *type)
{
    const struct extra_info *first = type_extra(type);
    for (const struct extra_info *x = first; x->name != NULL; x++)
        extra_add_value(out, x->name, x->unit != NULL, &r->extra[x - first]);
}

static void add_row(struct text *out, const struct row *r, const struct suite *s)
{
    if (has_argument(s))
        text_add(out, "%ld ", r->argument);
    add_summary(out, "", &r->stats.cleaned);
    add_summary(out, " ", &r->stats.all);
    for (int i = 0; i < r->nodes; i++)
        add_time(out, " ", r->node_us[i]);
    add_details(out, r);
    add_extra(out, r, s->type);
    text_add(out, "\n");
}

void output_block(struct text *out, const struct block *b)
{
    add_header(out, b);
    add_notes(out, b);
    for (size_t i = 0; i < b->count; i++)
        add_row(out, &b->rows[i], b->suite);
    text_add(out, "%s", END_OF_LIST);
}

void output_trailer(struct text *out)
{
    text_add(out, "#skampi finished.\n");
}
