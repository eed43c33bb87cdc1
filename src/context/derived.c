#include "context/derived.h"

static int arrays_take(struct recipe *k, size_t room, struct err *e)
{
    size_t bytes = room * (sizeof(*k->offsets) + sizeof(*k->types) + 3 * sizeof(int));
    k->offsets = malloc(bytes);
    if (k->offsets == NULL)
        return err_no_memory(e, bytes);
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
    struct recipe own;
    k->extent = (MPI_Aint)layout_of_basetype(b).extent;
    if (!b->triples) {
        k->base = datatype_mpi(b->parts[0].type);
        return 0;
    }
    int rc = recipe_init(&own, k->params, &key, e);
    if (rc == 0)
        k->base = recipe_make(&own);
    k->owns_base = rc == 0;
    recipe_release(&own);
    return rc;
}

int recipe_init(struct recipe *k, const struct params *p, const struct derived_key *key,
                struct err *e)
{
    const struct constructor *row = constructor_find(key->datatype);
    *k = (struct recipe){ .params = p, .key = *key, .v = layout_vectors(p, key->datatype, key->n) };
    if (key->datatype != BASETYPE_ITSELF && base_take(k, e) != 0)
        return -1;
    if (row->room == NULL)
        return 0;
    if (arrays_take(k, row->room(k), e) != 0)
        return -1;
    row->fill(k, row->room(k));
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
    MPI_Datatype type;
    constructor_find(k->key.datatype)->create(k, &type);
    MPI_Type_commit(&type);
    return type;
}

static bool is_same(const struct derived_key *a, const struct derived_key *b)
{
    return a->datatype == b->datatype && a->basetype == b->basetype && a->n == b->n;
}

int derived_take(struct derived *d, const struct params *p, const struct derived_key *key,
                 struct err *e)
{
    struct recipe k;
    if (d->made && is_same(&d->key, key))
        return 0;
    derived_release(d);
    int rc = recipe_init(&k, p, key, e);
    if (rc == 0)
        *d = (struct derived){ true, *key, recipe_make(&k) };
    recipe_release(&k);
    return rc;
}

void derived_release(struct derived *d)
{
    if (d->made)
        MPI_Type_free(&d->type);
    d->made = false;
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
