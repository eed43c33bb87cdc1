#include "model/datatypes.h"

#include "base/text.h"

#include <stdint.h>
#include <wchar.h>

static const struct predefined predefined_rows[] = {
#define BASETYPE(constant, in_bytes, kind) { #constant, in_bytes, KIND_##kind },
#include "model/basetypes.def"
#undef BASETYPE
};

enum {
#define BASETYPE(constant, in_bytes, kind) INDEX_##constant,
#include "model/basetypes.def"
#undef BASETYPE
};

#define PREDEFINED(number, constant)                                                               \
    {                                                                                              \
        number, DATATYPE_PREDEFINED, #constant, &predefined_rows[INDEX_##constant]                 \
    }

/* Manual 2.1.8, and the other predefined types. */
static const struct datatype_info datatype_rows[] = {
    PREDEFINED(1, MPI_BYTE),
    PREDEFINED(2, MPI_CHAR),
    PREDEFINED(3, MPI_FLOAT),
    PREDEFINED(4, MPI_DOUBLE),
    PREDEFINED(5, MPI_INT),
    { 20, DATATYPE_BASETYPE, "the basetype itself", NULL },
    { 30, DATATYPE_CONSTRUCTOR, "contiguous", NULL },
    { 31, DATATYPE_CONSTRUCTOR, "vector of blocks", NULL },
    { 32, DATATYPE_CONSTRUCTOR, "vector of blocks, stride in bytes", NULL },
    { 33, DATATYPE_CONSTRUCTOR, "indexed, blocks of two lengths", NULL },
    { 34, DATATYPE_CONSTRUCTOR, "indexed, blocks of one length", NULL },
    { 35, DATATYPE_CONSTRUCTOR, "indexed, blocks of two lengths, places in bytes", NULL },
    { 36, DATATYPE_CONSTRUCTOR, "struct, blocks of two lengths", NULL },
    { 37, DATATYPE_CONSTRUCTOR, "subarray with a dimension per block", NULL },
    { 50, DATATYPE_CONSTRUCTOR, "vector whose blocks grow with the message", NULL },
    { 51, DATATYPE_CONSTRUCTOR, "vector of large blocks, more of them with the message", NULL },
    { 52, DATATYPE_CONSTRUCTOR, "vector of small blocks, more of them with the message", NULL },
    { 53, DATATYPE_CONSTRUCTOR, "struct of small blocks, more of them with the message", NULL },
    { 54, DATATYPE_CONSTRUCTOR, "struct of large blocks, more of them with the message", NULL },
    { 55, DATATYPE_CONSTRUCTOR, "struct whose blocks grow with the message", NULL },
    { 56, DATATYPE_CONSTRUCTOR, "vector of vectors, inner blocks grow with the message", NULL },
    { 57, DATATYPE_CONSTRUCTOR, "vector of vectors, more inner blocks with the message", NULL },
    { 58, DATATYPE_CONSTRUCTOR, "vector of vectors, more outer blocks with the message", NULL },
    { 61, DATATYPE_CONSTRUCTOR, "vector of vectors of single elements", NULL },
    { 62, DATATYPE_CONSTRUCTOR, "vector of indexed single elements", NULL },
    { 63, DATATYPE_CONSTRUCTOR, "indexed vectors of single elements", NULL },
    { 64, DATATYPE_CONSTRUCTOR, "indexed, of indexed single elements", NULL },
    { 70, DATATYPE_CONSTRUCTOR, "vector, indexed type and struct in a struct, interleaved", NULL },
    PREDEFINED(101, MPI_SIGNED_CHAR),
    PREDEFINED(102, MPI_UNSIGNED_CHAR),
    PREDEFINED(103, MPI_SHORT),
    PREDEFINED(104, MPI_UNSIGNED_SHORT),
    PREDEFINED(105, MPI_UNSIGNED),
    PREDEFINED(106, MPI_LONG),
    PREDEFINED(107, MPI_UNSIGNED_LONG),
    PREDEFINED(108, MPI_LONG_LONG),
    PREDEFINED(109, MPI_UNSIGNED_LONG_LONG),
    PREDEFINED(110, MPI_LONG_DOUBLE),
    PREDEFINED(111, MPI_WCHAR),
    PREDEFINED(112, MPI_C_BOOL),
    PREDEFINED(113, MPI_INT8_T),
    PREDEFINED(114, MPI_INT16_T),
    PREDEFINED(115, MPI_INT32_T),
    PREDEFINED(116, MPI_INT64_T),
    PREDEFINED(117, MPI_UINT8_T),
    PREDEFINED(118, MPI_UINT16_T),
    PREDEFINED(119, MPI_UINT32_T),
    PREDEFINED(120, MPI_UINT64_T),
    PREDEFINED(121, MPI_C_FLOAT_COMPLEX),
    PREDEFINED(122, MPI_C_DOUBLE_COMPLEX),
    PREDEFINED(123, MPI_C_LONG_DOUBLE_COMPLEX),
    PREDEFINED(124, MPI_AINT),
    PREDEFINED(125, MPI_OFFSET),
    PREDEFINED(126, MPI_COUNT),
    PREDEFINED(127, MPI_FLOAT_INT),
    PREDEFINED(128, MPI_DOUBLE_INT),
    PREDEFINED(129, MPI_LONG_INT),
    PREDEFINED(130, MPI_2INT),
    PREDEFINED(131, MPI_SHORT_INT),
    PREDEFINED(132, MPI_LONG_DOUBLE_INT),
    PREDEFINED(133, MPI_INTEGER),
    PREDEFINED(134, MPI_REAL),
    PREDEFINED(135, MPI_DOUBLE_PRECISION),
    PREDEFINED(136, MPI_COMPLEX),
    PREDEFINED(137, MPI_DOUBLE_COMPLEX),
    PREDEFINED(138, MPI_LOGICAL),
    PREDEFINED(139, MPI_2INTEGER),
    PREDEFINED(140, MPI_2REAL),
    PREDEFINED(141, MPI_2DOUBLE_PRECISION),
};

size_t predefined_count(void)
{
    return sizeof(predefined_rows) / sizeof(*predefined_rows);
}

const struct predefined *predefined_get(size_t i)
{
    return &predefined_rows[i];
}

const struct predefined *predefined_find(const char *name, size_t name_len)
{
    for (size_t i = 0; i < predefined_count(); i++)
        if (text_same_n(name, name_len, predefined_rows[i].name))
            return &predefined_rows[i];
    return NULL;
}

size_t datatype_count(void)
{
    return sizeof(datatype_rows) / sizeof(*datatype_rows);
}

const struct datatype_info *datatype_get(size_t i)
{
    return &datatype_rows[i];
}

const struct datatype_info *datatype_find(int number)
{
    for (size_t i = 0; i < datatype_count(); i++)
        if (datatype_rows[i].number == number)
            return &datatype_rows[i];
    return NULL;
}
