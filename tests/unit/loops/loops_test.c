/* Manual loops move the bytes that the layouts describe, and no others. */
#include "../test.h"
#include "../application_named.h"

#include "loops/loops.h"
#include "loops/loops.h"
#include "model/catalog.h"

enum { LARGE = 32 * 1000 * 1000 };

static unsigned numbered(size_t word)
{
    return (unsigned)word * 2654435761u | 1u;
}

/* All pieces of one side, copied between memory and packed in their order. */
struct copier {
    char *memory, *packed;
    size_t at;
    bool into_memory;
};

static void copy_piece(void *context, long long offset, long long bytes)
{
    struct copier *c = context;
    char *memory = c->memory + offset, *packed = c->packed + c->at;
    memcpy(c->into_memory ? memory : packed, c->into_memory ? packed : memory, (size_t)bytes);
    c->at += (size_t)bytes;
}

static unsigned *numbered_words(size_t bytes, size_t from)
{
    unsigned *words = malloc(bytes + 64);
    assert_non_null(words);
    for (size_t i = 0; i < bytes / 4; i++)
        words[i] = numbered(from + i);
    return words;
}

static void check_packing(const struct application_message *m, enum language language,
                          size_t memory_bytes, size_t bytes)
{
    const struct application_loops *loops = application_loops(m->application, language);
    unsigned *memory = numbered_words(memory_bytes, 0), *before = numbered_words(memory_bytes, 0);
    char *packed = calloc(bytes + 8, 1), *expected = calloc(bytes, 1);
    struct copier c = { (char *)memory, expected, 0, false };
    memset(packed + bytes, 0x5a, 8);
    application_pieces(m, APPLICATION_SENDS, copy_piece, &c);
    loops->pack(m, (char *)memory, packed);
    if (strstr(m->application->name, "LAMMPS") ==
        NULL) /* the others pack in the order of the datatype */
        assert_memory_equal(packed, expected, bytes);
    assert_memory_equal(packed + bytes, "ZZZZZZZZ", 8);
    assert_memory_equal(memory, before, memory_bytes);
    free(memory);
    free(before);
    free(packed);
    free(expected);
}

/* Loops unpack the sender's data to where the datatype puts them. */
static void check_unpacking(const struct application_message *m, enum language language,
                            size_t memory_bytes, size_t bytes)
{
    const struct application_loops *loops = application_loops(m->application, language);
    unsigned *sender = numbered_words(memory_bytes, 0);
    unsigned *by_loops = numbered_words(memory_bytes, 1u << 28);
    unsigned *by_pieces = numbered_words(memory_bytes, 1u << 28);
    char *packed = malloc(bytes), *in_order = malloc(bytes);
    struct copier from = { (char *)sender, in_order, 0, false };
    struct copier to = { (char *)by_pieces, in_order, 0, true };
    application_pieces(m, APPLICATION_SENDS, copy_piece, &from);
    application_pieces(m, APPLICATION_RECEIVES, copy_piece, &to);
    loops->pack(m, (char *)sender, packed);
    loops->unpack(m, (char *)by_loops, packed);
    assert_memory_equal(by_loops, by_pieces, memory_bytes);
    free(sender);
    free(by_loops);
    free(by_pieces);
    free(packed);
    free(in_order);
}

static bool is_compiled(enum language language)
{
    return loops_compiler(language) != NULL;
}

static void check_case(const struct application *a, const long *k)
{
    LOCAL(application_message) m;
    size_t memory = (size_t)application_memory(a, k), bytes = (size_t)application_bytes(a, k);
    application_message_init(&m, a, k, 0);
    for (enum language l = 0; l < LANGUAGE_COUNT; l++)
        if (is_compiled(l)) {
            check_packing(&m, l, memory, bytes);
            check_unpacking(&m, l, memory, bytes);
        }
}

/* The arrays that do not fit into a test's memory have the same loops as smaller ones. */
TEST(loops_move_what_the_layouts_say)
{
    int checked = 0;
    for (size_t i = 0; i < application_count; i++)
        for (size_t n = 0; n < applications[i].case_count && !applications[i].all_processes; n++) {
            const struct application *a = &applications[i];
            if (application_memory(a, a->cases[n].k) > LARGE)
                continue;
            check_case(a, a->cases[n].k);
            checked++;
        }
    assert_true(checked >= 56);
}

/* Boxes that are as long in one direction as in no other, so that no two can be exchanged. */
TEST(loops_fit_other_sizes)
{
    static const struct {
        const char *name;
        long k[APPLICATION_NUMBERS];
    } own[] = { { "WRF_x_vec", { 1, 7, 3, 13, 5, 23, 2, 6, 4, 12, 8, 11 } },
                { "MILC_su3_zd", { 2, 3, 5, 7 } },
                { "NAS_LU_x", { 3, 8 } },
                { "NAS_LU_y", { 3, 8 } },
                { "NAS_MG_x", { 4, 6, 9 } },
                { "NAS_MG_y", { 4, 6, 9 } },
                { "NAS_MG_z", { 4, 6, 9 } } };
    EACH(c, own) {
        const struct application *a = application_named(c->name);
        assert_null(application_objection(a, c->k));
        check_case(a, c->k);
    }
}

/* Three processes, each with two rows of a 6 x 6 matrix, exchange blocks of 2 x 2. */
static void check_transposition(struct fft_loops loops)
{
    enum { N = 6, P = 3, ROWS = N / P, BLOCK = 2 * ROWS * ROWS };
    double packed[P][P * BLOCK], received[P * BLOCK], matrix[2 * N * ROWS];
    for (int rank = 0; rank < P; rank++) {
        for (int i = 0; i < 2 * N * ROWS; i++)
            matrix[i] = 2 * N * ROWS * rank + i;
        loops.pack(matrix, packed[rank], N, ROWS);
    }
    for (int rank = 0; rank < P; rank++) {
        for (int from = 0; from < P; from++)
            memcpy(received + from * BLOCK, packed[from] + rank * BLOCK, sizeof(double[BLOCK]));
        loops.unpack(matrix, received, N, ROWS);
        for (int row = 0; row < ROWS; row++)
            for (int column = 0; column < N; column++)
                assert_true(matrix[2 * (row * N + column)] == 2 * (column * N + rank * ROWS + row));
    }
}

TEST(transposition_exchanges_rows_and_columns)
{
    for (enum language l = 0; l < LANGUAGE_COUNT; l++)
        if (is_compiled(l))
            check_transposition(loops_fft(l));
}

TEST(every_test_has_loops)
{
    for (size_t i = 0; i < application_count; i++)
        assert_true(applications[i].all_processes ||
                    application_loops(&applications[i], LANGUAGE_C)->pack != NULL);
}

TEST(compiler_and_flags_are_known)
{
    assert_non_null(strstr(loops_compiler(LANGUAGE_C), "C compiler version "));
    if (!is_compiled(LANGUAGE_FORTRAN)) {
        assert_int_equal(loops_lack(), NEEDS_FORTRAN);
        skip();
    }
    assert_non_null(strstr(loops_compiler(LANGUAGE_FORTRAN), "Fortran compiler version "));
    assert_int_equal(loops_lack(), 0);
}
