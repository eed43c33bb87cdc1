#include "merge/notes.h"

#include "results/fact.h"
#include "results/format.h"
#include "results/numbers.h"

#include <math.h>
#include <string.h>

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return *line == '\0' ? line : line + 1;
}

/* The value of the fact among a block's notes; NULL if it has none. */
static const char *value_in(const char *notes, const char *name)
{
    const char *value = NULL;
    for (const char *line = notes; *line != '\0' && value == NULL; line = next_line(line))
        value = line_value(line, name);
    return value;
}

/* What a value begins with; infinite without a number: not known is worse than any. */
static double number_of(const char *value)
{
    double number;
    return number_read(value, strcspn(value, " \t\n"), &number) ? number : INFINITY;
}

/* Is the line of a fact whose largest value counts? */
static const struct fact_info *largest_counts(const char *line)
{
    for (enum fact f = 0; f < FACT_COUNT; f++) {
        const struct fact_info *info = fact_info(f);
        if (info->place == FACT_OF_BLOCK && info->merged == MERGED_LARGEST &&
            line_value(line, info->name) != NULL)
            return info;
    }
    return NULL;
}

/* The line is that of the first list. */
static void add_largest(struct text *out, const char *line, const char *name,
                        const struct result_list *lists, size_t count)
{
    const char *largest = line_value(line, name);
    struct text value = { 0 };
    for (size_t i = 1; i < count; i++) {
        const char *its = value_in(text_get(&lists[i].notes), name);
        if (its != NULL && number_of(its) > number_of(largest))
            largest = its;
    }
    text_add_bytes(&value, largest, strcspn(largest, "\n"));
    format_field(out, name, text_get(&value));
    out->failed = out->failed || value.failed;
    text_release(&value);
}

void notes_combine(struct text *out, const struct result_list *lists, size_t count)
{
    const char *notes = text_get(&lists->notes);
    for (const char *line = notes; *line != '\0'; line = next_line(line)) {
        const struct fact_info *info = largest_counts(line);
        if (info == NULL)
            text_add_bytes(out, line, (size_t)(next_line(line) - line));
        else
            add_largest(out, line, info->name, lists, count);
    }
}
