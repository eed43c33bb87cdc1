#include "base/grow.h"

#include <stdint.h>
#include <stdlib.h>

enum { ELEMENTS_AT_FIRST = 16 };

void *grow_for_one(void *array, size_t count, size_t *capacity, size_t element_bytes)
{
    if (count < *capacity)
        return array;
    if (*capacity > SIZE_MAX / element_bytes / 2)
        return NULL;
    size_t wanted = *capacity == 0 ? ELEMENTS_AT_FIRST : 2 * *capacity;
    void *larger = realloc(array, wanted * element_bytes);
    if (larger != NULL)
        *capacity = wanted;
    return larger;
}
