/* The datatypes a suite can name (manual 2.1.8): predefined types, basetypes and constructors.
 * Their sizes are defined here so that a parameter file can be checked without MPI. */
#pragma once

#include "base/err.h"

/* The kinds of elements that MPI's predefined operations distinguish (MPI 3.1, 5.9.2 and 5.9.4). */
enum element_kind {
    KIND_CHARACTER, /* no operation accepts it */
    KIND_BYTE,
    KIND_INTEGER,         /* of C */
    KIND_FORTRAN_INTEGER, /* has no logical operations */
    KIND_ADDRESS,         /* MPI_AINT, MPI_OFFSET, MPI_COUNT */
    KIND_FLOAT,
    KIND_COMPLEX,
    KIND_LOGICAL,
    KIND_PAIR, /* a value and an index */
    KIND_COUNT
};

/* One row per predefined type of MPI 3.1, from basetypes.def. */
struct predefined {
    const char *name; /* "MPI_INT" */
    size_t size;      /* bytes of data */
    size_t extent;    /* bytes from one element to the next */
    size_t alignment; /* bytes, of a struct's member */
    enum element_kind kind;
};

const struct predefined *predefined_find(const char *name, size_t name_len); /* NULL: unknown */

/* Which of them is name probably a misspelling of? NULL if none is near. */
const char *predefined_nearest(const char *name);

enum { BASETYPE_MAX = 10 };

/* @BASETYPEn: one predefined type, or triples (count, offset, type). */
struct basetype_part {
    long count;
    long offset; /* in units of the type's extent */
    const struct predefined *type;
};

struct basetype {
    struct basetype_part *parts; /* owned; NULL: the basetype is not defined */
    size_t count, capacity;
    int triples;   /* 0: written as a name, a single part (1, 0, type) */
    bool overlaps; /* some bytes belong to more than one element */
    size_t offset; /* of the definition in the parameter file */
};

enum { DATATYPE_SUBARRAY = 37 };

/* One row per Send_Datatype_Number. */
enum datatype_kind {
    DATATYPE_PREDEFINED,  /* 1-5, and from 101 */
    DATATYPE_BASETYPE,    /* 20 */
    DATATYPE_CONSTRUCTOR, /* 30 and up */
};

struct datatype_info {
    int number;
    enum datatype_kind kind;
    const char *name;                    /* short; NULL: text */
    const char *text;                    /* "MPI_INT", or the constructor's type */
    const struct predefined *predefined; /* NULL unless kind is DATATYPE_PREDEFINED */
};

size_t datatype_count(void);
const struct datatype_info *datatype_get(size_t i);
const struct datatype_info *datatype_find(int number); /* NULL: unknown */
