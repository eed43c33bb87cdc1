#include "../reading.h"

/* The fake catalog with a library that lacks a feature. Type 19 needs it as well, but only for
 * messages of 0 bytes. */
enum { TYPES = COUNT(fake_types) };

static struct catalog poor_catalog(struct type_info types[TYPES], unsigned lacks)
{
    memcpy(types, fake_types, sizeof(fake_types));
    for (size_t i = 0; i < TYPES; i++) {
        if (types[i].number == 104)
            types[i].needs = NEEDS_NEIGHBOURHOODS;
        if (types[i].number == 19)
            types[i].needs = NEEDS_EMPTY_REPLACE;
    }
    return (struct catalog){ types, TYPES, lacks };
}

/* The names of the remaining suites, a '|', and the skipped ones; warnings in the form of
 * reading.h. */
static char *skip_from(const char *text, unsigned lacks, char **complained)
{
    struct type_info types[TYPES];
    struct catalog catalog = poor_catalog(types, lacks);
    struct source s = { "f", text, strlen(text) };
    LOCAL(complaints) c = { 0 };
    LOCAL(params) p;
    struct text names = { 0 };
    assert_int_equal(params_read(&p, &s, 0, &catalog, &c), 0);
    params_skip(&p, &catalog, &c);
    for (size_t i = 0; i < p.suite_count + p.skipped_count; i++)
        text_add(&names, "%s%s", i == p.suite_count ? "|" : "", p.suites[i].name);
    *complained = complaints_text(&c, &s);
    return text_take(&names);
}

static const char file[] = "@VERSION 4.0\n@TOPOLOGY1 Cartesian 1 yes\n@TOPOLOGY2 Graph [1] [0]\n"
                           "@MEASUREMENTS\n"
                           "A { Type = 104; Virtual_Topology_Number = 1; }\n"
                           "B { Type = 17; Virtual_Topology_Number = 1; }\n"
                           "C { Type = 17; Virtual_Topology_Number = 2; }\n"
                           "D { Type = 19; }\n"
                           "E { Type = 19; Start_Argument = 4; }\n"
                           "F { Type = 19; Variation = Nodes; Default_Message_length = 0; }\n"
                           "G { Type = 19; Variation = Nodes; }\n"
                           "H { Type = 104; Virtual_Topology_Number = 2; }\n"
                           "I { Type = 126; Parameters = \"method=manual\"; }\n"
                           "J { Type = 126; Parameters = \"method=manual language=fortran\"; }\n";

TEST(test_partition)
{
    static const struct {
        unsigned lacks;
        const char *names;
    } cases[] = {
        { 0, "ABCDEFGHIJ" },
        { NEEDS_GRAPHS, "ABDEFGIJ|CH" },
        { NEEDS_NEIGHBOURHOODS, "BCDEFGIJ|AH" },
        { NEEDS_EMPTY_REPLACE, "ABCEGHIJ|DF" },
        { NEEDS_FORTRAN, "ABCDEFGHI|J" },
        { NEEDS_GRAPHS | NEEDS_NEIGHBOURHOODS | NEEDS_EMPTY_REPLACE, "BEGIJ|ACDFH" },
    };
    EACH(c, cases) {
        char *complained, *names = skip_from(file, c->lacks, &complained);
        assert_string_equal(names, c->names);
        free(names);
        free(complained);
    }
}

TEST(test_warnings)
{
    LOCAL_STRING complained;
    free(skip_from(file, NEEDS_NEIGHBOURHOODS | NEEDS_EMPTY_REPLACE, &complained));
    assert_string_equal(complained,
                        "f:5:12: warning: suite 'vtcol_A': skipped, the MPI library lacks "
                        "neighbourhood collectives; also 1 other suite: vtcol_H\n"
                        "f:8:12: warning: suite 'col_D': skipped, the MPI library lacks "
                        "MPI_Sendrecv_replace of empty messages; also 1 other suite: col_F\n");
    free(complained);
    free(skip_from("@VERSION 4.0\n@MEASUREMENTS\nD { Type = 19; }\n", NEEDS_EMPTY_REPLACE,
                   &complained));
    assert_non_null(
        strstr(complained, "f:3:1: all suites were skipped; none can be measured here"));
}
