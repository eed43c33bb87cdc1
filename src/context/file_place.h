/* The directory of the files that operations access (base/scratch.h), in @IO_DIRECTORY, the same on
 * all hosts, or one on each. */
#pragma once

#include "base/scratch.h"

#include <mpi.h>

struct file_place {
    struct scratch scratch;
    bool ready;  /* on all processes */
    bool common; /* all hosts see the same directory */
    bool leads;  /* this process has the lowest rank of those on its host */
    int swept;   /* directories of killed runs that were removed; on rank 0 those of all hosts */
    int files;   /* number of files so far, on rank 0 */
};

/* Collective: removes what killed runs left, makes the directory, and looks whether each process
 * sees it; hosts that do not get their own. 0 or -1 on all processes; the error names the host. */
int file_place_make(struct file_place *p, const char *parent, MPI_Comm comm, struct err *e);

/* Collective over the same processes, when no process uses the files any more. */
int file_place_release(struct file_place *p, MPI_Comm comm, struct err *e);
