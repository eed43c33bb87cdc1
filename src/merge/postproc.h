/* @POSTPROC: what happens at the end of a finished run (manual 2.1.1). */
#ifndef SKAMPI_MERGE_POSTPROC_H
#define SKAMPI_MERGE_POSTPROC_H

#include "base/err.h"
#include "merge/merge_report.h"

/* Merges the run that is finished in out_path with those of out_path.1, .2, ... that are finished
 * and belong to the same machine, processes and parameters. The run is kept under the first free of
 * these names, and out_path is the merge from then on. Without such runs, or if out_path is no
 * plain file, nothing changes. A merge that this function made earlier is removed if all the runs
 * are there that it was made of.
 *
 * At every moment each run has a name, and what has the name out_path is whole; without hard links
 * nothing may have that name for a moment. told gets each file that was found; release it in any
 * case. */
int postproc_finish(const char *out_path, struct merge_report *told, struct err *e);

#endif
