/* The elements of a message: MPI demands that sender and receiver name the same ones in the same
 * order. A datatype repeats those of its predefined type or basetype until the message ends. */
#pragma once

#include "model/datatypes.h"

struct params;
struct suite;
struct text;

/* How a reduction combines elements. */
enum combining {
#define COMBINING(constant, ...) COMBINE_##constant,
#include "model/combinings.def"
    COMBINING_COUNT
};

/* Does a receiver of this datatype and basetype get what the sender sends? Also true if one of the
 * basetypes is not defined. */
bool elements_match(const struct params *p, const struct suite *s);

/* Adds "MPI_INT", or "MPI_INT, MPI_DOUBLE": the beginning of what the datatype repeats. */
void elements_name(const struct params *p, int datatype, int basetype, struct text *out);

/* The elements that an operation of a reduction combines (MPI 3.1, 5.9.2 to 5.9.5 and 11.3.4). Its
 * name as the parameter file has it, "sum"; NULL after the last. */
const char *reduction_name(size_t combining);

/* The operation used if the suite names none; COMBINE_USUAL if no operation is usual. */
enum combining reduction_usual(enum element_kind kind);

/* May a type with these traits combine elements of this kind by this operation? */
bool reduction_is_for(unsigned traits, enum combining op);
bool reduction_combines(enum combining op, enum element_kind kind);

/* Adds "max, min or user": all operations that such a type may use for such elements. */
void reductions_add(unsigned traits, enum element_kind kind, struct text *out);

/* Adds "C integers (elem=int) or logicals (elem=c_bool)": the elements of the operation. */
void reduction_add_kinds(enum combining op, struct text *out);
