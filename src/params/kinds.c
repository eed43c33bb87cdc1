#include "params/tables.h"

static void print_nothing(const struct value_row *row, const void *base, struct text *out)
{
}

const struct value_kind value_suites = { .lines = true,
                                         .print = print_nothing,
                                         .text = "suites: NAME { Field = value; ... }" };

struct label {
    const char *name;
    char text[TYPE_LABEL_SIZE];
};

static int reject_type(const struct value_input *in)
{
    size_t count = in->types->count;
    struct label *labels;
    allocated_array(&labels, count);
    for (size_t i = 0; i < count; i++)
        labels[i].name = type_label(&in->types->types[i], labels[i].text);
    const char *got = quoted_part(in->source, in->from, in->to);
    const char *nearest = text_nearest(got, count, &labels->name, sizeof(*labels));
    complaints_add_unknown(in->complaints, in->from, "type", got, nearest,
                           "; --list shows all types");
    free(labels);
    return -1;
}

static int type_parse(const struct value_row *row, const struct value_input *in, void *base)
{
    struct suite *s = base;
    char name[TYPE_LABEL_SIZE];
    size_t len = in->to - in->from;
    long number;
    if (value_whole(in, &number)) {
        s->type = number < 0 || number > INT_MAX ? NULL : catalog_find(in->types, (int)number);
    } else if (len < sizeof(name)) {
        memcpy(name, in->source->bytes + in->from, len);
        name[len] = '\0';
        s->type = catalog_find_name(in->types, name);
    }
    return s->type == NULL ? reject_type(in) : 0;
}

static void type_print(const struct value_row *row, const void *base, struct text *out)
{
    const struct suite *s = base;
    text_add(out, "%d", s->type->number);
}

VALUE_KIND(suite_type, type_parse, type_print, .listed = true,
           .text = "a type's number, or its name with prefix (--list shows all)");

static int datatype_parse(const struct value_row *row, const struct value_input *in, void *base)
{
    long number;
    if (!value_whole(in, &number) || number < 0 || number > INT_MAX ||
        datatype_find((int)number) == NULL)
        return value_reject(row, in);
    *(int *)value_at(row, base) = (int)number;
    return 0;
}

static void datatype_print(const struct value_row *row, const void *base, struct text *out)
{
    text_add(out, "%d", *(const int *)value_get(row, base));
}

static void datatype_explain(const struct value_row *row, struct text *out)
{
    const char *before = "";
    text_add(out, "a datatype's number (");
    for (size_t i = 0, last; i < datatype_count(); i = last + 1, before = ", ") {
        int number = datatype_get(i)->number;
        for (last = i; last + 1 < datatype_count(); last++)
            if (datatype_get(last + 1)->number != datatype_get(last)->number + 1)
                break;
        text_add(out, last == i ? "%s%d" : "%s%d-%d", before, number, datatype_get(last)->number);
    }
    text_add(out, ")");
}

VALUE_KIND(datatype, datatype_parse, datatype_print, .listed = true, .explain = datatype_explain);

static int parameters_parse(const struct value_row *row, const struct value_input *in, void *base)
{
    const char *s = in->source->bytes;
    if (in->to - in->from < 2 || s[in->from] != '"' || s[in->to - 1] != '"')
        return value_reject(row, in);
    struct value_input keys = *in;
    keys.from++;
    keys.to--;
    return suite_options_parse(base, &keys);
}

static void parameters_print(const struct value_row *row, const void *base, struct text *out)
{
    text_add(out, "\"");
    suite_options_print(base, out);
    text_add(out, "\"");
}

VALUE_KIND(parameters, parameters_parse, parameters_print, .text = "\"key=value key=value\"");

static long *number_of(const struct value_row *row, void *base)
{
    return (void *)((char *)base + row->number);
}

/* The number after the colon, or the whole value if the form has no word. */
static int take_number(const struct value_row *row, const struct form *f,
                       const struct value_input *in, long *number)
{
    if (in->from < in->to && value_whole(in, number) && *number >= f->min && *number <= f->max)
        return 0;
    if (f->name == NULL)
        return value_reject(row, in);
    return complaints_add(
        in->complaints, in->from, "%s of '%s=%s' must be an integer from %ld to %ld, got '%s'",
        f->part, row->name, f->name, f->min, f->max, quoted_part(in->source, in->from, in->to));
}

/* Takes the part that follows a word; colon: whether it is separated by one. */
static int take_part(const struct value_row *row, const struct form *f, bool colon,
                     const struct value_input *in, struct suite_options *x)
{
    long *number = number_of(row, x);
    size_t len = in->to - in->from;
    char *file = (char *)x + row->file;
    *number = f->none;
    if (colon && f->max > 0)
        return take_number(row, f, in, number);
    if (colon && f->part != NULL && len > 0 && len < sizeof(x->file)) {
        memset(file, 0, sizeof(x->file));
        memcpy(file, in->source->bytes + in->from, len);
        return 0;
    }
    return !colon && (f->part == NULL || f->none != 0) ? 0 : 1;
}

static int formed_parse(const struct value_row *row, const struct value_input *in, void *base)
{
    const char *value = in->source->bytes + in->from;
    size_t len = in->to - in->from;
    const char *colon = memchr(value, ':', len);
    size_t word = colon == NULL ? len : (size_t)(colon - value);
    struct value_input part = *in;
    int *chosen = value_at(row, base), rc = 1;
    part.from += colon == NULL ? word : word + 1;
    for (int i = 0; row->forms[i].name != NULL || row->forms[i].part != NULL; i++) {
        const struct form *f = &row->forms[i];
        long number;
        bool fits = f->name == NULL ? value_whole(in, &number) : text_same_n(value, word, f->name);
        if (!fits)
            continue;
        *chosen = i;
        rc = f->name == NULL ? take_number(row, f, in, number_of(row, base))
                             : take_part(row, f, colon != NULL, &part, base);
    }
    return rc > 0 ? value_reject(row, in) : rc;
}

static void formed_print(const struct value_row *row, const void *base, struct text *out)
{
    const struct form *f = &row->forms[*(const int *)value_get(row, base)];
    const long number = *(const long *)(const void *)((const char *)base + row->number);
    text_add(out, "%s", f->name == NULL ? "" : f->name);
    if (f->name != NULL && f->part != NULL && f->max == 0)
        text_add(out, ":%s", (const char *)base + row->file);
    else if (f->max > 0 && (f->none == 0 || number != f->none))
        text_add(out, "%s%ld", f->name == NULL ? "" : ":", number);
}

static void formed_explain(const struct value_row *row, struct text *out)
{
    for (const struct form *f = row->forms; f->name != NULL || f->part != NULL; f++) {
        bool last = f[1].name == NULL && f[1].part == NULL;
        text_add(out, "%s%s", text_or(f == row->forms, last), f->name == NULL ? "" : f->name);
        if (f->part != NULL)
            text_add(out, "%s%s", f->name == NULL ? "" : ":", f->part);
    }
}

VALUE_KIND(formed, formed_parse, formed_print, .explain = formed_explain);

static int word_parse(const struct value_row *row, const struct value_input *in, void *base)
{
    char *word = value_at(row, base);
    size_t len = in->to - in->from;
    if (len == 0 || len >= ALGORITHM_NAME)
        return value_reject(row, in);
    memset(word, 0, ALGORITHM_NAME);
    memcpy(word, in->source->bytes + in->from, len);
    return 0;
}

static void word_print(const struct value_row *row, const void *base, struct text *out)
{
    text_add(out, "%s", (const char *)value_get(row, base));
}

VALUE_KIND(word, word_parse, word_print, .text = "a number, or a name of at most 47 bytes");

static int few_parse(const struct value_row *row, const struct value_input *in, void *base)
{
    struct few_numbers *few = value_at(row, base);
    struct value_input part = *in;
    const char *why;
    double number;
    *few = (struct few_numbers){ 0 };
    if (text_same_n(in->source->bytes + in->from, in->to - in->from, row->fallback))
        return 0;
    for (size_t at = in->from; at <= in->to; at = part.to + 1) {
        part.from = part.to = at;
        while (part.to < in->to && in->source->bytes[part.to] != ',')
            part.to++;
        bool good = few->count < APPLICATION_NUMBERS && value_size(&part, 1, &number, &why) == 0;
        if (!good || number > (double)INT_MAX * INT_MAX || number != (double)labs((long)number))
            return value_reject(row, in);
        few->k[few->count++] = (long)number;
    }
    return 0;
}

static void few_print(const struct value_row *row, const void *base, struct text *out)
{
    const struct few_numbers *few = value_get(row, base);
    for (int i = 0; i < few->count; i++)
        text_add(out, "%s%ld", i == 0 ? "" : ",", few->k[i]);
    if (few->count == 0)
        text_add(out, "%s", row->fallback);
}

static void few_explain(const struct value_row *row, struct text *out)
{
    text_add(out, "%s, or at most %d integers from 0 separated by commas", row->fallback,
             APPLICATION_NUMBERS);
}

VALUE_KIND(few, few_parse, few_print, .explain = few_explain);
