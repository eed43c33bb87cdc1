#include "context/derived.h"

#include "model/layouts.h"

MPI_Datatype datatype_mpi(const struct predefined *type)
{
    static const struct {
        const char *name;
        MPI_Datatype type;
    } types[] = {
#define BASETYPE(number, constant, in_bytes, kind) { #constant, constant },
#include "model/basetypes.def"
#undef BASETYPE
    };
    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
        if (strcmp(types[i].name, type->name) == 0)
            return types[i].type;
    return MPI_DATATYPE_NULL;
}

/* The arguments of a constructor, by the names of the manual. */
struct constructor_numbers {
    int blocks, blocksize, stride, n;
};

static struct constructor_numbers numbers_of(const struct recipe *k)
{
    const struct params *p = k->params;
    return (struct constructor_numbers){ p->blocks, p->blocksize, p->vectorstride, (int)k->key.n };
}

/* Every second of count pieces of the inner type, which is freed. */
static void every_second(int count, MPI_Datatype inner, MPI_Datatype *d)
{
    MPI_Type_vector(count, 1, 2, inner, d);
    MPI_Type_free(&inner);
}

static void contiguous(const struct recipe *k, MPI_Datatype *d)
{
    struct constructor_numbers n = numbers_of(k);
    MPI_Type_contiguous(n.blocks * n.blocksize, k->base, d);
}

static void vector(const struct recipe *k, MPI_Datatype *d)
{
    struct constructor_numbers n = numbers_of(k);
    MPI_Type_vector(n.blocks, n.blocksize, n.stride, k->base, d);
}

static void hvector(const struct recipe *k, MPI_Datatype *d)
{
    struct constructor_numbers n = numbers_of(k);
    MPI_Type_create_hvector(n.blocks, n.blocksize, n.stride * k->extent, k->base, d);
}

static size_t room_blocks(const struct recipe *k)
{
    return (size_t)k->params->blocks;
}

static size_t room_n(const struct recipe *k)
{
    return (size_t)k->key.n;
}

static size_t room_n_blocks(const struct recipe *k)
{
    return (size_t)k->key.n * (size_t)k->params->blocks;
}

static size_t room_larger(const struct recipe *k)
{
    const struct params *p = k->params;
    return (size_t)(p->blocks > p->blocksize ? p->blocks : p->blocksize);
}

/* Every second block is shorter by 1; the last one makes up for it. */
static void two_lengths(struct recipe *k, size_t count, int block)
{
    int place = 0;
    for (size_t i = 0; i < count; i++) {
        k->lengths[i] = block - (int)(i % 2);
        k->places[i] = place;
        k->offsets[i] = place * k->extent;
        k->types[i] = k->base;
        place += k->lengths[i] + 1;
    }
    k->lengths[count - 1] += (int)(count / 2);
}

static void fill_blocks(struct recipe *k, size_t room)
{
    two_lengths(k, room, k->params->blocksize);
}

static void fill_large(struct recipe *k, size_t room)
{
    two_lengths(k, room, k->params->blocks * k->params->blocksize);
}

static void fill_growing(struct recipe *k, size_t room)
{
    two_lengths(k, room, (int)k->key.n * k->params->blocksize);
}

static void indexed(const struct recipe *k, MPI_Datatype *d)
{
    MPI_Type_indexed(k->params->blocks, k->lengths, k->places, k->base, d);
}

static void hindexed(const struct recipe *k, MPI_Datatype *d)
{
    MPI_Type_create_hindexed(k->params->blocks, k->lengths, k->offsets, k->base, d);
}

static void struct_of_blocks(const struct recipe *k, MPI_Datatype *d)
{
    MPI_Type_create_struct(k->params->blocks, k->lengths, k->offsets, k->types, d);
}

static void struct_of_n(const struct recipe *k, MPI_Datatype *d)
{
    MPI_Type_create_struct((int)k->key.n, k->lengths, k->offsets, k->types, d);
}

static void struct_of_n_blocks(const struct recipe *k, MPI_Datatype *d)
{
    struct constructor_numbers n = numbers_of(k);
    MPI_Type_create_struct(n.n * n.blocks, k->lengths, k->offsets, k->types, d);
}

static void fill_places(struct recipe *k, size_t room)
{
    for (size_t i = 0; i < room; i++)
        k->places[i] = (int)i * (k->params->blocksize + 1);
}

static void indexed_block(const struct recipe *k, MPI_Datatype *d)
{
    struct constructor_numbers n = numbers_of(k);
    MPI_Type_create_indexed_block(n.blocks, n.blocksize, k->places, k->base, d);
}

static void fill_dimensions(struct recipe *k, size_t room)
{
    for (size_t i = 0; i < room; i++) {
        k->sizes[i] = k->params->blocksize + 2 * SUBARRAY_OFFSET;
        k->lengths[i] = k->params->blocksize;
        k->places[i] = SUBARRAY_OFFSET;
    }
}

static void subarray(const struct recipe *k, MPI_Datatype *d)
{
    MPI_Type_create_subarray(k->params->blocks, k->sizes, k->lengths, k->places, MPI_ORDER_C,
                             k->base, d);
}

static void vector_of_growing(const struct recipe *k, MPI_Datatype *d)
{
    struct constructor_numbers n = numbers_of(k);
    MPI_Type_vector(n.blocks, n.n * n.blocksize, n.n * n.stride, k->base, d);
}

static void growing_vector_of_large(const struct recipe *k, MPI_Datatype *d)
{
    struct constructor_numbers n = numbers_of(k);
    MPI_Type_vector(n.n, n.blocks * n.blocksize, n.blocks * n.stride, k->base, d);
}

static void growing_vector_of_small(const struct recipe *k, MPI_Datatype *d)
{
    struct constructor_numbers n = numbers_of(k);
    MPI_Type_vector(n.n * n.blocks, n.blocksize, n.stride, k->base, d);
}

static void vectors_of_growing(const struct recipe *k, MPI_Datatype *d)
{
    struct constructor_numbers n = numbers_of(k);
    MPI_Datatype inner;
    MPI_Type_vector(n.blocksize, n.n, n.n + n.stride, k->base, &inner);
    every_second(n.blocks, inner, d);
}

static void vectors_with_more(const struct recipe *k, MPI_Datatype *d)
{
    struct constructor_numbers n = numbers_of(k);
    MPI_Datatype inner;
    MPI_Type_vector(n.n, n.blocksize, n.stride, k->base, &inner);
    every_second(n.blocks, inner, d);
}

static void more_vectors(const struct recipe *k, MPI_Datatype *d)
{
    MPI_Datatype inner;
    vector(k, &inner);
    every_second((int)k->key.n, inner, d);
}

static void vectors_of_singles(const struct recipe *k, MPI_Datatype *d)
{
    MPI_Datatype inner;
    MPI_Type_vector(k->params->blocksize, 1, 2, k->base, &inner);
    every_second(k->params->blocks, inner, d);
}

static void fill_singles(struct recipe *k, size_t room)
{
    for (size_t i = 0; i < room; i++) {
        k->lengths[i] = 1;
        k->places[i] = 2 * (int)i;
    }
}

static void vector_of_indexed(const struct recipe *k, MPI_Datatype *d)
{
    MPI_Datatype inner;
    MPI_Type_indexed(k->params->blocksize, k->lengths, k->places, k->base, &inner);
    every_second(k->params->blocks, inner, d);
}

static void indexed_vectors(const struct recipe *k, MPI_Datatype *d)
{
    MPI_Datatype inner;
    MPI_Type_vector(k->params->blocksize, 1, 2, k->base, &inner);
    MPI_Type_indexed(k->params->blocks, k->lengths, k->places, inner, d);
    MPI_Type_free(&inner);
}

static void indexed_of_indexed(const struct recipe *k, MPI_Datatype *d)
{
    MPI_Datatype inner;
    MPI_Type_indexed(k->params->blocksize, k->lengths, k->places, k->base, &inner);
    MPI_Type_indexed(k->params->blocks, k->lengths, k->places, inner, d);
    MPI_Type_free(&inner);
}

/* lengths: of the struct's blocks; sizes: of the indexed type's, 1 each. */
static void fill_interleaved(struct recipe *k, size_t room)
{
    for (size_t i = 0; i < room; i++) {
        k->sizes[i] = 1;
        k->places[i] = (int)i * k->params->blocksize;
        k->lengths[i] = k->params->blocksize - 2;
        k->offsets[i] = k->places[i] * k->extent;
        k->types[i] = k->base;
    }
}

static void interleaved(const struct recipe *k, MPI_Datatype *d)
{
    struct constructor_numbers n = numbers_of(k);
    int one[3] = { 1, 1, 1 };
    MPI_Aint offsets[3] = { 0, k->extent, 2 * k->extent };
    MPI_Datatype parts[3];
    MPI_Type_vector(n.blocks, 1, n.blocksize, k->base, &parts[0]);
    MPI_Type_indexed(n.blocks, k->sizes, k->places, k->base, &parts[1]);
    MPI_Type_create_struct(n.blocks, k->lengths, k->offsets, k->types, &parts[2]);
    MPI_Type_create_struct(3, one, offsets, parts, d);
    for (int i = 0; i < 3; i++)
        MPI_Type_free(&parts[i]);
}

const struct basetype *recipe_basetype(const struct recipe *k)
{
    return &k->params->basetypes[k->key.basetype];
}

static size_t room_parts(const struct recipe *k)
{
    return recipe_basetype(k)->count;
}

static void fill_parts(struct recipe *k, size_t room)
{
    for (size_t i = 0; i < room; i++) {
        const struct basetype_part *part = &recipe_basetype(k)->parts[i];
        k->lengths[i] = (int)part->count;
        k->offsets[i] = (MPI_Aint)part->offset * (MPI_Aint)part->type->extent;
        k->types[i] = datatype_mpi(part->type);
    }
}

/* The bounds are set explicitly, since libraries need not agree on the padding. */
static void basetype(const struct recipe *k, MPI_Datatype *d)
{
    MPI_Datatype bare;
    MPI_Type_create_struct((int)recipe_basetype(k)->count, k->lengths, k->offsets, k->types, &bare);
    MPI_Type_create_resized(bare, 0, (MPI_Aint)layout_of_basetype(recipe_basetype(k)).extent, d);
    MPI_Type_free(&bare);
}

/* clang-format off */
static const struct constructor rows[] = {
    { 20, room_parts, fill_parts, basetype },
    { 30, NULL, NULL, contiguous },
    { 31, NULL, NULL, vector },
    { 32, NULL, NULL, hvector },
    { 33, room_blocks, fill_blocks, indexed },
    { 34, room_blocks, fill_places, indexed_block },
    { 35, room_blocks, fill_blocks, hindexed },
    { 36, room_blocks, fill_blocks, struct_of_blocks },
    { 37, room_blocks, fill_dimensions, subarray },
    { 50, NULL, NULL, vector_of_growing },
    { 51, NULL, NULL, growing_vector_of_large },
    { 52, NULL, NULL, growing_vector_of_small },
    { 53, room_n_blocks, fill_blocks, struct_of_n_blocks },
    { 54, room_n, fill_large, struct_of_n },
    { 55, room_blocks, fill_growing, struct_of_blocks },
    { 56, NULL, NULL, vectors_of_growing },
    { 57, NULL, NULL, vectors_with_more },
    { 58, NULL, NULL, more_vectors },
    { 61, NULL, NULL, vectors_of_singles },
    { 62, room_larger, fill_singles, vector_of_indexed },
    { 63, room_larger, fill_singles, indexed_vectors },
    { 64, room_larger, fill_singles, indexed_of_indexed },
    { 70, room_blocks, fill_interleaved, interleaved },
};
/* clang-format on */

const struct constructor *constructor_find(int number)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (rows[i].number == number)
            return &rows[i];
    return NULL;
}
