#include "params/tables.h"
#include "model/parameters.h"

static void add_section(const struct params *p, const struct value_row *row, bool if_empty,
                        struct text *out)
{
    LOCAL_TEXT value = { 0 };
    row->kind->print(row, p, &value);
    if (if_empty || value.len > 0)
        text_add(out, "%s %s\n", row->name, text_get(&value));
}

static bool is_used(const struct params *p, const struct value_row *row)
{
    return row->used == NULL || row->used(p);
}

void params_echo_sections(const struct params *p, struct text *out)
{
    for (size_t i = 0; i < section_table.count; i++)
        if (is_used(p, &section_table.rows[i]) && section_table.rows[i].kind != &value_text &&
            !section_table.rows[i].repeats)
            add_section(p, &section_table.rows[i], false, out);
}

void params_echo_suite(const struct params *p, const struct suite *s, struct text *out)
{
    text_add(out, "%s {", s->name);
    for (int i = FIELD_NAME + 1; i < FIELD_COUNT; i++) {
        const struct value_row *row = field_get((enum field)i);
        text_add(out, " %s = ", row->name);
        row->kind->print(row, s, out);
        text_add(out, ";");
    }
    text_add(out, " }");
}

void params_echo(const struct params *p, struct text *out)
{
    for (size_t i = 0; i < section_table.count; i++)
        if (is_used(p, &section_table.rows[i]))
            add_section(p, &section_table.rows[i], false, out);
    text_add(out, "@MEASUREMENTS\n");
    for (size_t i = 0; i < p->suite_count; i++) {
        params_echo_suite(p, &p->suites[i], out);
        text_add(out, "\n");
    }
}

/* Adds the contents of a file that a suite names, not only its name. */
static void add_named(const struct suite *s, enum named_file which, struct text *out)
{
    for (int i = 0; i < s->named[which].count; i++)
        text_add(out, " %ld", s->named[which].list[i]);
}

/* Adds the graphs in files. */
static void add_graph(const struct topology *t, struct text *out)
{
    for (int k = 0, n = 0; t->file != NULL && k < t->count; k++)
        for (text_add(out, " %d:", k); n < t->ends[k]; n++)
            text_add(out, " %d", t->values[n]);
}

/* Adds a line for the file unless it has one; nothing without contents. */
static void add_file(struct text *out, const char *name, const struct text *contents)
{
    LOCAL_TEXT line = { 0 };
    if (contents->len > 0)
        text_add(&line, "%s %016" PRIx64 "\n", name, hash_bytes(text_get(contents), contents->len));
    if (strstr(text_get(out), text_get(&line)) == NULL)
        text_add(out, "%s", text_get(&line));
}

void params_echo_files(const struct params *p, struct text *out)
{
    for (size_t i = 0; i < p->suite_count * NAMED_FILES; i++) {
        const struct suite *s = &p->suites[i / NAMED_FILES];
        LOCAL_TEXT contents = { 0 };
        add_named(s, i % NAMED_FILES, &contents);
        add_file(out, suite_file(s, i % NAMED_FILES), &contents);
    }
    for (int i = 1; i <= TOPOLOGY_MAX; i++) {
        LOCAL_TEXT contents = { 0 };
        add_graph(&p->topologies[i], &contents);
        add_file(out, p->topologies[i].file, &contents);
    }
}

uint64_t params_fingerprint(const struct params *p)
{
    LOCAL_TEXT all = { 0 };
    for (size_t i = 0; i < section_table.count; i++) {
        const struct value_row *row = &section_table.rows[i];
        if (section_matters(row) && is_used(p, row))
            add_section(p, row, true, &all);
    }
    for (int i = 1; i <= TOPOLOGY_MAX; i++)
        add_graph(&p->topologies[i], &all);
    for (size_t i = 0; i < p->suite_count; i++) {
        struct suite s = p->suites[i];
        if (params_are_timed(p)) /* its share of the run depends on the number of processes */
            s.time_measurement_minutes = p->time_run_minutes;
        params_echo_suite(p, &s, &all);
        add_named(&p->suites[i], FILE_PARTS, &all);
        add_named(&p->suites[i], FILE_ARRIVALS, &all);
        text_add(&all, "\n");
    }
    return hash_bytes(text_get(&all), all.len);
}
