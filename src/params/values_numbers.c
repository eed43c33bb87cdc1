#include "params/values.h"

#include "model/parameters.h"

static bool float_text(const struct value_input *in, double *number)
{
    struct size s;
    int rc = size_read(in->source->bytes + in->from, in->to - in->from, &s);
    *number = s.number;
    return rc == 0 && s.unit == 0;
}

bool value_whole(const struct value_input *in, long *number)
{
    const double exact = 9007199254740992.0; /* 2^53: up to here every integer is a double */
    double d;
    if (!float_text(in, &d) || d < -exact || d > exact)
        return false;
    *number = (long)d;
    return (double)*number == d;
}

static bool in_range(const struct value_row *row, double number)
{
    bool above = row->bounds & VALUE_ABOVE_MIN ? number > row->min : number >= row->min;
    bool below = row->bounds & VALUE_BELOW_MAX ? number < row->max : number <= row->max;
    return above && below;
}

static bool print_word(const struct value_row *row, double number, struct text *out)
{
    for (const struct value_word *w = row->words; w != NULL && w->word != NULL; w++)
        if ((double)w->number == number) {
            text_add(out, "%s", w->word);
            return true;
        }
    return false;
}

/* Rounds a number, except to 0, which may have a meaning of its own. */
static bool rounded_text(const struct value_row *row, const struct value_input *in, long *number)
{
    double exact;
    if ((row->bounds & VALUE_ROUNDED) == 0 || !float_text(in, &exact) || !in_range(row, exact))
        return false;
    *number = exact < 0.5 ? 1 : lround(exact);
    complaints_warn(in->complaints, in->from, "'%s' is a whole number: %s is rounded to %ld",
                    row->name, quoted_part(in->source, in->from, in->to), *number);
    return true;
}

int value_size(const struct value_input *in, long bytes, double *number, const char **why)
{
    struct size s;
    int rc = size_read(in->source->bytes + in->from, in->to - in->from, &s);
    *number = s.unit == 0 ? s.number : s.number * (double)s.unit / (double)bytes;
    *why = s.why;
    return rc;
}

/* A number with a suffix. why: what to write instead of one with two meanings, or "". */
static bool sized_text(const struct value_row *row, const struct value_input *in, long *number,
                       const char **why)
{
    double exact;
    *why = "";
    if (row->bytes == 0 || value_size(in, row->bytes, &exact, why) != 0 || !in_range(row, exact))
        return false;
    *number = (long)exact;
    return (double)*number == exact;
}

static int whole_parse(const struct value_row *row, const struct value_input *in, void *base)
{
    bool is_int = row->kind == &value_int;
    const char *why;
    long number;
    bool good = sized_text(row, in, &number, &why) || value_word_find(row, in, &number) ||
                (value_whole(in, &number) && in_range(row, (double)number)) ||
                rounded_text(row, in, &number);
    if (!good && *why != '\0')
        return complaints_add(in->complaints, in->from, "'%s': %s",
                              quoted_part(in->source, in->from, in->to), why);
    if (!good || (is_int && number != (int)number))
        return value_reject(row, in);
    if (is_int)
        *(int *)value_at(row, base) = (int)number;
    else
        *(long *)value_at(row, base) = number;
    return 0;
}

/* Takes the maximum for a larger number in an old file, such as an error of 100.00. */
static bool cap(const struct value_row *row, const struct value_input *in, double *number)
{
    if ((row->bounds & VALUE_CAPPED) == 0 || in->params->version > VERSION_OLD ||
        !(*number > row->max))
        return false;
    *number = row->max;
    complaints_warn(in->complaints, in->from, "'%s' is at most %g: %s, as in 4.1, is used as %g",
                    row->name, row->max, quoted_part(in->source, in->from, in->to), row->max);
    return true;
}

static int float_parse(const struct value_row *row, const struct value_input *in, void *base)
{
    long word;
    double number;
    if (value_word_find(row, in, &word))
        number = (double)word;
    else if (!float_text(in, &number) || (!in_range(row, number) && !cap(row, in, &number)))
        return value_reject(row, in);
    *(double *)value_at(row, base) = number;
    return 0;
}

static void whole_print(const struct value_row *row, const void *base, struct text *out)
{
    const void *value = value_get(row, base);
    long number = row->kind == &value_int ? *(const int *)value : *(const long *)value;
    if (!print_word(row, (double)number, out))
        text_add(out, "%ld", number);
}

void value_print_float(double number, struct text *out)
{
    char buffer[64];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(buffer, sizeof(buffer), "%.*g", digits, number);
        if (strtod(buffer, NULL) == number)
            break;
    }
    text_add(out, "%s%s", buffer, strpbrk(buffer, ".e") == NULL ? ".0" : "");
}

static void float_print(const struct value_row *row, const void *base, struct text *out)
{
    double number = *(const double *)value_get(row, base);
    if (!print_word(row, number, out))
        value_print_float(number, out);
}

static void number_explain(const struct value_row *row, struct text *out)
{
    const char *noun = row->kind == &value_float ? "a number" : "an integer";
    const char *from = row->bounds & VALUE_ABOVE_MIN ? "above" : "from";
    const char *to = row->bounds & VALUE_BELOW_MAX ? "below " : "";
    text_add(out, "%s %s %.15g to %s%.15g", noun, from, row->min, to, row->max);
    for (const struct value_word *w = row->words; w != NULL && w->word != NULL; w++)
        text_add(out, " or %s", w->word);
}

VALUE_KIND(int, whole_parse, whole_print, .listed = true, .size = sizeof(int),
           .explain = number_explain);
VALUE_KIND(long, whole_parse, whole_print, .listed = true, .explain = number_explain);
VALUE_KIND(float, float_parse, float_print, .listed = true, .size = sizeof(double),
           .explain = number_explain);
