/* The launcher that started the program (launchers.def), and the batch job in which it runs, as
 * the batch system says: Slurm, PBS, LSF and others. No MPI. */
#pragma once

#include "base/text.h"

struct launcher {
    const char *library, *variable;
    const char *start, *spread; /* two processes; on one host after the other */
    const char *core, *each;    /* bound to a core; each to one of its own */
    const char *free;           /* not bound */
};

/* The row of this process; words that fit any launcher if it is not known. */
const struct launcher *launcher_get(void);

/* The number of this process among those that a launcher started, before MPI_Init; 0 without a
 * launcher. Only process 0 should print. */
int launcher_rank(void);

/* The number of those processes; 0: unknown. */
int launcher_processes(void);

/* Adds the rows as the list "launchers" of the catalogue. */
void launcher_catalog(struct text *out);

/* Adds its number, or "none". */
void job_add_number(struct text *value);

/* Adds its partition or queue, or nothing. */
void job_add_partition(struct text *value);

/* Adds its nodes: Slurm's list, or the names, each once, in the order of the batch system. Nothing
 * without them. */
void job_add_nodes(struct text *value);

/* Adds the switch of this host, if Slurm says it: the one before the node's name in the environment
 * of the node's processes. Of another host's environment, nothing. */
void job_add_switch(struct text *value, const char *host);
