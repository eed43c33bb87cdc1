/* The files of a recording: one for each process while the program runs, a text at its end. */
#pragma once

#include "programs/record/cells.h"

#include <mpi.h>

enum { RECORD_PATH = 4096 };

struct recording {
    MPI_Comm comm; /* owned; of the recorder alone */
    struct part *part;
    double begun_s; /* the end of MPI_Init */
    double own_s;   /* the recorder's own time in MPI_Init and MPI_Finalize */
    int64_t
        *sent_to[CELLS]; /* owned; the bytes for each process, of cells that have lists of them */
    char path[RECORD_PATH], part_path[RECORD_PATH];
};

/* Opens this process's file in the directory FILE.parts; collective. 0 or -1 (no memory) on all. */
int recording_open(struct recording *r, unsigned long long split);

/* Rank 0 writes the text; then, if that went well, the processes' files are removed. Collective. */
void recording_write(struct recording *r);
