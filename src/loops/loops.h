/* How applications pack and unpack their messages without derived datatypes: loops over their
 * arrays, as an application's programmer writes them, with a message's layout in variables. They
 * are compiled with LOOPFLAGS besides the usual flags (make LOOPFLAGS=-O3). No MPI. */
#ifndef SKAMPI_LOOPS_LOOPS_H
#define SKAMPI_LOOPS_LOOPS_H

#include "model/applications.h"

struct application_loops {
    const char *name; /* of the test */
    /* memory holds the arrays, buffer the packed message. */
    void (*pack)(const struct application_message *m, const char *memory, void *buffer);
    void (*unpack)(const struct application_message *m, char *memory, const void *buffer);
    bool as_sent; /* packed in the order in which the derived datatype sends */
};

/* NULL: the test has none. */
const struct application_loops *application_loops_find(const struct application *a);

/* The compiler's version and the flags of the loops. */
extern const char loops_compiler[];

/* One function each, in the files of this folder. */
#define DECLARE_LOOPS(name)                                                                        \
    void name##_pack(const struct application_message *m, const char *memory, void *buffer);       \
    void name##_unpack(const struct application_message *m, char *memory, const void *buffer)

DECLARE_LOOPS(loops_wrf);
DECLARE_LOOPS(loops_milc);
DECLARE_LOOPS(loops_lu_x);
DECLARE_LOOPS(loops_lu_y);
DECLARE_LOOPS(loops_mg_x);
DECLARE_LOOPS(loops_mg_y);
DECLARE_LOOPS(loops_mg_z);
DECLARE_LOOPS(loops_lammps_full);
DECLARE_LOOPS(loops_lammps_atomic);
DECLARE_LOOPS(loops_specfem_oc);
DECLARE_LOOPS(loops_specfem_cm);
DECLARE_LOOPS(loops_specfem_mt);

#endif
