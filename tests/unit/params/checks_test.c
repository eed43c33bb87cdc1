#include "../reading.h"

#define TYPES                                                                                      \
    "@VERSION 4.0\n@BASETYPE1 MPI_CHAR\n@BASETYPE2 (1,0,MPI_INT)\n@TOPOLOGY1 Reorder 1 0\n"
#define TYPED(fields) TYPES "@MEASUREMENTS\nA { " fields " }\n"

#define WITH(sections, fields) "@VERSION 4.0\n" sections "\n@MEASUREMENTS\nA { " fields " }\n"

TEST(test_checks)
{
    static const struct reading_case cases[] = {
        /* sections */
        { VERSION "@TIMEMEASDEFAULT 1\n" PING, "f:2:1: warning: no suite uses '@TIMEMEASDEFAULT'; "
                                               "'Time_Measurement = Default_Value' does\n" },
        { VERSION
          "@TIMEMEASDEFAULT 1\n@MEASUREMENTS\nA { Type = 1; Time_Measurement = Default_Value; }\n",
          "" },
        { VERSION "@OUTFILE a\n@LOGFILE a\n" PING,
          "f:3:1: '@OUTFILE' and '@LOGFILE' are the same file\n" },
        { VERSION "@OUTFILE skampi.log\n" PING,
          "f:2:1: '@OUTFILE' and '@LOGFILE' are the same file\n" },
        { VERSION "@MAXREPDEFAULT 3\n" PING,
          "f:2:1: '@MINREPDEFAULT' 4 is more than '@MAXREPDEFAULT' 3\n" },
        { VERSION "@MAXREPDEFAULT 3\n@MINREPDEFAULT 9\n" PING,
          "f:3:1: '@MINREPDEFAULT' 9 is more than '@MAXREPDEFAULT' 3\n" },
        { VERSION "@BLOCKSIZE 11\n" PING,
          "f:2:1: '@VECTORSTRIDE' 11 must be more than '@BLOCKSIZE' 11\n" },
        { VERSION "@VECTORSTRIDE 7\n" PING,
          "f:2:1: '@VECTORSTRIDE' 7 must be more than '@BLOCKSIZE' 7\n" },
        { VERSION "@VECTORSTRIDE 8\n" PING, "" },
        { VERSION "@CACHE cold\n@DATA fresh\n" PING,
          "f:3:1: '@DATA fresh' contradicts '@CACHE cold': cold data and a cold cache are the "
          "same; leave one of them out\n" },
        { VERSION "@DATA cold\n@CACHE warm\n" PING,
          "f:2:1: '@DATA cold' contradicts '@CACHE warm': cold data and a cold cache are the same; "
          "leave one of them out\n" },
        /* variation */
        { SUITE("Type = 18; Variation = Length;"), "" },
        { "@VERSION 4.2\n@MEASUREMENTS\nA { Type = 18; Variation = Length; }\n",
          "f:3:28: warning: type 'col_MPI_Barrier' is not varied over 'Length', so Variation and "
          "its "
          "arguments are ignored; write 'Variation = Nodes', or none\n" },
        { "@VERSION 4.2\n@MEASUREMENTS\nA { Type = 24; Variation = Length; }\n", "" },
        { SUITE("Type = 1; Variation = Chunks;"),
          "f:3:27: type 'p2p_MPI_Send-MPI_Recv' is not varied over 'Chunks', only over Length or "
          "Nodes or Distance or Send_In or Receive_In or Threads\n" },
        { SUITE("Type = 18; Variation = Chunks;"),
          "f:3:28: type 'col_MPI_Barrier' is not varied over 'Chunks', only over Nodes\n" },
        { SUITE("Type = 17; Variation = None;"),
          "f:3:28: type 'col_MPI_Bcast' is not varied over 'None', only over Length or Nodes or "
          "Send_In\n" },
        /* The grammar of 4.1 requires a variation, and values for its arguments. */
        { SUITE("Type = 18; Variation = Length; Start_Argument = 9; End_Argument = 8;"), "" },
        { SUITE("Type = 24; Variation = Nodes;"), "" },
        { SUITE("Type = 24; Variation = Length; Stepwidth = 0.1;"), "" },
        { SUITE("Type = 24; Variation = Length; Stepwidth = x;"),
          "f:3:48: expected a number above 0 to 1099511627776, got 'x'\n" },
        { SUITE("Type = 24; Variation = None;"), "" },
        { SUITE("Type = 10; Variation = Chunks;"), "" },
        /* ranges */
        { SUITE("Type = 1; Max_Repetition = 3;"),
          "f:3:1: Min_Repetition 4 is more than Max_Repetition 3\n" },
        { SUITE("Type = 1; Min_Repetition = 30;"),
          "f:3:32: Min_Repetition 30 is more than Max_Repetition 20\n" },
        { SUITE("Type = 1; Stepwidth = 1;"),
          "f:3:27: Stepwidth is the factor on a logarithmic scale and must be above 1\n" },
        { SUITE("Type = 1; Scale = Fixed_log; Stepwidth = 0.5;"),
          "f:3:46: Stepwidth is the factor on a logarithmic scale and must be above 1\n" },
        { SUITE("Type = 1; Scale = Fixed_linear; Stepwidth = 0.5;"), "" },
        { SUITE("Type = 1; Scale = Fixed_linear; Stepwidth = 0;"),
          "f:3:49: expected a number above 0 to 1099511627776, got '0'\n" },
        { SUITE("Type = 1; Cut_Quantile = 0.5;"),
          "f:3:30: expected a number from 0 to below 0.5 or Default_Value, got '0.5'\n" },
        { SUITE("Type = 1; Cut_Quantile = -0.1;"),
          "f:3:30: expected a number from 0 to below 0.5 or Default_Value, got '-0.1'\n" },
        { SUITE("Type = 1; Start_Argument = 9; End_Argument = 8;"),
          "f:3:32: Start_Argument 9 is more than End_Argument 8\n" },
        { SUITE(
              "Type = 1; Start_Argument = 4; End_Argument = 8; Parameters = \"arguments=2,8,16\";"),
          "f:3:66: warning: 2 of 'arguments' is not measured: it is not between Start_Argument and "
          "End_Argument\n"
          "f:3:66: warning: 16 of 'arguments' is not measured: it is not between Start_Argument "
          "and End_Argument\n" },
        { SUITE("Type = 1; Min_Distance = 600;"),
          "f:3:30: Min_Distance is more than Max_Distance\n" },
        { SUITE("Type = 1; Scale = Fixed_log; Min_Distance = 600;"), "" },
        { SUITE("Type = 24; Stepwidth = 0.5; Start_Argument = 9; End_Argument = 8;"), "" },
        /* partitions */
        { SUITE("Type = 269; Variation = Partitions; End_Argument = 64;"), "" },
        { SUITE("Type = 269; Variation = Partitions; End_Argument = 65;"),
          "f:3:56: End_Argument 65 is more than the elements of the message: increase "
          "Default_Message_length\n" },
        { SUITE("Type = 269; Variation = Partitions; End_Argument = 2000000; "
                "Default_Message_length = 8000000;"),
          "f:3:56: End_Argument 2000000 is more than 1000000 partitions\n" },
        { SUITE("Type = 269; Send_Datatype_Number = 50;"),
          "f:3:40: type 'p2p_Partitioned' divides messages into partitions, but one element of "
          "this datatype is a whole message; try 5, MPI_INT\n"
          "f:3:40: datatype 50 is built from '@BASETYPE1', which is not defined\n" },
        { SUITE("Type = 269; Parameters = \"counts=type\";"),
          "f:3:30: type 'p2p_Partitioned' counts elements, below 2^31; 'counts' must be 'int'\n" },
        /* threads */
        { SUITE("Type = 1; Parameters = \"threads=4 thread_comm=shared\";"), "" },
        { SUITE("Type = 1; Variation = Threads; Parameters = \"thread_comm=shared\";"), "" },
        { SUITE("Type = 47; Parameters = \"threads=1024\";"), "" },
        { SUITE("Type = 1; Parameters = \"threads=1025\";"),
          "f:3:37: expected an integer from 1 to 1024, got '1025'\n" },
        { SUITE("Type = 1; Variation = Threads; End_Argument = 1025;"),
          "f:3:51: End_Argument 1025 is more than 1024 threads\n" },
        { SUITE("Type = 47; Parameters = \"threads=2 thread_comm=shared\";"),
          "f:3:29: type 'syncol_MPI_Bcast' has no tags for the messages of each thread; use "
          "'thread_comm=own'\n" },
        { SUITE("Type = 1; Parameters = \"thread_comm=shared\";"),
          "f:3:28: 'thread_comm' needs 'threads' above 1, or 'Variation = Threads'\n" },
        { SUITE("Type = 1; Parameters = \"threads=2 send_in=cuda\";"),
          "f:3:28: threads send the host's memory; remove 'send_in' and 'receive_in', or "
          "'threads'\n" },
        { SUITE("Type = 1; Parameters = \"threads=2 as=osu\";"),
          "f:3:28: 'as' is for programs with one thread; remove 'as', or 'threads'\n" },
        { SUITE("Type = 10; Parameters = \"threads=2\";"),
          "f:3:30: key 'threads' has no meaning for type 10 'mw_MPI_Waitsome': threads are for "
          "point-to-point, pairs and collectives\n" },
        { SUITE("Type = 24; Parameters = \"threads=2\";"),
          "f:3:30: key 'threads' has no meaning for type 24 'simple_MPI_Wtime': only one process "
          "works, with one thread\n" },
        { SUITE("Type = 269; Parameters = \"threads=2\";"),
          "f:3:31: key 'threads' has no meaning for type 269 'p2p_Partitioned': the partitions of "
          "a message become ready one after the other\n" },
        { SUITE("Type = 126; Parameters = \"threads=2\";"),
          "f:3:31: key 'threads' has no meaning for type 126 'p2p_NAS_LU_y': the arrays of an "
          "application are those of one thread\n" },
        /* counts */
        { SUITE("Type = 1; Parameters = \"counts=type\";"), "" },
        { SUITE("Type = 1; Parameters = \"counts=type method=contiguous\";"), "" },
        { SUITE("Type = 1; Parameters = \"counts=c\";"),
          "f:3:28: type 'p2p_MPI_Send-MPI_Recv' has no form with 'counts=c'; use 'counts=type'\n" },
        { SUITE("Type = 19; Parameters = \"counts=type\";"),
          "f:3:29: type 'col_MPI_Reduce' has no form with 'counts=type'; use 'counts=c'\n" },
        { SUITE("Type = 19; Parameters = \"counts=int\";"), "" },
        { SUITE("Type = 19; Parameters = \"counts=c\";"), "" },
        { SUITE("Type = 1; Parameters = \"counts=type method=pack\";"),
          "f:3:28: type 'p2p_MPI_Send-MPI_Recv' cannot send packed messages; try type 1\n"
          "f:3:28: 'counts' cannot be combined with packing; use 'method=ddt'\n" },
        /* datatypes */
        { TYPED("Type = 1; Send_Datatype_Number = 20;"), "" },
        { TYPED("Type = 1; Send_Datatype_Number = 20; Send_Basetype_Number = 3;"),
          "f:6:38: datatype 20 is built from '@BASETYPE3', which is not defined\n" },
        { TYPED("Type = 1; Recv_Datatype_Number = 20; Basetype_Number = 3;"),
          "f:6:38: datatype 20 is built from '@BASETYPE3', which is not defined\n" },
        { TYPED("Type = 1; Send_Datatype_Number = 20; Basetype_Number = 2;"), "" },
        { TYPED("Type = 1; Send_Datatype_Number = 30; Receive_Datatype_Number = 70;"), "" },
        { TYPED("Type = 1; Send_Datatype_Number = 31; Basetype_Number = 3;"),
          "f:6:38: datatype 31 is built from '@BASETYPE3', which is not defined\n" },
        { TYPED("Type = 19; Send_Datatype_Number = 31;"),
          "f:6:39: type 'col_MPI_Reduce' accepts only predefined datatypes; datatype 31 is "
          "derived\n" },
        { TYPED("Type = 19; Send_Datatype_Number = 20; Basetype_Number = 2;"),
          "f:6:39: type 'col_MPI_Reduce' accepts only predefined datatypes; datatype 20 is "
          "derived\n" },
        { TYPED("Type = 19; Send_Datatype_Number = 20; Receive_Datatype_Number = 20;"),
          "f:6:39: no predefined operation reduces 'MPI_CHAR'; try 5 (MPI_INT)\n" },
        { TYPED("Type = 19; Send_Datatype_Number = 2;"),
          "f:6:39: no predefined operation reduces 'MPI_CHAR'; try 5 (MPI_INT)\n" },
        { TYPED("Type = 19; Send_Datatype_Number = 1;"), "" },
        { TYPED("Type = 19; Send_Datatype_Number = 4; Receive_Datatype_Number = 4;"), "" },
        { TYPED("Type = 19; Send_Datatype_Number = 1; Receive_Datatype_Number = 4;"),
          "f:6:68: type 'col_MPI_Reduce' needs the same datatype on both sides, but has 1 and 4, "
          "or different basetypes\n" },
        { TYPED("Type = 17; Send_Datatype_Number = 2;"), "" },
        { TYPED("Type = 1; Receive_Datatype_Number = 4;"),
          "f:6:41: the sender's datatype 5 has elements MPI_INT, the receiver's 4 has MPI_DOUBLE: "
          "both sides must have the same\n" },
        { TYPED("Type = 55; Send_Datatype_Number = 4; Receive_Datatype_Number = 5;"),
          "f:6:68: the sender's datatype 4 has elements MPI_DOUBLE, the receiver's 5 has MPI_INT: "
          "both sides must have the same\n" },
        { TYPED("Type = 1; Send_Datatype_Number = 20; Receive_Datatype_Number = 2;"), "" },
        { TYPED("Type = 1; Recv_Datatype_Number = 31; Receive_Basetype_Number = 2;"), "" },
        { TYPED("Type = 1; Recv_Datatype_Number = 4; Parameters = \"method=contiguous\";"), "" },
        { TYPED("Type = 18; Send_Datatype_Number = 4; Receive_Datatype_Number = 5;"), "" },
        /* constructors */
        { WITH("@BASETYPE1 MPI_INT\n@BLOCKSIZE 1", "Type = 1; Send_Datatype_Number = 33;"),
          "f:5:38: datatype 33 needs '@BLOCKSIZE' of at least 2\n" },
        { WITH("@BASETYPE1 MPI_INT\n@BLOCKSIZE 2", "Type = 1; Receive_Datatype_Number = 70;"),
          "f:5:41: datatype 70 needs '@BLOCKSIZE' of at least 3\n" },
        { WITH("@BASETYPE1 MPI_INT\n@BLOCKS 1000000\n@VECTORSTRIDE 3000",
               "Type = 1; Send_Datatype_Number = 50;"),
          "f:6:38: datatype 50 needs '@BLOCKS' times '@VECTORSTRIDE' of at most 2147483647\n" },
        { WITH("@BASETYPE1 MPI_INT", "Type = 1; Send_Datatype_Number = 37;"),
          "f:4:38: messages of 1129900996 bytes among 2 processes need 27894276096 bytes of "
          "buffers, '@MEMORY 4096' allows 4194304: the longest that fits is 0, or write '@MEMORY "
          "27240504'\n" },
        { WITH("@BASETYPE1 MPI_INT\n@BLOCKS 4", "Type = 1; Send_Datatype_Number = 37;"), "" },
        /* overlaps */
        { WITH("@BASETYPE1 (2,0,MPI_INT), (1,7,MPI_BYTE)\n@BASETYPE2 (2,0,MPI_INT), (1,8,MPI_BYTE)",
               "Type = 1; Send_Datatype_Number = 30; Receive_Basetype_Number = 2;"),
          "f:5:38: warning: elements of '@BASETYPE1' overlap: some bytes are sent twice\n" },
        { WITH("@BASETYPE1 (1,7,MPI_BYTE), (2,0,MPI_INT)", "Type = 1; Send_Datatype_Number = 30;"),
          "f:4:38: elements of '@BASETYPE1' overlap, so nothing can be received into it\n" },
        { WITH("@BASETYPE1 (1,8,MPI_BYTE), (2,0,MPI_INT)", "Type = 1; Send_Datatype_Number = 30;"),
          "" },
        /* labels */
        { SUITE("Type = 1;") "B { Type = 1; }\nA { Type = 7; }\nA { Type = 17; }\n",
          "f:5:1: duplicate suite 'p2p_A'; give it another name\n" },
        { SUITE("Type = 1;") "a { Type = 1; }\nA { Type = 17; }\nA { Type = 55; }\n", "" },
        { SUITE("Type = 1;") "A { Type = 1; }\nA { Type = 1; }\n",
          "f:4:1: duplicate suite 'p2p_A'; give it another name\nf:5:1: duplicate suite 'p2p_A'; "
          "give it another name\n" },
        { TYPED("Type = 17;") "A { Type = 17; Virtual_Topology_Number = 1; }\n", "" },
        { TYPED("Type = 17; Virtual_Topology_Number = 1;") "A { Type = 17; }\nA { Type = 18; "
                                                           "Variation = Nodes; }\n"
                                                           "A { Type = 17; Virtual_Topology_Number "
                                                           "= 1; }\n",
          "f:8:1: duplicate suite 'col_A'; give it another name\nf:9:1: duplicate suite 'vtcol_A'; "
          "give it another name\n" },
    };
    CHECK_CASES(cases);
}

TEST(test_processes)
{
    static const struct run_case cases[] = {
        { 8, SUITE("Type = 17; Variation = Nodes; End_Argument = 8;"), "" },
        { 4, SUITE("Type = 17; Variation = Nodes; End_Argument = 8;"),
          "f:3:50: warning: suite 'col_A': End_Argument 8 is more than the 4 processes: the last "
          "argument is 4\n" },
        { 4,
          SUITE("Type = 17; Variation = Nodes; End_Argument = 8;") "B { Type = 17; Variation = "
                                                                   "Nodes; End_Argument = 5; }\n"
                                                                   "C { Type = 17; End_Argument = "
                                                                   "1e9; }\n"
                                                                   "D { Type = 17; Variation = "
                                                                   "Nodes; End_Argument = 5; }\n",
          "f:3:50: warning: suite 'col_A': End_Argument 8 is more than the 4 processes: the last "
          "argument is 4; also 2 other suites: col_B, col_D\n"
          "f:5:31: warning: suite 'col_C': End_Argument 1000000000 needs more than '@MEMORY 4096': "
          "the last argument is 4194304\n" },
        { 4, SUITE("Type = 17; Variation = Nodes; Start_Argument = 5;"),
          "f:3:52: nothing to measure: the first number of processes is 5, more than the 4 of "
          "the run\n" },
        { 2, SUITE("Type = 18; Variation = Length; End_Argument = 65536;"), "" },
        { 8, SUITE("Type = 18; Multiple_of = 4;"), "" },
        { 4, SUITE("Type = 1; Parameters = \"partner=3\";"), "" },
        { 3, SUITE("Type = 1; Parameters = \"partner=3\";"),
          "f:3:28: partner 3 is not among the 3 processes of this run\n" },
    };
    CHECK_RUN_CASES(cases);
}

/* A wrong section suppresses only the checks that need it. */
TEST(test_gaps)
{
    static const char suites[] = "@MEASUREMENTS\nA { Type = 1; Send_Datatype_Number = 30; }\n"
                                 "B { Type = 17; Virtual_Topology_Number = 1; }\n";
    static const char undefined[] =
        "datatype 30 is built from '@BASETYPE1', which is not defined\n";
    static const struct {
        const char *section;
        bool datatypes, topologies; /* are complained about */
    } rows[] = {
        { "@CACHE luke", true, true },       { "@MINREPDEFAULT x", true, true },
        { "@TOPOLOGY1 Torus", true, false }, { "@BASETYPE1 MPI_INTT", false, true },
        { "@BLOCKS 0", false, true },        { "@BASETYP1 MPI_INT", false, false },
    };
    EACH(c, rows) {
        LOCAL(params) p;
        char text[512], *complained;
        snprintf(text, sizeof(text), "@VERSION 4.0\n%s\n%s", c->section, suites);
        assert_int_equal(read_bytes(&p, text, strlen(text), 0, &complained), -1);
        assert_non_null(strstr(complained, "f:2:"));
        assert_int_equal(strstr(complained, undefined) != NULL, c->datatypes);
        assert_int_equal(strstr(complained, "'@TOPOLOGY1' is not defined\n") != NULL,
                         c->topologies);
        free(complained);
    }
}
