/* The batch job in which the program runs, as the batch system says: Slurm, PBS, LSF and others. No
 * MPI. */
#pragma once

#include "base/text.h"

/* Adds its number, or "none". */
void job_add_number(struct text *value);

/* Adds its partition or queue, or nothing. */
void job_add_partition(struct text *value);

/* Adds its nodes: Slurm's list, or the names, each once, in the order of the batch system. Nothing
 * without them. */
void job_add_nodes(struct text *value);
