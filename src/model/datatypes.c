#include "model/datatypes.h"

#include "base/text.h"

static const struct datatype_info named[] = {
#define BASETYPE(number, constant, in_bytes, kind)                                                 \
    { number, DATATYPE_PREDEFINED, #constant,                                                      \
      &(const struct predefined){ #constant, in_bytes, KIND_##kind } },
#include "model/basetypes.def"
};

/* Manual 2.1.8. In the order of the numbers, these follow the first named ones, 1 to 5. */
static const struct datatype_info built[] = {
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
