#include "merge/merge.h"

#include "params/tables.h"
#include "results/format.h"

enum { SHOWN_LONGEST = 80, MAX_SUITES = 5000 };

/* The part of a field's value that matters, line by line. */
typedef void reduce(struct text *out, const char *line, size_t len);

static void add_line(struct text *out, const char *line, size_t len)
{
    text_add_bytes(out, line, len);
    text_add(out, "\n");
}

/* "@NAME value"; fields unknown to this version may matter. */
static void add_section(struct text *out, const char *line, size_t len)
{
    const struct value_row *row = table_find(&section_table, line, strcspn(line, " \n"));
    if (row == NULL || section_matters(row))
        add_line(out, line, len);
}

/* Adds variables by which users change the MPI library; others describe the job. */
static void add_variable(struct text *out, const char *line, size_t len)
{
    if (text_begins(line, "OMPI_MCA_ UCX_ MPICH_ I_MPI_ FI_"))
        add_line(out, line, len);
}

/* "node1:2 node2:2": a queue gives other nodes each time; the number on each matters. */
static void add_counts(struct text *out, const char *line, size_t len)
{
    for (size_t i = 0; i < len;) {
        size_t word = strcspn(line + i, " ");
        word = word < len - i ? word : len - i;
        size_t from = word;
        while (from > 0 && line[i + from - 1] != ':')
            from--;
        text_add_bytes(out, line + i + from, word - from);
        text_add(out, " ");
        i += word + strspn(line + i + word, " ");
    }
    text_add(out, "per host\n");
}

/* NULL: nothing is compared, or not line by line. */
static reduce *const reducers[SAMES] = {
    [SAME_TEXT] = add_line,
    [SAME_SECTIONS] = add_section,
    [SAME_VARIABLES] = add_variable,
    [SAME_COUNTS] = add_counts,
};

static void reduce_field(const struct header *h, const struct fact_info *fact, struct text *out)
{
    const char *line = header_get(h, fact->name);
    for (; line != NULL; line = line_next(line))
        reducers[fact->same](out, line, strcspn(line, "\n"));
}

static void add_quoted(struct text *out, const char *line, size_t from)
{
    if (*line == '\0') {
        text_add(out, "missing");
        return;
    }
    size_t len = strcspn(line + from, "\n");
    bool cut = len > SHOWN_LONGEST;
    text_add(out, "'%s", from > 0 ? "..." : "");
    text_add_printable(out, line + from, cut ? SHOWN_LONGEST : len);
    text_add(out, "%s'", cut ? "..." : "");
}

static void add_both(struct text *differs, const char *first, const char *other, size_t same)
{
    add_quoted(differs, other, same);
    text_add(differs, ", not ");
    add_quoted(differs, first, same);
    text_add(differs, "\n");
}

static void add_difference(struct text *out, const char *name, const char *first, const char *other)
{
    while (*first != '\0' && *other != '\0') {
        size_t len = strcspn(first, "\n") + 1;
        if (strncmp(first, other, len) != 0)
            break;
        first += len;
        other += len;
    }
    text_add(out, "@%s is ", name);
    /* Text shortly before the difference is enough. */
    size_t same = 0;
    while (first[same] != '\0' && first[same] != '\n' && first[same] == other[same])
        same++;
    add_both(out, first, other, same > SHOWN_LONGEST / 2 ? same - SHOWN_LONGEST / 4 : 0);
}

static void compare_field(const struct header *first, const struct header *other,
                          const struct fact_info *fact, struct text *differs)
{
    LOCAL_TEXT x = { 0 }, y = { 0 };
    reduce_field(first, fact, &x);
    reduce_field(other, fact, &y);
    if (strcmp(text_get(&x), text_get(&y)) != 0)
        add_difference(differs, fact->name, text_get(&x), text_get(&y));
}

/* Does a word have the default value that applies to older results, which lack its key? */
static bool says_nothing_new(const char *word, size_t len)
{
    size_t name = strcspn(word, "=");
    const struct value_row *row = name < len ? table_find(&key_table, word, name) : NULL;
    return row != NULL && row->before != NULL &&
           text_same_n(word + name + 1, len - name - 1, row->before);
}

static void reduce_suite(const char *line, struct text *out)
{
    for (size_t i = 0, len = strcspn(line, "\n"); i < len;) {
        size_t blank = line[i] == ' ', word = strcspn(line + i + blank, " \"\n");
        if (word == 0 || !says_nothing_new(line + i + blank, word))
            text_add_bytes(out, line + i, blank + word);
        i += blank + word;
        if (line[i] == '"')
            text_add_bytes(out, line + i++, 1);
    }
}

/* Finds a line with the same name in suites, unless one of those is equal. */
static const char *contradiction(const char *suites, const char *line)
{
    const char *found = NULL;
    size_t looked_at = 0, len = strcspn(line, " \n");
    for (; suites != NULL && looked_at < MAX_SUITES; suites = line_next(suites), looked_at++) {
        if (strcspn(suites, " \n") != len || memcmp(suites, line, len) != 0)
            continue;
        LOCAL_TEXT x = { 0 }, y = { 0 };
        reduce_suite(suites, &x);
        reduce_suite(line, &y);
        if (strcmp(text_get(&x), text_get(&y)) == 0)
            return NULL;
        if (found == NULL)
            found = suites;
    }
    return found;
}

/* The place from which the lines differ: a suite has many fields, and keys in quotes. */
static size_t same_until(const char *a, const char *b)
{
    size_t i = 0, field = 0;
    bool quoted = false;
    for (; a[i] != '\0' && a[i] != '\n' && a[i] == b[i]; i++) {
        quoted = quoted != (a[i] == '"');
        if (a[i] == ';' || a[i] == '{' || (quoted && a[i] == ' '))
            field = i + 1;
    }
    return a[field] == ' ' ? field + 1 : field;
}

/* Suites, languages and files have a line each, "NAME ..."; a run may lack some of them. */
static void compare_lines(const struct header *first, const struct header *other,
                          const struct fact_info *fact, struct text *differs)
{
    const char *a = header_get(first, fact->name), *b = header_get(other, fact->name);
    size_t looked_at = 0;
    if (a == NULL || b == NULL || strcmp(a, b) == 0)
        return;
    for (; b != NULL && looked_at < MAX_SUITES; b = line_next(b), looked_at++) {
        const char *found = contradiction(a, b);
        if (found == NULL)
            continue;
        if (fact->same == SAME_FILES) {
            text_add(differs, "file '");
            text_add_printable(differs, b, strcspn(b, " \n"));
            text_add(differs, "' had other contents (@FILES)\n");
        } else {
            text_add(differs, "%s '", fact->same == SAME_SUITES ? "suite" : "language");
            text_add_printable(differs, b, strcspn(b, " \n"));
            text_add(differs, "' has ");
            add_both(differs, found, b, same_until(found, b));
        }
        return;
    }
}

void compare_headers(const struct header *first, const struct header *other, struct text *differs)
{
    for (enum fact f = 0; f < FACT_COUNT; f++) {
        const struct fact_info *fact = fact_info(f);
        if (fact->same == SAME_SUITES || fact->same == SAME_LANGUAGES || fact->same == SAME_FILES)
            compare_lines(first, other, fact, differs);
        else if (reducers[fact->same] != NULL)
            compare_field(first, other, fact, differs);
    }
}

void compare_signature(const struct read_block *l, struct text *signature)
{
    LOCAL_TEXT pattern = { 0 }, defaults = { 0 };
    read_block_fact(l, HEADER_PATTERN, &pattern);
    read_block_fact(l, HEADER_DEFAULTS, &defaults);
    const char *values = text_get(&defaults);
    const char *time = strstr(values, DEFAULTS_TIME);
    const char *rule = notes_value(text_get(&l->notes), fact_info(FACT_RULE)->name);
    text_add(signature, "%s", text_get(&pattern));
    if (rule != NULL)
        text_add_bytes(signature, rule, strcspn(rule, "\n"));
    text_add(signature, "%.*s", time == NULL ? (int)defaults.len : (int)(time - values), values);
}
