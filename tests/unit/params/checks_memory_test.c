#include "../reading.h"

/* Types of the fake catalog: 1 has a send and a receive buffer, 7 an attached buffer in addition,
 * 55 a send and a receive buffer per process. Buffers are whole pages of 4096 bytes. */
#define FILE_OF(kib, fields) "@VERSION 4.0\n@MEMORY " kib "\n@MEASUREMENTS\nA { " fields " }\n"

TEST(test_read)
{
    static const struct reading_case cases[] = {
        { FILE_OF("64", "Type = 1; End_Argument = 32768;"), "" },
        { FILE_OF("64", "Type = 1; End_Argument = 32771;"), "" }, /* 32768 are sent */
        { FILE_OF("64", "Type = 1; End_Argument = 32772;"), "" }, /* ends at 32768 */
        { FILE_OF("64", "Type = 1; Start_Argument = 40000;"),
          "f:4:32: messages of 40000 bytes among 2 processes need 81920 bytes of buffers, '@MEMORY "
          "64' allows 65536: the longest that fits is 32768, or write '@MEMORY 80'\n" },
        { FILE_OF("64", "Type = 1; Variation = Nodes; Default_Message_length = 65536;"),
          "f:4:59: messages of 65536 bytes among 2 processes need 131072 bytes of buffers, "
          "'@MEMORY 64' allows 65536: the longest that fits is 32768, or write '@MEMORY 128'\n" },
        { FILE_OF("64", "Type = 1; Default_Message_length = 65536;"), "" }, /* not used */
        { FILE_OF("4", "Type = 1; Variation = Nodes;"),
          "f:4:1: messages of 256 bytes among 2 processes need 8192 bytes of buffers, '@MEMORY 4' "
          "allows 4096: the longest that fits is 0, or write '@MEMORY 8'\n" },
        { FILE_OF("1", "Type = 7;"),
          "f:4:1: messages of 0 bytes among 2 processes need 4096 bytes of buffers, '@MEMORY 1' "
          "allows 1024: no length fits, or write '@MEMORY 4'\n" },
        { FILE_OF("64", "Type = 1; Variation = Nodes; Default_Message_length = 1e12;"),
          "f:4:59: messages of 1000000000000 bytes among 2 processes need 2000000000000 bytes of "
          "buffers, '@MEMORY 64' allows 65536: the longest that fits is 32768, or write '@MEMORY "
          "1953125000'\n" },
        { FILE_OF("64", "Type = 55; Variation = Nodes; Default_Message_length = 1e12;"),
          "f:4:60: messages of 1000000000000 bytes among 2 processes are too long: the longest "
          "that fits is 16384\n" },
        { FILE_OF("8000000", "Type = 1; Start_Argument = 2147483648; Send_Datatype_Number = 1; "
                             "Receive_Datatype_Number = 1;"),
          "f:4:32: messages of 2147483648 bytes among 2 processes are too long: the longest that "
          "fits is 2147483644, or write 'counts=type'\n" },
        { FILE_OF("8000000", "Type = 19; Start_Argument = 2147483648; Send_Datatype_Number = 1; "
                             "Parameters = \"op=bor\";"),
          "f:4:33: messages of 2147483648 bytes among 2 processes are too long: the longest that "
          "fits is 2147483644, or write 'counts=c'\n" },
        { FILE_OF("64", "Type = 1; Multiple_of = 64; Start_Argument = 3; End_Argument = 60;"),
          "f:4:68: nothing to measure: the arguments begin at 64 and end at 0, as multiples of "
          "64\n" },
        { FILE_OF("64", "Type = 17; Variation = Nodes; End_Argument = 1;"),
          "f:4:50: nothing to measure: the arguments begin at 2 and end at 1, as multiples of "
          "1\n" },
        { FILE_OF("64", "Type = 165; Start_Argument = 32768;"), "" },
        { FILE_OF("64", "Type = 165; Start_Argument = 1024; Parameters = \"buffers=many\";"),
          "f:4:34: windows of 64 messages of 1024 bytes among 2 processes need 131072 bytes of "
          "buffers, '@MEMORY 64' allows 65536: the longest that fits is 512, or write '@MEMORY "
          "128'\n" },
        { FILE_OF("64", "Type = 165; Parameters = \"buffers=many\"; Variation = Window; "
                        "Start_Argument = 256; Default_Message_length = 256;"),
          "f:4:113: windows of 256 messages of 256 bytes among 2 processes need 131072 bytes of "
          "buffers, '@MEMORY 64' allows 65536: the longest that fits is 128, or write '@MEMORY "
          "128'\n" },
        { FILE_OF("64", "Type = 165; Variation = Window; End_Argument = 2000000;"),
          "f:4:52: End_Argument 2000000 is more than 1000000 messages\n" },
        { FILE_OF("64", "Type = 55; Variation = Nodes; Start_Argument = 200;"),
          "f:4:1: messages of 256 bytes among 200 processes need 106496 bytes of buffers, '@MEMORY "
          "64' allows 65536: the longest that fits is 160, or write '@MEMORY 104'\n" },
    };
    CHECK_CASES(cases);
}

TEST(test_processes)
{
    static const struct run_case cases[] = {
        { 2, FILE_OF("64", "Type = 55; End_Argument = 16384;"), "" },
        { 2, FILE_OF("64", "Type = 165; Parameters = \"buffers=many\"; Variation = Window;"),
          "f:4:1: warning: suite 'p2p_A': End_Argument 1024 (Max_Value) needs more than '@MEMORY "
          "64': the last argument is 128\n" },
        { 4, FILE_OF("64", "Type = 55; End_Argument = 16384;"),
          "f:4:31: warning: suite 'syncol_A': End_Argument 16384 needs more than '@MEMORY 64': the "
          "last argument is 8192\n" },
        { 4, FILE_OF("64", "Type = 55;"), "" }, /* Max_Value becomes smaller */
        { 4, FILE_OF("64", "Type = 55; Variation = Nodes; Default_Message_length = 16384;"),
          "f:4:1: warning: suite 'syncol_A': End_Argument 4 (Max_Value) needs more than '@MEMORY "
          "64': the last argument is 2\n" },
        { 4,
          FILE_OF(
              "64",
              "Type = 55; Variation = Nodes; Default_Message_length = 16384; End_Argument = 4;"),
          "f:4:82: warning: suite 'syncol_A': End_Argument 4 needs more than '@MEMORY 64': the "
          "last argument is 2\n" },
        { 2, FILE_OF("2048\n@IO_SPACE 1", "Type = 220; End_Argument = 524288;"), "" },
        { 2, FILE_OF("2048\n@IO_SPACE 1", "Type = 220; End_Argument = 524292;"),
          "f:5:32: warning: suite 'syncol_A': End_Argument 524292 needs more than '@IO_SPACE 1': "
          "the last argument is 524288\n" },
        { 2, FILE_OF("2048\n@IO_SPACE 1", "Type = 220; Start_Argument = 600000;"),
          "f:5:34: parts of 600000 bytes among 2 processes need 1200000 bytes of files, '@IO_SPACE "
          "1' allows 1048576: write '@IO_SPACE 2', or a shorter length\n" },
        { 4,
          FILE_OF(
              "2048\n@IO_SPACE 1",
              "Type = 220; Variation = Nodes; End_Argument = 4; Default_Message_length = 400000;"),
          "f:5:51: warning: suite 'syncol_A': End_Argument 4 needs more than '@IO_SPACE 1': the "
          "last argument is 2\n" },
        /* Whole blocks. */
        { 2,
          FILE_OF("2048\n@IO_SPACE 1",
                  "Type = 224; End_Argument = 300004; Parameters = \"io_block=300000\";"),
          "f:5:32: warning: suite 'syncol_A': End_Argument 300004 needs more than '@IO_SPACE 1': "
          "the last argument is 300000\n" },
        { 2, FILE_OF("64", "Type = 220; Parameters = \"io_block=4\";"),
          "f:4:31: key 'io_block' has no meaning for type 220 'syncol_MPI_File_write_at'\n" },
    };
    CHECK_RUN_CASES(cases);
}
