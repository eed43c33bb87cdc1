/* The notes of a suite's block in a merge: lines "#@NAME value". Pure. */
#ifndef SKAMPI_MERGE_NOTES_H
#define SKAMPI_MERGE_NOTES_H

#include "results/result_list.h"

/* Adds the notes of the first list; those whose value may differ from run to run as their row in
 * the table of facts says. */
void notes_combine(struct text *out, const struct result_list *lists, size_t count);

/* In the notes of a run, files beside it get its directory's name unless the merge is in the same
 * directory, or its path is NULL. */
int notes_locate(struct text *notes, const char *run_path, const char *merged_path, struct err *e);

#endif
