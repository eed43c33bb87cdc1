#include "model/layouts.h"

#include <limits.h>

/* The arguments of a constructor. */
struct layout_numbers {
    long long blocks, blocksize, stride, n;
};

/* Places in units of the basetype's extent: the number of elements, the first place, the place
 * after the last, and where the next copy of the type begins. */
struct shape {
    long long elements, first, end, span;
};

struct layout_row {
    int number;
    bool grows; /* with the message, by n */
    struct shape (*shape)(const struct layout_numbers *k);
    bool (*is_possible)(const struct layout_numbers *k); /* NULL: always */
    const char *demand;
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

/* From the first element on. */
static struct shape shape_from_0(long long elements, long long end)
{
    return (struct shape){ elements, 0, end, end };
}

/* MPI_Type_vector of basetypes. */
static struct shape vector(long long count, long long block, long long stride)
{
    return shape_from_0(times(count, block), plus(times(count - 1, stride), block));
}

/* count copies of a shape, with space for another one between them. */
static struct shape every_second(long long count, struct shape inner)
{
    return shape_from_0(times(count, inner.elements), times(2 * count - 1, inner.span));
}

/* Blocks with a gap of one element between them. The shorter ones lack one element each; the last
 * one is longer by the missing elements. */
static struct shape two_lengths(long long count, long long block)
{
    return shape_from_0(times(count, block), plus(times(count, block), count - 1));
}

static struct shape contiguous(const struct layout_numbers *k)
{
    return vector(1, times(k->blocks, k->blocksize), 0);
}

static struct shape vector_of_blocks(const struct layout_numbers *k)
{
    return vector(k->blocks, k->blocksize, k->stride);
}

static struct shape blocks_of_two_lengths(const struct layout_numbers *k)
{
    return two_lengths(k->blocks, k->blocksize);
}

static struct shape blocks_of_one_length(const struct layout_numbers *k)
{
    return vector(k->blocks, k->blocksize, k->blocksize + 1);
}

/* The middle of an array that is larger by SUBARRAY_OFFSET on each side, in every dimension.
 * ones: the place of the element with index 1 in all dimensions. */
static struct shape subarray(const struct layout_numbers *k)
{
    long long whole = 1, part = 1, ones = 0;
    for (long long i = 0; i < k->blocks && whole < MAX_LAYOUT; i++) {
        ones = plus(ones, whole);
        whole = times(whole, k->blocksize + 2 * SUBARRAY_OFFSET);
        part = times(part, k->blocksize);
    }
    long long last = times(SUBARRAY_OFFSET + k->blocksize - 1, ones);
    return (struct shape){ part, times(SUBARRAY_OFFSET, ones), plus(last, 1), whole };
}

static struct shape vector_of_growing_blocks(const struct layout_numbers *k)
{
    return vector(k->blocks, times(k->n, k->blocksize), times(k->n, k->stride));
}

static struct shape growing_vector_of_large(const struct layout_numbers *k)
{
    return vector(k->n, times(k->blocks, k->blocksize), times(k->blocks, k->stride));
}

static struct shape growing_vector_of_small(const struct layout_numbers *k)
{
    return vector(times(k->n, k->blocks), k->blocksize, k->stride);
}

static struct shape growing_struct_of_small(const struct layout_numbers *k)
{
    return two_lengths(times(k->n, k->blocks), k->blocksize);
}

static struct shape growing_struct_of_large(const struct layout_numbers *k)
{
    return two_lengths(k->n, times(k->blocks, k->blocksize));
}

static struct shape struct_of_growing_blocks(const struct layout_numbers *k)
{
    return two_lengths(k->blocks, times(k->n, k->blocksize));
}

static struct shape vectors_of_growing_blocks(const struct layout_numbers *k)
{
    return every_second(k->blocks, vector(k->blocksize, k->n, plus(k->n, k->stride)));
}

static struct shape vectors_with_more_blocks(const struct layout_numbers *k)
{
    return every_second(k->blocks, vector(k->n, k->blocksize, k->stride));
}

static struct shape more_vectors(const struct layout_numbers *k)
{
    return every_second(k->n, vector_of_blocks(k));
}

static struct shape nested_singles(const struct layout_numbers *k)
{
    return every_second(k->blocks, vector(k->blocksize, 1, 2));
}

/* Blocks of @BLOCKSIZE: one element of the vector, one of the indexed type, and the struct's. */
static struct shape interleaved(const struct layout_numbers *k)
{
    long long elements = times(k->blocks, k->blocksize);
    return shape_from_0(elements, elements);
}

static bool has_blocks_of_two(const struct layout_numbers *k)
{
    return k->blocksize >= 2;
}

static bool has_blocks_of_three(const struct layout_numbers *k)
{
    return k->blocksize >= 3;
}

static bool has_two_elements(const struct layout_numbers *k)
{
    return times(k->blocks, k->blocksize) >= 2;
}

#define BLOCKS_OF_TWO has_blocks_of_two, "'@BLOCKSIZE' of at least 2"

/* clang-format off */
static const struct layout_row rows[] = {
    { 30, false, contiguous, NULL, NULL },
    { 31, false, vector_of_blocks, NULL, NULL },
    { 32, false, vector_of_blocks, NULL, NULL },
    { 33, false, blocks_of_two_lengths, BLOCKS_OF_TWO },
    { 34, false, blocks_of_one_length, NULL, NULL },
    { 35, false, blocks_of_two_lengths, BLOCKS_OF_TWO },
    { 36, false, blocks_of_two_lengths, BLOCKS_OF_TWO },
    { 37, false, subarray, NULL, NULL },
    { 50, true, vector_of_growing_blocks, NULL, NULL },
    { 51, true, growing_vector_of_large, NULL, NULL },
    { 52, true, growing_vector_of_small, NULL, NULL },
    { 53, true, growing_struct_of_small, BLOCKS_OF_TWO },
    { 54, true, growing_struct_of_large, has_two_elements,
      "two elements of its basetype" },
    { 55, true, struct_of_growing_blocks, BLOCKS_OF_TWO },
    { 56, true, vectors_of_growing_blocks, NULL, NULL },
    { 57, true, vectors_with_more_blocks, NULL, NULL },
    { 58, true, more_vectors, NULL, NULL },
    { 61, false, nested_singles, NULL, NULL },
    { 62, false, nested_singles, NULL, NULL },
    { 63, false, nested_singles, NULL, NULL },
    { 64, false, nested_singles, NULL, NULL },
    { 70, false, interleaved, has_blocks_of_three, "'@BLOCKSIZE' of at least 3" },
};
/* clang-format on */

static const struct layout_row *row_find(int number)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (rows[i].number == number)
            return &rows[i];
    return NULL;
}

static struct layout_numbers numbers_of(const struct params *p, long long n)
{
    return (struct layout_numbers){ p->blocks, p->blocksize, p->vectorstride, n };
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
    struct layout_numbers numbers = numbers_of(p, n);
    struct shape shape = row->shape(&numbers);
    long long last = times(shape.end - shape.first - 1, base.extent);
    return (struct layout){ .size = times(shape.elements, base.size),
                            .extent = times(shape.span, base.extent),
                            .true_lb = plus(times(shape.first, base.extent), base.true_lb),
                            .true_extent = plus(last, base.true_extent) };
}

bool layout_grows(int datatype)
{
    const struct layout_row *row = row_find(datatype);
    return row != NULL && row->grows;
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
    struct layout_numbers numbers = numbers_of(p, 1);
    return row == NULL || row->is_possible == NULL || row->is_possible(&numbers);
}
