#include "context/measurement.h"

/* MPI has the operations up to NONE. */
static const MPI_Op predefined[COMBINE_NONE] = {
    [COMBINE_USUAL] = MPI_OP_NULL, [COMBINE_SUM] = MPI_SUM,         [COMBINE_PROD] = MPI_PROD,
    [COMBINE_MAX] = MPI_MAX,       [COMBINE_MIN] = MPI_MIN,         [COMBINE_LAND] = MPI_LAND,
    [COMBINE_BAND] = MPI_BAND,     [COMBINE_LOR] = MPI_LOR,         [COMBINE_BOR] = MPI_BOR,
    [COMBINE_LXOR] = MPI_LXOR,     [COMBINE_BXOR] = MPI_BXOR,       [COMBINE_MAXLOC] = MPI_MAXLOC,
    [COMBINE_MINLOC] = MPI_MINLOC, [COMBINE_REPLACE] = MPI_REPLACE, [COMBINE_NO_OP] = MPI_NO_OP,
};

static void combine_nothing(void *in, void *inout, int *n, MPI_Datatype *type)
{
}

/* Exclusive or works with elements of every type, and takes as long as MPI_BXOR should. The last
 * one may end before its extent does. */
static void combine_bits(void *in, void *inout, int *n, MPI_Datatype *type)
{
    const unsigned char *from = in;
    unsigned char *to = inout;
    uint64_t a, b;
    MPI_Aint lb, extent, true_extent;
    MPI_Type_get_extent(*type, &lb, &extent);
    MPI_Type_get_true_extent(*type, &lb, &true_extent);
    size_t i = 0, bytes = *n == 0 ? 0 : (size_t)((*n - 1) * extent + true_extent);
    for (; i + sizeof(a) <= bytes; i += sizeof(a)) {
        memcpy(&a, from + i, sizeof(a));
        memcpy(&b, to + i, sizeof(b));
        b ^= a;
        memcpy(to + i, &b, sizeof(b));
    }
    for (; i < bytes; i++)
        to[i] ^= from[i];
}

/* Predefined reductions are commutative, and libraries choose by that. */
MPI_Op measurement_reduction(struct measurement *m)
{
    enum combining op = m->suite->options.op;
    if (op < COMBINE_NONE)
        return predefined[op];
    if (m->own_reduction == MPI_OP_NULL)
        MPI_Op_create(op == COMBINE_NONE ? combine_nothing : combine_bits,
                      op != COMBINE_USER_ORDERED, &m->own_reduction);
    return m->own_reduction;
}

void reduction_set(char *to, const struct predefined *type, enum combining op, unsigned number)
{
    void *value = to;
    bool complex = type->kind == KIND_COMPLEX;
    size_t bytes = complex ? type->size / 2 : type->size;
    unsigned small = op == COMBINE_PROD || type->kind == KIND_LOGICAL ? number & 1 : number & 7;
    memset(to, 0, type->extent);
    small += op == COMBINE_PROD;
    if (type->kind != KIND_FLOAT && !complex)
        *to = (char)small;
    else if (bytes == sizeof(float))
        *(float *)value = (float)small;
    else if (bytes == sizeof(double))
        *(double *)value = small;
    else
        *(long double *)value = small;
}

void reduction_fill(struct buffers *b, const struct params *p, const struct suite *s)
{
    const struct predefined *type = layout_predefined(p, s->send_datatype, s->send_basetype);
    _Alignas(long double) char one[MAX_UNIT];
    if ((s->type->traits & TYPE_REDUCES) == 0 || s->options.op != COMBINE_PROD || type == NULL ||
        (type->kind != KIND_FLOAT && type->kind != KIND_COMPLEX))
        return;
    reduction_set(one, type, COMBINE_PROD, 0);
    buffers_use(b, (unsigned char *)one, type->size);
}
