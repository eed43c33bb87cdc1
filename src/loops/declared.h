/* The loops of each test, in the files of this folder, and those in Fortran, if it is compiled. */
#pragma once

#include "loops/loops.h"

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

#define TEST(number, building, i, name, text, loops)                                               \
    loops_pack loops_##loops##_pack, fortran_##loops##_pack;                                       \
    loops_unpack loops_##loops##_unpack, fortran_##loops##_unpack;
#include "loops/tests.def"
#undef TEST

fft_pack fortran_fft_pack;
fft_unpack fortran_fft_unpack;
