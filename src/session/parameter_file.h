/* The parameter file on its way from the disk into every process. */
#ifndef SKAMPI_SESSION_PARAMETER_FILE_H
#define SKAMPI_SESSION_PARAMETER_FILE_H

#include "base/err.h"
#include "params/params.h"

#include <mpi.h>
#include <stdbool.h>

struct parameter_file {
    struct source source; /* the bytes are owned */
    struct complaints complaints;
    bool shipped; /* there is no such file; it is the one of this name that ships with skampi */
};

/* Reads the file, resp. lets rank 0 read it and gives it to all (collective). Where there is none,
 * it may be the name of one that ships with skampi. The error says how to get one. Release in any
 * case. */
int parameter_file_read(struct parameter_file *f, const char *path, struct err *e);
int parameter_file_share(struct parameter_file *f, const char *path, MPI_Comm comm, struct err *e);

/* Reads and checks the parameters for so many processes, 0: for any number; complaints are kept in
 * f.
 */
int parameter_file_use(struct parameter_file *f, struct params *p, const struct catalog *types,
                       int processes);

/* Says on standard error that the file is one that ships. For one process only. */
void parameter_file_announce(const struct parameter_file *f);

void parameter_file_release(struct parameter_file *f);

#endif
