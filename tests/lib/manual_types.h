/* Derived datatypes by the manual's code: which elements of the basetype they contain. For tests of
 * what the program computes of them, and of what MPI builds. */
#pragma once

#include "model/layouts.h"
#include "model/parameters.h"

#include <string.h>

/* Basetypes 1: MPI_INT; 2: a byte, a gap, two ints, a gap and a short at the end. */
static inline void set_basetypes(struct params *p)
{
    static struct basetype_part parts[] = {
        { 1, 0, NULL }, { 1, 1, NULL }, { 2, 2, NULL }, { 1, 9, NULL }
    };
    static const char *const names[] = { "MPI_INT", "MPI_BYTE", "MPI_INT", "MPI_SHORT" };
    for (int i = 0; i < 4; i++)
        parts[i].type = predefined_find(names[i], strlen(names[i]));
    p->basetypes[1] = (struct basetype){ .parts = parts, .count = 1 };
    p->basetypes[2] = (struct basetype){ .parts = parts + 1, .count = 3, .triples = 1 };
}

/* Block i of the manual's two lengths. */
static inline long block_length(long i, long count, long block)
{
    return block - i % 2 + (i == count - 1 ? count / 2 : 0);
}

/* The elements of the type in the order in which they are sent, as places in units of the
 * basetype's extent; returns how many. */
struct order {
    const struct params *p;
    long n;
    long *places;
    long count;
};

static inline void take(struct order *o, long from, long count)
{
    for (long i = 0; i < count; i++)
        o->places[o->count++] = from + i;
}

static inline void blocks(struct order *o, long at, long count, long block, long stride)
{
    for (long i = 0; i < count; i++)
        take(o, at + i * stride, block);
}

static inline void two_lengths(struct order *o, long count, long block)
{
    for (long i = 0, at = 0; i < count; i++) {
        take(o, at, block_length(i, count, block));
        at += block_length(i, count + 1, block) + 1;
    }
}

static inline void nested(struct order *o, long copies, long count, long block, long stride)
{
    for (long i = 0; i < copies; i++)
        blocks(o, 2 * i * ((count - 1) * stride + block), count, block, stride);
}

static inline void cube(struct order *o, long dims, long whole, long at)
{
    if (dims == 0) {
        take(o, at, 1);
        return;
    }
    for (long i = 0; i < o->p->blocksize; i++)
        cube(o, dims - 1, whole, at * whole + SUBARRAY_OFFSET + i);
}

static inline void interleaved(struct order *o)
{
    long b = o->p->blocks, s = o->p->blocksize;
    blocks(o, 0, b, 1, s);
    blocks(o, 1, b, 1, s);
    blocks(o, 2, b, s - 2, s);
}

/* Walks over the elements of a derived datatype. */
static inline void walk(struct order *o, int datatype)
{
    long b = o->p->blocks, s = o->p->blocksize, v = o->p->vectorstride, n = o->n;
    switch (datatype) {
    case 20:
        take(o, 0, 1);
        break;
    case 30:
        take(o, 0, b * s);
        break;
    case 31:
    case 32:
        blocks(o, 0, b, s, v);
        break;
    case 33:
    case 35:
    case 36:
        two_lengths(o, b, s);
        break;
    case 34:
        blocks(o, 0, b, s, s + 1);
        break;
    case 37:
        cube(o, b, s + 2 * SUBARRAY_OFFSET, 0);
        break;
    case 50:
        blocks(o, 0, b, n * s, n * v);
        break;
    case 51:
        blocks(o, 0, n, b * s, b * v);
        break;
    case 52:
        blocks(o, 0, n * b, s, v);
        break;
    case 53:
        two_lengths(o, n * b, s);
        break;
    case 54:
        two_lengths(o, n, b * s);
        break;
    case 55:
        two_lengths(o, b, n * s);
        break;
    case 56:
        nested(o, b, s, n, n + v);
        break;
    case 57:
        nested(o, b, n, s, v);
        break;
    case 58:
        nested(o, n, b, s, v);
        break;
    case 70:
        interleaved(o);
        break;
    default:
        nested(o, b, s, 1, 2);
        break; /* 61 to 64 */
    }
}
