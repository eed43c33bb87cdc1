#include "params/checks.h"
#include "params/tables.h"
#include "params/records.h"
#include "model/parameters.h"

#include <ctype.h>

struct reading {
    struct params *params;
    const struct source *source;
    const struct catalog *types;
    struct complaints *complaints;
    size_t *at; /* owned: the place of each section */
    struct records records;
    struct gaps gaps; /* kinds of sections with a wrong value or an unknown name */
    bool lost;        /* some text is in no known section, and may belong to a missing one */
};

/* Complains once about a file that is not a text file. */
static bool is_text(const struct source *s, struct complaints *c)
{
    for (size_t i = 0; i < s->len; i++) {
        unsigned char b = (unsigned char)s->bytes[i];
        size_t control = text_control(s->bytes + i, s->len - i);
        if (control == 0 || b == '\t' || b == '\n' || b == '\r')
            continue;
        if (control > 1)
            b = (unsigned char)s->bytes[i + 1];
        if (b == 0)
            complaints_add(c, i, "NUL byte: this is not a text file");
        else
            complaints_add(c, i, "control character 0x%02x: this is not a text file", b);
        return false;
    }
    return true;
}

/* The '@' of the next section, or the end. from is the beginning of a line. */
static size_t next_section(const struct source *s, size_t from)
{
    while (from < s->len) {
        size_t i = from;
        while (i < s->len && (s->bytes[i] == ' ' || s->bytes[i] == '\t'))
            i++;
        if (i + 1 < s->len && s->bytes[i] == '@' && isalpha((unsigned char)s->bytes[i + 1]))
            return i;
        const char *newline = memchr(s->bytes + i, '\n', s->len - i);
        if (newline == NULL)
            break;
        from = (size_t)(newline - s->bytes) + 1;
    }
    return s->len;
}

static struct slice trim(const struct source *s, struct slice part)
{
    while (part.from < part.to && value_blank(s->bytes[part.from]))
        part.from++;
    while (part.from < part.to && value_blank(s->bytes[part.to - 1]))
        part.to--;
    return part;
}

/* The value of a one-line section; text after the line is an error. */
static struct slice first_line(struct reading *r, const struct value_row *row, struct slice value)
{
    const char *bytes = r->source->bytes;
    const char *newline = memchr(bytes + value.from, '\n', value.to - value.from);
    if (newline == NULL)
        return value;
    struct slice line = trim(r->source, (struct slice){ value.from, (size_t)(newline - bytes) });
    struct slice rest = trim(r->source, (struct slice){ line.to, value.to });
    complaints_add(r->complaints, rest.from,
                   "unexpected text after the value of '%s'; suites belong in @MEASUREMENTS, "
                   "comments in @COMMENT",
                   row->name);
    return line;
}

static void section_value(struct reading *r, const struct value_row *row, struct slice name,
                          struct slice value)
{
    if (!row->kind->lines)
        value = first_line(r, row, value);
    if (value.from == value.to)
        value.from = value.to = name.to;
    struct value_input in = { .source = r->source,
                              .from = value.from,
                              .to = value.to,
                              .params = r->params,
                              .complaints = r->complaints };
    if (section_value_parse(row, &in, r->params) != 0) {
        bool topology = row->kind == &value_topology;
        r->gaps.any = true;
        r->gaps.topologies |= topology;
        r->gaps.datatypes |= !topology && section_matters(row);
        section_set_default(row, r->params, r->complaints);
    }
}

static void section_read(struct reading *r, struct slice name, struct slice value)
{
    const struct value_row *row =
        table_find(&section_table, r->source->bytes + name.from, name.to - name.from);
    if (row == NULL) {
        r->gaps = (struct gaps){ true, true, true };
        r->lost = true;
        table_unknown(&section_table, r->complaints, name.from,
                      quoted_part(r->source, name.from, name.to));
        return;
    }
    size_t *at = &r->at[row - section_table.rows];
    if (*at != SECTION_MISSING && !row->repeats) {
        complaints_add(r->complaints, name.from, "section '%s' is given twice", row->name);
        return;
    }
    /* A comment is a heading for suites, or disables suites, if it follows the first @MEASUREMENTS
     * or contains suites. Otherwise it describes the run. */
    if (row->repeats && row->kind == &value_text &&
        (section_place(r->at, "@MEASUREMENTS") != SECTION_MISSING ||
         records_found(r->source, value)))
        return;
    *at = name.from;
    if (row->kind == &value_suites)
        records_read(&r->records, r->source, value, r->complaints);
    else
        section_value(r, row, name, value);
}

static void check_before_sections(struct reading *r, struct slice text)
{
    static const char PROGRAM[] = "begin measurement"; /* of SKaMPI 5 */
    const size_t len = strlen(PROGRAM);
    struct slice rest = trim(r->source, text);
    size_t at = rest.from;
    if (rest.from == rest.to)
        return;
    r->lost = true;
    while (at + len <= rest.to && memcmp(r->source->bytes + at, PROGRAM, len) != 0)
        at++;
    if (at + len <= rest.to)
        complaints_add(r->complaints, rest.from,
                       "a program for SKaMPI 5, not a parameter file; "
                       "write its measurements as suites (--list has types), or use -f standard");
    else
        complaints_add(r->complaints, rest.from,
                       "expected a section such as @MEASUREMENTS, got '%s'",
                       quoted_part(r->source, rest.from, rest.to));
}

/* Reads @VERSION, or the other sections, whose values depend on it. */
static void sections_read(struct reading *r, size_t at, bool version)
{
    const struct source *s = r->source;
    while (at < s->len) {
        struct slice name = { at, at + 1 };
        while (name.to < s->len &&
               (isalnum((unsigned char)s->bytes[name.to]) || s->bytes[name.to] == '_'))
            name.to++;
        const char *newline = memchr(s->bytes + name.to, '\n', s->len - name.to);
        at = newline == NULL ? s->len : next_section(s, (size_t)(newline - s->bytes) + 1);
        if (text_same_n(s->bytes + name.from, name.to - name.from, "@VERSION") == version)
            section_read(r, name, trim(s, (struct slice){ name.to, at }));
    }
}

/* Checks the required sections, unless they may be in text that was already complained about. */
static void check_presence(struct reading *r)
{
    size_t version = section_place(r->at, "@VERSION");
    size_t suites = section_place(r->at, "@MEASUREMENTS");
    if (!r->lost || version != SECTION_MISSING)
        checks_version(r->params->version, version, r->complaints);
    if (r->lost || r->records.count > 0)
        return;
    if (suites == SECTION_MISSING)
        complaints_add(r->complaints, r->source->len, "no @MEASUREMENTS; nothing to measure");
    else
        complaints_add(r->complaints, suites,
                       "no suites in @MEASUREMENTS; expected NAME { Type = ...; }");
}

static void file_read_all(struct reading *r, struct slice settings)
{
    struct value_input in = {
        .source = r->source, .params = r->params, .types = r->types, .complaints = r->complaints
    };
    for (size_t i = 0; i < section_table.count; i++)
        r->at[i] = SECTION_MISSING;
    size_t begin = source_begin(r->source), first = next_section(r->source, begin);
    check_before_sections(r, (struct slice){ begin, first });
    sections_read(r, first, true);
    sections_read(r, first, false);
    for (size_t i = 0; i < section_table.count; i++)
        if (r->at[i] == SECTION_MISSING)
            section_set_default(&section_table.rows[i], r->params, r->complaints);
    check_presence(r);
    if (!r->gaps.any)
        checks_sections(r->params, r->at, r->complaints);
    regime_join(r->params, r->at);
    r->params->io_directory_at = section_place(r->at, "@IO_DIRECTORY");
    const struct slice keys = records_set(&r->records, r->source, settings, r->complaints);
    struct value_input set = in;
    set.from = keys.from;
    set.to = keys.to;
    in.set = &set;
    suites_init(r->params, &r->records, &in);
    checks_suites(r->params, &r->gaps, r->complaints);
    if (r->complaints->errors == 0)
        checks_defaults(r->params, r->at, r->complaints);
}

int params_read(struct params *p, const struct source *s, size_t settings,
                const struct catalog *types, struct complaints *c)
{
    const struct source file = { s->name, s->bytes, s->len - settings };
    size_t errors = c->errors;
    *p = (struct params){ 0 };
    struct reading r = { .params = p, .source = &file, .types = types, .complaints = c };
    const struct slice all = trim(&file, (struct slice){ source_begin(&file), file.len });
    allocated_array(&r.at, section_table.count);
    if (is_text(s, c) && all.from == all.to)
        complaints_add(c, 0, "the file is empty; 'skampi --print-config quick' prints one");
    else if (c->errors == errors)
        file_read_all(&r, (struct slice){ file.len, s->len });
    records_release(&r.records);
    free(r.at);
    return c->errors == errors ? 0 : -1;
}

void params_release(struct params *p)
{
    for (size_t i = 0; i < section_table.count; i++) {
        const struct value_row *row = &section_table.rows[i];
        if (row->kind->release != NULL)
            row->kind->release(value_at(row, p));
    }
    for (size_t i = 0; i < p->suite_count + p->skipped_count; i++) {
        struct suite *s = &p->suites[i];
        free(s->name);
        for (int k = 0; k < NAMED_FILES; k++)
            free(s->named[k].list);
        free(s->algorithms.list);
        free(s->skip);
    }
    free(p->suites);
    *p = (struct params){ 0 };
}
