/* Do the datatypes that MPI builds for applications' messages have the pieces that
 * model/applications.h says, in this order? MPI_Pack takes them from a buffer of numbered words.
 * TAP; one process. */
#include "context/application_types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 32 * 1000 * 1000 };

static int tests;

static void ok(bool good, const struct application *a, size_t n, const char *what)
{
    printf("%s %d - %s, case %zu: %s\n", good ? "ok" : "not ok", ++tests, a->name, n + 1, what);
}

struct packer {
    const char *memory;
    char *packed;
    size_t at;
};

static void pack_piece(void *context, long long offset, long long bytes)
{
    struct packer *p = context;
    memcpy(p->packed + p->at, p->memory + offset, (size_t)bytes);
    p->at += (size_t)bytes;
}

static bool packs_the_pieces(const struct application_recipe *r, enum application_side side,
                             const char *memory, int bytes)
{
    const struct application_message *m = r->message;
    MPI_Datatype type = application_type(r, side);
    int size, room, position = 0;
    MPI_Type_size(type, &size);
    MPI_Pack_size(1, type, MPI_COMM_SELF, &room);
    char *packed = malloc((size_t)room), *expected = malloc((size_t)bytes);
    struct packer p = { memory, expected, 0 };
    application_pieces(m, side, pack_piece, &p);
    MPI_Pack(memory + application_type_start(m, side), 1, type, packed, room, &position,
             MPI_COMM_SELF);
    bool same = size == bytes && position == bytes && (int)p.at == bytes &&
                memcmp(packed, expected, (size_t)bytes) == 0;
    free(packed);
    free(expected);
    MPI_Type_free(&type);
    return same;
}

static void test_case(const struct application *a, size_t n)
{
    struct application_message m;
    struct application_recipe r = { 0 };
    size_t memory_bytes = (size_t)application_memory(a, a->cases[n].k);
    int bytes = (int)application_bytes(a, a->cases[n].k);
    if (memory_bytes > LARGE)
        return;
    unsigned *memory = malloc(memory_bytes);
    for (unsigned i = 0; i < memory_bytes / 4; i++)
        memory[i] = i;
    application_message_init(&m, a, a->cases[n].k, 0);
    application_recipe_init(&r, &m);
    ok(packs_the_pieces(&r, APPLICATION_SENDS, (char *)memory, bytes), a, n, "what is sent");
    ok(packs_the_pieces(&r, APPLICATION_RECEIVES, (char *)memory, bytes), a, n,
       "where it is received");
    application_recipe_release(&r);
    application_message_release(&m);
    free(memory);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (size_t i = 0; i < application_count; i++)
        for (size_t n = 0; n < applications[i].case_count && !applications[i].all_processes; n++)
            test_case(&applications[i], n);
    printf("1..%d\n", tests);
    MPI_Finalize();
    return 0;
}
