/* What starts that were interrupted have left beside the file that they wrote. */
#ifndef SKAMPI_RESULTS_LEFTOVERS_H
#define SKAMPI_RESULTS_LEFTOVERS_H

#include <stddef.h>

/* Removes the temporary files of this kind beside path (temporary.h) whose content is the beginning
 * of these bytes, which a file of another name holds, or a whole merge with the right checksum:
 * nothing is lost with them. Others stay; so does the one called except, which may be NULL. */
void leftovers_remove(const char *path, const char *kind, const char *except, const char *bytes,
                      size_t len);

#endif
