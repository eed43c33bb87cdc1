#include "../reading.h"

#include "params/tables.h"

/* Reads a suite A with these fields and prints one of them. */
static void check_field(const char *fields, enum field field, const char *expected)
{
    LOCAL(params) p;
    LOCAL_TEXT value = { 0 };
    const struct value_row *row = field_get(field);
    read_formatted(&p,
                   "@VERSION 4.0\n@MAXREPDEFAULT 30\n@TIMESUITEDEFAULT 0.5\n@MULTIPLEOF 8\n"
                   "@MEASUREMENTS\nA { %s }\n",
                   fields);
    row->kind->print(row, &p.suites[0], &value);
    if (strcmp(text_get(&value), expected) != 0)
        print_message("# %s, %s:\n", fields, row->name);
    assert_string_equal(text_get(&value), expected);
}

TEST(test_values)
{
    static const struct {
        const char *fields;
        enum field field;
        const char *expected;
    } cases[] = {
        { "Type = 17;", FIELD_TYPE, "17" },
        { "Type = 17.0;", FIELD_TYPE, "17" },
        { "Type = COL_mpi_bcast;", FIELD_TYPE, "17" },
        { "Type = internal_timer;", FIELD_TYPE, "50" },
        { "Type = 1; Basetype_Number = 3;", FIELD_SEND_BASETYPE, "3" },
        { "Type = 1; Basetype_Number = 3;", FIELD_RECEIVE_BASETYPE, "3" },
        { "Type = 1; Send_Basetype_Number = 3;", FIELD_RECEIVE_BASETYPE, "3" },
        { "Type = 1; Send_Basetype_Number = 3; Recv_Basetype_Number = 1;", FIELD_RECEIVE_BASETYPE,
          "1" },
        { "Type = 1; Recv_Basetype_Number = 3;", FIELD_SEND_BASETYPE, "1" },
        { "Type = 1; Send_Datatype_Number = 4;", FIELD_RECEIVE_DATATYPE, "4" },
        { "Type = 18; Variation = Length; End_Argument = 9;", FIELD_VARIATION, "Nodes" },
        { "Type = 18; Variation = Length; End_Argument = 9;", FIELD_END, "Max_Value" },
        { "Type = 18; Variation = Length; Scale = Fixed_log;", FIELD_SCALE, "Fixed_linear" },
        { "Type = 18; Variation = Length; Multiple_of = 8;", FIELD_MULTIPLE_OF, "1" },
        { "Type = 18; Variation = Length; Max_Repetition = 9;", FIELD_MAX_REPETITION, "9" },
        { "Type = 18; Variation = Nodes; End_Argument = 9;", FIELD_END, "9" },
        { "Type = 24; Variation = Chunks; Start_Argument = 3;", FIELD_VARIATION, "None" },
        { "Type = 24; Variation = Chunks; Start_Argument = 3;", FIELD_START, "0" },
        { "Type = 1; Recv_Basetype_Number = 3;", FIELD_RECEIVE_BASETYPE, "3" },
        { "Type = 1; Send_Datatype_Number = 4; Recv_Datatype_Number = 4;", FIELD_RECEIVE_DATATYPE,
          "4" },
        { "Type = 1;", FIELD_SEND_DATATYPE, "5" },
        { "Type = 1;", FIELD_VARIATION, "Length" },
        { "Type = 18;", FIELD_VARIATION, "Nodes" },
        { "Type = 24;", FIELD_VARIATION, "None" },
        { "Type = 50;", FIELD_VARIATION, "None" },
        { "Type = 10; Variation = chunks;", FIELD_VARIATION, "Chunks" },
        { "Type = 1;", FIELD_SCALE, "Dynamic_log" },
        { "Type = 1; Variation = Nodes;", FIELD_SCALE, "Fixed_linear" },
        { "Type = 10; Variation = Chunks;", FIELD_SCALE, "Fixed_linear" },
        { "Type = 1; Scale = FIXED_LOG;", FIELD_SCALE, "Fixed_log" },
        { "Type = 1;", FIELD_STEPWIDTH, "1.414213562" },
        { "Type = 1; Scale = Dynamic_linear;", FIELD_STEPWIDTH, "1.0" },
        { "Type = 1; Variation = Nodes;", FIELD_STEPWIDTH, "1.0" },
        { "Type = 1; Stepwidth = 1.5;", FIELD_STEPWIDTH, "1.5" },
        { "Type = 1;", FIELD_MAX_REPETITION, "30" },
        { "Type = 1; Max_Repetition = default_value;", FIELD_MAX_REPETITION, "30" },
        { "Type = 1; Max_Repetition = 1e3;", FIELD_MAX_REPETITION, "1000" },
        { "Type = 1;", FIELD_MULTIPLE_OF, "8" },
        { "Type = 1; Multiple_of = Default_Value;", FIELD_MULTIPLE_OF, "8" },
        { "Type = 1; Multiple_of = 2;", FIELD_MULTIPLE_OF, "2" },
        { "Type = 1; Variation = Nodes;", FIELD_MULTIPLE_OF, "1" },
        { "Type = 1; Variation = Nodes; Multiple_of = Default_Value;", FIELD_MULTIPLE_OF, "1" },
        { "Multiple_of = 2; Variation = Nodes; Type = 1;", FIELD_MULTIPLE_OF, "2" },
        { "Type = 1;", FIELD_TIME_SUITE, "Invalid_Value" },
        { "Type = 1; Time_Suite = Invalid_Time;", FIELD_TIME_SUITE, "Invalid_Value" },
        { "Type = 1; Time_Suite = 0.0;", FIELD_TIME_SUITE, "Invalid_Value" },
        { "Type = 1; Time_Suite = Default_Value;", FIELD_TIME_SUITE, "0.5" },
        { "Type = 1; Time_Measurement = Default_Value;", FIELD_TIME_MEASUREMENT, "Invalid_Value" },
        { "Type = 1; Node_Times = Yes;", FIELD_NODE_TIMES, "yes" },
        { "Type = 1; Default_Message_length = 256.0;", FIELD_LENGTH, "256" },
        { "Type = 1; End_Argument = max_value;", FIELD_END, "Max_Value" },
        { "Type = 1; End_Argument = 0;", FIELD_END, "0" },
        { "Type = 1; Min_Distance = 0.5;", FIELD_MIN_DISTANCE, "0.5" },
        { "Type = 1; Max_Distance = +3.;", FIELD_MAX_DISTANCE, "3.0" },
        { "Type = 1; Standard_error = 1e-3;", FIELD_STANDARD_ERROR, "0.001" },
    };
    EACH(c, cases)
        check_field(c->fields, c->field, c->expected);
}

/* The place of each value, for complaints; for a missing value, the place of the name. */
TEST(test_places)
{
    LOCAL(params) p;
    read_right(&p, VERSION "@MEASUREMENTS\nname { Type = 1; }\n");
    assert_int_equal(p.suites[0].at[FIELD_NAME], 27);
    assert_int_equal(p.suites[0].at[FIELD_TYPE], 41);
    assert_int_equal(p.suites[0].at[FIELD_SCALE], 27);
}

TEST(test_complaints)
{
    static const struct reading_case cases[] = {
        { SUITE("Type = 2;"), "f:3:12: unknown type '2'; --list shows all types\n" },
        { SUITE("Type = -1;"), "f:3:12: unknown type '-1'; --list shows all types\n" },
        { SUITE("Type = 4294967297;"),
          "f:3:12: unknown type '4294967297'; --list shows all types\n" },
        { SUITE("Type = Default_Value;"),
          "f:3:12: unknown type 'Default_Value'; --list shows all types\n" },
        { SUITE("Type = MPI_Bcast;"),
          "f:3:12: unknown type 'MPI_Bcast', did you mean 'col_MPI_Bcast'?\n" },
        { SUITE("Type = p2p_MPI_Send_MPI_Recv;"),
          "f:3:12: unknown type 'p2p_MPI_Send_MPI_Recv', did you mean 'p2p_MPI_Send-MPI_Recv'?\n" },
        { SUITE("Type = 1; Send_Datatype_Number = 6;"),
          "f:3:38: expected a datatype's number (1-5, 20, 30-37, 50-58, 61-64, 70, 101-141), got "
          "'6'\n" },
        { SUITE("Type = 1; Recv_Datatype_Number = MPI_INT;"),
          "f:3:38: expected a datatype's number (1-5, 20, 30-37, 50-58, 61-64, 70, 101-141), got "
          "'MPI_INT'\n" },
        { SUITE("Type = 1; Basetype_Number = 11;"),
          "f:3:33: expected an integer from 1 to 10, got '11'\n" },
        { SUITE("Type = 1; Max_Repetition = 0;"),
          "f:3:32: expected an integer from 1 to 10000000 or Default_Value, got '0'\n" },
        { SUITE("Type = 1; Max_Repetition = 99999999999999999999;"),
          "f:3:32: expected an integer from 1 to 10000000 or Default_Value, got "
          "'99999999999999999999'\n" },
        { SUITE("Type = 1; Max_Repetition = Invalid_Value;"),
          "f:3:32: expected an integer from 1 to 10000000 or Default_Value, got "
          "'Invalid_Value'\n" },
        { SUITE("Type = 1; Default_Message_length = 256.5;"),
          "f:3:40: warning: 'Default_Message_length' is a whole number: 256.5 is rounded to "
          "257\n" },
        { SUITE("Type = 1; Default_Message_length = 256.0;"), "" },
        { SUITE("Type = 1; Default_Message_length = 25.64e1;"),
          "f:3:40: warning: 'Default_Message_length' is a whole number: 25.64e1 is rounded to "
          "256\n" },
        { SUITE("Type = 1; Default_Chunks = 4.5;"),
          "f:3:32: warning: 'Default_Chunks' is a whole number: 4.5 is rounded to 5\n" },
        { SUITE("Type = 1; Default_Chunks = 0.3;"),
          "f:3:32: warning: 'Default_Chunks' is a whole number: 0.3 is rounded to 1\n" },
        { SUITE("Type = 1; Default_Chunks = -0.5;"),
          "f:3:32: expected an integer from 0 to 1000000000, got '-0.5'\n" },
        { SUITE("Type = 1; Max_Steps = 4.5;"), "f:3:27: expected an integer from 1 to 1000000 or "
                                               "Sweep+16 or Default_Value, got '4.5'\n" },
        { SUITE("Type = 1; Default_Chunks = 0x10;"),
          "f:3:32: expected an integer from 0 to 1000000000, got '0x10'\n" },
        { SUITE("Type = 1; End_Argument = -1;"),
          "f:3:30: expected an integer from 0 to 1099511627776 or Max_Value, got '-1'\n" },
        { SUITE("Type = 1; Time_Suite = nan;"),
          "f:3:28: expected a number from 0 to 1000000 or Invalid_Value or Invalid_Time or "
          "Default_Value, in minutes, got 'nan'\n" },
        { SUITE("Type = 1; Standard_error = 1e999;"),
          "f:3:32: expected a number from 0 to 1 or Default_Value, got '1e999'\n" },
        { SUITE("Type = 1; Node_Times = maybe;"), "f:3:28: expected yes or no, got 'maybe'\n" },
        { SUITE("Type = 1; Virtual_Topology_Number = 11;"),
          "f:3:41: expected an integer from 0 to 10, got '11'\n" },
    };
    CHECK_CASES(cases);
}

/* Every field has a row, and only the name Basetype_Number sets two fields. */
TEST(test_table)
{
    for (int i = FIELD_NAME + 1; i < FIELD_COUNT; i++) {
        const struct value_row *row = field_get((enum field)i);
        assert_non_null(row->name);
        assert_non_null(row->doc);
        assert_non_null(row->kind);
        assert_int_equal(field_mask(row->name, strlen(row->name)), 1u << i);
        assert_true(row->fallback != NULL || row->fallback_for != NULL || i == FIELD_TYPE);
        assert_true(row->fallback_for == NULL || row->fallback_doc != NULL);
    }
    assert_int_equal(field_mask("Basetype_Number", strlen("Basetype_Number")),
                     1u << FIELD_SEND_BASETYPE | 1u << FIELD_RECEIVE_BASETYPE);
    assert_int_equal(field_mask("Nothing", strlen("Nothing")), 0);
}
