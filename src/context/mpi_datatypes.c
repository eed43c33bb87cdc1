#include "context/mpi_datatypes.h"

#include <string.h>

MPI_Datatype datatype_mpi(const struct predefined *type)
{
    static const struct {
        const char *name;
        MPI_Datatype type;
    } rows[] = {
#define BASETYPE(constant, in_bytes, kind) { #constant, constant },
#include "model/basetypes.def"
#undef BASETYPE
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (strcmp(rows[i].name, type->name) == 0)
            return rows[i].type;
    return MPI_DATATYPE_NULL;
}

MPI_Op reduction_mpi(enum combining op)
{
    static const struct {
        enum combining op;
        MPI_Op mpi;
    } rows[] = {
        { COMBINE_SUM, MPI_SUM },         { COMBINE_PROD, MPI_PROD },
        { COMBINE_MAX, MPI_MAX },         { COMBINE_MIN, MPI_MIN },
        { COMBINE_LAND, MPI_LAND },       { COMBINE_BAND, MPI_BAND },
        { COMBINE_LOR, MPI_LOR },         { COMBINE_BOR, MPI_BOR },
        { COMBINE_LXOR, MPI_LXOR },       { COMBINE_BXOR, MPI_BXOR },
        { COMBINE_MAXLOC, MPI_MAXLOC },   { COMBINE_MINLOC, MPI_MINLOC },
        { COMBINE_REPLACE, MPI_REPLACE }, { COMBINE_NO_OP, MPI_NO_OP },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (rows[i].op == op)
            return rows[i].mpi;
    return MPI_OP_NULL;
}
