#include "context/mpi_datatypes.h"

#include <string.h>

MPI_Datatype datatype_mpi(const struct predefined *type)
{
    static const struct {
        const char *name;
        MPI_Datatype type;
    } rows[] = {
#define BASETYPE(constant, in_bytes, reduction) { #constant, constant },
#include "model/basetypes.def"
#undef BASETYPE
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (strcmp(rows[i].name, type->name) == 0)
            return rows[i].type;
    return MPI_DATATYPE_NULL;
}

MPI_Op reduction_mpi(enum reduction reduction)
{
    static const MPI_Op ops[] = {
        [REDUCE_NONE] = MPI_OP_NULL, [REDUCE_SUM] = MPI_SUM,       [REDUCE_BOR] = MPI_BOR,
        [REDUCE_LOR] = MPI_LOR,      [REDUCE_MAXLOC] = MPI_MAXLOC,
    };
    return ops[reduction];
}

const struct predefined *datatype_predefined(const struct params *p, int number, int basetype)
{
    const struct datatype_info *info = datatype_find(number);
    if (info->kind == DATATYPE_PREDEFINED)
        return info->predefined;
    if (info->kind == DATATYPE_BASETYPE && !p->basetypes[basetype].triples)
        return p->basetypes[basetype].parts[0].type;
    return NULL;
}
