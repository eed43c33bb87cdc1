/* The plain numbers that visits found, say the ranks of the slowest pair. */
#include "../test.h"

#include "merge/between.h"
#include "merge/pass_rows.h"
#include "model/suite.h"

enum { VISITS = 5, NUMBERS = 2 };

static const struct extra_info extra[] = { { "rank", NULL, "lower rank" },
                                           { "partner", NULL, "its partner" },
                                           { NULL, NULL, NULL } };
static const struct pattern_info pattern = { .prefix = "p2p", .extra = extra };
static const struct type_info type = { .name = "a", .pattern = &pattern };

static const struct {
    double visits[VISITS][NUMBERS], expected[NUMBERS];
} cases[] = {
    { { { 1, 5 }, { 1, 5 }, { 1, 9 }, { 2, 9 }, { 3, 9 } }, { 1, 5 } },
    { { { 2, 9 }, { 3, 9 }, { 1, 9 }, { 1, 5 }, { 1, 5 } }, { 1, 5 } },
    { { { 1, 5 }, { 2, 7 }, { 2, 7 }, { 4, 5 }, { 3, 5 } }, { 2, 7 } },
    { { { 1, 5 }, { 2, 6 }, { 3, 7 }, { 4, 8 }, { 5, 9 } }, { 1, 5 } },
    { { { NAN, 5 }, { NAN, 6 }, { NAN, 6 }, { NAN, 7 }, { NAN, 8 } }, { NAN, 6 } },
};

TEST(numbers_of_a_row_are_those_of_one_visit)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct suite s = { .type = &type, .options = { .passes = VISITS } };
        LOCAL(block) b = { .suite = &s };
        LOCAL(pass_rows) rows;
        struct row all;
        for (int visit = 0; visit < VISITS; visit++) {
            struct row row = { .stats = { .cleaned = { 8, 1, 0.1 }, .all = { 8, 1, 0.1 } } };
            for (int k = 0; k < NUMBERS; k++)
                row.extra[k] = (struct extra_value){ cases[i].visits[visit][k], NAN };
            block_append(&b, &row);
        }
        pass_rows_init(&rows, &b);
        assert_non_null(pass_rows_next(&rows, &all));
        for (int k = 0; k < NUMBERS; k++)
            if (!same_number(all.extra[k].value, cases[i].expected[k]))
                fail_msg("case %zu: number %d is %g", i, k, all.extra[k].value);
    }
}
