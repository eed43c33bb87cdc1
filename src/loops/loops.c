#include "loops/loops.h"

#include "model/catalog.h"

#ifndef SKAMPI_LOOPFLAGS
#define SKAMPI_LOOPFLAGS "flags unknown"
#endif

/* Compiler and flags; defined if fortran.f90 is compiled. */
#ifdef SKAMPI_FORTRAN
#define IN_FORTRAN(function) function
#else
#define SKAMPI_FORTRAN      NULL
#define IN_FORTRAN(ignored) NULL
#endif

/* The loops of each test, in C and in Fortran. */
#define TEST(number, building, i, name, text, loops)                                               \
    loops_pack loops_##loops##_pack, fortran_##loops##_pack;                                       \
    loops_unpack loops_##loops##_unpack, fortran_##loops##_unpack;
#include "loops/tests.def"
#undef TEST

fft_pack fortran_fft_pack;
fft_unpack fortran_fft_unpack;

/* both_ways.h has the loops once for both directions. */

enum { LU = 5, SU3 = 6, XYZ = 3 };

#define AT(number, memory, p) ((ARRAY number *)(ARRAY void *)((memory) + (p)->at))

#define LOOPS(test) loops_##test##_pack
#define SIDE        APPLICATION_SENDS
#define ARRAY       const
#define PACKED
#define MOVE(packed, element) ((packed) = (element))
#define PARTICLE(m, i)        ((m)->lists[0][i])
#include "loops/both_ways.h"
#undef LOOPS
#undef SIDE
#undef ARRAY
#undef PACKED
#undef MOVE
#undef PARTICLE

#define LOOPS(test) loops_##test##_unpack
#define SIDE        APPLICATION_RECEIVES
#define ARRAY
#define PACKED                const
#define MOVE(packed, element) ((element) = (packed))
#define PARTICLE(m, i)        ((m)->k[0] + (i))
#include "loops/both_ways.h"

/* SPECFEM3D_mt: points are copied whole; on the other side they arrive in one piece. */

void loops_specfem_mt_pack(const struct application_message *m, const char *memory, void *buffer)
{
    const float *a = (const float *)(const void *)memory;
    float *to = buffer;
    for (long n = m->k[0], i = 0; i < n; i++)
        memcpy(&to[XYZ * i], &a[2 * XYZ * i], XYZ * sizeof(float));
}

void loops_specfem_mt_unpack(const struct application_message *m, char *memory, const void *buffer)
{
    const struct application_part *p = &m->parts[APPLICATION_RECEIVES][0];
    memcpy(memory + p->at, buffer, XYZ * (size_t)m->k[0] * sizeof(float));
}

enum { COMPLEX = 2 };

static void pack(const double *matrix, double *buffer, long n, long rows)
{
    size_t row = COMPLEX * (size_t)rows;
    for (long first = 0; first < n; first += rows)
        for (long i = 0; i < rows; i++, buffer += row)
            memcpy(buffer, &matrix[COMPLEX * (i * n + first)], row * sizeof(double));
}

static void unpack(double *matrix, const double *buffer, long n, long rows)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < rows; j++) {
            matrix[COMPLEX * (j * n + i)] = *buffer++;
            matrix[COMPLEX * (j * n + i) + 1] = *buffer++;
        }
}

struct fft_loops loops_fft(enum language language)
{
    static const struct fft_loops loops[LANGUAGE_COUNT] = {
        [LANGUAGE_C] = { pack, unpack },
        [LANGUAGE_FORTRAN] = { IN_FORTRAN(fortran_fft_pack), IN_FORTRAN(fortran_fft_unpack) },
    };
    return loops[language];
}

static const struct application_loops rows[][LANGUAGE_COUNT] = {
#define TEST(number, building, i, name, text, loops)                                               \
    [i] = { [LANGUAGE_C] = { loops_##loops##_pack, loops_##loops##_unpack },                       \
            [LANGUAGE_FORTRAN] = { IN_FORTRAN(fortran_##loops##_pack),                             \
                                   IN_FORTRAN(fortran_##loops##_unpack) } },
#include "loops/tests.def"
};

const struct application_loops *application_loops(const struct application *a, enum language l)
{
    return &rows[a - applications][l];
}

const char *loops_compiler(enum language language)
{
    static const char *const compilers[LANGUAGE_COUNT] = {
        [LANGUAGE_C] = "C compiler version " __VERSION__ ", " SKAMPI_LOOPFLAGS,
        [LANGUAGE_FORTRAN] = SKAMPI_FORTRAN,
    };
    return compilers[language];
}

unsigned loops_lack(void)
{
    return loops_compiler(LANGUAGE_FORTRAN) == NULL ? NEEDS_FORTRAN : 0u;
}
