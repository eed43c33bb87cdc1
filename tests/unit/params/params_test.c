#include "../reading.h"

TEST(test_scales)
{
    static const struct {
        enum scale scale;
        const char *name;
        bool is_log, is_dynamic;
    } cases[] = {
        { SCALE_FIXED_LINEAR, "Fixed_linear", false, false },
        { SCALE_FIXED_LOG, "Fixed_log", true, false },
        { SCALE_DYNAMIC_LINEAR, "Dynamic_linear", false, true },
        { SCALE_DYNAMIC_LOG, "Dynamic_log", true, true },
    };
    EACH(c, cases) {
        assert_string_equal(scale_name(c->scale), c->name);
        assert_int_equal(scale_is_log(c->scale), c->is_log);
        assert_int_equal(scale_is_dynamic(c->scale), c->is_dynamic);
    }
}

TEST(test_label)
{
    LOCAL(params) p;
    char label[32];
    read_right(&p, VERSION "@MEASUREMENTS\nMPI_Bcast-nodes { Type = 55; }\n");
    assert_string_equal(suite_label(&p.suites[0], label, sizeof(label)), "syncol_MPI_Bcast-nodes");
    assert_string_equal(suite_label(&p.suites[0], label, 8), "syncol_");
    p.suites[0].topology = 1;
    assert_string_equal(suite_label(&p.suites[0], label, sizeof(label)),
                        "vtsyncol_MPI_Bcast-nodes");
}

TEST(test_release)
{
    struct params p = { 0 };
    params_release(&p);
    read_right(&p, VERSION "@BASETYPE1 MPI_INT\n@TOPOLOGY1 Reorder 1 0\n" PING);
    params_release(&p);
    params_release(&p);
    assert_null(p.suites);
}
