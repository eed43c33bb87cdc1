/* Temporary files that interrupted launches left next to the file that they wrote. */
#ifndef SKAMPI_RESULTS_LEFTOVERS_H
#define SKAMPI_RESULTS_LEFTOVERS_H

#include <stddef.h>

/* Removes the temporary files of this kind next to path (temporary.h) that hold nothing new: a
 * prefix of these bytes, which another file holds, or a complete merge with the right checksum.
 * Other files are kept, and so is the file named except, which may be NULL. */
void leftovers_remove(const char *path, const char *kind, const char *except, const char *bytes,
                      size_t len);

#endif
