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

MPI_Op reduction_mpi(enum element_kind kind)
{
    static const MPI_Op ops[KIND_COUNT] = {
        [KIND_CHARACTER] = MPI_OP_NULL, [KIND_BYTE] = MPI_BOR,    [KIND_INTEGER] = MPI_SUM,
        [KIND_ADDRESS] = MPI_SUM,       [KIND_FLOAT] = MPI_SUM,   [KIND_COMPLEX] = MPI_SUM,
        [KIND_LOGICAL] = MPI_LOR,       [KIND_PAIR] = MPI_MAXLOC,
    };
    return ops[kind];
}
