#include "results/columns.h"

#include "results/fact.h"
#include "results/format.h"

/* Files older than 1.20 have three result columns. */
enum { SHORT_RESULTS = 3 };

static const char ARGUMENTS[] = "<args>";
static const char RESULTS[] = "<results>";
static const char NODE_TIME[] = "node_time"; /* one column for each process */
static const char EACH[] = " per process";
static const char VARIED[] = "varied over ";

/* Names, units and formats in the order in which they are written. */
static const struct {
    const char *name, *unit, *format;
} names[COLUMN_KINDS] = {
    [COLUMN_TIME] = { "time_cleaned", MICROSEC, "%f" },
    [COLUMN_ERROR] = { "standard_error_cleaned", MICROSEC, "%f" },
    [COLUMN_COUNT] = { "count_cleaned", "number", "%d" },
    [COLUMN_TIME_ALL] = { "time_all", MICROSEC, "%f" },
    [COLUMN_ERROR_ALL] = { "standard_error_all", MICROSEC, "%f" },
    [COLUMN_COUNT_ALL] = { "count_all", "number", "%d" },
};

struct piece {
    const char *s;
    size_t len;
};

static struct piece trimmed(struct piece p)
{
    while (p.len > 0 && p.s[0] == ' ') {
        p.s++;
        p.len--;
    }
    while (p.len > 0 && p.s[p.len - 1] == ' ')
        p.len--;
    return p;
}

static bool is_text(struct piece p, const char *text)
{
    return p.len == strlen(text) && memcmp(p.s, text, p.len) == 0;
}

/* Finds the text between "<args>" and "<results>", and the rest. False without these tags. */
static bool split(const char *format, struct piece *arguments, struct piece *results)
{
    const char *from = strstr(format, ARGUMENTS);
    const char *to = from == NULL ? NULL : strstr(from, RESULTS);
    if (to == NULL)
        return false;
    from += strlen(ARGUMENTS);
    *arguments = trimmed((struct piece){ from, (size_t)(to - from) });
    to += strlen(RESULTS);
    *results = (struct piece){ to, strlen(to) };
    return true;
}

/* The position after the text and the bracket that ends it; NULL if it ends otherwise. */
static const char *after(const char *s, const char *brackets, char end)
{
    s += strcspn(s, brackets);
    return *s == end ? s + 1 : NULL;
}

/* Takes "NAME [UNIT] (FORMAT)" from the front of the list, which ends with the line or at a tag. */
static bool next_column(struct piece *list, struct piece *name)
{
    const char *limit = list->s + list->len;
    const char *unit = after(list->s, "[]", '[');
    const char *form = unit == NULL ? NULL : after(unit, "[]", ']');
    if (form != NULL && *form == ' ')
        form++;
    const char *end = form == NULL || *form != '(' ? NULL : after(form + 1, "()", ')');
    if (end == NULL || end > limit)
        return false;
    if (strncmp(end, EACH, strlen(EACH)) == 0)
        end += strlen(EACH);
    *name = trimmed((struct piece){ list->s, (size_t)(unit - 1 - list->s) });
    *list = (struct piece){ end, (size_t)(limit - end) };
    return true;
}

static enum column kind_of(const struct columns *c, struct piece name)
{
    for (enum column kind = 0; kind < COLUMN_KINDS; kind++) {
        if (!is_text(name, names[kind].name))
            continue;
        for (size_t i = 0; i < c->results; i++)
            if (c->result[i] == kind)
                return COLUMN_OTHER;
        return kind;
    }
    return COLUMN_OTHER;
}

static int read_results(struct columns *c, struct piece list, struct err *e)
{
    struct piece name;
    bool has_time = false;
    while (next_column(&list, &name)) {
        if (is_text(name, NODE_TIME))
            continue;
        if (c->results == MAX_RESULTS)
            return err_set(e, "more than %d columns", MAX_RESULTS);
        enum column kind = kind_of(c, name);
        has_time = has_time || kind == COLUMN_TIME;
        c->result[c->results++] = kind;
    }
    return c->results > 0 && !has_time ? err_set(e, "no column '%s'", names[COLUMN_TIME].name) : 0;
}

int columns_read(struct columns *c, const char *format, const char *pattern, struct err *e)
{
    struct piece arguments, results, name;
    *c = (struct columns){ 0 };
    for (enum column kind = 0; kind < COLUMN_KINDS; kind++)
        c->result[kind] = kind; /* unless the line names them */
    if (split(format, &arguments, &results)) {
        while (next_column(&arguments, &name))
            if (++c->arguments > MAX_ARGUMENTS)
                return err_set(e, "more than %d arguments", MAX_ARGUMENTS);
        return read_results(c, results, e);
    }
    c->arguments = strstr(pattern, VARIED) == NULL ? 0 : 1;
    return 0;
}

size_t columns_in_row(const struct columns *c, size_t numbers)
{
    if (c->results > 0)
        return c->results;
    return numbers < COLUMN_KINDS ? SHORT_RESULTS : COLUMN_KINDS;
}

/* Adds the text after "varied over": "number of nodes [number] (%d)." or "the message length." */
static void add_varied(struct text *out, const char *pattern)
{
    const char *varied = strstr(pattern, VARIED);
    if (varied == NULL)
        return;
    varied += strlen(VARIED);
    if (strncmp(varied, "the ", 4) == 0)
        varied += 4;
    bool is_length = strstr(varied, "length") != NULL;
    struct piece name = trimmed((struct piece){ varied, strcspn(varied, ".[]()<>") });
    if (name.len == 0)
        name = (struct piece){ "argument", strlen("argument") };
    text_add_printable(out, name.s, name.len);
    text_add(out, " [%s] (%%d)", is_length ? "bytes" : "number");
}

void columns_add_arguments(struct text *out, const char *format, const char *pattern)
{
    struct piece arguments, results;
    if (split(format, &arguments, &results))
        text_add_printable(out, arguments.s, arguments.len);
    else
        add_varied(out, pattern);
}

void columns_add_format(struct text *out, const struct format_line *f)
{
    size_t kinds = f->without_all ? (size_t)SHORT_RESULTS : (size_t)COLUMN_KINDS;
    text_add(out, "#%s %s %s%s%s", HEADER_FORMAT, ARGUMENTS, f->arguments,
             f->arguments[0] == '\0' ? "" : " ", RESULTS);
    for (enum column kind = 0; kind < kinds; kind++) {
        bool is_error = kind == COLUMN_ERROR || kind == COLUMN_ERROR_ALL;
        text_add(out, " %s [%s] (%s)", names[kind].name,
                 is_error && f->error_unit != NULL ? f->error_unit : names[kind].unit,
                 names[kind].format);
    }
    if (f->node_times)
        text_add(out, " %s [%s] (%%f)%s", NODE_TIME, MICROSEC, EACH);
    text_add(out, "\n");
}
