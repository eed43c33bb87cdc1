#include "model/layouts.h"

#include "model/parameters.h"

/* The numbers that constructors take, as bits of products: N is the message's own, of the types
 * that hold a whole message. */
enum { BLOCKS = 1, BLOCKSIZE = 2, STRIDE = 4, N = 8, ONE = 16, NUMBERS = 4 };

/* A type is a number of vectors (outer), with space for another one between two. All but the last
 * are products of numbers. */
struct layout_row {
    int number;
    unsigned outer;
    unsigned count, block; /* blocks of a vector, elements of a block */
    unsigned stride;       /* from one block to the next; 0: the block and a gap */
    unsigned gap;
    unsigned needs; /* a product that must be at least this */
    int least;
    const char *demand; /* the condition in words; NULL: always met */
};

/* Places in units of the basetype's extent: the number of elements, the first place, the place
 * after the last, and where the next copy of the type begins. */
struct shape {
    long long elements, first, end, span;
};

static long long times(long long a, long long b)
{
    if (a == 0 || b == 0)
        return 0;
    return a > MAX_LAYOUT / b ? MAX_LAYOUT : a * b;
}

static long long plus(long long a, long long b)
{
    return a > MAX_LAYOUT - b ? MAX_LAYOUT : a + b;
}

#define BLOCKS_OF_TWO BLOCKSIZE, 2, "'@BLOCKSIZE' of at least 2"

/* Types with blocks of two lengths have the same places as those with blocks of one: the shorter
 * ones lack one element each, the last one is longer by the missing elements. The blocks of 70 are
 * one element of a vector, one of an indexed type, and the struct's. 37 is a subarray. */
static const struct layout_row rows[] = {
    { 30, ONE, ONE, BLOCKS | BLOCKSIZE, 0, ONE, 0, 0, NULL },
    { 31, ONE, BLOCKS, BLOCKSIZE, STRIDE, 0, 0, 0, NULL },
    { 32, ONE, BLOCKS, BLOCKSIZE, STRIDE, 0, 0, 0, NULL },
    { 33, ONE, BLOCKS, BLOCKSIZE, 0, ONE, BLOCKS_OF_TWO },
    { 34, ONE, BLOCKS, BLOCKSIZE, 0, ONE, 0, 0, NULL },
    { 35, ONE, BLOCKS, BLOCKSIZE, 0, ONE, BLOCKS_OF_TWO },
    { 36, ONE, BLOCKS, BLOCKSIZE, 0, ONE, BLOCKS_OF_TWO },
    { 37, 0, 0, 0, 0, 0, 0, 0, NULL },
    { 50, ONE, BLOCKS, N | BLOCKSIZE, N | STRIDE, 0, 0, 0, NULL },
    { 51, ONE, N, BLOCKS | BLOCKSIZE, BLOCKS | STRIDE, 0, 0, 0, NULL },
    { 52, ONE, N | BLOCKS, BLOCKSIZE, STRIDE, 0, 0, 0, NULL },
    { 53, ONE, N | BLOCKS, BLOCKSIZE, 0, ONE, BLOCKS_OF_TWO },
    { 54, ONE, N, BLOCKS | BLOCKSIZE, 0, ONE, BLOCKS | BLOCKSIZE, 2,
      "two elements of its basetype" },
    { 55, ONE, BLOCKS, N | BLOCKSIZE, 0, ONE, BLOCKS_OF_TWO },
    { 56, BLOCKS, BLOCKSIZE, N, 0, STRIDE, 0, 0, NULL },
    { 57, BLOCKS, N, BLOCKSIZE, STRIDE, 0, 0, 0, NULL },
    { 58, N, BLOCKS, BLOCKSIZE, STRIDE, 0, 0, 0, NULL },
    { 61, BLOCKS, BLOCKSIZE, ONE, 0, ONE, 0, 0, NULL },
    { 62, BLOCKS, BLOCKSIZE, ONE, 0, ONE, 0, 0, NULL },
    { 63, BLOCKS, BLOCKSIZE, ONE, 0, ONE, 0, 0, NULL },
    { 64, BLOCKS, BLOCKSIZE, ONE, 0, ONE, 0, 0, NULL },
    { 70, ONE, ONE, BLOCKS | BLOCKSIZE, 0, ONE, BLOCKSIZE, 3, "'@BLOCKSIZE' of at least 3" },
};

static long long product(unsigned factors, const struct params *p, long long n)
{
    const long long numbers[NUMBERS] = { p->blocks, p->blocksize, p->vectorstride, n };
    long long result = 1;
    for (int i = 0; i < NUMBERS; i++)
        result = (factors & 1u << i) != 0 ? times(result, numbers[i]) : result;
    return result;
}

/* The middle of an array that is larger by SUBARRAY_OFFSET on each side, in every dimension.
 * ones: the place of the element with index 1 in all dimensions. */
static struct shape subarray(const struct params *p)
{
    long long whole = 1, part = 1, ones = 0;
    for (long long i = 0; i < p->blocks && whole < MAX_LAYOUT; i++) {
        ones = plus(ones, whole);
        whole = times(whole, p->blocksize + 2 * SUBARRAY_OFFSET);
        part = times(part, p->blocksize);
    }
    long long last = times(SUBARRAY_OFFSET + p->blocksize - 1, ones);
    return (struct shape){ part, times(SUBARRAY_OFFSET, ones), plus(last, 1), whole };
}

static struct vectors vectors_of(const struct layout_row *row, const struct params *p, long long n)
{
    long long block = product(row->block, p, n);
    return (struct vectors){ product(row->outer, p, n), product(row->count, p, n), block,
                             row->stride != 0 ? product(row->stride, p, n)
                                              : plus(block, product(row->gap, p, n)) };
}

static struct shape shape_of(const struct layout_row *row, const struct params *p, long long n)
{
    const struct vectors v = vectors_of(row, p, n);
    if (row->outer == 0)
        return subarray(p);
    long long span = plus(times(v.count - 1, v.stride), v.block),
              end = times(2 * v.outer - 1, span);
    return (struct shape){ times(v.outer, times(v.count, v.block)), 0, end, end };
}

static const struct layout_row *row_find(int number)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (rows[i].number == number)
            return &rows[i];
    return NULL;
}

struct vectors layout_vectors(const struct params *p, int datatype, long long n)
{
    const struct layout_row *row = row_find(datatype);
    struct vectors none = { 0 };
    return row == NULL ? none : vectors_of(row, p, n);
}

static struct layout layout_of_predefined(const struct predefined *type)
{
    long long extent = (long long)type->extent;
    return (struct layout){ (long long)type->size, extent, 0, extent };
}

struct layout layout_of_basetype(const struct basetype *b)
{
    struct layout l = { 0, 0, MAX_LAYOUT, 0 };
    long long end = 0, alignment = 1;
    if (b->parts == NULL)
        return (struct layout){ 1, 1, 0, 1 };
    if (!b->triples)
        return layout_of_predefined(b->parts[0].type);
    for (size_t i = 0; i < b->count; i++) {
        const struct basetype_part *part = &b->parts[i];
        long long extent = (long long)part->type->extent;
        long long part_end = (part->offset + part->count) * extent;
        l.size += part->count * (long long)part->type->size;
        l.true_lb = part->offset * extent < l.true_lb ? part->offset * extent : l.true_lb;
        end = part_end > end ? part_end : end;
        if ((long long)part->type->alignment > alignment)
            alignment = (long long)part->type->alignment;
    }
    l.true_extent = end - l.true_lb;
    l.extent = (end + alignment - 1) / alignment * alignment;
    return l;
}

struct layout layout_of(const struct params *p, int datatype, int basetype, long long n)
{
    static const struct basetype undefined = { 0 };
    const struct datatype_info *info = datatype_find(datatype);
    if (info != NULL && info->kind == DATATYPE_PREDEFINED)
        return layout_of_predefined(info->predefined);
    bool known = info != NULL && basetype >= 1 && basetype <= BASETYPE_MAX;
    struct layout base = layout_of_basetype(known ? &p->basetypes[basetype] : &undefined);
    const struct layout_row *row = row_find(datatype);
    if (row == NULL)
        return base;
    struct shape shape = shape_of(row, p, n);
    long long last = times(shape.end - shape.first - 1, base.extent);
    return (struct layout){ .size = times(shape.elements, base.size),
                            .extent = times(shape.span, base.extent),
                            .true_lb = plus(times(shape.first, base.extent), base.true_lb),
                            .true_extent = plus(last, base.true_extent) };
}

bool layout_grows(int datatype)
{
    const struct layout_row *row = row_find(datatype);
    return row != NULL && ((row->outer | row->count | row->block) & N) != 0;
}

long long layout_most(const struct params *p)
{
    return INT_MAX / times(p->blocks, p->vectorstride);
}

const struct predefined *layout_predefined(const struct params *p, int datatype, int basetype)
{
    const struct datatype_info *info = datatype_find(datatype);
    const struct basetype *b = &p->basetypes[basetype];
    if (info->kind == DATATYPE_PREDEFINED)
        return info->predefined;
    return info->kind == DATATYPE_BASETYPE && b->parts != NULL && !b->triples ? b->parts[0].type
                                                                              : NULL;
}

bool layout_is_derived(const struct params *p, int datatype, int basetype)
{
    const struct datatype_info *info = datatype_find(datatype);
    if (info->kind == DATATYPE_BASETYPE)
        return p->basetypes[basetype].triples != 0;
    return info->kind == DATATYPE_CONSTRUCTOR;
}

const char *layout_demand(int datatype)
{
    const struct layout_row *row = row_find(datatype);
    return row == NULL ? NULL : row->demand;
}

bool layout_is_possible(const struct params *p, int datatype)
{
    const struct layout_row *row = row_find(datatype);
    return row == NULL || product(row->needs, p, 1) >= row->least;
}
