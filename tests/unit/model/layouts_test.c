#include "../test.h"

#include "../../lib/manual_types.h"

#include <limits.h>

enum { MAX_MAP = 1 << 21 };

static struct params params_of(int blocks, int blocksize, int stride)
{
    struct params p = { .blocks = blocks, .blocksize = blocksize, .vectorstride = stride };
    set_basetypes(&p);
    return p;
}

/* The units from a cube to its next copy. */
static long whole_cube(const struct params *p)
{
    long whole = 1;
    for (int d = 0; d < p->blocks; d++)
        whole *= p->blocksize + 2 * SUBARRAY_OFFSET;
    return whole;
}

/* Each place once. */
static void check_type(const struct params *p, int number, long n)
{
    /* size, extent, first byte and end of one element */
    static const long bases[][4] = { { 4, 4, 0, 4 }, { 11, 20, 1, 20 } };
    static long places[MAX_MAP];
    struct order o = { p, n, places, 0 };
    LOCAL_STRING has = calloc(MAX_MAP, 1);
    long first = MAX_MAP, last = 0;
    assert_non_null(has);
    walk(&o, number);
    for (long i = 0; i < o.count; i++) {
        assert_in_range(places[i], 0, MAX_MAP - 1);
        assert_int_equal(has[places[i]]++, 0);
        first = places[i] < first ? places[i] : first;
        last = places[i] > last ? places[i] : last;
    }
    for (int i = 0; i < 2; i++) {
        const long *base = bases[i];
        struct layout l = layout_of(p, number, i + 1, n);
        assert_int_equal(l.size, o.count * base[0]);
        assert_int_equal(l.extent, (number == 37 ? whole_cube(p) : last + 1) * base[1]);
        assert_int_equal(l.true_lb, first * base[1] + base[2]);
        assert_int_equal(l.true_lb + l.true_extent, last * base[1] + base[3]);
    }
}

TEST(layouts_match_the_manual)
{
    static const int blocks[] = { 10, 9, 1, 2 };
    for (size_t b = 0; b < COUNT(blocks); b++)
        for (size_t i = 0; i < datatype_count(); i++) {
            int number = datatype_get(i)->number;
            bool built = datatype_get(i)->kind != DATATYPE_PREDEFINED;
            struct params p = params_of(number == 37 && blocks[b] > 6 ? 6 : blocks[b], 7, 11);
            for (long n = 1; n <= (layout_grows(number) ? 5 : 1) && built; n++)
                check_type(&p, number, n);
        }
}

/* Computed manually: BLOCKS 10, BLOCKSIZE 7, VECTORSTRIDE 11, MPI_INT, n 3. */
TEST(some_layouts_are_known)
{
    static const struct {
        int number;
        long long size, extent;
    } rows[] = {
        { 30, 280, 280 },         { 31, 280, 4 * 106 },     { 33, 280, 4 * 79 },
        { 34, 280, 4 * 79 },      { 36, 280, 4 * 79 },      { 50, 840, 4 * (9 * 33 + 21) },
        { 51, 840, 4 * 290 },     { 52, 840, 4 * 326 },     { 53, 840, 4 * 239 },
        { 54, 840, 4 * 212 },     { 55, 840, 4 * 219 },     { 56, 840, 4 * 19 * 87 },
        { 57, 840, 4 * 19 * 29 }, { 58, 840, 4 * 5 * 106 }, { 61, 280, 4 * 19 * 13 },
        { 64, 280, 4 * 19 * 13 }, { 70, 280, 280 },
    };
    struct params p = params_of(10, 7, 11);
    EACH(c, rows) {
        struct layout l = layout_of(&p, c->number, 1, 3);
        assert_int_equal(l.size, c->size);
        assert_int_equal(l.extent, c->extent);
        assert_int_equal(l.true_lb, 0);
        assert_int_equal(l.true_extent, c->extent);
    }
    struct layout cube = layout_of(&p, 37, 1, 1); /* 7 of 9 in 10 dimensions */
    assert_int_equal(cube.size, 4 * 282475249LL);
    assert_int_equal(cube.extent, 4 * 3486784401LL);
    assert_int_equal(cube.true_lb, 4 * 435848050LL);
}

TEST(basetypes_are_padded_like_structs)
{
    static const struct {
        struct basetype_part parts[2];
        const char *names[2];
        struct layout expected;
    } rows[] = {
        { { { 1, 0, NULL }, { 2, 1, NULL } }, { "MPI_BYTE", "MPI_INT" }, { 9, 12, 0, 12 } },
        { { { 1, 1, NULL }, { 1, 0, NULL } }, { "MPI_DOUBLE", "MPI_CHAR" }, { 9, 16, 0, 16 } },
        { { { 1, 1, NULL }, { 1, 4, NULL } }, { "MPI_DOUBLE", "MPI_INT" }, { 12, 24, 8, 12 } },
        { { { 3, 0, NULL }, { 1, 2, NULL } }, { "MPI_BYTE", "MPI_SHORT" }, { 5, 6, 0, 6 } },
    };
    EACH(c, rows) {
        struct basetype_part parts[2] = { c->parts[0], c->parts[1] };
        parts[0].type = predefined_find(c->names[0], strlen(c->names[0]));
        parts[1].type = predefined_find(c->names[1], strlen(c->names[1]));
        struct basetype b = { .parts = parts, .count = 2, .triples = 1 };
        struct layout l = layout_of_basetype(&b);
        assert_int_equal(l.size, c->expected.size);
        assert_int_equal(l.extent, c->expected.extent);
        assert_int_equal(l.true_lb, c->expected.true_lb);
        assert_int_equal(l.true_extent, c->expected.true_extent);
    }
}

TEST(huge_layouts_are_limited)
{
    struct params p = params_of(1000000, 999999, 1000000);
    for (size_t i = 0; i < datatype_count(); i++) {
        struct layout l = layout_of(&p, datatype_get(i)->number, 2, LLONG_MAX / 2);
        assert_in_range(l.size, 1, MAX_LAYOUT);
        assert_in_range(l.extent, 1, MAX_LAYOUT);
        assert_in_range(l.true_lb, 0, MAX_LAYOUT);
        assert_in_range(l.true_extent, 1, MAX_LAYOUT);
    }
    assert_int_equal(layout_of(&p, 37, 1, 1).extent, MAX_LAYOUT);
    assert_int_equal(layout_of(&p, 58, 1, LLONG_MAX / 2).size, MAX_LAYOUT);
}

TEST(demands_are_checked)
{
    static const struct {
        int number, blocks, blocksize, possible;
    } rows[] = {
        { 31, 1, 1, 1 }, { 33, 9, 1, 0 }, { 33, 9, 2, 1 }, { 35, 9, 1, 0 }, { 36, 9, 1, 0 },
        { 53, 9, 1, 0 }, { 54, 9, 1, 1 }, { 54, 1, 1, 0 }, { 54, 1, 2, 1 }, { 55, 9, 1, 0 },
        { 70, 9, 2, 0 }, { 70, 9, 3, 1 }, { 5, 9, 1, 1 },  { 20, 9, 1, 1 }, { 37, 1, 1, 1 },
    };
    EACH(c, rows) {
        struct params p = params_of(c->blocks, c->blocksize, 11);
        assert_int_equal(layout_is_possible(&p, c->number), c->possible);
        if (!c->possible)
            assert_non_null(layout_demand(c->number));
    }
    assert_null(layout_demand(5));
    assert_null(layout_demand(31));
}

TEST(derived_types_are_built)
{
    struct params p = params_of(10, 7, 11);
    assert_false(layout_is_derived(&p, 5, 2));
    assert_false(layout_is_derived(&p, 20, 1));
    assert_true(layout_is_derived(&p, 20, 2));
    assert_true(layout_is_derived(&p, 30, 1));
    assert_int_equal(layout_most(&p), INT_MAX / 110);
    for (int number = 1; number <= 70; number++)
        assert_int_equal(layout_grows(number), number >= 50 && number <= 58);
}
