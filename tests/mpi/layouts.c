/* Are the types that MPI builds what model/layouts.h computes, and do they put data where the
 * manual's code puts them? Size, extent, true extent, and the bytes that MPI_Pack takes from a
 * buffer of numbered elements. TAP; one process. */
#include "context/derived.h"
#include "model/layouts.h"
#include "model/parameters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tests, failures;

static void ok(bool good, const char *what, const struct derived_key *key)
{
    failures += !good;
    printf("%s %d - datatype %d, basetype %d, n %ld: %s\n", good ? "ok" : "not ok", ++tests,
           key->datatype, key->basetype, key->n, what);
}

static bool has_bounds(MPI_Datatype d, const struct layout *l)
{
    MPI_Aint lb, extent, true_lb, true_extent;
    MPI_Count size;
    MPI_Type_size_x(d, &size);
    MPI_Type_get_extent(d, &lb, &extent);
    MPI_Type_get_true_extent(d, &true_lb, &true_extent);
    return size == l->size && lb == 0 && extent == l->extent && true_lb == l->true_lb &&
           true_extent == l->true_extent;
}

/* Block i of the manual's two lengths. */
static long block_length(long i, long count, long block)
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

static void take(struct order *o, long from, long count)
{
    for (long i = 0; i < count; i++)
        o->places[o->count++] = from + i;
}

static void blocks(struct order *o, long at, long count, long block, long stride)
{
    for (long i = 0; i < count; i++)
        take(o, at + i * stride, block);
}

static void two_lengths(struct order *o, long count, long block)
{
    for (long i = 0, at = 0; i < count; i++) {
        take(o, at, block_length(i, count, block));
        at += block_length(i, count + 1, block) + 1;
    }
}

static void nested(struct order *o, long copies, long count, long block, long stride)
{
    for (long i = 0; i < copies; i++)
        blocks(o, 2 * i * ((count - 1) * stride + block), count, block, stride);
}

static void cube(struct order *o, long dims, long whole, long at)
{
    if (dims == 0) {
        take(o, at, 1);
        return;
    }
    for (long i = 0; i < o->p->blocksize; i++)
        cube(o, dims - 1, whole, at * whole + SUBARRAY_OFFSET + i);
}

static void interleaved(struct order *o)
{
    long b = o->p->blocks, s = o->p->blocksize;
    blocks(o, 0, b, 1, s);
    blocks(o, 1, b, 1, s);
    blocks(o, 2, b, s - 2, s);
}

static void walk(struct order *o, int datatype)
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

/* The bytes of an element: basetype 1 is an int, 2 a byte, two ints and a short, with gaps. */
static const long bytes_of_1[] = { 0, 1, 2, 3 };
static const long bytes_of_2[] = { 1, 8, 9, 10, 11, 12, 13, 14, 15, 18, 19 };

static char numbered(long place)
{
    return (char)((unsigned long)place * 40503UL >> 8);
}

static bool packs_as_expected(const struct order *o, const struct derived_key *key,
                              const char *packed)
{
    bool first = key->basetype == 1;
    const long *bytes = first ? bytes_of_1 : bytes_of_2;
    long count = first ? 4 : 11, extent = first ? 4 : 20;
    for (long i = 0; i < o->count * count; i++)
        if (packed[i] != numbered(o->places[i / count] * extent + bytes[i % count]))
            return false;
    return true;
}

static bool has_map(const struct params *p, const struct derived_key *key, MPI_Datatype d,
                    const struct layout *l)
{
    char *buffer = malloc((size_t)l->extent), *packed = malloc((size_t)l->size);
    struct order o = { p, key->n, malloc((size_t)l->size * sizeof(long)), 0 };
    int position = 0;
    for (long i = 0; i < l->extent; i++)
        buffer[i] = numbered(i);
    MPI_Pack(buffer, 1, d, packed, (int)l->size, &position, MPI_COMM_SELF);
    walk(&o, key->datatype);
    bool same = position == l->size && packs_as_expected(&o, key, packed);
    free(buffer);
    free(packed);
    free(o.places);
    return same;
}

static void test_type(const struct params *p, const struct derived_key *key)
{
    struct err e = { "" };
    struct layout l = layout_of(p, key->datatype, key->basetype, key->n);
    MPI_Datatype d = datatype_derived(p, key, &e);
    if (d == MPI_DATATYPE_NULL) {
        ok(false, e.text, key);
        return;
    }
    ok(has_bounds(d, &l), "size and extents", key);
    ok(has_map(p, key, d, &l), "places of the data", key);
    MPI_Type_free(&d);
}

static void test_all(struct params *p, int block_count)
{
    for (size_t i = 0; i < datatype_count(); i++) {
        int number = datatype_get(i)->number;
        p->blocks = number == 37 && block_count > 5 ? block_count - 5 : block_count;
        for (int base = 1; base <= 2; base++)
            for (long n = 1; n <= (layout_grows(number) ? 4 : 1); n++)
                if (layout_is_derived(p, number, base) && layout_is_possible(p, number))
                    test_type(p, &(struct derived_key){ number, base, n });
    }
}

int main(int argc, char **argv)
{
    static struct basetype_part parts[4] = {
        { 1, 0, NULL }, { 1, 1, NULL }, { 2, 2, NULL }, { 1, 9, NULL }
    };
    static const char *const names[4] = { "MPI_INT", "MPI_BYTE", "MPI_INT", "MPI_SHORT" };
    static const int block_counts[] = { 10, 9, 1, 2 };
    struct params p = { .blocksize = 7, .vectorstride = 11 };
    for (int i = 0; i < 4; i++)
        parts[i].type = predefined_find(names[i], strlen(names[i]));
    p.basetypes[1] = (struct basetype){ .parts = parts, .count = 1 };
    p.basetypes[2] = (struct basetype){ .parts = parts + 1, .count = 3, .triples = 1 };
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 4; i++)
        test_all(&p, block_counts[i]);
    MPI_Finalize();
    printf("1..%d\n", tests);
    return failures == 0 ? 0 : 1;
}
