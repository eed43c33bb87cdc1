/* Shared by the files of the operations that send applications' messages. */
#pragma once

#include "patterns/op.h"

/* The tests between two processes: numbers of the types that send the message and that build its
 * datatypes, index in applications, name and text. */
/* clang-format off */
#define APPLICATION_TESTS(TEST) \
    TEST(120, 140, 0, "WRF_x_vec", "WRF: x face of 9 arrays, as vectors"), \
    TEST(121, 141, 1, "WRF_y_vec", "WRF: y face of 9 arrays, as vectors"), \
    TEST(122, 142, 2, "WRF_x_sa", "WRF: x face of 9 arrays, as subarrays"), \
    TEST(123, 143, 3, "WRF_y_sa", "WRF: y face of 9 arrays, as subarrays"), \
    TEST(124, 144, 4, "MILC_su3_zd", "MILC: z face of a lattice of su3 vectors"), \
    TEST(125, 145, 5, "NAS_LU_x", "NAS LU: a row of points, one piece"), \
    TEST(126, 146, 6, "NAS_LU_y", "NAS LU: a column of points"), \
    TEST(127, 147, 7, "NAS_MG_x", "NAS MG: y-z face, single elements"), \
    TEST(128, 148, 8, "NAS_MG_y", "NAS MG: x-z face, rows far apart"), \
    TEST(129, 149, 9, "NAS_MG_z", "NAS MG: x-y face, rows"), \
    TEST(130, 150, 10, "LAMMPS_full", "LAMMPS: listed particles, 6 properties"), \
    TEST(131, 151, 11, "LAMMPS_atomic", "LAMMPS: listed particles, 4 properties"), \
    TEST(132, 152, 12, "SPECFEM3D_oc", "SPECFEM3D: listed points of 1 number"), \
    TEST(133, 153, 13, "SPECFEM3D_cm", "SPECFEM3D: listed points of 3 numbers in 2 arrays"), \
    TEST(134, 154, 14, "SPECFEM3D_mt", "SPECFEM3D: every second point of 3 numbers")
/* clang-format on */

/* The message, between init and free. */
const struct application_message *application_message_of(const struct run *r);

/* One repetition with numbered arrays on both sides, and a look at all of their elements: what was
 * sent has arrived where it belongs, and nothing else has changed. Every process that takes part;
 * each has its own result. */
int application_check(struct run *r, const struct op *op, struct err *e);
