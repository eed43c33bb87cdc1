#include "../reading.h"

#include "params/records.h"

/* Tests of lists in fields. The beginning of the test files: */
#define FILE_OF(suites)                                                                            \
    "@VERSION 4.0\n@BASETYPE1 MPI_INT\n@BASETYPE2 MPI_CHAR\n@MEASUREMENTS\n" suites "\n"

static char *names_of(const struct params *p)
{
    struct text names = { 0 };
    char label[SUITE_LABEL_SIZE];
    for (size_t i = 0; i < p->suite_count; i++)
        text_add(&names, "%s%s", i == 0 ? "" : " ",
                 suite_label(&p->suites[i], label, sizeof(label)));
    return text_take(&names);
}

TEST(test_names)
{
    static const struct {
        const char *text, *names;
    } cases[] = {
        { FILE_OF("A { Type = 1; Max_Steps = 3, 4,5 ,\n6; }"), "p2p_A-3 p2p_A-4 p2p_A-5 p2p_A-6" },
        { FILE_OF("A { Type = 17, 1; }"), "col_A-MPI_Bcast p2p_A-MPI_Send-MPI_Recv" },
        { FILE_OF("* { Type = col_MPI_Bcast, 55; }"), "col_MPI_Bcast syncol_MPI_Alltoall" },
        /* The order of the lists counts: the last varies fastest. */
        { FILE_OF("A { Type = 17, 18; Max_Repetition = 8, 9; }"),
          "col_A-MPI_Bcast-8 col_A-MPI_Bcast-9 col_A-MPI_Barrier-8 col_A-MPI_Barrier-9" },
        { FILE_OF("A { Max_Repetition = 8, 9; Type = 17, 18; }"),
          "col_A-8-MPI_Bcast col_A-8-MPI_Barrier col_A-9-MPI_Bcast col_A-9-MPI_Barrier" },
        { FILE_OF("a*b*c { Max_Repetition = 8, 9; Type = 18, 17; }"),
          "col_a8bMPI_Barrierc col_a8bMPI_Bcastc col_a9bMPI_Barrierc col_a9bMPI_Bcastc" },
        { FILE_OF("*-SM { Type = 17, 18; Min_Repetition = 1, 2; Max_Repetition = 8, 9; }"),
          "col_MPI_Bcast-SM-1-8 col_MPI_Bcast-SM-1-9 col_MPI_Bcast-SM-2-8 col_MPI_Bcast-SM-2-9 "
          "col_MPI_Barrier-SM-1-8 col_MPI_Barrier-SM-1-9 col_MPI_Barrier-SM-2-8 "
          "col_MPI_Barrier-SM-2-9" },
        /* A name that sets two fields has one list. */
        { FILE_OF("A { Type = 1; Send_Datatype_Number = 20; Basetype_Number = 1, 2; }"),
          "p2p_A-1 p2p_A-2" },
        { FILE_OF("A { Type = 1; Stepwidth = 1.5, 2e1; End_Argument = 64, Max_Value; }"),
          "p2p_A-1.5-64 p2p_A-1.5-Max_Value p2p_A-2e1-64 p2p_A-2e1-Max_Value" },
        /* Without a list a '*' is part of the name, as in 4.1. */
        { FILE_OF("A* { Type = 1; }"), "p2p_A*" },
        { FILE_OF("A { Type = 1; } B { Type = 17, 18; } C { Type = 1; }"),
          "p2p_A col_B-MPI_Bcast col_B-MPI_Barrier p2p_C" },
    };
    EACH(c, cases) {
        LOCAL(params) p;
        read_right(&p, c->text);
        LOCAL_STRING names = names_of(&p);
        assert_string_equal(names, c->names);
    }
}

/* A list means the same as one suite for each value. */
TEST(test_values)
{
    LOCAL(params) listed, single;
    uint64_t a, b;
    read_right(&listed,
               FILE_OF("* { Type = 55, 17; Send_Datatype_Number = 20, 4; Max_Steps = 3; }"));
    read_right(&single, FILE_OF("MPI_Alltoall-20 { Type = 55; Send_Datatype_Number = 20; "
                                "Receive_Datatype_Number = 20; Max_Steps = 3; }\n"
                                "MPI_Alltoall-4 { Type = 55; Send_Datatype_Number = 4; "
                                "Receive_Datatype_Number = 4; Max_Steps = 3; }\n"
                                "MPI_Bcast-20 { Type = 17; Send_Datatype_Number = 20; "
                                "Receive_Datatype_Number = 20; Max_Steps = 3; }\n"
                                "MPI_Bcast-4 { Type = 17; Send_Datatype_Number = 4; "
                                "Receive_Datatype_Number = 4; Max_Steps = 3; }\n"));
    a = params_fingerprint(&listed);
    b = params_fingerprint(&single);
    assert_true(a == b);
}

/* "f:5:..." is the line of the suite. */
TEST(test_complaints)
{
    static const struct reading_case cases[] = {
        { FILE_OF("A { Type = 17, 999, 18; Max_Steps = 3, 4; }"),
          "f:5:16: unknown type '999'; --list shows all types\n" },
        { FILE_OF("A { Type = 17, 18; Max_Steps = 3, x, 0; }"),
          "f:5:35: expected an integer from 1 to 1000000 or Sweep+16 or Default_Value, got 'x'\n"
          "f:5:38: expected an integer from 1 to 1000000 or Sweep+16 or Default_Value, got '0'\n" },
        { FILE_OF("A { Type = 17, ; Scale = x; }"),
          "f:5:14: expected a value after ','\n"
          "f:5:26: expected Fixed_linear, Fixed_log, Dynamic_linear or Dynamic_log, got 'x'\n" },
        { FILE_OF("A { Type = 17,\n  Max_Steps = 3; }"), "f:5:14: expected a value after ','\n" },
        { FILE_OF("A { Type = 17,, 18; }"), "f:5:14: expected a value after ','\n" },
        { FILE_OF("A { Type = , 18; }"), "f:5:11: no value for 'Type'\n" },
        { FILE_OF("A { Type = 17, 18 Max_Steps = 3; }"),
          "f:5:18: expected ';' after the value of 'Type'\n" },
        { FILE_OF("A { Type = 17; Scale = Fixed_log, Fixed_linear; }"),
          "f:5:33: 'Scale' takes one value: only numbers and types may be lists\n" },
        { FILE_OF("A { Type = 17; Node_Times = yes, no; Variation = Nodes ,Length; }"),
          "f:5:32: 'Node_Times' takes one value: only numbers and types may be lists\n"
          "f:5:56: 'Variation' takes one value: only numbers and types may be lists\n" },
        { FILE_OF("A { Type = 1; Parameters = \"partner=1\", \"partner=2\"; }"),
          "f:5:39: 'Parameters' takes one value: only numbers and types may be lists\n" },
        { FILE_OF("A-*-* { Type = 17, 18; }"),
          "f:5:1: the name has 1 more '*' than the suite has lists: each '*' is replaced by a "
          "value of a list\n" },
        { FILE_OF("A { Type = 17; Max_Steps = 3, 4, 3; }"),
          "f:5:1: duplicate suite 'col_A-3'; give it another name\n" },
        { FILE_OF("A-4 { Type = 17; }\nA { Type = 17; Max_Steps = 3, 4; }"),
          "f:6:1: duplicate suite 'col_A-4'; give it another name\n" },
        /* Only one combination is wrong. */
        { FILE_OF("A { Type = 17, 19; Send_Datatype_Number = 5, 30; Max_Steps = 3, 4, 5; }"),
          "f:5:46: type 'col_MPI_Reduce' accepts only predefined datatypes; datatype 30 is "
          "derived\n" },
        { FILE_OF("A { Type = 1; Send_Datatype_Number = 4, 5; Receive_Datatype_Number = 5; }"),
          "f:5:70: the sender's datatype 4 has elements MPI_DOUBLE, the receiver's 5 has MPI_INT: "
          "both sides must have the same\n" },
    };
    CHECK_CASES(cases);
}

/* Reads a suite with two lists of this many values. */
static int read_product(size_t a, size_t b, char **complained, size_t *suites)
{
    LOCAL(params) p;
    LOCAL_TEXT file = { 0 };
    text_add(&file, "@VERSION 4.0\n@MEASUREMENTS\nA { Type = 1; Max_Steps = 1");
    for (size_t i = 1; i < a; i++)
        text_add(&file, ",%zu", i + 1);
    text_add(&file, "; Default_Message_length = 1");
    for (size_t i = 1; i < b; i++)
        text_add(&file, ",%zu", i + 1);
    text_add(&file, "; }\nB { Type = 1; }\n");
    int rc = read_bytes(&p, text_get(&file), file.len, 0, complained);
    *suites = p.suite_count;
    return rc;
}

TEST(test_limit)
{
    LOCAL_STRING complained;
    size_t suites;
    assert_int_equal(read_product(369, 271, &complained, &suites), 0);
    assert_int_equal(suites, MAX_RECORDS);
    free(complained);
    assert_int_equal(read_product(100000, 1, &complained, &suites), -1);
    assert_string_equal(complained, "f:4:1: more than 100000 suites\n");
    free(complained);
    assert_int_equal(read_product(60000, 60000, &complained, &suites), -1);
    assert_string_equal(complained, "f:3:1: more than 100000 suites\n");
}

TEST(test_long_name)
{
    LOCAL(params) p;
    LOCAL_TEXT file = { 0 };
    LOCAL_STRING complained;
    text_add(&file, "@VERSION 4.0\n@MEASUREMENTS\n%0200d { Type = 1; Max_Steps = 3, 4; }\n", 7);
    assert_int_equal(read_bytes(&p, text_get(&file), file.len, 0, &complained), -1);
    assert_non_null(strstr(complained, "f:3:1: with its values, the name '000"));
    assert_non_null(strstr(complained, "is longer than 200 bytes\n"));
}
