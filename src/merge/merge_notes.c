#include "base/file.h"
#include "merge/merge.h"

#include "results/format.h"

enum { PATH_LONGEST = 4096 };

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return *line == '\0' ? line : line + 1;
}

const char *notes_value(const char *notes, const char *name)
{
    const char *value = NULL;
    for (const char *line = notes; *line != '\0' && value == NULL; line = next_line(line))
        value = line_value(line, name);
    return value;
}

/* The number at the beginning of a value; infinite without one, as unknown is worse than any. */
static double number_of(const char *value)
{
    double number;
    return number_read(value, strcspn(value, " \t\n"), &number) ? number : INFINITY;
}

static enum fact fact_of(const char *line)
{
    enum fact f = 0;
    while (f < FACT_COUNT &&
           (fact_info(f)->place != FACT_OF_BLOCK || line_value(line, fact_info(f)->name) == NULL))
        f++;
    return f;
}

static enum fact_merged merged_as(const char *line)
{
    enum fact f = fact_of(line);
    return f == FACT_COUNT ? MERGED_FIRST : fact_info(f)->merged;
}

static void add_line(struct text *out, const char *line)
{
    text_add_bytes(out, line, (size_t)(next_line(line) - line));
}

/* Adds the largest value; the line is that of the first block. sign -1: the smallest one. */
static void add_largest(struct text *out, const char *line, double sign,
                        const struct read_block *blocks, size_t count)
{
    const char *name = fact_info(fact_of(line))->name, *largest = line_value(line, name);
    for (size_t i = 1; i < count; i++) {
        const char *its = notes_value(text_get(&blocks[i].notes), name);
        if (its != NULL && sign * number_of(its) > sign * number_of(largest))
            largest = its;
    }
    fact_addf(out, fact_of(line), "%.*s", (int)strcspn(largest, "\n"), largest);
}

void notes_combine(struct text *out, const struct read_block *blocks, size_t count)
{
    const char *notes = text_get(&blocks->notes);
    for (const char *line = notes; *line != '\0'; line = next_line(line)) {
        enum fact_merged merged = merged_as(line);
        if (merged == MERGED_LARGEST || merged == MERGED_SMALLEST)
            add_largest(out, line, merged == MERGED_LARGEST ? 1.0 : -1.0, blocks, count);
        else if (merged == MERGED_FIRST)
            add_line(out, line);
    }
    for (size_t i = 0; i < count; i++)
        for (const char *line = text_get(&blocks[i].notes); *line != '\0'; line = next_line(line))
            if (merged_as(line) == MERGED_ALL)
                add_line(out, line);
}

void notes_locate(struct text *notes, const char *run_path, const char *merged_path)
{
    size_t len = (size_t)(file_name(run_path) - run_path);
    struct text located = { 0 };
    if (merged_path == NULL || ((size_t)(file_name(merged_path) - merged_path) == len &&
                                memcmp(run_path, merged_path, len) == 0))
        return;
    for (const char *line = text_get(notes); *line != '\0'; line = next_line(line)) {
        const char *value = line_value(line, fact_info(FACT_TIMES)->name);
        if (value != NULL) {
            char here[PATH_LONGEST];
            text_add_bytes(&located, line, (size_t)(value - line));
            if (run_path[0] != '/' && getcwd(here, sizeof(here)) != NULL)
                text_add(&located, "%s/", here);
            text_add_bytes(&located, run_path, len);
        }
        add_line(&located, value == NULL ? line : value);
    }
    text_release(notes);
    *notes = located;
}
