/* The families of operations, one file each. */
#pragma once

#include "patterns/op.h"

/* clang-format off */
#define OP_FAMILIES(FAMILY) \
    FAMILY(pingpong_family) FAMILY(application_family) FAMILY(building_family) FAMILY(fft_family) \
    FAMILY(ready_family) FAMILY(stream_family) FAMILY(master_family) FAMILY(collective_family) \
    FAMILY(composed_family) FAMILY(communicator_family) FAMILY(neighbour_family) \
    FAMILY(neighbourhood_family) FAMILY(halo_family) FAMILY(rings_family) FAMILY(rma_family) \
    FAMILY(irregular_family) FAMILY(persistent_family) FAMILY(tree_family) FAMILY(exchange_family) \
    FAMILY(bruck_family) FAMILY(local_family) FAMILY(datatype_family) FAMILY(overlapped_family) \
    FAMILY(io_family) FAMILY(session_family) FAMILY(partitioned_family)
/* clang-format on */

/* For a family's last line. */
#define OP_FAMILY(name, rows)                                                                      \
    extern const struct op_family name;                                                            \
    const struct op_family name = { rows, sizeof(rows) / sizeof(*(rows)) }
