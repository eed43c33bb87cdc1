/* The families of operations, one file each; registry.c lists them. */
#ifndef SKAMPI_OPS_FAMILIES_H
#define SKAMPI_OPS_FAMILIES_H

#include "patterns/op.h"

extern const struct op_family pingpong_family;
extern const struct op_family application_family;
extern const struct op_family building_family;
extern const struct op_family fft_family;
extern const struct op_family ready_family;
extern const struct op_family stream_family;
extern const struct op_family master_family;
extern const struct op_family bcast_family;
extern const struct op_family barrier_family;
extern const struct op_family reduce_family;
extern const struct op_family alltoall_family;
extern const struct op_family gather_family;
extern const struct op_family communicator_family;
extern const struct op_family neighbour_family;
extern const struct op_family neighbourhood_family;
extern const struct op_family halo_family;
extern const struct op_family rings_family;
extern const struct op_family rma_family;
extern const struct op_family irregular_family;
extern const struct op_family persistent_family;
extern const struct op_family tree_family;
extern const struct op_family exchange_family;
extern const struct op_family bruck_family;
extern const struct op_family local_family;
extern const struct op_family datatype_family;
extern const struct op_family nonblocking_family;
extern const struct op_family overlapped_family;
extern const struct op_family io_family;

/* For a family's last line. */
#define OP_FAMILY(name, rows) const struct op_family name = { rows, sizeof(rows) / sizeof(*(rows)) }

#endif
