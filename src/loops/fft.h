/* The loops of a transposition: each process has rows of an n x n matrix of complex numbers, and
 * sends each process a block of them. */
#ifndef SKAMPI_LOOPS_FFT_H
#define SKAMPI_LOOPS_FFT_H

#include "model/parameters.h"

/* From the process's rows to the blocks, one after the other. */
typedef void fft_pack(const double *matrix, double *buffer, long n, long rows);

/* From the blocks of all processes to the rows of the transposed matrix. */
typedef void fft_unpack(double *matrix, const double *buffer, long n, long rows);

struct fft_loops {
    fft_pack *pack;
    fft_unpack *unpack;
};

/* Not compiled: NULL. */
struct fft_loops loops_fft(enum language language);

#endif
