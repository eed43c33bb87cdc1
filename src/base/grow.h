/* Room in arrays that grow. */
#ifndef SKAMPI_BASE_GROW_H
#define SKAMPI_BASE_GROW_H

#include <stddef.h>

/* The array of count elements, with room for one more: as it is, or a larger one in its place. NULL
 * without memory: the old one is unharmed then. capacity is how many elements there is room for; 0
 * and NULL to begin with. */
void *grow_for_one(void *array, size_t count, size_t *capacity, size_t element_bytes);

#endif
