/* The derived datatypes of the manual (2.1.8), built by the MPI functions that it names;
 * model/layouts.h says where they place their data. */
#pragma once

#include "base/err.h"
#include "model/layouts.h"

#include <mpi.h>

/* Identifies a type: n is the count for 50 to 58, the message's length inside the type. */
struct derived_key {
    int datatype, basetype;
    long n;
};

/* The arguments of the MPI calls, prepared so that the calls alone can be timed. */
struct recipe {
    const struct params *params;
    struct derived_key key;
    struct vectors v;
    MPI_Datatype base; /* a basetype of triples is the recipe's own */
    MPI_Aint extent;   /* of base, by which displacements in bytes are scaled */
    bool owns_base;
    /* Owned, in one block; each as long as the constructor needs it. */
    MPI_Aint *offsets;
    MPI_Datatype *types;
    int *lengths, *places, *sizes;
};

/* Release a recipe in any case; types made by it remain valid. */
int recipe_init(struct recipe *k, const struct params *p, const struct derived_key *key,
                struct err *e);
void recipe_release(struct recipe *k);

/* Creates and commits a type and frees the intermediate ones. The caller frees the type. */
MPI_Datatype recipe_make(const struct recipe *k);

/* The type of a recipe that is not kept; the caller frees it. MPI_DATATYPE_NULL without memory. */
MPI_Datatype datatype_derived(const struct params *p, const struct derived_key *key, struct err *e);

/* A committed type of n elements in a row, even more than an int can count. The caller frees it. */
MPI_Datatype datatype_repeat(MPI_Datatype element, long n);

/* A predefined type of model/datatypes.h. */
MPI_Datatype datatype_mpi(const struct predefined *type);
