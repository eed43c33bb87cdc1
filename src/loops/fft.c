#include "loops/declared.h"

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
