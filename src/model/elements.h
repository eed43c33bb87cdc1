/* The elements of a message: MPI demands that sender and receiver name the same ones in the same
 * order. A datatype repeats those of its predefined type or basetype until the message ends. */
#ifndef SKAMPI_MODEL_ELEMENTS_H
#define SKAMPI_MODEL_ELEMENTS_H

#include "base/text.h"
#include "model/parameters.h"

/* Does a receiver of this datatype and basetype get what the sender sends? Also true if one of the
 * basetypes is not defined. */
bool elements_match(const struct params *p, const struct suite *s);

/* Adds "MPI_INT", or "MPI_INT, MPI_DOUBLE": the beginning of what the datatype repeats. */
void elements_name(const struct params *p, int datatype, int basetype, struct text *out);

#endif
