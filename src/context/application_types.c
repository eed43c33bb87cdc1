#include "context/application_types.h"

#include "base/text.h"

void application_recipe_init(struct application_recipe *r, const struct application_message *m)
{
    long longest = 1;
    for (enum application_side side = 0; side < APPLICATION_SIDES; side++)
        for (int i = 0; i < m->count[side]; i++)
            if (m->parts[side][i].runs > longest)
                longest = m->parts[side][i].runs;
    *r = (struct application_recipe){ m, NULL };
    allocated_array(&r->places, (size_t)longest);
}

void application_recipe_release(struct application_recipe *r)
{
    free(r->places);
    *r = (struct application_recipe){ 0 };
}

static MPI_Datatype element_of(const struct application *a)
{
    return a->element_bytes == (int)sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
}

/* Replaces a type with one that was built from it, unless it is predefined. */
static MPI_Datatype replace(const struct application *a, MPI_Datatype old, MPI_Datatype new)
{
    if (old != element_of(a))
        MPI_Type_free(&old);
    return new;
}

/* A box as a vector of the rows, and vectors of such vectors above it. Dimensions of which only one
 * place is sent need no vector if they are below the first one. */
static MPI_Datatype box_as_vectors(const struct application *a, const struct application_part *p)
{
    MPI_Datatype unit = element_of(a), type = MPI_DATATYPE_NULL;
    int row = (int)p->count[0] / a->unit, d = 1;
    if (a->unit > 1)
        MPI_Type_contiguous(a->unit, element_of(a), &unit);
    while (d < p->dims && p->count[d] == 1)
        d++;
    if (d >= p->dims) {
        MPI_Type_contiguous(row, unit, &type);
        return replace(a, unit, type);
    }
    long long unit_bytes = (long long)a->unit * a->element_bytes;
    MPI_Type_vector((int)p->count[d], row, (int)(application_part_stride(a, p, d) / unit_bytes),
                    unit, &type);
    type = replace(a, unit, type);
    for (d++; d < p->dims; d++) {
        MPI_Datatype whole = MPI_DATATYPE_NULL;
        MPI_Type_create_hvector((int)p->count[d], 1, (MPI_Aint)application_part_stride(a, p, d),
                                type, &whole);
        type = replace(a, type, whole);
    }
    return type;
}

/* Describes a box by a subarray; in C's order, the contiguous dimension is the last one. */
static MPI_Datatype box_as_subarray(const struct application *a, const struct application_part *p)
{
    int size[APPLICATION_DIMS], count[APPLICATION_DIMS], from[APPLICATION_DIMS];
    MPI_Datatype type = MPI_DATATYPE_NULL;
    for (int d = 0; d < p->dims; d++) {
        size[p->dims - 1 - d] = (int)p->size[d];
        count[p->dims - 1 - d] = (int)p->count[d];
        from[p->dims - 1 - d] = (int)p->from[d];
    }
    MPI_Type_create_subarray(p->dims, size, count, from, MPI_ORDER_C, element_of(a), &type);
    return type;
}

static MPI_Datatype type_of_part(const struct application_recipe *r,
                                 const struct application_part *p)
{
    const struct application *a = r->message->application;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    if (p->width == 0)
        return a->subarray ? box_as_subarray(a, p) : box_as_vectors(a, p);
    for (long i = 0; i < p->runs; i++)
        r->places[i] = p->width * p->list[i];
    MPI_Type_create_indexed_block((int)p->runs, p->width, r->places, element_of(a), &type);
    return type;
}

/* The start of a part: vectors begin at the first element that is sent, the others at the array. */
static MPI_Aint start_of_part(const struct application *a, const struct application_part *p)
{
    return (MPI_Aint)(p->width > 0 || a->subarray ? p->at : application_part_start(a, p));
}

MPI_Aint application_type_start(const struct application_message *m, enum application_side side)
{
    return m->count[side] > 1 ? 0 : start_of_part(m->application, &m->parts[side][0]);
}

static bool is_alike(const struct application_part *a, const struct application_part *b)
{
    bool same = a->width == b->width && a->dims == b->dims;
    for (int d = 0; d < a->dims && same && a->width == 0; d++)
        same = a->size[d] == b->size[d] && a->count[d] == b->count[d];
    return same;
}

bool application_has_two_types(const struct application_message *m)
{
    for (int i = 0; i < m->count[APPLICATION_SENDS]; i++)
        if (!is_alike(&m->parts[APPLICATION_SENDS][i], &m->parts[APPLICATION_RECEIVES][i]))
            return true;
    return false;
}

static MPI_Datatype struct_of_parts(const struct application_recipe *r, enum application_side side)
{
    const struct application_message *m = r->message;
    MPI_Datatype types[APPLICATION_PARTS], type = MPI_DATATYPE_NULL;
    MPI_Aint starts[APPLICATION_PARTS];
    int ones[APPLICATION_PARTS], count = m->count[side];
    for (int i = 0; i < count; i++) {
        const struct application_part *p = &m->parts[side][i];
        types[i] = type_of_part(r, p);
        starts[i] = start_of_part(m->application, p);
        ones[i] = 1;
    }
    MPI_Type_create_struct(count, ones, starts, types, &type);
    for (int i = 0; i < count; i++)
        MPI_Type_free(&types[i]);
    return type;
}

MPI_Datatype application_type(const struct application_recipe *r, enum application_side side)
{
    const struct application_message *m = r->message;
    MPI_Datatype type =
        m->count[side] > 1 ? struct_of_parts(r, side) : type_of_part(r, &m->parts[side][0]);
    MPI_Type_commit(&type);
    return type;
}

/* Sets both handlers: versions of the standard differ in which one they call. */
static void set_handlers(MPI_Errhandler world, MPI_Errhandler self)
{
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, world);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, self);
}

/* If a call fails, the type remains MPI_DATATYPE_NULL, which all further calls reject. */
int application_types_try(const struct application_recipe *r, struct err *e)
{
    MPI_Errhandler world, self;
    bool rejected = false;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &world);
    MPI_Comm_get_errhandler(MPI_COMM_SELF, &self);
    set_handlers(MPI_ERRORS_RETURN, MPI_ERRORS_RETURN);
    for (enum application_side side = 0; side < APPLICATION_SIDES; side++) {
        MPI_Datatype type = application_type(r, side);
        rejected = rejected || type == MPI_DATATYPE_NULL;
        if (type != MPI_DATATYPE_NULL)
            MPI_Type_free(&type);
    }
    set_handlers(world, self);
    MPI_Errhandler_free(&world);
    MPI_Errhandler_free(&self);
    return rejected ? err_set(e, "the MPI library rejects the datatype (%s)",
                              r->message->application->constructor)
                    : 0;
}
