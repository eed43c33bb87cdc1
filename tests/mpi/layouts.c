/* Are the types that MPI builds what model/layouts.h computes, and do they put data where the
 * manual's code puts them? Size, extent, true extent, and the bytes that MPI_Pack takes from a
 * buffer of numbered elements. TAP; one process. */
#include "context/derived.h"

#include "../lib/manual_types.h"

#include <stdio.h>
#include <stdlib.h>

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
    static const int block_counts[] = { 10, 9, 1, 2 };
    struct params p = { .blocksize = 7, .vectorstride = 11 };
    set_basetypes(&p);
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 4; i++)
        test_all(&p, block_counts[i]);
    MPI_Finalize();
    printf("1..%d\n", tests);
    return failures == 0 ? 0 : 1;
}
