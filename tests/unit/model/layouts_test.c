#include "../test.h"

#include "model/layouts.h"
#include "model/parameters.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

enum { MAX_MAP = 1 << 21 };

/* The elements of the basetype that a type contains, computed with the manual's code. */
struct map {
    const struct params *p;
    long n;
    unsigned char *has; /* MAX_MAP counters: how often each element was set */
    long span;          /* units from this type to its next copy */
};

static void set(struct map *m, long from, long count)
{
    for (long i = 0; i < count; i++) {
        assert_true(from + i < MAX_MAP);
        m->has[from + i]++;
    }
    m->span = from + count > m->span ? from + count : m->span;
}

static void vector_at(struct map *m, long at, long count, long block, long stride)
{
    for (long i = 0; i < count; i++)
        set(m, at + i * stride, block);
}

/* MPI_Type_vector(count, 1, 2, vector(...)): each copy begins two extents after the previous one.
 */
static void vectors(struct map *m, long copies, long count, long block, long stride)
{
    long extent = (count - 1) * stride + block;
    for (long i = 0; i < copies; i++)
        vector_at(m, 2 * i * extent, count, block, stride);
}

/* first: length of the first block. */
static void indexed(struct map *m, long count, long first, long block)
{
    long blen[4096], disp[4096], k = 1;
    blen[0] = first;
    disp[0] = 0;
    for (long i = 1; i < count; i++) {
        blen[i] = block - k;
        disp[i] = disp[i - 1] + blen[i - 1] + 1;
        k = 1 - k;
    }
    blen[count - 1] += count / 2;
    for (long i = 0; i < count; i++)
        set(m, disp[i], blen[i]);
}

static void subarray(struct map *m, long dims, long block)
{
    long whole = 1;
    for (long d = 0; d < dims; d++)
        whole *= block + 2 * SUBARRAY_OFFSET;
    for (long place = 0; place < whole; place++) {
        int inside = 1;
        for (long rest = place, d = 0; d < dims; d++) {
            long index = rest % (block + 2 * SUBARRAY_OFFSET);
            inside = inside && index >= SUBARRAY_OFFSET && index < SUBARRAY_OFFSET + block;
            rest /= block + 2 * SUBARRAY_OFFSET;
        }
        if (inside)
            set(m, place, 1);
    }
    m->span = whole;
}

static void interleaved(struct map *m, long blocks, long block)
{
    for (long i = 0; i < blocks; i++) {
        set(m, i * block, 1);
        set(m, 1 + i * block, 1);
        set(m, 2 + i * block, block - 2);
    }
}

static void walk(struct map *m, int number)
{
    long b = m->p->blocks, s = m->p->blocksize, v = m->p->vectorstride, n = m->n;
    switch (number) {
    case 20:
        set(m, 0, 1);
        break;
    case 30:
        set(m, 0, b * s);
        break;
    case 31:
    case 32:
        vector_at(m, 0, b, s, v);
        break;
    case 33:
    case 35:
    case 36:
        indexed(m, b, s, s);
        break;
    case 34:
        vector_at(m, 0, b, s, s + 1);
        break;
    case 37:
        subarray(m, b, s);
        break;
    case 50:
        vector_at(m, 0, b, n * s, n * v);
        break;
    case 51:
        vector_at(m, 0, n, b * s, b * v);
        break;
    case 52:
        vector_at(m, 0, n * b, s, v);
        break;
    case 53:
        indexed(m, n * b, s, s);
        break;
    case 54:
        indexed(m, n, b * s, b * s);
        break; /* the manual's first block is shorter */
    case 55:
        indexed(m, b, n * s, n * s);
        break; /* likewise */
    case 56:
        vectors(m, b, s, n, n + v);
        break;
    case 57:
        vectors(m, b, n, s, v);
        break;
    case 58:
        vectors(m, n, b, s, v);
        break;
    case 61:
    case 62:
    case 63:
    case 64:
        vectors(m, b, s, 1, 2);
        break;
    case 70:
        interleaved(m, b, s);
        break;
    default:
        fail_msg("datatype %d", number);
    }
}

/* Basetypes 1: MPI_INT; 2: a byte, a gap, two ints, a gap and a short at the end. */
struct fixture {
    struct params p;
    struct basetype_part parts[4];
    struct map map;
};

static const struct predefined *named(const char *name)
{
    return predefined_find(name, strlen(name));
}

static void init(struct fixture *f, int blocks, int blocksize, int stride)
{
    *f = (struct fixture){ .p = {
                               .blocks = blocks, .blocksize = blocksize, .vectorstride = stride } };
    f->parts[0] = (struct basetype_part){ 1, 0, named("MPI_INT") };
    f->parts[1] = (struct basetype_part){ 1, 1, named("MPI_BYTE") };
    f->parts[2] = (struct basetype_part){ 2, 2, named("MPI_INT") };
    f->parts[3] = (struct basetype_part){ 1, 9, named("MPI_SHORT") };
    f->p.basetypes[1] = (struct basetype){ .parts = f->parts, .count = 1 };
    f->p.basetypes[2] = (struct basetype){ .parts = f->parts + 1, .count = 3, .triples = 1 };
    f->map = (struct map){ .p = &f->p };
}

/* base: size, extent, first byte and end of one element. */
static void check_map(const struct map *m, struct layout l, const long base[4])
{
    long elements = 0, first = -1, last = -1;
    for (long i = 0; i < m->span; i++) {
        assert_in_range(m->has[i], 0, 1);
        elements += m->has[i];
        if (m->has[i])
            first = first < 0 ? i : first, last = i;
    }
    assert_int_equal(l.size, elements * base[0]);
    assert_int_equal(l.extent, m->span * base[1]);
    assert_int_equal(l.true_lb, first * base[1] + base[2]);
    assert_int_equal(l.true_lb + l.true_extent, last * base[1] + base[3]);
}

static void check_type(struct fixture *f, int number, long n)
{
    static const long bases[][4] = { { 4, 4, 0, 4 }, { 11, 20, 1, 20 } };
    f->map.n = n;
    f->map.span = 0;
    f->map.has = calloc(MAX_MAP, 1);
    assert_non_null(f->map.has);
    walk(&f->map, number);
    for (int base = 1; base <= 2; base++)
        check_map(&f->map, layout_of(&f->p, number, base, n), bases[base - 1]);
    free(f->map.has);
}

TEST(layouts_match_the_manual)
{
    static const int blocks[] = { 10, 9, 1, 2 };
    for (size_t b = 0; b < COUNT(blocks); b++)
        for (size_t i = 0; i < datatype_count(); i++) {
            int number = datatype_get(i)->number;
            bool built = datatype_get(i)->kind != DATATYPE_PREDEFINED;
            struct fixture f;
            init(&f, number == 37 && blocks[b] > 6 ? 6 : blocks[b], 7, 11);
            for (long n = 1; n <= (layout_grows(number) ? 5 : 1) && built; n++)
                check_type(&f, number, n);
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
    struct fixture f;
    init(&f, 10, 7, 11);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct layout l = layout_of(&f.p, rows[i].number, 1, 3);
        assert_int_equal(l.size, rows[i].size);
        assert_int_equal(l.extent, rows[i].extent);
        assert_int_equal(l.true_lb, 0);
        assert_int_equal(l.true_extent, rows[i].extent);
    }
    struct layout cube = layout_of(&f.p, 37, 1, 1); /* 7 of 9 in 10 dimensions */
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
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct basetype_part parts[2] = { rows[i].parts[0], rows[i].parts[1] };
        parts[0].type = named(rows[i].names[0]);
        parts[1].type = named(rows[i].names[1]);
        struct basetype b = { .parts = parts, .count = 2, .triples = 1 };
        struct layout l = layout_of_basetype(&b);
        assert_int_equal(l.size, rows[i].expected.size);
        assert_int_equal(l.extent, rows[i].expected.extent);
        assert_int_equal(l.true_lb, rows[i].expected.true_lb);
        assert_int_equal(l.true_extent, rows[i].expected.true_extent);
    }
}

TEST(huge_layouts_are_limited)
{
    struct fixture f;
    init(&f, 1000000, 999999, 1000000);
    for (size_t i = 0; i < datatype_count(); i++) {
        struct layout l = layout_of(&f.p, datatype_get(i)->number, 2, LLONG_MAX / 2);
        assert_in_range(l.size, 1, MAX_LAYOUT);
        assert_in_range(l.extent, 1, MAX_LAYOUT);
        assert_in_range(l.true_lb, 0, MAX_LAYOUT);
        assert_in_range(l.true_extent, 1, MAX_LAYOUT);
    }
    assert_int_equal(layout_of(&f.p, 37, 1, 1).extent, MAX_LAYOUT);
    assert_int_equal(layout_of(&f.p, 58, 1, LLONG_MAX / 2).size, MAX_LAYOUT);
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
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct fixture f;
        init(&f, rows[i].blocks, rows[i].blocksize, 11);
        assert_int_equal(layout_is_possible(&f.p, rows[i].number), rows[i].possible);
        if (!rows[i].possible)
            assert_non_null(layout_demand(rows[i].number));
    }
    assert_null(layout_demand(5));
    assert_null(layout_demand(31));
}

TEST(derived_types_are_built)
{
    struct fixture f;
    init(&f, 10, 7, 11);
    assert_false(layout_is_derived(&f.p, 5, 2));
    assert_false(layout_is_derived(&f.p, 20, 1));
    assert_true(layout_is_derived(&f.p, 20, 2));
    assert_true(layout_is_derived(&f.p, 30, 1));
    assert_int_equal(layout_most(&f.p), INT_MAX / 110);
    for (int number = 1; number <= 70; number++)
        assert_int_equal(layout_grows(number), number >= 50 && number <= 58);
}
