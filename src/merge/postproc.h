/* @POSTPROC: what happens at the end of a finished run (manual 2.1.1). */
#pragma once

#include "merge/merge_report.h"

/* Merges the finished run in out_path with those of out_path.1, .2, ... that are finished and
 * belong to the same machine, processes and parameters. The run is kept under the first free of
 * these names, and out_path becomes the merge. Without such runs, or if out_path is not a regular
 * file, nothing changes. An earlier merge made by this function is removed if all its runs exist.
 *
 * At every moment each run has a name, and out_path is a complete file; without hard links,
 * out_path may not exist for a moment. report gets each file that was found; release it in any
 * case. */
int postproc_finish(const char *out_path, struct merge_report *report, struct err *e);
