#include "../reading.h"

#include "params/tables.h"

/* All parameters of p, for comparison: text sections, echo and suites. */
static char *everything(const struct params *p)
{
    struct text all = { 0 };
    for (size_t i = 0; i < section_table.count; i++) {
        const struct value_row *row = &section_table.rows[i];
        text_add(&all, "%s ", row->name);
        row->kind->print(row, p, &all);
        text_add(&all, "\n");
    }
    for (size_t i = 0; i < p->suite_count; i++) {
        params_echo_suite(p, &p->suites[i], &all);
        text_add(&all, "\n");
    }
    return text_take(&all);
}

/* The value of a row in base; owned by the caller. */
static char *value_of(const struct value_row *row, const void *base)
{
    struct text value = { 0 };
    row->kind->print(row, base, &value);
    text_add(&value, "%s", "");
    return text_take(&value);
}

static void check_read_back(const struct params *p)
{
    LOCAL_TEXT echo = { 0 };
    LOCAL(params) again;
    for (size_t i = 0; i < section_table.count; i++) {
        const struct value_row *row = &section_table.rows[i];
        if (row->kind != &value_text && (row->kind != &value_label || p->labels == NULL))
            continue;
        text_add(&echo, "%s\n", row->name);
        row->kind->print(row, p, &echo);
        text_add(&echo, "\n");
    }
    params_echo_sections(p, &echo);
    text_add(&echo, "@MEASUREMENTS\n");
    for (size_t i = 0; i < p->suite_count; i++) {
        params_echo_suite(p, &p->suites[i], &echo);
        text_add(&echo, "\n");
    }
    read_right(&again, text_get(&echo));
    LOCAL_STRING expected = everything(p);
    LOCAL_STRING got = everything(&again);
    assert_string_equal(got, expected);
}

/* Values to try for a row; one of them must be accepted and differ from the default. */
static const char *const tries[] = {
    "contiguous",     "4.1",       "7",        "12",           "0.125",    "1",
    "0.25",           "2",         "yes",      "cold",         "paper",    "nearest",
    "next",           "together",  "free",     "None",         "Nodes",    "Fixed_linear",
    "\"cache=cold\"", "other.txt", "MPI_CHAR", "Reorder 1 0",  "no",       "20",
    "fresh",          "one",       "fortran",  "any",          "total",    "cyclic",
    "random:1",       "pscw",      "dynamic",  "exclusive",    "all",      "root",
    "rotate",         "double",    "minimum",  "one_large:50", "memory",   "dropped",
    "type",           "poll",      "cuda",     "osu",          "multiple", "shared",
    "auto",           "commit=1",
};

/* A suite that uses the section. */
static const char *suites_for(const char *name)
{
    return strncmp(name, "@IO_", 4) == 0 ? "@MEASUREMENTS\nA { Type = 220; }\n" : PING;
}

/* Suites in which a field or key has a meaning, where the usual ones do not do. */
static const struct {
    const char *name, *fields;
} homes[] = {
    { "Type", "%s = %s;" },
    { "Virtual_Topology_Number", "Type = 17; %s = %s;" },
    { "language", "Type = 126; Parameters = \"method=manual %s=%s\";" },
    { "root", "Type = 47; Parameters = \"%s=%s\";" },
    { "counts", "Type = 1; Parameters = \"%s=%s\";" },
    { "as", "Type = 1; Parameters = \"%s=%s\";" },
    { "neighbours", "Type = 900; Variation = Distance; Parameters = \"%s=%s\";" },
    { "length_is", "Type = 900; Variation = Nodes; Parameters = \"%s=%s\";" },
    { "segment", "Type = 900; Parameters = \"algorithm=7 %s=%s\";" },
    { "fanout", "Type = 900; Parameters = \"algorithm=7 %s=%s\";" },
    { "staged", "Type = 900; Parameters = \"send_in=cuda %s=%s\";" },
    { "thread_comm", "Type = 900; Parameters = \"threads=2 %s=%s\";" },
    { "estimate", "Type = 900; Parameters = \"passes=2 %s=%s\";" },
};

static const char *fields_for(const char *format, const char *name)
{
    EACH(c, homes)
        if (strcmp(c->name, name) == 0)
            return c->fields;
    return strcmp(format, "field") == 0 ? "Type = 1; %s = %s;"
                                        : "Type = 900; Parameters = \"%s=%s\";";
}

/* Is a file made by format with name and value read without errors? Then release p. */
static bool read_with(struct params *p, const char *format, const char *name, const char *value)
{
    LOCAL_TEXT file = { 0 };
    LOCAL_STRING complained;
    text_add(&file, strcmp(name, "@VERSION") == 0 ? "" : VERSION);
    if (strcmp(format, "section") == 0) {
        text_add(&file, "%s %s\n%s", name, value, suites_for(name));
    } else {
        if (strcmp(format, "field") == 0)
            text_add(&file, "@TOPOLOGY7 Reorder 1 0\n@BASETYPE1 MPI_INT\n");
        text_add(&file, "@MEASUREMENTS\nA { ");
        text_add(&file, fields_for(format, name), name, value);
        text_add(&file, " }\n");
    }
    bool right = read_bytes(p, text_get(&file), file.len, 0, &complained) == 0;
    if (!right)
        params_release(p);
    return right;
}

static const void *base_of(const char *format, const struct params *p)
{
    if (strcmp(format, "section") == 0)
        return p;
    return strcmp(format, "field") == 0 ? (const void *)&p->suites[0]
                                        : (const void *)&p->suites[0].options;
}

/* False for file names, texts, parameters that do not affect the measurements, and defaults that
 * the suite does not use. */
static bool is_measured(const struct value_row *row)
{
    static const char *const aside[] = { "@VERSION",    "@POSTPROC",        "@SUITETIMEOUT",
                                         "@MAXRETRIES", "@TIMEMEASDEFAULT", "@TIMESUITEDEFAULT",
                                         "@SHUFFLE",    "@VERIFY",          "@LABEL" };
    for (size_t i = 0; i < COUNT(aside); i++)
        if (strcmp(row->name, aside[i]) == 0)
            return false;
    return row->kind != &value_text && row->kind != &value_file;
}

/* The first suite uses all defaults. */
static void check_fingerprint(const struct value_row *row, const struct params *plain,
                              const struct params *changed)
{
    uint64_t before, after;
    before = params_fingerprint(plain);
    after = params_fingerprint(changed);
    if ((before != after) != is_measured(row))
        print_message("# fingerprint and '%s'\n", row->name);
    assert_true((before != after) == is_measured(row));
}

/* Only texts and names of files and algorithms may be these. */
static void check_numbers(const char *format, const struct value_row *row)
{
    static const char *const words[] = { "nan", "-nan", "inf", "infinity", "1e999", "0x10" };
    bool text = row->kind == &value_text || row->kind == &value_file ||
                row->kind == &value_directory || row->kind == &value_word;
    for (size_t i = 0; !text && i < COUNT(words); i++) {
        struct params p;
        if (read_with(&p, format, row->name, words[i]))
            fail_msg("'%s' may be '%s'", row->name, words[i]);
    }
}

/* Changes the row's value from its default, and finds it in the echo. */
static void check_row(const char *format, const struct value_row *row)
{
    LOCAL(params) plain;
    bool changed = false;
    bool key = strcmp(format, "section") != 0 && strcmp(format, "field") != 0;
    read_formatted(&plain, "%s%s", VERSION,
                   key ? "@MEASUREMENTS\nA { Type = 900; Variation = Nodes; }\n"
                       : suites_for(row->name));
    check_numbers(format, row);
    LOCAL_STRING before = value_of(row, base_of(format, &plain));
    for (size_t i = 0; i < COUNT(tries) && !changed; i++) {
        LOCAL(params) p;
        if (!read_with(&p, format, row->name, tries[i]))
            continue;
        LOCAL_STRING after = value_of(row, base_of(format, &p));
        changed = strcmp(before, after) != 0;
        if (changed) {
            check_read_back(&p);
            check_fingerprint(row, &plain, &p);
        }
    }
    if (!changed)
        print_message("# no value to try for '%s'\n", row->name);
    assert_true(changed);
}

TEST(test_every_row)
{
    for (size_t i = 0; i < section_table.count; i++)
        if (section_table.rows[i].kind != &value_suites)
            check_row("section", &section_table.rows[i]);
    for (int i = FIELD_NAME + 1; i < FIELD_COUNT; i++)
        check_row("field", field_get((enum field)i));
    for (size_t i = 0; i < key_table.count; i++)
        check_row("key", &key_table.rows[i]);
}

/* The documented default of a row, after reading and printing it; owned by the caller. */
static char *documented(const struct value_row *row, const struct params *p, const char *fallback,
                        void *base)
{
    struct complaints c = { 0 };
    struct source none = { .name = "", .bytes = "" };
    struct value_input in = {
        .source = &none, .params = p, .types = &fake_catalog, .complaints = &c
    };
    assert_int_equal(section_text_parse(row, fallback, &in, base), 0);
    char *value = value_of(row, base);
    if (row->kind->release != NULL)
        row->kind->release(value_at(row, base));
    return value;
}

/* Does base, read from a file that does not set the row, have the documented default? */
static void check_default(const struct value_row *row, const char *fallback, const struct params *p,
                          const void *base, void *scratch)
{
    LOCAL_STRING expected = fallback == NULL ? strdup("") : documented(row, p, fallback, scratch);
    LOCAL_STRING got = value_of(row, base);
    assert_string_equal(got, expected);
}

TEST(test_every_default)
{
    LOCAL(params) p;
    read_right(&p, VERSION PING);
    const struct suite *s = &p.suites[0];
    for (size_t i = 0; i < section_table.count; i++)
        check_default(&section_table.rows[i], section_table.rows[i].fallback, &p, &p,
                      &(struct params){ 0 });
    for (int i = FIELD_TYPE + 1; i < FIELD_COUNT; i++) {
        const struct value_row *row = field_get((enum field)i);
        const char *fallback = row->fallback_for == NULL ? row->fallback : row->fallback_for(s);
        struct suite scratch = *s;
        check_default(row, fallback, &p, s, &scratch);
    }
    for (size_t i = 0; i < key_table.count; i++)
        check_default(&key_table.rows[i], key_table.rows[i].fallback, &p, &s->options,
                      &(struct suite_options){ 0 });
}

TEST(test_fingerprint)
{
    static const struct {
        const char *a, *b;
        bool same;
    } cases[] = {
        { "", "@USER me\n@OUTFILE x\n", true },
        { "@MEMORY 64\n@BLOCKS 3\n", "@blocks 3\n@MEMORY 64.0\n", true },
        { "@MEMORY 64\n", "@MEMORY 65\n", false },
        { "", "@MAXREPDEFAULT 20\n", true },
        { "", "@MAXREPDEFAULT 21\n", false },
        { "", "@CACHE cold\n", false },
        { "@DATA cold\n", "@CACHE cold\n", true },
        { "", "@DATA fresh\n", false },
        { "", "@ERROR Winsorised\n", true },
        { "", "@ERROR paper\n", false },
        { "", "@MEASUREMENTS\nB { Type = 24; }\n", false },
    };
    EACH(c, cases) {
        const char *const texts[] = { c->a, c->b };
        uint64_t prints[2];
        for (int n = 0; n < 2; n++) {
            LOCAL(params) p;
            read_formatted(&p, VERSION "%s" PING, texts[n]);
            prints[n] = params_fingerprint(&p);
        }
        assert_true((prints[0] == prints[1]) == c->same);
    }
}

/* For a share, a delay and a graph of one process. */
struct read_from_files {
    long share, delay_us;
    int neighbour;
};

static int *one_number(int number)
{
    int *list = malloc(sizeof(*list));
    assert_non_null(list);
    *list = number;
    return list;
}

static uint64_t fingerprint_with(const struct read_from_files *in, struct text *files)
{
    LOCAL(params) p;
    uint64_t print;
    read_right(
        &p, VERSION
        "@MEASUREMENTS\n"
        "G { Type = 240; Parameters = \"spread=file:shares.txt arrival=file:delays.txt\"; }\n");
    for (int i = 0; i < NAMED_FILES; i++) {
        struct numbers *numbers = &p.suites[0].named[i];
        *numbers = (struct numbers){ malloc(sizeof(long)), 1 };
        assert_non_null(numbers->list);
        *numbers->list = i == FILE_PARTS ? in->share : in->delay_us;
    }
    p.topologies[1] = (struct topology){ .kind = TOPOLOGY_GRAPH,
                                         .count = 1,
                                         .values = one_number(in->neighbour),
                                         .ends = one_number(1),
                                         .file = strdup("graph.txt") };
    print = params_fingerprint(&p);
    params_echo_files(&p, files);
    return print;
}

/* A run is not resumed, and not merged with another, if a file of shares, delays or neighbours has
 * changed. */
TEST(named_files_matter)
{
    static const struct read_from_files cases[] = {
        { 1, 2, 3 }, { 4, 2, 3 }, { 1, 4, 3 }, { 1, 2, 4 }
    };
    LOCAL_TEXT first = { 0 }, same = { 0 };
    uint64_t print = fingerprint_with(&cases[0], &first);
    assert_true(fingerprint_with(&cases[0], &same) == print);
    assert_string_equal(text_get(&same), text_get(&first));
    assert_int_equal(strncmp(text_get(&first), "shares.txt ", 11), 0);
    assert_non_null(strstr(text_get(&first), "\ndelays.txt "));
    assert_non_null(strstr(text_get(&first), "\ngraph.txt "));
    for (size_t i = 1; i < COUNT(cases); i++) {
        LOCAL_TEXT other = { 0 };
        assert_true(fingerprint_with(&cases[i], &other) != print);
        assert_string_not_equal(text_get(&other), text_get(&first));
    }
}

TEST(test_echo)
{
    LOCAL(params) p;
    LOCAL_TEXT echo = { 0 };
    read_right(&p, "@MACHINE not shown\n@MEMORY 64\n@BASETYPE3 MPI_INT\n" VERSION PING
                   "B { Type = 24; }\n");
    params_echo_sections(&p, &echo);
    assert_string_equal(text_get(&echo),
                        "@VERSION 4.0\n@MEMORY 64\n@OUTFILE skampi.out\n@LOGFILE skampi.log\n"
                        "@MAXSTEPSDEFAULT Sweep+16\n@MAXREPDEFAULT 20\n@MINREPDEFAULT 4\n"
                        "@MULTIPLEOFDEFAULT 4\n@STANDARDERRORDEFAULT 0.05\n@TIMEMEASDEFAULT 0.0\n"
                        "@TIMESUITEDEFAULT 0.0\n@CUTQUANTILEDEFAULT 0.25\n@CACHEWARMUP 0\n"
                        "@CACHE warm\n@DATA kept\n@ERROR winsorised\n@ABSOLUTE no\n@POSTPROC "
                        "yes\n@VERIFY yes\n@SUITETIMEOUT 0.0\n"
                        "@MAXRETRIES 3\n@SHUFFLE no\n@BLOCKS 10\n@BLOCKSIZE "
                        "7\n@VECTORSTRIDE 11\n@BASETYPE3 MPI_INT\n");
    text_release(&echo);
    params_echo_suite(&p, &p.suites[0], &echo);
    assert_string_equal(
        text_get(&echo),
        "A { Type = 1; Send_Basetype_Number = 1; Receive_Basetype_Number = 1; Send_Datatype_Number "
        "= 5; Receive_Datatype_Number = 5; Variation = Length; Scale = Dynamic_log; Max_Repetition "
        "= 20; Min_Repetition = 4; Multiple_of = 4; Time_Measurement = Invalid_Value; Time_Suite = "
        "Invalid_Value; Node_Times = no; Cut_Quantile = 0.25; Default_Chunks = 0; "
        "Default_Message_length = 256; Start_Argument = 0; End_Argument = Max_Value; Stepwidth = "
        "1.414213562; Max_Steps = Sweep+16; Min_Distance = 2.0; Max_Distance = 512.0; "
        "Standard_error = 0.05; Virtual_Topology_Number = 0; Parameters = \"partner=farthest "
        "cache=warm method=ddt error=winsorised data=kept paced=no buffers=two histogram=no raw=no "
        "outliers=kept loop=1 passes=auto estimate=cut placing=visits counts=int\"; }");
    check_read_back(&p);
}
