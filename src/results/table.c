#include "results/table.h"

#include "base/json.h"
#include "model/suite.h"
#include "results/row_text.h"

enum { MOST_DECIMALS = 4, MOST_DIGITS = 8 };

/* Numbers from here on would have more digits. */
static const double LARGEST = 99999999.5;

static const struct {
    enum mark mark;
    char symbol;
    const char *text;
} marks[] = {
    { MARK_CLOCK, '*', "clocks may be apart by more than the error" },
    { MARK_CONTENDED, '!', "processes waited for CPUs" },
    { MARK_UNSTEADY, '^', "times drift or depend on each other" },
    { MARK_EMPTY, '-', "no valid repetition" },
    { MARK_TAIL, 't', "the mean is far above the time" },
    { MARK_FEW, 'v', "few visits" },
};
enum { MARKS = sizeof(marks) / sizeof(*marks) };

/* The mean with its error is above this multiple of the time. */
static const double TAIL = 1.25;

unsigned row_marks(const struct block *b, const struct row *r)
{
    const struct summary *all = &r->stats.all;
    double time_us = r->stats.cleaned.mean_us;
    bool tail = time_us > 0.0 && all->mean_us - all->error_us > TAIL * time_us;
    return MARK_CLOCK * row_is_apart(b, r) | MARK_CONTENDED * (r->contended != 0) |
           MARK_UNSTEADY * r->shape.unsteady | MARK_EMPTY * (r->stats.cleaned.count == 0) |
           MARK_TAIL * tail | MARK_FEW * r->few_visits;
}

static void add_symbols(struct text *out, unsigned of)
{
    for (int i = 0; i < MARKS; i++)
        if ((of & marks[i].mark) != 0)
            text_add(out, "%c", marks[i].symbol);
}

void row_add_marks(struct text *out, unsigned of)
{
    LOCAL_TEXT symbols = { 0 };
    add_symbols(&symbols, of);
    if (symbols.len > 0)
        row_add_word(out, DETAIL_MARKS, text_get(&symbols));
}

unsigned row_read_marks(const char *details)
{
    const char *symbols = row_find(details, detail_info(DETAIL_MARKS)->name);
    unsigned found = 0;
    for (int i = 0; i < MARKS && symbols != NULL; i++)
        if (memchr(symbols, marks[i].symbol, strcspn(symbols, " \t")) != NULL)
            found |= (unsigned)marks[i].mark;
    return found;
}

/* Can time and mean differ? */
static bool has_mean(const struct suite *s)
{
    return s->options.as == BY_ITSELF && (s->cut_quantile > 0.0 || s->options.outliers > 0.0 ||
                                          s->options.estimate != ESTIMATE_CUT);
}

/* The unit of the arguments, "bytes" or "ranks". */
static const char *argument_unit(const struct suite *s)
{
    switch (suite_arguments(s)) {
    case ARGUMENTS_NONE:
        return "";
    case ARGUMENTS_PAIRS:
        return "ranks";
    default:
        return variation_info(s->variation)->unit;
    }
}

static bool has_bandwidth(const struct block *b)
{
    return (b->suite->type->traits & TYPE_HAS_LENGTH) != 0 ||
           type_varies(b->suite->type, VARY_LENGTH);
}

/* Are all times of the suite below 1 us? */
static bool is_in_ns(const struct block *b)
{
    double longest_us = 0.0;
    for (size_t i = 0; i < b->count; i++)
        longest_us = fmax(longest_us, b->rows[i].stats.cleaned.mean_us);
    return longest_us > 0.0 && longest_us < 1.0;
}

void table_add_suite(struct text *out, const struct block *b)
{
    const struct suite *s = b->suite;
    LOCAL_TEXT of = { 0 };
    definition_add_text(&of, s);
    text_add(out, "# %s: %s\n", label_of(s), text_get(&of));
    const char *unit = argument_unit(s);
    const char *us = is_in_ns(b) ? "ns" : "us";
    text_add(out, "#%9s   time [%s] %9s",
             strcmp(unit, "number") == 0 ? variation_word(s->variation) : unit, us, "+-");
    if (has_mean(s))
        text_add(out, "   mean [%s] %9s", us, "+-");
    text_add(out, " %11s  mark\n", has_bandwidth(b) ? "MB/s" : "1/s");
}

/* The decimals that an error permits: two digits of it; without an error, four of the number. A
 * number has at most eight digits. */
static int decimals_of(double number, double error)
{
    double least = error > 0.0 ? error : fabs(number) * 1e-2;
    double decimals = least > 0.0 ? fmin(1.0 - floor(log10(least)), MOST_DECIMALS) : 2.0;
    double whole = fabs(number) >= 1.0 ? 1.0 + floor(log10(fabs(number))) : 1.0;
    return (int)fmax(fmin(decimals, MOST_DIGITS - whole), 0.0);
}

static void add_number(struct text *out, int width, double number, int decimals)
{
    bool is_0 = fabs(number) < 0.5 * pow(10.0, -decimals);
    if (!isfinite(number))
        text_add(out, " %*s", width, "-");
    else if (fabs(number) < LARGEST && (!is_0 || number == 0.0))
        text_add(out, " %*.*f", width, decimals, number);
    else
        text_add(out, " %*.4g", width, number);
}

/* An error that rounds to 0 is below the last decimal. */
static void add_summary(struct text *out, const struct summary *s, double scale)
{
    const double number = scale * s->mean_us, error = scale * s->error_us;
    const int decimals = decimals_of(number, error);
    const double last = pow(10.0, -decimals);
    LOCAL_TEXT below = { 0 };
    add_number(out, 11, number, decimals);
    text_add(&below, "<%.*f", decimals, last);
    if (error < 0.5 * last)
        text_add(out, " %9s", text_get(&below));
    else
        add_number(out, 9, error, decimals);
}

/* MB/s, or calls per second. */
static double rate_of_row(const struct table_row *r)
{
    struct setting at = suite_setting(r->b->suite, r->b->processes, r->row->argument);
    at.length = r->row->length;
    const struct transferred t = suite_transfers(r->b->suite, &at);
    double calls = isnan(t.events) ? 1.0 : t.events;
    return (has_bandwidth(r->b) ? t.bytes : calls * 1e6) / r->row->stats.cleaned.mean_us;
}

/* "  usual 1.47 to 1.61; 3.1 times the usual", with three digits. */
static void add_usual(struct text *out, const struct table_row *r, double scale)
{
    const double low = scale * r->usual->low, high = scale * r->usual->high;
    text_add(out, "  usual");
    add_number(out, 0, low, decimals_of(low, 0.1 * low));
    text_add(out, " to");
    add_number(out, 0, high, decimals_of(high, 0.1 * high));
    if (r->times > 0.0)
        text_add(out, "; %.2g times the usual", r->times);
}

void table_add_end(struct text *out, const struct table_row *r)
{
    text_add(out, "  ");
    add_symbols(out, r->marks);
    if (r->usual != NULL)
        add_usual(out, r, is_in_ns(r->b) ? 1e3 : 1.0);
    if (r->visits > 0)
        text_add(out, "  %d of %d visits", r->visits, r->wanted);
    text_add(out, "\n");
}

void table_add_row(struct text *out, const struct table_row *r)
{
    const struct summary *time = &r->row->stats.cleaned;
    double rate = rate_of_row(r), scale = is_in_ns(r->b) ? 1e3 : 1.0;
    LOCAL_TEXT argument = { 0 };
    if (suite_arguments(r->b->suite) == ARGUMENTS_PAIRS)
        text_add(&argument, "%ld-%ld", r->row->argument, r->row->partner_argument);
    else if (suite_arguments(r->b->suite) == ARGUMENTS_NONE)
        text_add(&argument, "-");
    else
        text_add(&argument, "%ld", r->row->argument);
    text_add(out, "%10s", text_get(&argument));
    add_summary(out, time, scale);
    if (has_mean(r->b->suite))
        add_summary(out, &r->row->stats.all, scale);
    add_number(out, 11, rate, decimals_of(rate, rate * time->error_us / time->mean_us));
    table_add_end(out, r);
}

void table_add_json(struct text *out, const struct table_row *r)
{
    const struct suite *s = r->b->suite;
    const struct summary *time = &r->row->stats.cleaned, *mean = &r->row->stats.all;
    enum arguments kind = suite_arguments(s);
    LOCAL_TEXT symbols = { 0 }, line = { 0 };
    add_symbols(&symbols, r->marks);
    json_begin(&line, NULL, '{');
    json_add(&line, "schema", "skampi-row/1");
    json_add(&line, "suite", label_of(s));
    json_add_number(&line, "type", s->type->number);
    json_add(&line, "operation", s->type->name);
    json_add(&line, "variation",
             kind == ARGUMENTS_NONE ? "none" : variation_info(s->variation)->axis);
    if (kind != ARGUMENTS_NONE)
        json_add_number(&line, "argument", r->row->argument);
    if (kind == ARGUMENTS_PAIRS)
        json_add_number(&line, "partner", r->row->partner_argument);
    json_add(&line, "argument_unit", argument_unit(s));
    json_add_real(&line, "time_us", time->mean_us);
    json_add_real(&line, "time_error_us", time->error_us);
    json_add_real(&line, "mean_us", mean->mean_us);
    json_add_real(&line, "mean_error_us", mean->error_us);
    json_add_real(&line, has_bandwidth(r->b) ? "bandwidth_MBps" : "rate_per_s", rate_of_row(r));
    json_add_number(&line, "count", time->count);
    json_add(&line, "marks", text_get(&symbols));
    if (r->usual != NULL) {
        json_add_real(&line, "usual_low_us", r->usual->low);
        json_add_real(&line, "usual_high_us", r->usual->high);
    }
    if (r->times > 0.0)
        json_add_real(&line, "times_usual", r->times);
    json_add_number(&line, "visits", r->row->passes > 0 ? r->row->passes : 1);
    json_add_boolean(&line, "final", r->visits == 0);
    json_add(&line, "why", time->count == 0 ? ROW_EMPTY : NULL);
    json_end(&line, '}');
    text_add(out, "%s\n", text_get(&line));
}

void table_add_marks(struct text *out, unsigned of)
{
    for (int i = 0; i < MARKS; i++)
        if ((of & marks[i].mark) != 0)
            text_add(out, "; %c %s", marks[i].symbol, marks[i].text);
}

void table_add_meaning(struct text *out, const struct suite *list, size_t count)
{
    bool both = false, half = true;
    for (const struct suite *s = list; s < list + count; s++) {
        both = both || has_mean(s);
        half = half && s->cut_quantile == 0.25 && s->options.estimate == ESTIMATE_CUT;
    }
    if (both)
        text_add(out, "# time: %s; mean: all calls\n",
                 half ? "the middle half of all calls (Cut_Quantile 0.25)"
                      : "what Cut_Quantile, or estimate, leaves of all calls");
}
