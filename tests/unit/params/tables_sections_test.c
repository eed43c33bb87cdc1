#include "../reading.h"

#include "params/tables.h"

static void check_section(const char *text, const char *name, const char *expected)
{
    LOCAL(params) p;
    LOCAL_TEXT value = { 0 };
    const struct value_row *row = table_find(&section_table, name, strlen(name));
    read_formatted(&p, "%s\n%s" PING, text, strstr(text, "@VERSION") != NULL ? "" : VERSION);
    row->kind->print(row, &p, &value);
    assert_string_equal(text_get(&value), expected);
}

TEST(test_values)
{
    static const struct {
        const char *text, *name, *expected;
    } cases[] = {
        { "@MPIVersion Open MPI\n4.1.4", "@MPIVERSION", "Open MPI\n4.1.4" },
        { "@NAMEOFRUN", "@NAMEOFRUN", "" },
        { "", "@NAMEOFRUN", "" },
        { "@LABEL commit=a b={1}\n@label site.x-1=2", "@LABEL",
          "commit=a b={1}\n@LABEL site.x-1=2" },
        { "", "@LABEL", "" },
        { "@VERSION 4", "@VERSION", "4.0" },
        { "@OUTFILE  my results.out \n", "@OUTFILE", "my results.out" },
        { "@logfile\n\n x.log\n", "@LOGFILE", "x.log" },
        { "@MEMORY 2147483647", "@MEMORY", "2147483647" },
        { "@MULTIPLEOF 8", "@MULTIPLEOFDEFAULT", "8" },
        { "@CUTQUANTILE 0.1", "@CUTQUANTILEDEFAULT", "0.1" },
        { "@CUTQUANTILEDEFAULT .1", "@CUTQUANTILEDEFAULT", "0.1" },
        { "@ABSOLUTE YES", "@ABSOLUTE", "yes" },
        { "@CACHE Cold", "@CACHE", "cold" },
        { "@DATA Fresh", "@DATA", "fresh" },
        { "@DATA cold", "@CACHE", "cold" },
        { "@ERROR Paper", "@ERROR", "paper" },
        { "@SUITETIMEOUT 0.5", "@SUITETIMEOUT", "0.5" },
        { "@MAXRETRIES Unlimited", "@MAXRETRIES", "unlimited" },
        { "@MAXRETRIES 0", "@MAXRETRIES", "0" },
        { "@SHUFFLE Yes", "@SHUFFLE", "yes" },
        { "@SHUFFLE 0", "@SHUFFLE", "no" },
        { "@SHUFFLE 2147483647", "@SHUFFLE", "2147483647" },
        { "@Basetype10 mpi_double", "@BASETYPE10", "MPI_DOUBLE" },
        { "@BASETYPE1\n(1,0,MPI_BYTE),\n(2,1,MPI_INT)", "@BASETYPE1",
          "(1,0,MPI_BYTE), (2,1,MPI_INT)" },
        { "@TOPOLOGY1 Cartesian 2 yes no", "@TOPOLOGY1", "Cartesian 2 yes no" },
        { "@TOPOLOGY1 cartesian noreorder 1 Yes", "@TOPOLOGY1", "Cartesian NOREORDER 1 yes" },
        { "@TOPOLOGY2 Graph [1 2] [0]\n[0] []", "@TOPOLOGY2", "Graph [1 2] [0] [0] []" },
        { "@TOPOLOGY2 Graph NOREORDER [1] [0]", "@TOPOLOGY2", "Graph NOREORDER [1] [0]" },
        { "@TOPOLOGY10 Reorder 2 0 1", "@TOPOLOGY10", "Reorder 2 0 1" },
        { "", "@TOPOLOGY1", "" },
    };
    EACH(c, cases)
        check_section(c->text, c->name, c->expected);
}

#define EXPECTED_LABEL                                                                             \
    "expected a label NAME=VALUE: a name of at most 40 letters, digits, '_', '.' and '-', a "      \
    "value of at most 200 bytes, got "

TEST(test_complaints)
{
    static const struct reading_case cases[] = {
        { VERSION "@LABEL a\n" PING, "f:2:8: " EXPECTED_LABEL "'a'\n" },
        { VERSION "@LABEL a=\n@LABEL a b=c\n" PING,
          "f:2:8: " EXPECTED_LABEL "'a='\nf:3:8: " EXPECTED_LABEL "'a b=c'\n" },
        { VERSION "@LABEL x2345678901234567890123456789012345678901=c\n" PING,
          "f:2:8: " EXPECTED_LABEL "'x234567890123456789012345678901234567890...'\n" },
        { VERSION "@LABEL a=b\n@LABEL c=b\n@LABEL a=c\n" PING,
          "f:4:8: label 'a' is given twice\n" },
        { VERSION "@OUTFILE\n" PING, "f:2:9: no value for '@OUTFILE'\n" },
        { VERSION "@OUTFILE a\tb\n" PING, "f:2:10: expected a file name, got 'a b'\n" },
        { VERSION "@OUTFILE a\nb\n" PING,
          "f:3:1: unexpected text after the value of '@OUTFILE'; suites belong in @MEASUREMENTS, "
          "comments in @COMMENT\n" },
        { VERSION "@ABSOLUTE true\n" PING, "f:2:11: expected yes or no, got 'true'\n" },
        { VERSION "@CACHE hot\n" PING, "f:2:8: expected warm or cold, got 'hot'\n" },
        { VERSION "@DATA hot\n" PING, "f:2:7: expected kept, fresh or cold, got 'hot'\n" },
        { VERSION "@ERROR sigma\n" PING, "f:2:8: expected winsorised or paper, got 'sigma'\n" },
        { VERSION "@MEMORY 0\n" PING,
          "f:2:9: expected an integer from 1 to 2147483647, in KiB, got '0'\n" },
        { VERSION "@MEMORY 2147483648\n" PING,
          "f:2:9: expected an integer from 1 to 2147483647, in KiB, got '2147483648'\n" },
        { VERSION "@CUTQUANTILE 0.5\n" PING,
          "f:2:14: expected a number from 0 to below 0.5, got '0.5'\n" },
        { VERSION "@TIMESUITEDEFAULT Invalid_Value\n" PING,
          "f:2:19: expected a number from 0 to 1000000, in minutes, got 'Invalid_Value'\n" },
        { "@VERSION four\n" PING, "f:1:10: expected a number from 0 to 1000, got 'four'\n" },
    };
    CHECK_CASES(cases);
}

/* Does the section have the type that Default_Value copies? */
static void check_default_of(const struct value_row *row)
{
    if (row->section == NULL)
        return;
    const struct value_row *section =
        table_find(&section_table, row->section, strlen(row->section));
    assert_non_null(section);
    assert_ptr_equal(section->kind, row->kind);
}

TEST(test_table)
{
    for (size_t i = 0; i < section_table.count; i++) {
        const struct value_row *row = &section_table.rows[i];
        assert_int_equal(row->name[0], '@');
        assert_non_null(row->doc);
        assert_ptr_equal(table_find(&section_table, row->name, strlen(row->name)), row);
        for (size_t a = 0; a < VALUE_ALIASES && row->aliases[a] != NULL; a++)
            assert_ptr_equal(table_find(&section_table, row->aliases[a], strlen(row->aliases[a])),
                             row);
        assert_int_equal(row->kind->parse == NULL, row->kind == &value_suites);
    }
    assert_null(table_find(&section_table, "@", 1));
    for (int i = FIELD_NAME + 1; i < FIELD_COUNT; i++)
        check_default_of(field_get((enum field)i));
}
