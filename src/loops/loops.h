/* How applications pack and unpack their messages without derived datatypes: loops over their
 * arrays, as an application's programmer writes them, with a message's layout in variables. In C,
 * and in Fortran if a compiler was found (fortran.f90). They are compiled with LOOPFLAGS besides
 * the usual flags (make LOOPFLAGS=-O3). No MPI. */
#ifndef SKAMPI_LOOPS_LOOPS_H
#define SKAMPI_LOOPS_LOOPS_H

#include "model/catalog.h"

/* memory holds the arrays, buffer the packed message. */
typedef void loops_pack(const struct application_message *m, const char *memory, void *buffer);
typedef void loops_unpack(const struct application_message *m, char *memory, const void *buffer);

struct application_loops {
    const char *name; /* of the test */
    bool as_sent;     /* packed in the order in which the derived datatype sends */
    struct {
        loops_pack *pack;
        loops_unpack *unpack;
    } in[LANGUAGE_COUNT]; /* NULL: not compiled */
};

/* NULL: the test has none. */
const struct application_loops *application_loops_find(const struct application *a);

/* The language, the compiler's version and the flags of its loops; NULL: not compiled. */
const char *loops_compiler(enum language language);

/* What suites need that is not compiled, as bits of enum capability. */
unsigned loops_lack(void);

#endif
