/* Reads small parameter files in tests and compares the complaints. */
#pragma once

#include "test.h"

#include "params/params.h"
#include "params/values.h"

#include "fake_catalog.h"
#include "model/parameters.h"

struct reading_case {
    const char *text;     /* the file */
    const char *expected; /* all complaints: "f:LINE:COLUMN: ...\n" each; "" for none */
};

struct run_case {
    int processes; /* 0: do not call params_check_processes */
    const char *text, *expected;
};

/* The complaints without the source lines that they quote; owned by the caller. */
static inline char *complaints_text(struct complaints *c, const struct source *s)
{
    LOCAL_STRING all = NULL;
    size_t size;
    struct text kept = { 0 };
    FILE *out = open_memstream(&all, &size);
    complaints_print(c, s, out);
    fclose(out);
    for (const char *line = all; *line != '\0'; line += strcspn(line, "\n") + 1)
        if (strncmp(line, "f:", 2) == 0)
            text_add_bytes(&kept, line, strcspn(line, "\n") + 1);
    return text_take(&kept);
}

/* Reads len bytes; returns the complaints in *complained, owned by the caller. */
static inline int read_bytes(struct params *p, const char *bytes, size_t len, int processes,
                             char **complained)
{
    LOCAL(complaints) c = { 0 };
    char *copy =
        malloc(len > 0 ? len : 1); /* no NUL after it, so that reading too far is detected */
    assert_non_null(copy);
    memcpy(copy, bytes, len);
    struct source s = { "f", copy, len };
    int rc = params_read(p, &s, 0, &fake_catalog, &c);
    if (rc == 0 && processes > 0)
        rc = params_check_processes(p, processes, &c);
    assert_int_equal(rc == 0, c.errors == 0);
    *complained = complaints_text(&c, &s);
    free(copy);
    return rc;
}

/* Reads a text that must have no errors, and no warnings but those of unused defaults. */
static inline void read_right(struct params *p, const char *text)
{
    LOCAL_STRING complained;
    int rc = read_bytes(p, text, strlen(text), 0, &complained);
    if (strstr(complained, "warning: no suite uses") == NULL)
        assert_string_equal(complained, "");
    assert_int_equal(rc, 0);
}

__attribute__((format(printf, 2, 3))) static inline void read_formatted(struct params *p,
                                                                        const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    assert_true((size_t)vsnprintf(text, sizeof(text), format, args) < sizeof(text));
    va_end(args);
    read_right(p, text);
}

static inline void check_case(size_t i, const char *text, const char *expected, int processes)
{
    LOCAL(params) p;
    LOCAL_STRING complained;
    read_bytes(&p, text, strlen(text), processes, &complained);
    if (strcmp(complained, expected) != 0)
        print_message("# case %zu:\n%s\n# expected:\n%s# got:\n%s", i, text, expected, complained);
    assert_string_equal(complained, expected);
}

#define CHECK_CASES(cases)                                                                         \
    for (size_t i = 0; i < COUNT(cases); i++)                                                      \
    check_case(i, cases[i].text, cases[i].expected, 0)
#define CHECK_RUN_CASES(cases)                                                                     \
    for (size_t i = 0; i < COUNT(cases); i++)                                                      \
    check_case(i, cases[i].text, cases[i].expected, cases[i].processes)

/* Parses a text between the name of its section and another section, which is not read. Complaints
 * count from the name on. */
static inline int parse_value(const struct value_kind *kind, const char *name, const char *text,
                              void *value, struct complaints *c)
{
    LOCAL_TEXT whole = { 0 };
    text_add(&whole, "%s%s@MEMORY 1", name, text);
    struct source s = { ".skampi", text_get(&whole), whole.len };
    size_t from = strlen(name);
    const struct value_row row = { .kind = kind };
    const struct value_input in = {
        .source = &s, .from = from, .to = from + strlen(text), .complaints = c
    };
    *c = (struct complaints){ 0 };
    return kind->parse(&row, &in, value);
}

/* A text that is refused, with one complaint at an offset in it. */
struct refused_case {
    const char *text;
    size_t offset;
    const char *complaint;
};

static inline void check_refused(const struct value_kind *kind, const char *name, void *value,
                                 const struct refused_case *row)
{
    LOCAL(complaints) c;
    assert_int_equal(parse_value(kind, name, row->text, value, &c), -1);
    assert_int_equal(c.errors, 1);
    assert_string_equal(c.list[0].text, row->complaint);
    assert_int_equal(c.list[0].offset, strlen(name) + row->offset);
}

/* Pieces of files. The fields of SUITE start in line 3, column 5. */
#define VERSION          "@VERSION 4.0\n"
#define SUITE(fields)    "@VERSION 4.0\n@MEASUREMENTS\nA { " fields " }\n"
#define KEYS(keys, type) SUITE("Parameters = \"" keys "\"; Type = " #type ";")
#define PING             "@MEASUREMENTS\nA { Type = 1; }\n"
