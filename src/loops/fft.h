/* The loops of a transposition: each process has rows of an n x n matrix of complex numbers, and
 * sends each process a block of them. */
#ifndef SKAMPI_LOOPS_FFT_H
#define SKAMPI_LOOPS_FFT_H

/* From the process's rows to the blocks, one after the other. */
void loops_fft_pack(const double *matrix, double *buffer, long n, long rows);

/* From the blocks of all processes to the rows of the transposed matrix. */
void loops_fft_unpack(double *matrix, const double *buffer, long n, long rows);

#endif
