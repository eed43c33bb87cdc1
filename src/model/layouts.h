/* Where the data of a datatype are (manual 2.1.8), without MPI: the memory for a message is known
 * when the parameter file is read. All constructors place whole elements of their basetype; their
 * lower bound is 0. Departures from the code in the manual, each for a reason:
 *
 *   - displacements are scaled by the basetype's extent, not by _basetype_size as in the manual:
 * with the size, the elements of a basetype with gaps would overlap;
 *   - the first block of 54 and 55 is as long as the others; in the manual it is @BLOCKSIZE, and n
 *     times the message would not be n times the data;
 *   - SUBARRAYOFFSET (37) has no value in the manual. It is 1. */
#pragma once

#include <stdbool.h>

struct basetype;
struct params;

enum { SUBARRAY_OFFSET = 1 };

/* Sizes and extents are limited to this, which no real one reaches. */
#define MAX_LAYOUT (LLONG_MAX / 8)

struct layout { /* of one element, in bytes */
    long long size;
    long long extent; /* from one element to the next */
    long long true_lb, true_extent;
};

/* n is the count for the constructors that hold a whole message (50 to 58). An undefined basetype
 * is treated as a byte. */
struct layout layout_of(const struct params *p, int datatype, int basetype, long long n);

/* The struct of a basetype: as a C compiler would place it, alignment at its end included. */
struct layout layout_of_basetype(const struct basetype *b);

/* The numbers of a constructor's calls, in elements: a number of vectors, with space for another
 * one between two; blocks of a vector, elements of a block, and from one block to the next.
 * Meaningless for 37 and 70. */
struct vectors {
    long long outer, count, block, stride;
};
struct vectors layout_vectors(const struct params *p, int datatype, long long n);

/* 50 to 58: the length of a message is inside the type, its count is 1. */
bool layout_grows(int datatype);

/* The greatest n for which the numbers of elements fit an int, as MPI requires. */
long long layout_most(const struct params *p);

/* The predefined type of a datatype number (with a basetype number); NULL if the number needs a
 * derived type, or an undefined basetype. */
const struct predefined *layout_predefined(const struct params *p, int datatype, int basetype);

/* Is the type built by MPI calls, not just named? */
bool layout_is_derived(const struct params *p, int datatype, int basetype);

/* The constructor's requirement of @BLOCKS and @BLOCKSIZE, or NULL, and whether it is met. */
const char *layout_demand(int datatype);
bool layout_is_possible(const struct params *p, int datatype);
