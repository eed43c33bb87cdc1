#include "../test.h"

#include "results/block.h"

#define MANY_JUMPS                                                                                 \
    {                                                                                              \
        { 8, 9, 3.0 }, { 6, 8, -0.25 }, { 4, 6, 0.24 },                                            \
        {                                                                                          \
            2, 4, 0.151                                                                            \
        }                                                                                          \
    }

TEST(outcomes_become_facts)
{
    static const struct {
        struct plan_outcome outcome;
        const char *notes;
    } rows[] = {
        { { 22, 22, 20, 20, 0.0123, PLAN_DONE, 0, { { 0 } }, 0.0 },
          "#@SWEEP 22 of 22 arguments\n"
          "#@INTERPOLATION 1.23 % by estimate; 20 of 20 segments probed\n" },
        { { 16, 16, 15, 0, 0.314159, PLAN_AT_MAX_STEPS, 0, { { 0 } }, 0.0 },
          "#@SWEEP 16 of 16 arguments\n"
          "#@INTERPOLATION 31.42 % by estimate; 0 of 15 segments probed; ended by "
          "Max_Steps\n" },
        { { 43, 7, 6, 0, 0.5, PLAN_STOPPED, 0, { { 0 } }, 0.0 },
          "#@SWEEP 7 of 43 arguments; ended by a limit of time\n"
          "#@INTERPOLATION 50.00 % by estimate; 0 of 6 segments probed; ended by a "
          "limit of time\n" },
        { { 2, 2, 1, 0, (double)INFINITY, PLAN_AT_MAX_STEPS, 0, { { 0 } }, 0.0 },
          "#@SWEEP 2 of 2 arguments\n"
          "#@INTERPOLATION unknown; 0 of 1 segments probed; ended by Max_Steps\n" },
        { { 22, 22, 20, 20, 0.0123, PLAN_DONE, 1, { { 16384, 32764, 0.4 } }, 0.0 },
          "#@SWEEP 22 of 22 arguments\n"
          "#@INTERPOLATION 1.23 % by estimate; 20 of 20 segments probed; between 16384 "
          "and 32764 a jump of about 40 %\n" },
        { { 22, 22, 20, 9, 0.0123, PLAN_AT_MAX_STEPS, 7, MANY_JUMPS, 0.124 },
          "#@SWEEP 22 of 22 arguments\n"
          "#@INTERPOLATION 1.23 % by estimate; 9 of 20 segments probed; between 8 and 9 a "
          "jump of about 300 %; between 6 and 8 a jump of about -25 %; between 4 and 6 a jump of "
          "about 24 %; between 2 and 4 a jump of about 15 %; 3 lower jumps of up to 12 %; ended by "
          "Max_Steps\n" },
    };
    EACH(c, rows) {
        LOCAL_TEXT notes = { 0 };
        plan_add_notes(&notes, &c->outcome);
        assert_string_equal(text_get(&notes), c->notes);
    }
}
