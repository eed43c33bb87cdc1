/* Accesses of this process to memory that only a GPU can access: an MPI library that is not
 * GPU-aware makes them, and the program ends with SIGSEGV. What was called is written to standard
 * error, and to a file in which the next start finds it. No MPI. */
#pragma once

#include "base/err.h"

/* Memory whose addresses are faults; at most one block for each kind of memory. The first one sets
 * a handler, which comes before those of others, and lets them run after it. */
void fault_guard(const char *from, size_t bytes);

/* Keeps what is written in a file, RESULTS.fault.RANK, in place of an earlier one. -1: it cannot be
 * written, or has something else; then standard error remains. */
int fault_keep(const char *results, int rank, struct err *e);

/* Names the suite and its operation that are called from now on. */
void fault_name(const char *label, const char *operation);

/* Removes that file, which is empty. */
void fault_end(void);

/* Reads what an earlier run of this rank left in its file, "LABEL why"; "" if none. */
enum { FAULT_SIZE = 512 };
void fault_read(const char *results, int rank, char text[FAULT_SIZE]);
