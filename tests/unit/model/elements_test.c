#include "../reading.h"

#include "model/elements.h"

/* Checks whether the basetypes of sender and receiver have the same elements. */
static void check_pair(const char *send, const char *receive, bool same)
{
    LOCAL(params) p;
    read_formatted(&p,
                   "@VERSION 4.0\n@BASETYPE1 %s\n@BASETYPE2 %s\n@MEASUREMENTS\n"
                   "A { Type = 1; Parameters = \"method=contiguous\"; Send_Datatype_Number = 20; "
                   "Recv_Datatype_Number = 20; Receive_Basetype_Number = 2; }\n",
                   send, receive);
    if (elements_match(&p, &p.suites[0]) != same)
        print_message("# %s and %s\n", send, receive);
    assert_int_equal(elements_match(&p, &p.suites[0]), same);
}

TEST(test_pairs)
{
    static const struct {
        const char *one, *other;
        bool same;
    } cases[] = {
        { "MPI_INT", "MPI_INT", true },
        { "MPI_INT", "MPI_UNSIGNED", false },
        { "MPI_BYTE", "MPI_CHAR", false },
        { "MPI_INT", "(7,3,MPI_INT), (100000,10,MPI_INT)", true },
        { "MPI_INT", "(1,0,MPI_INT), (1,1,MPI_DOUBLE)", false },
        { "(1,0,MPI_INT), (1,1,MPI_DOUBLE)", "(1,5,MPI_INT), (1,9,MPI_DOUBLE)", true },
        { "(1,0,MPI_INT), (1,1,MPI_DOUBLE)", "(1,1,MPI_DOUBLE), (1,0,MPI_INT)", false },
        { "(1,0,MPI_INT), (1,4,MPI_CHAR)",
          "(1,0,MPI_INT), (1,4,MPI_CHAR), (1,8,MPI_INT), (1,99,MPI_CHAR)", true },
        { "(1,0,MPI_INT), (1,4,MPI_CHAR)", "(1,0,MPI_INT), (1,4,MPI_CHAR), (1,8,MPI_INT)", false },
        /* Also if a copy of the one begins within a part of the other. */
        { "(2,0,MPI_INT), (1,20,MPI_CHAR), (1,3,MPI_INT)",
          "(1,0,MPI_INT), (1,1,MPI_INT), (1,40,MPI_CHAR), (3,4,MPI_INT), (1,60,MPI_CHAR), "
          "(1,9,MPI_INT)",
          true },
        { "(2,0,MPI_INT), (1,20,MPI_CHAR), (1,3,MPI_INT)",
          "(1,0,MPI_INT), (1,1,MPI_INT), (1,40,MPI_CHAR), (2,4,MPI_INT), (1,60,MPI_CHAR), "
          "(1,9,MPI_INT)",
          false },
    };
    EACH(c, cases) {
        check_pair(c->one, c->other, c->same);
        check_pair(c->other, c->one, c->same);
    }
}

TEST(test_names)
{
    LOCAL(params) p;
    LOCAL_TEXT out = { 0 };
    read_right(&p, "@VERSION 4.0\n@BASETYPE3 (2,0,MPI_INT), (1,4,MPI_CHAR), (1,5,MPI_CHAR), "
                   "(1,6,MPI_CHAR), (1,7,MPI_CHAR)\n" PING);
    elements_name(&p, 4, 3, &out);
    text_add(&out, "; ");
    elements_name(&p, 50, 3, &out);
    assert_string_equal(text_get(&out), "MPI_DOUBLE; 2 MPI_INT, MPI_CHAR, MPI_CHAR, MPI_CHAR, ...");
}
