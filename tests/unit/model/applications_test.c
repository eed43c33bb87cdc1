/* The layouts of applications against known answers: bytes and pieces of all 64 sizes. */
#include "../test.h"
#include "../application_named.h"

/* Pieces of one length; or, where a list of indices decides, a number of bytes in at most RUNS
 * pieces. */
#define EVEN(pieces, length)                                                                       \
    {                                                                                              \
        (pieces) * (length), pieces, length, 0                                                     \
    }
#define LIST(bytes, runs)                                                                          \
    {                                                                                              \
        bytes, 0, 0, runs                                                                          \
    }
static const struct known {
    const char *name;
    struct {
        long long bytes, pieces, length, runs;
    } cases[APPLICATION_CASES];
} rows[] = {
    { "WRF_x_vec", { EVEN(14476, 12), EVEN(8554, 12), EVEN(5264, 12) } },
    { "WRF_x_sa", { EVEN(14476, 12), EVEN(8554, 12), EVEN(5264, 12) } },
    { "WRF_y_vec", { EVEN(987, 92), EVEN(987, 76), EVEN(987, 64), EVEN(987, 56), EVEN(987, 44) } },
    { "WRF_y_sa", { EVEN(987, 92), EVEN(987, 76), EVEN(987, 64), EVEN(987, 56), EVEN(987, 44) } },
    { "MILC_su3_zd", { EVEN(32, 3072), EVEN(32, 1536), EVEN(32, 768), EVEN(16, 768) } },
    { "NAS_LU_x",
      { EVEN(1, 480), EVEN(1, 1320), EVEN(1, 2560), EVEN(1, 4080), EVEN(1, 6480), EVEN(1, 16320),
        EVEN(1, 40800) } },
    { "NAS_LU_y",
      { EVEN(12, 40), EVEN(33, 40), EVEN(64, 40), EVEN(102, 40), EVEN(162, 40), EVEN(408, 40),
        EVEN(1020, 40) } },
    { "NAS_MG_x", { EVEN(256, 8), EVEN(4096, 8), EVEN(16384, 8), EVEN(65536, 8) } },
    { "NAS_MG_y", { EVEN(16, 256), EVEN(64, 1024), EVEN(128, 2048), EVEN(256, 4096) } },
    { "NAS_MG_z", { EVEN(16, 256), EVEN(64, 1024), EVEN(128, 2048), EVEN(256, 4096) } },
    { "LAMMPS_full", { LIST(195968, 18372), LIST(143552, 13458), LIST(106368, 9972) } },
    { "LAMMPS_atomic", { LIST(11664, 972), LIST(6960, 580), LIST(5472, 456) } },
    { "SPECFEM3D_oc", { LIST(12900, 3225), LIST(7588, 1897), LIST(3508, 877), LIST(1972, 493) } },
    { "SPECFEM3D_cm",
      { LIST(177672, 14806), LIST(106248, 8854), LIST(55224, 4602), LIST(26424, 2202) } },
    { "SPECFEM3D_mt", { EVEN(7600, 12), EVEN(6400, 12), EVEN(5600, 12), EVEN(6200, 12) } },
};

/* The pieces that application_pieces has called back with. */
struct seen {
    long long pieces, bytes, shortest, longest, end;
    char *touched; /* per 4 bytes of the memory; NULL: do not look */
};

static void see(void *context, long long offset, long long bytes)
{
    struct seen *s = context;
    assert_true(offset >= 0 && offset % 4 == 0 && bytes > 0 && bytes % 4 == 0);
    s->pieces++;
    s->bytes += bytes;
    s->shortest = s->shortest == 0 || bytes < s->shortest ? bytes : s->shortest;
    s->longest = bytes > s->longest ? bytes : s->longest;
    s->end = offset + bytes > s->end ? offset + bytes : s->end;
    for (long long i = offset; i < offset + bytes; i += 4)
        assert_int_equal(s->touched[i / 4]++, 0);
}

static struct seen seen_of(const struct application_message *m, enum application_side side)
{
    long long memory = application_memory(m->application, m->k);
    struct seen s = { .touched = calloc((size_t)memory / 4, 1) };
    assert_non_null(s.touched);
    application_pieces(m, side, see, &s);
    assert_int_equal(application_piece_count(m, side), s.pieces);
    assert_true(s.end <= memory);
    free(s.touched);
    return s;
}

TEST(layouts_have_known_pieces)
{
    size_t pairs = 0;
    assert_int_equal(COUNT(rows) + 1, application_count); /* FFT has a test of its own */
    EACH(c, rows) {
        const struct application *a = application_named(c->name);
        assert_non_null(a);
        for (size_t n = 0; n < a->case_count; n++, pairs++) {
            const long *k = a->cases[n].k;
            LOCAL(application_message) m;
            assert_null(application_objection(a, k));
            application_message_init(&m, a, k, 0);
            struct seen s = seen_of(&m, APPLICATION_SENDS);
            assert_int_equal(s.bytes, c->cases[n].bytes);
            assert_int_equal(application_bytes(a, k), c->cases[n].bytes);
            if (c->cases[n].runs > 0) {
                assert_true(s.pieces <= c->cases[n].runs);
                assert_true(s.pieces > c->cases[n].runs / 8);
            } else {
                assert_int_equal(s.pieces, c->cases[n].pieces);
                assert_int_equal(s.shortest, c->cases[n].length);
                assert_int_equal(s.longest, c->cases[n].length);
            }
        }
        assert_true(a->case_count == APPLICATION_CASES || c->cases[a->case_count].bytes == 0);
    }
    assert_int_equal(pairs, 64);
}

/* The rows of one process: 16 N^2 / p bytes, and another matrix to receive into. */
TEST(transposition_moves_all_rows)
{
    static const struct {
        long n, p;
        long long bytes;
    } known[] = { { 256, 2, 524288 },   { 512, 2, 2097152 },   { 768, 2, 4718592 },
                  { 1024, 2, 8388608 }, { 1536, 2, 18874368 }, { 768, 3, 3145728 } };
    const struct application *a = application_named("FFT");
    for (size_t i = 0; i < COUNT(known); i++) {
        const long k[APPLICATION_NUMBERS] = { known[i].n, known[i].p };
        assert_int_equal(application_bytes(a, k), known[i].bytes);
        assert_int_equal(application_memory(a, k), 2 * known[i].bytes);
        assert_true(i >= a->case_count || a->cases[i].k[0] == known[i].n);
    }
    assert_int_equal(a->case_count, 5);
}

/* As much arrives as was sent; the number of its pieces is that of the receive side.
 */
TEST(receivers_take_the_same_bytes)
{
    static const struct {
        const char *name;
        long long pieces; /* -1: as many as are sent */
    } sides[] = { { "WRF_x_vec", -1 },    { "MILC_su3_zd", -1 },  { "NAS_LU_x", 1 },
                  { "NAS_LU_y", -1 },     { "NAS_MG_x", -1 },     { "NAS_MG_y", -1 },
                  { "NAS_MG_z", -1 },     { "LAMMPS_full", 6 },   { "LAMMPS_atomic", 4 },
                  { "SPECFEM3D_oc", -1 }, { "SPECFEM3D_cm", -1 }, { "SPECFEM3D_mt", 1 } };
    EACH(c, sides) {
        const struct application *a = application_named(c->name);
        LOCAL(application_message) m;
        application_message_init(&m, a, a->cases[0].k, 0);
        struct seen sent = seen_of(&m, APPLICATION_SENDS);
        struct seen received = seen_of(&m, APPLICATION_RECEIVES);
        assert_int_equal(sent.bytes, received.bytes);
        assert_int_equal(received.pieces, c->pieces < 0 ? sent.pieces : c->pieces);
    }
}

TEST(memory_is_that_of_the_arrays)
{
    static const struct {
        const char *name;
        size_t n;
        double megabytes;
    } sizes[] = { { "WRF_y_vec", 0, 3.06 },     { "WRF_y_vec", 1, 2.03 },
                  { "WRF_y_sa", 2, 1.50 },      { "WRF_y_sa", 3, 1.21 },
                  { "WRF_x_sa", 2, 0.84 },      { "NAS_MG_x", 3, 273.7 },
                  { "SPECFEM3D_cm", 0, 10.63 }, { "SPECFEM3D_cm", 3, 0.49 } };
    EACH(c, sizes) {
        const struct application *a = application_named(c->name);
        double bytes = (double)application_memory(a, a->cases[c->n].k);
        assert_true(bytes > (c->megabytes - 0.01) * 1e6);
        assert_true(bytes < (c->megabytes + 0.05) * 1e6);
    }
}

/* The distances between rows of MG, as the facts give them. */
TEST(strides_are_known)
{
    static const long long strides[][2] = {
        { 4896, 272 }, { 68640, 1040 }, { 268320, 2064 }, { 1060896, 4112 }
    };
    const struct application *y = application_named("NAS_MG_y"), *z = application_named("NAS_MG_z");
    for (size_t n = 0; n < COUNT(strides); n++) {
        struct application_part p = y->part(y->cases[n].k, APPLICATION_SENDS, y->first_part);
        assert_int_equal(application_part_stride(y, &p, 2), strides[n][0]);
        p = z->part(z->cases[n].k, APPLICATION_SENDS, z->first_part);
        assert_int_equal(application_part_stride(z, &p, 1), strides[n][1]);
    }
}

/* Distinct indices; the same for the same number, others for another one. */
TEST(lists_are_reproducible)
{
    const struct application *a = application_named("SPECFEM3D_oc");
    LOCAL(application_message) one, again, other;
    const long *k = a->cases[3].k;
    application_message_init(&one, a, k, 0);
    application_message_init(&again, a, k, 0);
    application_message_init(&other, a, k, 1);
    size_t bytes = (size_t)k[1] * sizeof(int);
    assert_memory_equal(one.lists[0], again.lists[0], bytes);
    assert_memory_not_equal(one.lists[0], other.lists[0], bytes);
    double mean = 0.0;
    for (long i = 0; i < k[1]; i++)
        mean += (double)one.lists[0][i] / (double)k[1];
    assert_true(mean > 0.45 * (double)k[0] && mean < 0.55 * (double)k[0]);
}

/* A message's length names its case. */
TEST(bytes_are_unique_in_a_test)
{
    for (size_t i = 0; i < application_count; i++) {
        const struct application *a = &applications[i];
        for (size_t n = 0; n < a->case_count && !a->all_processes; n++)
            for (size_t m = 0; m < n; m++)
                assert_true(application_bytes(a, a->cases[n].k) !=
                            application_bytes(a, a->cases[m].k));
    }
}

TEST(impossible_numbers_are_rejected)
{
    static const struct {
        const char *name;
        long k[APPLICATION_NUMBERS];
    } bad[] = { { "WRF_x_vec", { 1, 10, 1, 10, 1, 10, 0, 5, 1, 10, 1, 10 } },
                { "WRF_x_vec", { 1, 10, 1, 10, 1, 10, 5, 4, 1, 10, 1, 10 } },
                { "MILC_su3_zd", { 3, 3, 4, 4 } },
                { "MILC_su3_zd", { 4, 4, 0, 4 } },
                { "NAS_LU_x", { 0, 4 } },
                { "NAS_MG_z", { 2, 8, 8 } },
                { "LAMMPS_full", { 10, 11 } },
                { "SPECFEM3D_cm", { 10, 10, 10, 11 } },
                { "SPECFEM3D_mt", { 0 } },
                { "SPECFEM3D_mt", { 1000001 } } };
    EACH(c, bad)
        assert_non_null(application_objection(application_named(c->name), c->k));
}
