#include "plan/plan.h"

#include "../reading.h"

/* Whole files; the values are far from the defaults. */
#define FILE_OF(sections, fields) VERSION sections "@MEASUREMENTS\nA { " fields " }\n"
#define KIB(n)                    "@MEMORY " #n "\n"
#define BYTE                      "Send_Datatype_Number = 1; Receive_Datatype_Number = 1; "

#define SPEC(scale, ...)                                                                           \
    {                                                                                              \
        SCALE_##scale, __VA_ARGS__                                                                 \
    }

static const struct spec_case {
    const char *text;
    int processes;
    struct plan_spec expected;
} cases[] = {
    /* the one argument 0 */
    { FILE_OF("", "Type = 24; Standard_error = 0.25;"), 9,
      SPEC(FIXED_LINEAR, 0, 0, 1, 1, 0, 0, 0, 0.25) },
    { FILE_OF("", "Type = 24;"), 1, SPEC(FIXED_LINEAR, 0, 0, 1, 1, 0, 0, 0, 0.05) },
    /* the process numbers */
    { FILE_OF("", "Type = 50; Standard_error = 0.5;"), 9,
      SPEC(FIXED_LINEAR, 0, 8, 1, 1, 0, 0, 0, 0.5) },
    { FILE_OF("", "Type = 50;"), 1, SPEC(FIXED_LINEAR, 0, 0, 1, 1, 0, 0, 0, 0.05) },
    /* lengths */
    { FILE_OF(KIB(8),
              "Type = 1; " BYTE "Variation = Length; Scale = Dynamic_linear; Stepwidth = 2.5; "
              "Start_Argument = 13; End_Argument = 1001; Multiple_of = 4; Max_Steps = 31; "
              "Min_Distance = 3.5; Max_Distance = 77; Standard_error = 0.125;"),
      2, SPEC(DYNAMIC_LINEAR, 12, 1000, 4, 2.5, 31, 3.5, 77, 0.125) },
    { FILE_OF(KIB(8), "Type = 1; " BYTE "Scale = Fixed_log; Stepwidth = 1.5; Multiple_of = 1;"), 64,
      SPEC(FIXED_LOG, 0, 4096, 1, 1.5, 0, 2, 512, 0.05) },
    { FILE_OF("@MAXSTEPSDEFAULT 40\n@STANDARDERRORDEFAULT 0.375\n@MULTIPLEOFDEFAULT 8\n" KIB(64),
              "Type = 55; Stepwidth = 4;"), /* a page and more for each process */
      4, SPEC(DYNAMIC_LOG, 0, 8192, 8, 4, 40, 2, 512, 0.375) },
    { FILE_OF(KIB(64), "Type = 55; Stepwidth = 4;"), 16,
      SPEC(DYNAMIC_LOG, 0, 2048, 4, 4, 0, 2, 512, 0.05) },
    /* nodes */
    { FILE_OF("", "Type = 17; Variation = Nodes; Scale = Fixed_linear;"), 9,
      SPEC(FIXED_LINEAR, 2, 9, 1, 1, 0, 2, 512, 0.05) },
    { FILE_OF("", "Type = 17; Variation = Nodes; Scale = Fixed_log; Stepwidth = 2; "
                  "Start_Argument = 3; End_Argument = 6; Max_Steps = 5;"),
      9, SPEC(FIXED_LOG, 3, 6, 1, 2, 5, 2, 512, 0.05) },
    { FILE_OF("", "Type = 18; Start_Argument = 4; End_Argument = 64; Multiple_of = 4;"), 11,
      SPEC(FIXED_LINEAR, 4, 8, 4, 1, 0, 2, 512, 0.05) },
    /* chunks */
    { FILE_OF("", "Type = 10; Variation = Chunks; Scale = Dynamic_log; Stepwidth = 3; "
                  "End_Argument = 200; Min_Distance = 1;"),
      5, SPEC(DYNAMIC_LOG, 1, 200, 1, 3, 0, 1, 512, 0.05) },
    { FILE_OF("", "Type = 10; Variation = Chunks; Start_Argument = 7; Multiple_of = 5;"), 3,
      SPEC(FIXED_LINEAR, 5, 1020, 5, 1, 0, 2, 512, 0.05) },
};

static void check_number(size_t i, const char *what, double is, double expected)
{
    if (fabs(is - expected) > 1e-9 * fabs(expected))
        fail_msg("case %zu: %s is %.10g, expected %.10g", i, what, is, expected);
}

static void check_spec(size_t i, const struct plan_spec *is, const struct plan_spec *expected)
{
    check_number(i, "scale", is->scale, expected->scale);
    check_number(i, "first", (double)is->first, (double)expected->first);
    check_number(i, "last", (double)is->last, (double)expected->last);
    check_number(i, "quantum", (double)is->quantum, (double)expected->quantum);
    check_number(i, "stepwidth", is->stepwidth, expected->stepwidth);
    check_number(i, "max_steps", is->max_steps, expected->max_steps);
    check_number(i, "min_distance", is->min_distance, expected->min_distance);
    check_number(i, "max_distance", is->max_distance, expected->max_distance);
    check_number(i, "error", is->error, expected->error);
}

TEST(test_specs)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        LOCAL(params) p;
        read_right(&p, cases[i].text);
        struct plan_spec spec = plan_spec_of(&p, &p.suites[0], cases[i].processes);
        check_spec(i, &spec, &cases[i].expected);
    }
}

/* Suites of the other processes exclude process 0. */
TEST(test_internal_of_others)
{
    static const struct type_info type = { .pattern = &fake_internal, .traits = TYPE_OF_OTHERS };
    static const struct plan_spec expected = { SCALE_FIXED_LINEAR, 1, 4, 1, 1, 0, 0, 0, 0.25 };
    struct params p = { 0 };
    struct suite s = { .type = &type, .standard_error = 0.25 };
    struct plan_spec spec = plan_spec_of(&p, &s, 5);
    check_spec(0, &spec, &expected);
}

/* The plan of each gives all arguments once: first, last and their number. */
TEST(test_arguments_of_plans)
{
    static const struct {
        const char *text;
        int processes;
        long first, last;
        int count;
    } rows[] = {
        { FILE_OF("", "Type = 24;"), 9, 0, 0, 1 },
        { FILE_OF("", "Type = 50;"), 9, 0, 8, 9 },
        { FILE_OF("", "Type = 50;"), 1000, 0, 999, 1000 },
        { FILE_OF("", "Type = 17; Variation = Nodes; Scale = Fixed_linear;"), 9, 2, 9, 8 },
        { FILE_OF(KIB(8), "Type = 1; " BYTE "Scale = Fixed_log; Stepwidth = 2; Multiple_of = 1;"),
          2, 0, 4096, 14 },
        { FILE_OF(KIB(100), "Type = 126;"), 2, 480, 1320, 2 },
        { FILE_OF(KIB(100), "Type = 126; Scale = Dynamic_log;"), 2, 480, 1320, 2 },
        { FILE_OF(KIB(50000), "Type = 126;"), 2, 480, 40800, 7 },
        { FILE_OF(KIB(50000), "Type = 126; Start_Argument = 1320; End_Argument = 2559;"), 2, 1320,
          1320, 1 },
        { FILE_OF(KIB(8), "Type = 126; Parameters = \"case=5,3\";"), 2, 120, 120, 1 },
        { FILE_OF(KIB(80), "Type = 126; Parameters = \"method=contiguous\";"), 2, 480, 40800, 7 },
    };
    EACH(c, rows) {
        LOCAL(params) p;
        read_right(&p, c->text);
        struct plan *plan = plan_of_suite(&p, &p.suites[0], c->processes);
        assert_non_null(plan);
        long argument = -1, last = -1;
        int count = 0;
        for (; plan_next(plan, &argument); count++, last = argument)
            if (count == 0)
                assert_int_equal(argument, c->first);
        assert_int_equal(last, c->last);
        assert_int_equal(count, c->count);
        plan_free(plan);
    }
}
