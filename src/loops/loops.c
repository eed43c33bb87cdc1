#include "loops/loops.h"

#include "base/text.h"

#ifndef SKAMPI_LOOPFLAGS
#define SKAMPI_LOOPFLAGS "flags unknown"
#endif

const char loops_compiler[] = "C, compiler version " __VERSION__ ", " SKAMPI_LOOPFLAGS;

#define LOOPS(name, functions)                                                                     \
    {                                                                                              \
        name, functions##_pack, functions##_unpack, true                                           \
    }
/* One particle after the other, while the datatype sends one property after the other. */
#define LOOPS_BY_PARTICLE(name, functions)                                                         \
    {                                                                                              \
        name, functions##_pack, functions##_unpack, false                                          \
    }

/* clang-format off */
static const struct application_loops rows[] = {
    LOOPS("WRF_x_vec", loops_wrf),
    LOOPS("WRF_y_vec", loops_wrf),
    LOOPS("WRF_x_sa", loops_wrf),
    LOOPS("WRF_y_sa", loops_wrf),
    LOOPS("MILC_su3_zd", loops_milc),
    LOOPS("NAS_LU_x", loops_lu_x),
    LOOPS("NAS_LU_y", loops_lu_y),
    LOOPS("NAS_MG_x", loops_mg_x),
    LOOPS("NAS_MG_y", loops_mg_y),
    LOOPS("NAS_MG_z", loops_mg_z),
    LOOPS_BY_PARTICLE("LAMMPS_full", loops_lammps_full),
    LOOPS_BY_PARTICLE("LAMMPS_atomic", loops_lammps_atomic),
    LOOPS("SPECFEM3D_oc", loops_specfem_oc),
    LOOPS("SPECFEM3D_cm", loops_specfem_cm),
    LOOPS("SPECFEM3D_mt", loops_specfem_mt),
};
/* clang-format on */

const struct application_loops *application_loops_find(const struct application *a)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (text_same(rows[i].name, a->name))
            return &rows[i];
    return NULL;
}
