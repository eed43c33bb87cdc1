#include "../test.h"

#include "model/matching.h"
#include "model/suite.h"

enum { PROCESSES = 70, MATCHINGS = 4 };

static struct suite suite_with(enum pairing pairing, long number)
{
    return (struct suite){ .options = {
                               .pairs = pairing, .pairs_number = number, .matchings = MATCHINGS } };
}

/* Returns the number of processes with a partner. */
static int check_matching(const struct suite *s, int processes, int i)
{
    int paired = 0;
    for (int rank = 0; rank < processes; rank++) {
        int partner = matching_partner(s, processes, i, rank);
        if (partner == MATCHING_NONE)
            continue;
        assert_in_range(partner, 0, processes - 1);
        assert_int_not_equal(partner, rank);
        assert_int_equal(matching_partner(s, processes, i, partner), rank);
        paired++;
    }
    return paired;
}

TEST(test_partners_agree)
{
    for (int pairing = PAIRS_HALF; pairing < PAIRS_FILE; pairing++)
        for (long number = 1; number < 9; number++)
            for (int processes = 2; processes <= PROCESSES; processes++) {
                struct suite s = suite_with((enum pairing)pairing, number);
                bool all =
                    pairing == PAIRS_HALF || pairing == PAIRS_NEXT || pairing == PAIRS_RANDOM;
                for (int i = 0; i < matching_count(&s, processes); i++) {
                    int paired = check_matching(&s, processes, i);
                    if (all)
                        assert_int_equal(paired, processes / 2 * 2);
                }
            }
}

TEST(test_by_hand)
{
    static const struct {
        enum pairing pairing;
        long number;
        int partners[7];
    } cases[] = {
        { PAIRS_HALF, 0, { 3, 4, 5, 0, 1, 2, -1 } },
        { PAIRS_NEXT, 0, { 1, 0, 3, 2, 5, 4, -1 } },
        { PAIRS_SHIFT, 1, { 1, 0, 3, 2, 5, 4, -1 } },
        { PAIRS_SHIFT, 2, { 2, 3, 0, 1, 6, -1, 4 } },
        { PAIRS_SHIFT, 6, { 6, -1, -1, -1, -1, -1, 0 } },
        { PAIRS_SHIFT, 7, { -1, -1, -1, -1, -1, -1, -1 } },
        { PAIRS_XOR, 3, { 3, 2, 1, 0, -1, 6, 5 } },
        { PAIRS_XOR, 8, { -1, -1, -1, -1, -1, -1, -1 } },
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        struct suite s = suite_with(cases[k].pairing, cases[k].number);
        for (int rank = 0; rank < 7; rank++)
            assert_int_equal(matching_partner(&s, 7, 0, rank), cases[k].partners[rank]);
    }
}

/* Over many seeds, each partner is about equally frequent: within 5 standard deviations. */
static void check_uniform(int processes)
{
    enum { SEEDS = 3000 };
    double expected = (double)SEEDS / (processes - 1);
    int times[PROCESSES] = { 0 };
    for (int seed = 0; seed < SEEDS; seed++) {
        struct suite s = suite_with(PAIRS_RANDOM, seed);
        times[matching_partner(&s, processes, seed % MATCHINGS, 0)]++;
    }
    for (int i = 1; i < processes; i++) {
        double off = times[i] - expected;
        assert_true(off * off < 25.0 * expected);
    }
}

TEST(test_random)
{
    for (int processes = 4; processes <= 16; processes += 2)
        check_uniform(processes);
}

TEST(test_idle)
{
    static const struct {
        enum pairing pairing;
        long number;
        int processes, idle;
        const char *text;
    } cases[] = {
        { PAIRS_HALF, 0, 8, 0, "" },
        { PAIRS_RANDOM, 3, 9, 1, "8" },
        { PAIRS_XOR, 3, 7, 1, "4" },
        { PAIRS_SHIFT, 5, 8, 2, "3, 4" },
        { PAIRS_ROUND, 0, 7, 0, "" },
        { PAIRS_ROUND, 0, 1, 1, "0" },
        { PAIRS_SHIFT, 20, 40, 0, "" },
        { PAIRS_SHIFT, 38, 40, 36,
          "2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17 and 20 more" },
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        struct suite s = suite_with(cases[k].pairing, cases[k].number);
        LOCAL_TEXT t = { 0 };
        assert_int_equal(matching_idle(&s, cases[k].processes, &t), cases[k].idle);
        assert_string_equal(text_get(&t), cases[k].text);
    }
}

/* Every two processes meet in exactly one round; of an odd number, one idles in each. */
TEST(test_round_robin)
{
    struct suite s = suite_with(PAIRS_ROUND, 0);
    for (int processes = 2; processes <= PROCESSES; processes++) {
        int met[PROCESSES][PROCESSES] = { { 0 } };
        int rounds = matching_count(&s, processes);
        assert_int_equal(rounds, processes % 2 == 0 ? processes - 1 : processes);
        for (int i = 0; i < rounds; i++) {
            assert_int_equal(check_matching(&s, processes, i), processes / 2 * 2);
            for (int rank = 0; rank < processes; rank++) {
                int partner = matching_partner(&s, processes, i, rank);
                if (partner != MATCHING_NONE)
                    met[rank][partner]++;
            }
        }
        for (int rank = 0; rank < processes; rank++)
            for (int other = 0; other < processes; other++)
                assert_int_equal(met[rank][other], rank != other);
    }
}
