#include "../test.h"

#include "model/spreading.h"
#include "../fake_patterns.h"

enum { MOST = 36, FILE_MOST = 5 };

/* Rows and columns of different sums; some processes send or receive nothing. */
static const long shares[FILE_MOST * FILE_MOST] = { 7, 0, 0, 1000000000, 3, 0, 0, 0, 0, 0, 2, 1, 1,
                                                    1, 1, 0, 900000001,  5, 0, 0, 3, 3, 3, 3, 4 };

static const struct spread spreads[] = {
    { SPREAD_UNIFORM, SPREAD_NO_NUMBER, NULL, false },
    { SPREAD_LINEAR, SPREAD_NO_NUMBER, NULL, false },
    { SPREAD_GEOMETRIC, 2, NULL, false },
    { SPREAD_GEOMETRIC, 1000, NULL, false },
    { SPREAD_ONE_LARGE, 90, NULL, false },
    { SPREAD_ONE_LARGE, 100, NULL, false },
    { SPREAD_SPARSE, 1, NULL, false },
    { SPREAD_SPARSE, 1000, NULL, false },
    { SPREAD_RANDOM, 7, NULL, false },
    { SPREAD_TRANSPOSE, SPREAD_NO_NUMBER, NULL, false },
    { SPREAD_FILE, SPREAD_NO_NUMBER, shares, false },
};

static const long lengths[] = { 0, 1, 7, 1003 };

static long sum_of(const int *counts, int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++) {
        assert_true(counts[i] >= 0);
        sum += counts[i];
    }
    return sum;
}

static int most_of(const struct spread *x)
{
    return x->kind == SPREAD_FILE ? FILE_MOST : MOST;
}

/* The parts have all elements together, also none. */
TEST(no_part_is_lost)
{
    for (size_t s = 0; s < COUNT(spreads); s++)
        for (int n = 1; n <= most_of(&spreads[s]); n++)
            for (size_t l = 0; l < COUNT(lengths); l++) {
                int counts[MOST];
                spread_parts(&spreads[s], n, lengths[l], counts);
                assert_int_equal(sum_of(counts, n), n * lengths[l]);
            }
}

static void check_exchange(const struct spread *x, int n, long each)
{
    int sent[MOST][MOST], received[MOST];
    long sum = 0;
    for (int rank = 0; rank < n; rank++) {
        spread_counts(x, n, rank, true, each, sent[rank]);
        long own = sum_of(sent[rank], n);
        if (x->kind != SPREAD_FILE)
            assert_int_equal(own, n * each);
        sum += own;
    }
    assert_int_equal(sum, n * n * each);
    for (int rank = 0; rank < n; rank++) {
        spread_counts(x, n, rank, false, each, received);
        for (int from = 0; from < n; from++)
            assert_int_equal(received[from], sent[from][rank]);
    }
}

/* Each process receives as much as others send to it, and the total is the regular one. */
TEST(both_sides_agree)
{
    for (size_t s = 0; s < COUNT(spreads); s++)
        for (int n = 1; n <= most_of(&spreads[s]); n++)
            for (size_t l = 0; l < COUNT(lengths); l++)
                check_exchange(&spreads[s], n, lengths[l]);
}

/* Each part is that of the process with its index. */
TEST(parts_have_their_sizes)
{
    static const long unequal[] = { 1, 0, 3, 0 };
    static const struct {
        struct spread x;
        int parts[4];
    } cases[] = {
        { { SPREAD_UNIFORM, 0, NULL, false }, { 30, 30, 30, 30 } },
        { { SPREAD_LINEAR, 0, NULL, false }, { 12, 48, 36, 24 } },
        { { SPREAD_GEOMETRIC, 2, NULL, false }, { 8, 64, 32, 16 } },
        { { SPREAD_ONE_LARGE, 70, NULL, false }, { 12, 84, 12, 12 } },
        { { SPREAD_SPARSE, 2, NULL, false }, { 0, 60, 0, 60 } },
        { { SPREAD_FILE, 0, unequal, false }, { 30, 0, 90, 0 } },
    };
    for (size_t c = 0; c < COUNT(cases); c++) {
        int counts[4];
        spread_parts(&cases[c].x, 4, 30, counts);
        for (int i = 0; i < 4; i++)
            assert_int_equal(counts[i], cases[c].parts[i]);
    }
}

/* In an all-to-all, the parts begin with that of the next rank; a file has a row for each. */
TEST(rows_have_their_sizes)
{
    static const long matrix[] = { 0, 2, 0, 1, 0, 0, 0, 3, 0 };
    static const struct {
        struct spread x;
        int sent[3][3];
    } cases[] = {
        { { SPREAD_LINEAR, 0, NULL, false }, { { 2, 6, 4 }, { 4, 2, 6 }, { 6, 4, 2 } } },
        { { SPREAD_TRANSPOSE, 0, NULL, false }, { { 12, 0, 0 }, { 0, 12, 0 }, { 0, 0, 12 } } },
        { { SPREAD_FILE, 0, matrix, false }, { { 0, 12, 0 }, { 6, 0, 0 }, { 0, 18, 0 } } },
    };
    for (size_t c = 0; c < COUNT(cases); c++)
        for (int rank = 0; rank < 3; rank++) {
            int counts[3];
            spread_counts(&cases[c].x, 3, rank, true, 4, counts);
            for (int i = 0; i < 3; i++)
                assert_int_equal(counts[i], cases[c].sent[rank][i]);
        }
}

/* In place, messages replace each other, although the elements are not multiples of the shares. */
TEST(a_symmetric_matrix_has_symmetric_rows)
{
    static const long matrix[] = { 1, 3, 7, 3, 0, 5, 7, 5, 2 };
    const struct spread x = { SPREAD_FILE, SPREAD_NO_NUMBER, matrix, true };
    for (long each = 1; each < 9; each++) {
        int sent[3][3], received[3], sum = 0;
        for (int rank = 0; rank < 3; rank++)
            spread_counts(&x, 3, rank, true, each, sent[rank]);
        for (int rank = 0; rank < 3; rank++) {
            spread_counts(&x, 3, rank, false, each, received);
            for (int i = 0; i < 3; i++) {
                assert_int_equal(sent[rank][i], sent[i][rank]);
                assert_int_equal(received[i], sent[i][rank]);
                sum += sent[rank][i];
            }
        }
        assert_in_range(sum, 9 * each - 3, 9 * each + 3);
    }
}

/* Six processes form a grid of two rows: rank 1 is second in the first row. */
TEST(a_grid_is_transposed)
{
    static const int to[] = { 0, 2, 4, 1, 3, 5 };
    const struct spread x = { SPREAD_TRANSPOSE, SPREAD_NO_NUMBER, NULL, false };
    for (int rank = 0; rank < 6; rank++) {
        int counts[6];
        spread_counts(&x, 6, rank, true, 5, counts);
        assert_int_equal(counts[to[rank]], 30);
    }
}

TEST(seeds_differ)
{
    const struct spread one = { SPREAD_RANDOM, 1, NULL, false },
                        two = { SPREAD_RANDOM, 2, NULL, false };
    int counts[8], others[8], equal = 0;
    spread_parts(&one, 8, 10000, counts);
    spread_parts(&two, 8, 10000, others);
    for (int i = 0; i < 8; i++)
        equal += counts[i] == others[i];
    assert_true(equal < 8);
}

/* No process sends or receives more than fits, however short the messages are. */
TEST(everything_fits)
{
    static const struct type_info all_to_all = { .pattern = &fake_col, .traits = TYPE_ALL_TO_ALL };
    static const struct type_info parts = { .pattern = &fake_col };
    struct suite s = { .type = &all_to_all, .options.spread = SPREAD_FILE };
    long own[FILE_MOST * FILE_MOST];
    memcpy(own, shares, sizeof(own));
    s.named[FILE_PARTS] = (struct numbers){ own, FILE_MOST * FILE_MOST };
    int messages = spread_messages(&s, FILE_MOST);
    for (size_t l = 0; l < COUNT(lengths); l++)
        for (int rank = 0; rank < FILE_MOST; rank++) {
            int counts[FILE_MOST];
            spread_counts(&spreads[COUNT(spreads) - 1], FILE_MOST, rank, true, lengths[l], counts);
            assert_true(sum_of(counts, FILE_MOST) <= messages * lengths[l]);
            spread_counts(&spreads[COUNT(spreads) - 1], FILE_MOST, rank, false, lengths[l], counts);
            assert_true(sum_of(counts, FILE_MOST) <= messages * lengths[l]);
        }
    assert_true(messages > 2 * FILE_MOST);
    s.type = &parts;
    assert_int_equal(spread_messages(&s, FILE_MOST), FILE_MOST);
}
