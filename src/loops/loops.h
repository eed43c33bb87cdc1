/* How applications pack and unpack their messages without derived datatypes: loops over their
 * arrays, as an application's programmer writes them, with a message's layout in variables. In C,
 * and in Fortran if a compiler was found (fortran.f90). They are compiled with LOOPFLAGS besides
 * the usual flags (make LOOPFLAGS=-O3). No MPI. */
#pragma once

#include "model/applications.h"

/* memory holds the arrays, buffer the packed message. */
typedef void loops_pack(const struct application_message *m, const char *memory, void *buffer);
typedef void loops_unpack(const struct application_message *m, char *memory, const void *buffer);

struct application_loops { /* NULL: not compiled */
    loops_pack *pack;
    loops_unpack *unpack;
};

/* For a test between two processes. */
const struct application_loops *application_loops(const struct application *a, enum language l);

/* The loops of a transposition: each process has rows of an n x n matrix of complex numbers, and
 * sends each process a block of them. pack: from its rows to the blocks, one after the other;
 * unpack: from the blocks of all to the rows of the transposed matrix. NULL: not compiled. */
typedef void fft_pack(const double *matrix, double *buffer, long n, long rows);
typedef void fft_unpack(double *matrix, const double *buffer, long n, long rows);
struct fft_loops {
    fft_pack *pack;
    fft_unpack *unpack;
};
struct fft_loops loops_fft(enum language language);

/* The language, the compiler's version and the flags of its loops; NULL: not compiled. */
const char *loops_compiler(enum language language);

/* Missing loops that suites need, as bits of enum capability. */
unsigned loops_lack(void);
