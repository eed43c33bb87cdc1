#include "../test.h"

#include "model/spreading.h"

static const long matrix[] = { 0, 5, 0, 0, 1, 0, 0, 9, 0, 0, 0, 0, 3, 30, 0, 0 };

TEST(texts_state_the_inequality)
{
    static const struct {
        enum spreading kind;
        long number;
        int n;
        bool all_to_all;
        const char *text;
    } cases[] = {
        { SPREAD_UNIFORM, 0, 4, false,
          "uniform, 4 processes: longest 1.000 of the mean, Gini 0.000, " },
        { SPREAD_ONE_LARGE, 90, 4, false,
          "one_large:90, 4 processes: longest 3.600 of the mean, Gini 0.650, " },
        { SPREAD_LINEAR, 0, 3, true,
          "linear, 3 processes: longest 1.500, sent 1.000, received 1.000 of the mean, Gini "
          "0.222, " },
        { SPREAD_SPARSE, 1, 1, false,
          "sparse:1, 1 processes: longest 1.000 of the mean, Gini 0.000, " },
        { SPREAD_TRANSPOSE, 0, 4, true,
          "transpose, 4 processes: longest 4.000, sent 1.000, received 1.000 of the mean, Gini "
          "0.750, " },
        { SPREAD_FILE, 0, 4, true,
          "file, 4 processes: longest 10.000, sent 2.750, received 2.917 of the mean, Gini "
          "0.854, " },
        { SPREAD_FILE, 0, 4, false, "file, 4 processes: longest 4.000 of the mean, Gini 0.750, " },
    };
    EACH(c, cases) {
        const struct spread x = { c->kind, c->number, matrix, false };
        LOCAL_TEXT out = { 0 };
        inequality_text(&x, c->n, c->all_to_all, &out);
        size_t hash = strlen(c->text);
        assert_int_equal(out.len, hash + strlen("hash ") + 16);
        assert_memory_equal(text_get(&out), c->text, hash);
    }
}

static uint64_t hash_of(const struct spread *x)
{
    struct inequality k;
    inequality_of(x, 4, true, &k);
    return k.hash;
}

TEST(hashes_identify_shares)
{
    long other[16];
    memcpy(other, matrix, sizeof(other));
    const struct spread one = { SPREAD_FILE, 0, matrix, false },
                        two = { SPREAD_FILE, 0, other, false };
    assert_int_equal(hash_of(&one), hash_of(&two));
    other[15] = 1;
    assert_int_not_equal(hash_of(&one), hash_of(&two));
}
