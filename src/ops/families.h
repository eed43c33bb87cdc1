/* The families of operations, one file each; registry.c lists them. */
#ifndef SKAMPI_OPS_FAMILIES_H
#define SKAMPI_OPS_FAMILIES_H

#include "patterns/op.h"

extern const struct op_family pingpong_family;     /* 1-9, 29, 34 */
extern const struct op_family master_family;       /* 10-16, 30 */
extern const struct op_family bcast_family;        /* 17/47, 72/73, 80/81 */
extern const struct op_family barrier_family;      /* 18/49 */
extern const struct op_family reduce_family;       /* 19/54, 21/56, 36-38, 44 */
extern const struct op_family alltoall_family;     /* 20/55, 43/68, 74/75, 78/79 */
extern const struct op_family gather_family;       /* 33/48, 39/64, 41/66, 42/67, 45/70, 46/71 */
extern const struct op_family scatter_family;      /* 35/60, 40/65 */
extern const struct op_family communicator_family; /* 22/57, 76/77, 82-85 */
extern const struct op_family neighbour_family;    /* 86-91 */
extern const struct op_family memory_family;       /* 23/58 */
extern const struct op_family local_family;        /* 24-28 */
extern const struct op_family dummy_family;        /* 29-32, 59 */
extern const struct op_family internal_family;     /* 50-53 */

/* For a family's last line. */
#define OP_FAMILY(name, rows) const struct op_family name = { rows, sizeof(rows) / sizeof(*(rows)) }

#endif
