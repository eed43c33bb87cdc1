#include "../reading.h"

TEST(test_bad_texts)
{
    static const struct {
        const char *bytes;
        size_t len;
        const char *expected;
    } cases[] = {
#define BYTES(s) s, sizeof(s) - 1
        { BYTES("@VERSION 4.0\nab\0c\0"), "f:2:3: NUL byte: this is not a text file\n" },
        { BYTES("\0"), "f:1:1: NUL byte: this is not a text file\n" },
        { BYTES("@MACHINE a\x1b[0m\x01"),
          "f:1:11: control character 0x1b: this is not a text file\n" },
        { BYTES("@MACHINE \xc3\xa4\x7f"),
          "f:1:11: control character 0x7f: this is not a text file\n" },
        { BYTES("\x7f"
                "ELF\x02\x01\x01\0"),
          "f:1:1: control character 0x7f: this is not a text file\n" },
        { BYTES("@VERSION 4.0\n@MEASUREMENTS\na\xc2\x9b"
                "b { Type = 1; }\n"),
          "f:3:2: control character 0x9b: this is not a text file\n" },
        { BYTES("@MACHINE a\fb"), "f:1:11: control character 0x0c: this is not a text file\n" },
#undef BYTES
    };
    EACH(c, cases) {
        LOCAL(params) p;
        LOCAL_STRING complained;
        assert_int_equal(read_bytes(&p, c->bytes, c->len, 0, &complained), -1);
        assert_string_equal(complained, c->expected);
    }
}

TEST(test_accepted_texts)
{
    static const struct {
        const char *text;
        const char *machine;
    } cases[] = {
        { "@MACHINE a\n" VERSION PING, "a" },
        { "@MACHINE\n\n  a  \n\n" VERSION PING, "a" },
        { "@machine a \t\n b\t \n\n c \n" VERSION PING, "a\n b\n\n c" },
        { "\xef\xbb\xbf@MACHINE a\n" VERSION PING, "a" },
        { "\t@MACHINE a\n" VERSION PING, "a" },
        { "@MACHINE a\r\nb \r\n\r\n@VERSION 4.0\r\n@MEASUREMENTS\r\nA {\r\nType=1;\r\n}\r\n",
          "a\nb" },
        { "@MACHINE a\rb\n" VERSION PING, "a b" },
        { "@MACHINE M\xc3\xbcller\xff\n" VERSION PING, "M\xc3\xbcller\xff" },
        { "@MACHINE me@home\n@ 3 GHz, @, @3\n" VERSION PING, "me@home\n@ 3 GHz, @, @3" },
        { "@MACHINE { Type = 1; }\n" VERSION PING, "{ Type = 1; }" },
        { "@MACHINE\n" VERSION PING, "" },
        { VERSION PING "@MACHINE a", "a" },
        { VERSION PING "@MACHINE", "" },
        { VERSION PING, "" },
    };
    EACH(c, cases) {
        LOCAL(params) p;
        read_right(&p, c->text);
        assert_string_equal(p.machine, c->machine);
        assert_int_equal(p.suite_count, 1);
        assert_string_equal(p.suites[0].name, "A");
    }
}

/* @COMMENT disables suites, @MEASUREMENTS enables them again. The comment about the run precedes
 * the first suite. */
TEST(test_repeated_sections)
{
    LOCAL(params) p;
    read_right(&p, "@COMMENT one\n@COMMENT two\n" VERSION PING "@COMMENT\nB { Type = 1; }\n"
                   "@measurement\nC { Type = 1; } D { Type = 1; }\n");
    assert_string_equal(p.comment, "one\ntwo");
    assert_int_equal(p.suite_count, 3);
    assert_string_equal(p.suites[1].name, "C");
    assert_string_equal(p.suites[2].name, "D");
}

/* A comment that contains suites does not describe the run, wherever it is. */
TEST(test_comments)
{
    static const struct {
        const char *text, *comment;
    } cases[] = {
        { "@COMMENT\nB { Type = 1; }\n" VERSION PING, "" },
        { "@COMMENT mine\n@COMMENT off: B {\n  Max_Steps=3;Type = 1; }\n" VERSION PING, "mine" },
        { VERSION "@MEASUREMENTS\n@COMMENT all of them\n" PING, "" },
        { "@COMMENT {braces} and { Type } { x = 1\n" VERSION PING,
          "{braces} and { Type } { x = 1" },
    };
    EACH(c, cases) {
        LOCAL(params) p;
        read_right(&p, c->text);
        assert_string_equal(p.comment, c->comment);
        assert_int_equal(p.suite_count, 1);
    }
}

/* The order of the sections does not matter. */
TEST(test_order)
{
    LOCAL(params) p;
    read_right(&p, PING "@MAXREPDEFAULT 77\n@CACHE cold\n@ERROR paper\n@MULTIPLEOF 16\n" VERSION);
    assert_int_equal(p.suites[0].max_repetition, 77);
    assert_int_equal(p.suites[0].multiple_of, 16);
    assert_int_equal(p.suites[0].options.cache, CACHE_COLD);
    assert_int_equal(p.suites[0].options.error, ERROR_PAPER);
}

TEST(test_complaints)
{
    static const struct reading_case cases[] = {
        /* bad sections */
        { "", "f:1:1: the file is empty; 'skampi --print-config quick' prints one\n" },
        { "\xef\xbb\xbf \n\t\n",
          "f:1:1: the file is empty; 'skampi --print-config quick' prints one\n" },
        { PING,
          "f:1:1: no @VERSION: write '@VERSION 4.2'; if the file is older than 4.0, write "
          "'@VERSION 4.0' and add '-BM' to the names of barrier-measured collective suites\n" },
        { "@VERSION 3\n" PING,
          "f:1:1: the file is for version 3.0, older than 4.0: write '@VERSION 4.0' and add '-BM' "
          "to the names of barrier-measured collective suites\n" },
        { "@VERSION 5\n" PING,
          "f:1:1: the file is for version 5.0; this is version 4.2: remove what it lacks (see "
          "--help-params), and write '@VERSION 4.2'\n" },
        { "@STANDARDERRORDEFAULT 100.00\n@VERSION 4.2\n" PING,
          "f:1:23: expected a number from 0 to 1, got '100.00'\n" },
        { "@VERSION 4.1\n@STANDARDERRORDEFAULT 1e999\n" PING,
          "f:2:23: expected a number from 0 to 1, got '1e999'\n" },
        { "@VERSION 4.2\n" PING, "" },
        { VERSION, "f:2:1: no @MEASUREMENTS; nothing to measure\n" },
        { VERSION "@MEASUREMENTS\n\n",
          "f:2:1: no suites in @MEASUREMENTS; expected NAME { Type = ...; }\n" },
        { VERSION "@MEMROY 5\n" PING,
          "f:2:1: unknown section '@MEMROY', did you mean '@MEMORY'?\n" },
        { VERSION "@Wondrous\n" PING,
          "f:2:1: unknown section '@Wondrous'; --help-params shows all sections\n" },
        { "@VERSON 4.0\n" PING, "f:1:1: unknown section '@VERSON', did you mean '@VERSION'?\n" },
        { VERSION "@MEASURMENTS\nA { Type = 1; }\n",
          "f:2:1: unknown section '@MEASURMENTS', did you mean '@MEASUREMENTS'?\n" },
        { "# Pingpong\nset_min_repetitions(8)\nbegin measurement \"A\"\n  measure comm : f()\n",
          "f:1:1: a program for SKaMPI 5, not a parameter file; write its measurements as suites "
          "(--list has types), or use -f standard\n" },
        { "hello\n" VERSION PING,
          "f:1:1: expected a section such as @MEASUREMENTS, got 'hello'\n" },
        { VERSION "@MEMORY 8\n @memory 9\n" PING, "f:3:2: section '@MEMORY' is given twice\n" },
        { VERSION "@MULTIPLEOF 8\n@MULTIPLEOFDEFAULT 8\n" PING,
          "f:3:1: section '@MULTIPLEOFDEFAULT' is given twice\n" },
        { VERSION "@MEMORY\n" PING, "f:2:8: no value for '@MEMORY'\n" },
        { VERSION "@MEMORY lots\n" PING,
          "f:2:9: expected an integer from 1 to 2147483647, in KiB, got 'lots'\n" },
        { VERSION "@MEMORY 4096 KB\n" PING,
          "f:2:9: expected an integer from 1 to 2147483647, in KiB, got '4096 KB'\n" },
        { VERSION "@MEMORY 4096\nA { Type = 1; }\n",
          "f:3:1: unexpected text after the value of '@MEMORY'; suites belong in @MEASUREMENTS, "
          "comments in @COMMENT\n"
          "f:4:1: no @MEASUREMENTS; nothing to measure\n" },
        /* The idiom "do not refine" of 4.1: the largest error is reached by any measurement. */
        { "@STANDARDERRORDEFAULT 100.00\n@VERSION 4.1\n" PING,
          "f:1:23: warning: '@STANDARDERRORDEFAULT' is at most 1: 100.00, as in 4.1, is used as "
          "1\n" },
        { VERSION "@MEASUREMENTS\nA { Type = 1; Standard_error = 2; }\n",
          "f:3:32: warning: 'Standard_error' is at most 1: 2, as in 4.1, is used as 1\n" },
        /* Every error is reported, but not its consequences. */
        { "@MEMORY x\n@BASETYPE1 MPI_IN\n@BLOCKSIZE 100\n@MEASUREMENTS\n"
          "A { Type = 1; Send_Datatype_Number = 20; Default_Message_length = 1e9;\n"
          "  Variation = Nodes; Min_Repetition = 9; Max_Repetition = 8; }\n",
          "f:1:1: no @VERSION: write '@VERSION 4.2'; if the file is older than 4.0, write "
          "'@VERSION 4.0' and add '-BM' to the names of barrier-measured collective suites\n"
          "f:1:9: expected an integer from 1 to 2147483647, in KiB, got 'x'\n"
          "f:2:12: unknown datatype 'MPI_IN', did you mean 'MPI_INT'?\n"
          "f:6:39: Min_Repetition 9 is more than Max_Repetition 8\n" },
        { VERSION "@MEASUREMENTS\nA { Type = x; Min_Repetition = z; Nod_Times = no; }\n"
                  "B { Type = 1; Max_Repetition = 3; }\n",
          "f:3:12: unknown type 'x'; --list shows all types\n"
          "f:3:32: expected an integer from 1 to 10000000 or Default_Value, got 'z'\n"
          "f:3:35: unknown field 'Nod_Times', did you mean 'Node_Times'?\n"
          "f:4:1: Min_Repetition 4 is more than Max_Repetition 3\n" },
    };
    CHECK_CASES(cases);
}

TEST(test_many_suites)
{
    enum { SUITES = 10000 };
    LOCAL_TEXT t = { 0 };
    LOCAL(params) p;
    text_add(&t, VERSION "@MEASUREMENTS\n");
    for (int i = 0; i < SUITES; i++)
        text_add(&t, "S%d { Type = %d; Cut_Quantile = Default_Value; }\n", i, i % 2 ? 1 : 17);
    read_right(&p, text_get(&t));
    assert_int_equal(p.suite_count, SUITES);
    assert_string_equal(p.suites[SUITES - 1].name, "S9999");
}
