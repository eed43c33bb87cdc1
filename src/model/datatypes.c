#include "model/datatypes.h"

#include "base/text.h"

static const struct datatype_info named[] = {
#define BASETYPE(number, constant, in_bytes, kind)                                                 \
    { number, DATATYPE_PREDEFINED, NULL, #constant,                                                \
      &(const struct predefined){ #constant, in_bytes, KIND_##kind } },
#include "model/basetypes.def"
};

/* Manual 2.1.8. In the order of the numbers, these follow the first named ones, 1 to 5. */
static const struct datatype_info built[] = {
#define CONSTRUCTOR(number, ...)                                                                   \
    {                                                                                              \
        number, DATATYPE_CONSTRUCTOR, __VA_ARGS__, NULL                                            \
    }
    { 20, DATATYPE_BASETYPE, "basetype", "the basetype itself", NULL },
    CONSTRUCTOR(30, "contiguous", "contiguous"),
    CONSTRUCTOR(31, "vector", "vector of blocks"),
    CONSTRUCTOR(32, "hvector", "vector of blocks, stride in bytes"),
    CONSTRUCTOR(33, "indexed", "indexed, blocks of two lengths"),
    CONSTRUCTOR(34, "indexed_block", "indexed, blocks of one length"),
    CONSTRUCTOR(35, "hindexed", "indexed, blocks of two lengths, places in bytes"),
    CONSTRUCTOR(36, "struct", "struct, blocks of two lengths"),
    CONSTRUCTOR(37, "subarray", "subarray with a dimension per block"),
    CONSTRUCTOR(50, "vector with growing blocks", "vector whose blocks grow with the message"),
    CONSTRUCTOR(51, "growing vector of large blocks",
                "vector of large blocks, more of them with the message"),
    CONSTRUCTOR(52, "growing vector of small blocks",
                "vector of small blocks, more of them with the message"),
    CONSTRUCTOR(53, "growing struct of small blocks",
                "struct of small blocks, more of them with the message"),
    CONSTRUCTOR(54, "growing struct of large blocks",
                "struct of large blocks, more of them with the message"),
    CONSTRUCTOR(55, "struct with growing blocks", "struct whose blocks grow with the message"),
    CONSTRUCTOR(56, "vector of vectors with growing blocks",
                "vector of vectors, inner blocks grow with the message"),
    CONSTRUCTOR(57, "vector of growing vectors",
                "vector of vectors, more inner blocks with the message"),
    CONSTRUCTOR(58, "growing vector of vectors",
                "vector of vectors, more outer blocks with the message"),
    CONSTRUCTOR(61, "vector of vectors", "vector of vectors of single elements"),
    CONSTRUCTOR(62, "vector of indexed", "vector of indexed single elements"),
    CONSTRUCTOR(63, "indexed of vectors", "indexed vectors of single elements"),
    CONSTRUCTOR(64, "indexed of indexed", "indexed, of indexed single elements"),
    CONSTRUCTOR(70, "struct of nested types",
                "vector, indexed type and struct in a struct, interleaved"),
};

enum { NAMED = sizeof(named) / sizeof(*named), BUILT = sizeof(built) / sizeof(*built) };
enum { FIRST_NAMED = 5 };

const struct predefined *predefined_find(const char *name, size_t name_len)
{
    for (size_t i = 0; i < NAMED; i++)
        if (text_same_n(name, name_len, named[i].text))
            return named[i].predefined;
    return NULL;
}

const char *predefined_nearest(const char *name)
{
    return text_nearest(name, NAMED, &named[0].text, sizeof(*named));
}

size_t datatype_count(void)
{
    return (size_t)NAMED + BUILT;
}

const struct datatype_info *datatype_get(size_t i)
{
    if (i < FIRST_NAMED)
        return &named[i];
    return i < FIRST_NAMED + BUILT ? &built[i - FIRST_NAMED] : &named[i - BUILT];
}

const struct datatype_info *datatype_find(int number)
{
    for (size_t i = 0; i < datatype_count(); i++)
        if (datatype_get(i)->number == number)
            return datatype_get(i);
    return NULL;
}
