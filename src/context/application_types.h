/* The derived datatypes of what applications send (model/applications.h), built as the tests'
 * table says: nested vectors or a subarray of each box, indexed blocks of each list, and a struct
 * of them if the message is in several arrays. */
#pragma once

#include "model/applications.h"

#include <mpi.h>

/* The prepared arguments of the calls, which therefore cannot fail for lack of memory. */
struct application_recipe {
    const struct application_message *message; /* borrowed */
    int *places;                               /* owned: displacements of the longest list */
};

void application_recipe_init(struct application_recipe *r, const struct application_message *m);
void application_recipe_release(struct application_recipe *r);

/* Creates and commits the datatype of a side and frees the intermediate ones; computes the
 * displacements, as an application must. The caller frees the type. */
MPI_Datatype application_type(const struct application_recipe *r, enum application_side side);

/* Creates and frees the types; an error if the library rejects one. */
int application_types_try(const struct application_recipe *r, struct err *e);

/* Do the sides need different types? Otherwise the sending one also receives, at its own place. */
bool application_has_two_types(const struct application_message *m);

/* Where a buffer of this type begins, in bytes from the start of the memory. */
MPI_Aint application_type_start(const struct application_message *m, enum application_side side);
