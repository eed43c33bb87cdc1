#include "context/derived.h"

#include "model/parameters.h"

enum { BASETYPE_ITSELF = 20 }; /* a basetype of triples */

/* Which MPI functions build a derived datatype, and with which arguments. */
struct constructor {
    int number; /* the datatypes from this one on, up to the next row's, are built alike */
    void (*fill)(struct recipe *k); /* fills the arrays; NULL: none */
    void (*create)(const struct recipe *k, MPI_Datatype *d);
    /* Makes the type from the one that create made, which is freed; NULL: create made the type. */
    void (*of)(const struct recipe *k, MPI_Datatype inner, MPI_Datatype *d);
};

MPI_Datatype datatype_mpi(const struct predefined *type)
{
    static const struct {
        const char *name;
        MPI_Datatype type;
    } types[] = {
#define BASETYPE(number, constant, in_bytes, kind) { #constant, constant },
#include "model/basetypes.def"
    };
    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
        if (strcmp(types[i].name, type->name) == 0)
            return types[i].type;
    return MPI_DATATYPE_NULL;
}

/* Defines how a type is created, by one call. */
#define CREATES(function, ...)                                                                     \
    static void function(const struct recipe *k, MPI_Datatype *d)                                  \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }

static void every_second(const struct recipe *k, MPI_Datatype inner, MPI_Datatype *d)
{
    MPI_Type_vector((int)k->v.outer, 1, 2, inner, d);
}

CREATES(vector, MPI_Type_vector((int)k->v.count, (int)k->v.block, (int)k->v.stride, k->base, d))
CREATES(contiguous, MPI_Type_contiguous((int)k->v.block, k->base, d))
CREATES(hvector, MPI_Type_create_hvector((int)k->v.count, (int)k->v.block,
                                         (MPI_Aint)k->v.stride * k->extent, k->base, d))

/* Shortens every second block by 1; the last one makes up for it. */
static void fill_two_lengths(struct recipe *k)
{
    int place = 0;
    for (long i = 0; i < k->v.count; i++) {
        k->lengths[i] = (int)k->v.block - (int)(i % 2);
        k->places[i] = place;
        k->offsets[i] = place * k->extent;
        k->types[i] = k->base;
        place += k->lengths[i] + 1;
    }
    k->lengths[k->v.count - 1] += (int)(k->v.count / 2);
}

CREATES(indexed, MPI_Type_indexed((int)k->v.count, k->lengths, k->places, k->base, d))
CREATES(hindexed, MPI_Type_create_hindexed((int)k->v.count, k->lengths, k->offsets, k->base, d))
CREATES(struct_of_blocks,
        MPI_Type_create_struct((int)k->v.count, k->lengths, k->offsets, k->types, d))

static void fill_places(struct recipe *k)
{
    for (long i = 0; i < k->v.count || i < k->v.outer; i++) {
        k->lengths[i] = (int)k->v.block;
        k->places[i] = (int)i * (int)k->v.stride;
    }
}

CREATES(indexed_block,
        MPI_Type_create_indexed_block((int)k->v.count, (int)k->v.block, k->places, k->base, d))

static void indexed_of(const struct recipe *k, MPI_Datatype inner, MPI_Datatype *d)
{
    MPI_Type_indexed((int)k->v.outer, k->lengths, k->places, inner, d);
}

static void fill_dimensions(struct recipe *k)
{
    for (int i = 0; i < k->params->blocks; i++) {
        k->sizes[i] = k->params->blocksize + 2 * SUBARRAY_OFFSET;
        k->lengths[i] = k->params->blocksize;
        k->places[i] = SUBARRAY_OFFSET;
    }
}

CREATES(subarray, MPI_Type_create_subarray(k->params->blocks, k->sizes, k->lengths, k->places,
                                           MPI_ORDER_C, k->base, d))

/* lengths: of the struct's blocks; sizes: of the indexed type's, 1 each. */
static void fill_interleaved(struct recipe *k)
{
    for (int i = 0; i < k->params->blocks; i++) {
        k->sizes[i] = 1;
        k->places[i] = i * k->params->blocksize;
        k->lengths[i] = k->params->blocksize - 2;
        k->offsets[i] = k->places[i] * k->extent;
        k->types[i] = k->base;
    }
}

static void interleaved(const struct recipe *k, MPI_Datatype *d)
{
    int blocks = k->params->blocks, one[3] = { 1, 1, 1 };
    MPI_Aint offsets[3] = { 0, k->extent, 2 * k->extent };
    MPI_Datatype parts[3];
    MPI_Type_vector(blocks, 1, k->params->blocksize, k->base, &parts[0]);
    MPI_Type_indexed(blocks, k->sizes, k->places, k->base, &parts[1]);
    MPI_Type_create_struct(blocks, k->lengths, k->offsets, k->types, &parts[2]);
    MPI_Type_create_struct(3, one, offsets, parts, d);
    for (int i = 0; i < 3; i++)
        MPI_Type_free(&parts[i]);
}

static const struct basetype *recipe_basetype(const struct recipe *k)
{
    return &k->params->basetypes[k->key.basetype];
}

static void fill_parts(struct recipe *k)
{
    for (size_t i = 0; i < recipe_basetype(k)->count; i++) {
        const struct basetype_part *part = &recipe_basetype(k)->parts[i];
        k->lengths[i] = (int)part->count;
        k->offsets[i] = (MPI_Aint)part->offset * (MPI_Aint)part->type->extent;
        k->types[i] = datatype_mpi(part->type);
    }
}

/* Sets the bounds explicitly, since libraries need not agree on the padding. */
static void basetype(const struct recipe *k, MPI_Datatype *d)
{
    MPI_Datatype bare;
    MPI_Type_create_struct((int)recipe_basetype(k)->count, k->lengths, k->offsets, k->types, &bare);
    MPI_Type_create_resized(bare, 0, (MPI_Aint)layout_of_basetype(recipe_basetype(k)).extent, d);
    MPI_Type_free(&bare);
}

/* clang-format off */
static const struct constructor rows[] = {
    { 20, fill_parts, basetype, NULL },
    { 30, NULL, contiguous, NULL },
    { 31, NULL, vector, NULL },
    { 32, NULL, hvector, NULL },
    { 33, fill_two_lengths, indexed, NULL },
    { 34, fill_places, indexed_block, NULL },
    { 35, fill_two_lengths, hindexed, NULL },
    { 36, fill_two_lengths, struct_of_blocks, NULL },
    { 37, fill_dimensions, subarray, NULL },
    { 50, NULL, vector, NULL },
    { 53, fill_two_lengths, struct_of_blocks, NULL },
    { 56, NULL, vector, every_second },
    { 62, fill_places, indexed, every_second },
    { 63, fill_places, vector, indexed_of },
    { 64, fill_places, indexed, indexed_of },
    { 70, fill_interleaved, interleaved, NULL },
};
/* clang-format on */

static const struct constructor *constructor_find(int number)
{
    size_t i = sizeof(rows) / sizeof(*rows) - 1;
    while (i > 0 && rows[i].number > number)
        i--;
    return &rows[i];
}

/* Each array has room for vectors, blocks and parts together, so that every constructor fits. */
static int arrays_take(struct recipe *k, struct err *e)
{
    size_t room = (size_t)(k->v.outer + k->v.count + k->params->blocks) + recipe_basetype(k)->count;
    size_t bytes = room * (sizeof(*k->offsets) + sizeof(*k->types) + 3 * sizeof(int));
    if ((k->offsets = memory_new(bytes, 1, e)) == NULL)
        return -1;
    k->types = (MPI_Datatype *)(k->offsets + room);
    k->lengths = (int *)(k->types + room);
    k->places = k->lengths + room;
    k->sizes = k->places + room;
    return 0;
}

/* A basetype of triples is itself made by a recipe. */
static int base_take(struct recipe *k, struct err *e)
{
    const struct basetype *b = recipe_basetype(k);
    const struct derived_key key = { BASETYPE_ITSELF, k->key.basetype, 1 };
    k->extent = (MPI_Aint)layout_of_basetype(b).extent;
    k->base = b->triples ? datatype_derived(k->params, &key, e) : datatype_mpi(b->parts[0].type);
    k->owns_base = b->triples && k->base != MPI_DATATYPE_NULL;
    return b->triples && !k->owns_base ? -1 : 0;
}

int recipe_init(struct recipe *k, const struct params *p, const struct derived_key *key,
                struct err *e)
{
    const struct constructor *row = constructor_find(key->datatype);
    *k = (struct recipe){ .params = p, .key = *key, .v = layout_vectors(p, key->datatype, key->n) };
    if (key->datatype != BASETYPE_ITSELF && base_take(k, e) != 0)
        return -1;
    if (row->fill == NULL)
        return 0;
    if (arrays_take(k, e) != 0)
        return -1;
    row->fill(k);
    return 0;
}

void recipe_release(struct recipe *k)
{
    if (k->owns_base)
        MPI_Type_free(&k->base);
    free(k->offsets);
    *k = (struct recipe){ 0 };
}

MPI_Datatype recipe_make(const struct recipe *k)
{
    const struct constructor *row = constructor_find(k->key.datatype);
    MPI_Datatype type, inner;
    row->create(k, &type);
    if (row->of != NULL) {
        inner = type;
        row->of(k, inner, &type);
        MPI_Type_free(&inner);
    }
    MPI_Type_commit(&type);
    return type;
}

MPI_Datatype datatype_derived(const struct params *p, const struct derived_key *key, struct err *e)
{
    struct recipe k;
    MPI_Datatype type = recipe_init(&k, p, key, e) == 0 ? recipe_make(&k) : MPI_DATATYPE_NULL;
    recipe_release(&k);
    return type;
}

MPI_Datatype datatype_repeat(MPI_Datatype element, long n)
{
    enum { CHUNK = 1 << 30 };
    MPI_Datatype chunk, parts[2], whole;
    MPI_Aint lb, extent;
    MPI_Type_get_extent(element, &lb, &extent);
    MPI_Type_contiguous(CHUNK, element, &chunk);
    MPI_Type_contiguous((int)(n / CHUNK), chunk, &parts[0]);
    MPI_Type_contiguous((int)(n % CHUNK), element, &parts[1]);
    MPI_Type_create_struct(2, (int[]){ 1, 1 }, (MPI_Aint[]){ 0, n / CHUNK * CHUNK * extent }, parts,
                           &whole);
    MPI_Type_commit(&whole);
    MPI_Type_free(&chunk);
    MPI_Type_free(&parts[0]);
    MPI_Type_free(&parts[1]);
    return whole;
}
