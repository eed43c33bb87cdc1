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

#define DECLARE_LOOPS(name)                                                                        \
    loops_pack loops_##name##_pack, fortran_##name##_pack;                                         \
    loops_unpack loops_##name##_unpack, fortran_##name##_unpack

DECLARE_LOOPS(wrf);
DECLARE_LOOPS(milc);
DECLARE_LOOPS(lu_x);
DECLARE_LOOPS(lu_y);
DECLARE_LOOPS(mg_x);
DECLARE_LOOPS(mg_y);
DECLARE_LOOPS(mg_z);
DECLARE_LOOPS(lammps_full);
DECLARE_LOOPS(lammps_atomic);
DECLARE_LOOPS(specfem_oc);
DECLARE_LOOPS(specfem_cm);
DECLARE_LOOPS(specfem_mt);

fft_pack fortran_fft_pack;
fft_unpack fortran_fft_unpack;
