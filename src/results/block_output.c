#include "results/block.h"

#include "model/buffer_size.h"
#include "model/suite.h"
#include "results/columns.h"
#include "results/format.h"
#include "results/row_text.h"
#include "results/table.h"

static bool is_varied(const struct suite *s)
{
    return suite_arguments(s) != ARGUMENTS_NONE;
}

/* Does a row begin with the varied argument, or with its process? */
static bool has_argument(const struct suite *s)
{
    return is_varied(s) || (s->type->pattern->traits & PATTERN_PER_PROCESS) != 0;
}

/* The values that are not varied, and the maximum and actual duration of the suite. */
static void add_defaults(struct text *out, const struct block *b)
{
    const struct suite *s = b->suite;
    /* One access in an epoch is no window. */
    bool one = (s->type->traits & TYPE_ONE_SIDED) != 0 && s->options.window == 1;
    bool chunks = (s->type->pattern->variations & VARIES_CHUNKS) != 0 && !suite_varies(s, chunks);
    text_add(out, "#%s %d nodes", HEADER_DEFAULTS, b->processes);
    if (chunks && s->default_chunks == 0)
        text_add(out, ", %d chunks per worker", CHUNKS_PER_WORKER);
    else if (chunks)
        text_add(out, ", %ld chunks", s->default_chunks);
    if ((s->type->traits & TYPE_WINDOW) != 0 && !suite_varies(s, window) && !one)
        text_add(out, ", window of %d messages", s->options.window);
    if ((s->type->traits & TYPE_HAS_LENGTH) != 0 && !suite_varies(s, length))
        text_add(out, ", %smessage length %ld bytes",
                 s->options.length_is == LENGTH_TOTAL ? "total " : "",
                 suite_default_length(b->params, s));
    text_add(out, "%s", DEFAULTS_TIME);
    if (s->time_suite_minutes > 0)
        text_add(out, "%.2f", s->time_suite_minutes);
    else
        text_add(out, "disabled");
    text_add(out, "/%.2f min.\n", b->time_minutes);
}

/* Adds lines 4 to 6 of the eight; empty without a variation. */
static void add_variation(struct text *out, const struct block *b)
{
    const struct suite *s = b->suite;
    if (!is_varied(s)) {
        text_add(out, "#\n#\n#\n");
        return;
    }
    text_add(out, "#The x scale is %s, ", scale_is_log(suite_scale(s)) ? "logarithmic" : "linear");
    text_add(out, "%s x wide adaption\n",
             scale_is_dynamic(suite_scale(s)) ? "automatic" : "no automatic");
    text_add(out, "#range: %ld - %ld, stepwidth: %f.\n", b->range.first, b->range.last,
             suite_stepwidth(s));
    add_defaults(out, b);
}

static void add_format(struct text *out, const struct block *b)
{
    const struct suite *s = b->suite;
    const struct variation_info *v = variation_info(s->variation);
    LOCAL_TEXT arguments = { 0 };
    bool node_times = false;
    for (size_t i = 0; i < b->count; i++)
        node_times = node_times || b->rows[i].nodes > 0;
    if (suite_arguments(s) == ARGUMENTS_PAIRS)
        text_add(&arguments, "rank [number] (%%d) partner [number] (%%d)");
    else if (is_varied(s))
        text_add(&arguments, "%s [%s] (%%d)", v->text, v->unit);
    else if (has_argument(s))
        text_add(&arguments, "process [number] (%%d)");
    const struct format_line line = { .arguments = text_get(&arguments), .node_times = node_times };
    columns_add_format(out, &line);
}

static void add_first_call(struct text *out, const struct block *b)
{
    const struct suite *s = b->suite;
    LOCAL_TEXT at = { 0 };
    if (b->first_call_us < 0.0)
        return;
    if (suite_arguments(s) == ARGUMENTS_PAIRS)
        text_add(&at, "in the first round");
    else if (is_varied(s))
        text_add(&at, "at %s %ld", variation_info(s->variation)->text, b->first_argument);
    fact_write(out, FACT_FIRSTCALL, { .number = b->first_call_us },
               { .text = at.len > 0 ? text_get(&at) : NULL },
               { .text = suite_pattern(s)->first_call_on });
}

static void add_notes(struct text *out, const struct block *b)
{
    const struct type_info *type = b->suite->type;
    fact_write(out, FACT_TYPE, { .number = type->number }, { .text = type->pattern->prefix },
               { .text = type->name });
    LOCAL_TEXT cut = { 0 }; /* why the suite ends before its End_Argument */
    if (suite_range_cut(b->params, b->suite, b->processes, &cut) != RANGE_WHOLE)
        fact_add(out, FACT_NOTE, text_get(&cut));
    struct text names = { 0 }, meaning = { 0 };
    definition_add_names(&names, b->suite);
    definition_add_text(&meaning, b->suite);
    fact_add(out, FACT_START, start_name(suite_pattern(b->suite)->start));
    fact_add_text(out, FACT_TIME, &names);
    fact_add_text(out, FACT_TIMEOF, &meaning);
    extra_add_notes(out, suite_extra(b->suite));
    add_first_call(out, b);
    text_add(out, "%s", text_get(&b->notes));
}

/* NaN, which is not printed, unless the number is more than 0. */
static double if_any(double number)
{
    return number > 0.0 ? number : NAN;
}

static void add_modes(struct text *out, enum detail detail, const struct modes *m)
{
    if (m->high > 0)
        row_add_modes(out, detail,
                      &(struct row_modes){ m->low_us, m->high_us,
                                           100.0 * m->low / ((double)m->low + m->high) });
}

/* The visits that another row misses altogether in one of ten cases. */
static const double MISSED = 0.1;

static void add_visits(struct text *out, const struct row *r)
{
    row_add_times(out, DETAIL_VISITS, r->visit_us, r->visit_us == NULL ? 0 : r->passes);
    int visits = r->passes - r->disturbed;
    row_add_value(out, DETAIL_DISTURBED, if_any(r->disturbed));
    row_add_value(out, DETAIL_VISIT_MEDIAN, r->visit_median_us);
    row_add_value(out, DETAIL_FAST, if_any(r->states.low_us));
    add_modes(out, DETAIL_STATES, &r->states);
    row_add_value(out, DETAIL_UNSEEN, 100.0 * (1.0 - pow(MISSED, 1.0 / visits)));
}

static void add_details(struct text *out, const struct block *b, const struct row *r)
{
    const struct suite *s = b->suite;
    row_begin_details(out);
    row_add_marks(out, row_marks(b, r));
    bool accurate = stats_are_accurate(&r->stats, s->standard_error);
    row_add_word(out, DETAIL_STOP, stop_name(r->stop));
    if (r->stop != STOP_ACCURACY || !accurate)
        row_add_word(out, DETAIL_ACCURACY, accurate ? "reached" : "missed");
    if (stats_are_few(&r->stats) || r->few_visits)
        row_add_word(out, DETAIL_FEW, stats_are_few(&r->stats) ? "yes" : "visits");
    row_add_value(out, DETAIL_MIN, r->stats.min_us);
    row_add_value(out, DETAIL_P25, r->stats.p25_us);
    row_add_value(out, DETAIL_MEDIAN, r->stats.median_us);
    row_add_value(out, DETAIL_P75, r->stats.p75_us);
    row_add_value(out, DETAIL_MAX, r->stats.max_us);
    row_add_value(out, DETAIL_INVALID, r->invalid);
    row_add_value(out, DETAIL_WARMUP, if_any(r->warmup));
    row_add_value(out, DETAIL_WARMING, if_any(r->warming));
    if (s->options.outliers > 0.0)
        row_add_value(out, DETAIL_OUTLIERS, r->stats.outliers);
    row_add_value(out, DETAIL_CONTENDED, if_any(r->contended));
    row_add_value(out, DETAIL_UNSTEADY, if_any(r->shape.unsteady));
    add_modes(out, DETAIL_MODES, &r->shape.modes);
    if (r->looking > 0.0 || r->residual_us > 0.0) {
        row_add_value(out, DETAIL_RESIDUAL, r->residual_us);
        row_add_value(out, DETAIL_LOOKING, 100.0 * r->looking);
    }
    row_add_value(out, DETAIL_OVERHEAD, if_any(r->overhead_us));
    row_add_value(out, DETAIL_PASSES, if_any(r->passes));
    row_add_value(out, DETAIL_WITHIN, r->passes > 0 ? r->within_us : NAN);
    if (r->passes > 1)
        add_visits(out, r);
    if (s->options.length_is == LENGTH_TOTAL)
        row_add_value(out, DETAIL_LENGTH, (double)r->length);
    row_add_value(out, DETAIL_PARTNER, if_any(r->partner));
    if (r->place != NULL)
        row_add_word(out, DETAIL_PLACE, r->place);
    row_add_value(out, DETAIL_REFINED, if_any(r->refined));
}

static void add_row(struct text *out, const struct block *b, const struct row *r)
{
    const struct suite *s = b->suite;
    if (has_argument(s))
        text_add(out, "%ld ", r->argument);
    if (suite_arguments(s) == ARGUMENTS_PAIRS)
        text_add(out, "%ld ", r->partner_argument);
    row_add_summary(out, "", r->stats.cleaned.mean_us, r->stats.cleaned.error_us,
                    r->stats.cleaned.count);
    row_add_summary(out, " ", r->stats.all.mean_us, r->stats.all.error_us, r->stats.all.count);
    for (int i = 0; i < r->nodes; i++)
        row_add_time(out, " ", r->node_us[i]);
    add_details(out, b, r);
    const struct extra_info *first = suite_extra(s);
    for (const struct extra_info *x = first; x->name != NULL; x++)
        extra_add_value(out, x->name, x->unit == NULL ? '\0' : *x->unit, &r->extra[x - first]);
    text_add(out, "\n");
}

void output_block(struct text *out, const struct block *b)
{
    const struct suite *s = b->suite;
    const struct variation_info *v = variation_info(s->variation);
    format_begin_list(out, label_of(s));
    text_add(out, "#Description of the %s measurement:\n", s->name);
    text_add(out, "#%s %s", HEADER_PATTERN, s->type->pattern->title);
    if (is_varied(s))
        text_add(out, " varied over the %s [%s] (%%d)", v->text, v->unit);
    text_add(out, ".\n");
    add_variation(out, b);
    text_add(out, "#max. allowed standard error is %.2f %%", s->standard_error * 100);
    if (is_varied(s))
        text_add(out, ", cut quantile is %.2f %%", s->cut_quantile * 100);
    text_add(out, "\n");
    add_format(out, b);
    add_notes(out, b);
    for (size_t i = 0; i < b->count; i++)
        add_row(out, b, &b->rows[i]);
    format_end_list(out);
}
