/* The text of a @BASETYPEn section (manual 2.1.8): a predefined type's name, or triples
 *
 *     (count, offset, TYPE), (count, offset, TYPE), ...
 *
 * of at least one element each; the offset is in units of the type's extent. */
#ifndef SKAMPI_PARAMS_BASETYPES_H
#define SKAMPI_PARAMS_BASETYPES_H

#include "base/complaints.h"
#include "model/datatypes.h"

#include <stddef.h>

/* Reads the bytes [from, to) of the source. Returns 0, or -1 after at least one complaint; b is
 * then undefined (parts is NULL). Does not release the previous content of b. */
int basetype_parse(struct basetype *b, const struct source *s, size_t from, size_t to,
                   struct complaints *c);

void basetype_release(struct basetype *b);

#endif
