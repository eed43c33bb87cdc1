#include "results/row_text.h"

#include "results/numbers.h"

#include <math.h>
#include <string.h>

static const char DETAILS = '#';

void row_add_time(struct text *out, const char *before, double us)
{
    if (isnan(us))
        text_add(out, "%snan", before);
    else
        text_add(out, "%s%.6f", before, us);
}

void row_add_summary(struct text *out, const char *before, double us, double error_us, double count)
{
    row_add_time(out, before, us);
    row_add_time(out, " ", error_us);
    text_add(out, " %.0f", count);
}

void row_begin_details(struct text *out)
{
    text_add(out, " %c", DETAILS);
}

void row_add_word(struct text *out, const char *name, const char *word)
{
    text_add(out, " %s=%s", name, word);
}

void row_add_number(struct text *out, const char *name, double number)
{
    text_add(out, " %s", name);
    row_add_time(out, "=", number);
}

void row_add_count(struct text *out, const char *name, double count)
{
    if (isnan(count))
        row_add_word(out, name, "nan");
    else
        text_add(out, " %s=%.0f", name, count);
}

void row_end(struct text *out)
{
    text_add(out, "\n");
}

const char *row_details(const char *row)
{
    const char *details = strchr(row, DETAILS);
    return details == NULL ? "" : details;
}

double row_read_number(const char *details, const char *name)
{
    size_t len = strlen(name);
    double number = NAN;
    for (const char *s = details; (s = strstr(s, name)) != NULL; s += len) {
        bool is_word = s > details && (s[-1] == DETAILS || strchr(" \t", s[-1]) != NULL);
        if (!is_word || s[len] != '=')
            continue;
        s += len + 1;
        return number_read(s, strcspn(s, " \t"), &number) ? number : NAN;
    }
    return NAN;
}
