/* Makes room in arrays that grow. */
#ifndef SKAMPI_BASE_GROW_H
#define SKAMPI_BASE_GROW_H

#include <stddef.h>

/* Returns the array of count elements with room for one more: unchanged, or moved to a larger
 * block. NULL without memory; the old array is then unharmed. capacity is the number of elements
 * that fit; start with 0 and NULL. */
void *grow_for_one(void *array, size_t count, size_t *capacity, size_t element_bytes);

#endif
