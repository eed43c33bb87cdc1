#include "../reading.h"

/* Name of 201 bytes. */
#define TEN   "abcdefghij"
#define FIFTY TEN TEN TEN TEN TEN

TEST(test_complaints)
{
    static const struct reading_case cases[] = {
        /* names */
        { VERSION "@MEASUREMENTS\na/b { Type = 1; }",
          "f:3:1: 'a/b' cannot be the name of a suite: it contains '/'\n" },
        { VERSION "@MEASUREMENTS\n../x { Type = 1; }",
          "f:3:1: '../x' cannot be the name of a suite: it contains '/'\n" },
        { VERSION "@MEASUREMENTS\n. { Type = 1; }",
          "f:3:1: '.' cannot be the name of a suite: it is a directory\n" },
        { VERSION "@MEASUREMENTS\n.. { Type = 1; }",
          "f:3:1: '..' cannot be the name of a suite: it is a directory\n" },
        { VERSION "@MEASUREMENTS\n-f { Type = 1; }",
          "f:3:1: '-f' cannot be the name of a suite: it starts with '-'\n" },
        { VERSION "@MEASUREMENTS\nA { Type = 1; } @X { Type = 1; }",
          "f:3:17: '@X' cannot be the name of a suite: it starts with '@'; a section must start on "
          "a line of its own\n" },
        { VERSION "@MEASUREMENTS\n" FIFTY FIFTY FIFTY FIFTY "k { Type = 1; }",
          "f:3:1: 'abcdefghijabcdefghijabcdefghijabcdefghij...' cannot be the name of a suite: it "
          "is longer than 200 bytes\n" },
        { VERSION "@MEASUREMENTS\n" FIFTY FIFTY FIFTY FIFTY " { Type = 1; }", "" },
        { VERSION "@MEASUREMENTS\n{ Type = 1; }",
          "f:3:1: expected the name of a suite before '{'\n" },
        { VERSION "@MEASUREMENTS\nmy suite { Type = 1; }",
          "f:3:4: expected '{' after the name 'my', got 'suite'\n" },
        { VERSION "@MEASUREMENTS\n# a comment\nA { Type = 1; }",
          "f:3:3: expected '{' after the name '#', got 'a'; comments belong in @COMMENT\n" },
        { VERSION "@MEASUREMENTS\n#1 { Type = 1; }", "" },
        { VERSION "@MEASUREMENTS\nM\xc3\xbcller...x=y{Type=1;}", "" },
        /* records */
        { SUITE("Type = 1; ; Variation=Length;") "B{type=1;}C{TYPE\n=\n1\n;}", "" },
        { VERSION "@MEASUREMENTS\nA\n", "f:3:2: suite 'A' is incomplete; expected '{'\n" },
        { VERSION "@MEASUREMENTS\nA {", "f:3:4: suite 'A' is not closed; expected '}'\n" },
        { VERSION "@MEASUREMENTS\nA { Ty\n", "f:3:7: suite 'A' is not closed; expected '}'\n" },
        { VERSION "@MEASUREMENTS\nA { Type =", "f:3:11: suite 'A' is not closed; expected '}'\n" },
        { VERSION "@MEASUREMENTS\nA { Type = 1",
          "f:3:13: suite 'A' is not closed; expected '}'\n" },
        { VERSION "@MEASUREMENTS\nA { Type = 1;\n\n@MEMORY 64\n",
          "f:3:14: suite 'A' is not closed; expected '}'\n" },
        { VERSION "@MEASUREMENTS\nA {\n Type = 1;\nB {\n Type = 2; }\n",
          "f:5:1: suite 'A' is not closed; expected '}' before 'B'\n"
          "f:6:9: unknown type '2'; --list shows all types\n" },
        { VERSION "@MEASUREMENTS\nA\n Type = 1;\n}\nB { Type = 2; }\n",
          "f:4:2: expected '{' after the name 'A', got 'Type'\n"
          "f:6:12: unknown type '2'; --list shows all types\n" },
        { VERSION "@MEASUREMENTS\nA ; B { Type = 1; }",
          "f:3:3: expected '{' after the name 'A', got ';'\n" },
        { SUITE("Type = 1;") "};", "f:4:1: unexpected '}' between suites\n"
                                   "f:4:2: unexpected ';' between suites\n" },
        { SUITE(""), "f:3:1: suite 'A' has no Type\n" },
        { SUITE("Variation = Length;"), "f:3:1: suite 'A' has no Type\n" },
        { SUITE("Typ = 1;"), "f:3:5: unknown field 'Typ', did you mean 'Type'?\n" },
        { SUITE("Type = 1; Colour = red;"),
          "f:3:15: unknown field 'Colour'; --help-params shows all fields\n" },
        { SUITE("Type = 1; type = 1;"), "f:3:15: field 'type' is given twice\n" },
        { SUITE("Type = 1; Basetype_Number = 2; Recv_Basetype_Number = 2;"),
          "f:3:36: field 'Recv_Basetype_Number' is given twice\n" },
        { SUITE("Type = 1; Send_Basetype_Number = 2; Basetype_Number = 2;"),
          "f:3:41: field 'Basetype_Number' is given twice\n" },
        /* statements */
        { SUITE("Type = 1\n Variation = Chunk; Scale = x;"),
          "f:3:13: expected ';' after the value of 'Type'\n"
          "f:4:14: expected None, Length, Nodes, Chunks, Window, Groups, Distance, Pairs, Work, "
          "Spread, Algorithm, Partitions, Send_In, Receive_In or Threads, got 'Chunk'\n"
          "f:4:29: expected Fixed_linear, Fixed_log, Dynamic_linear or Dynamic_log, got 'x'\n" },
        { SUITE("Type = 1 }\nB { Type = 1;"), "f:3:13: expected ';' after the value of 'Type'\n" },
        { SUITE("Type = 1 2; Scale = x;"),
          "f:3:13: expected ';' after the value of 'Type'\n"
          "f:3:25: expected Fixed_linear, Fixed_log, Dynamic_linear or Dynamic_log, got 'x'\n" },
        { SUITE("Type 1; Scale = x;"),
          "f:3:9: expected '=' after 'Type'\n"
          "f:3:21: expected Fixed_linear, Fixed_log, Dynamic_linear or Dynamic_log, got 'x'\n" },
        { SUITE("Type\n Scale = x;"),
          "f:3:9: expected '=' after 'Type'\n"
          "f:4:10: expected Fixed_linear, Fixed_log, Dynamic_linear or Dynamic_log, got 'x'\n" },
        { SUITE("Type = ; Scale = x;"),
          "f:3:11: no value for 'Type'\n"
          "f:3:22: expected Fixed_linear, Fixed_log, Dynamic_linear or Dynamic_log, got 'x'\n" },
        { SUITE("Type =\n Scale = x;"),
          "f:3:11: no value for 'Type'\n"
          "f:4:10: expected Fixed_linear, Fixed_log, Dynamic_linear or Dynamic_log, got 'x'\n" },
        { SUITE("Type = Scale = x;"), "f:3:11: no value for 'Type'\n" },
        { SUITE("Type = 1 = 2; Scale = x;"),
          "f:3:12: unknown type '1 = 2'; --list shows all types\n"
          "f:3:27: expected Fixed_linear, Fixed_log, Dynamic_linear or Dynamic_log, got 'x'\n" },
        { SUITE("Type = 1; = 2; Scale = x;"),
          "f:3:15: expected the name of a field, got '='\n"
          "f:3:28: expected Fixed_linear, Fixed_log, Dynamic_linear or Dynamic_log, got 'x'\n" },
        { SUITE("Type = 1; { Scale = x; } "), "f:3:15: expected the name of a field, got '{'\n"
                                              "f:3:31: unexpected '}' between suites\n" },
        { SUITE("Type = 1; Parameters = \"cache=cold;\n Scale = x;"),
          "f:3:28: missing closing quote on this line\n"
          "f:4:10: expected Fixed_linear, Fixed_log, Dynamic_linear or Dynamic_log, got 'x'\n" },
    };
    CHECK_CASES(cases);
}

TEST(test_too_many_suites)
{
    LOCAL_TEXT t = { 0 };
    LOCAL(params) p;
    LOCAL_STRING complained;
    text_add(&t, VERSION "@MEASUREMENTS\n");
    for (int i = 0; i < 100010; i++)
        text_add(&t, "S%d{Type=1;}", i);
    assert_int_equal(read_bytes(&p, t.s, t.len, 0, &complained), -1);
    assert_string_equal(complained, "f:3:1488891: more than 100000 suites\n");
}
