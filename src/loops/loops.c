#include "loops/loops.h"

#include "loops/declared.h"
#include "model/catalog.h"

#define LOOPS(name)                                                                                \
    {                                                                                              \
        [LANGUAGE_C] = { loops_##name##_pack, loops_##name##_unpack }, [LANGUAGE_FORTRAN] = {      \
            IN_FORTRAN(fortran_##name##_pack),                                                     \
            IN_FORTRAN(fortran_##name##_unpack)                                                    \
        }                                                                                          \
    }

/* LAMMPS packs one particle after the other; the datatype sends one property after the other. */
/* clang-format off */
static const struct application_loops rows[] = {
    { "WRF_x_vec", true, LOOPS(wrf) },
    { "WRF_y_vec", true, LOOPS(wrf) },
    { "WRF_x_sa", true, LOOPS(wrf) },
    { "WRF_y_sa", true, LOOPS(wrf) },
    { "MILC_su3_zd", true, LOOPS(milc) },
    { "NAS_LU_x", true, LOOPS(lu_x) },
    { "NAS_LU_y", true, LOOPS(lu_y) },
    { "NAS_MG_x", true, LOOPS(mg_x) },
    { "NAS_MG_y", true, LOOPS(mg_y) },
    { "NAS_MG_z", true, LOOPS(mg_z) },
    { "LAMMPS_full", false, LOOPS(lammps_full) },
    { "LAMMPS_atomic", false, LOOPS(lammps_atomic) },
    { "SPECFEM3D_oc", true, LOOPS(specfem_oc) },
    { "SPECFEM3D_cm", true, LOOPS(specfem_cm) },
    { "SPECFEM3D_mt", true, LOOPS(specfem_mt) },
};
/* clang-format on */

const struct application_loops *application_loops_find(const struct application *a)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (text_same(rows[i].name, a->name))
            return &rows[i];
    return NULL;
}

const char *loops_compiler(enum language language)
{
    static const char *const compilers[LANGUAGE_COUNT] = {
        [LANGUAGE_C] = "C compiler version " __VERSION__ ", " SKAMPI_LOOPFLAGS,
        [LANGUAGE_FORTRAN] = SKAMPI_FORTRAN,
    };
    return compilers[language];
}

unsigned loops_lack(void)
{
    return loops_compiler(LANGUAGE_FORTRAN) == NULL ? NEEDS_FORTRAN : 0u;
}
