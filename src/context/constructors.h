/* Which MPI functions build each derived datatype, and with which arguments (manual 2.1.8). */
#ifndef SKAMPI_CONTEXT_CONSTRUCTORS_H
#define SKAMPI_CONTEXT_CONSTRUCTORS_H

#include "context/derived.h"

enum { BASETYPE_ITSELF = 20 }; /* a basetype of triples */

struct constructor {
    int number;
    size_t (*room)(const struct recipe *k);      /* elements of each array; NULL: no arrays */
    void (*fill)(struct recipe *k, size_t room); /* fills the arrays */
    void (*create)(const struct recipe *k, MPI_Datatype *d);
};

/* NULL: the number has none. */
const struct constructor *constructor_find(int number);

const struct basetype *recipe_basetype(const struct recipe *k);

#endif
