/* The control variables of the MPI library (MPI_T). On each process by itself; possible before
 * MPI_Init. A library without them has none. */
#ifndef SKAMPI_CONTEXT_CVARS_H
#define SKAMPI_CONTEXT_CVARS_H

#include "base/err.h"
#include "model/parameters.h"

/* Call once before the others. */
void cvars_begin(void);
void cvars_end(void);

/* Its number; -1: the library has none of this name. */
int cvar_find(const char *name);

/* Can it be written? */
bool cvar_is_settable(int cvar);

/* An integer or logical value; fallback if there is no such variable. */
int cvar_get(int cvar, int fallback);
void cvar_set(int cvar, int value);

/* A value that is a text, cut to size; "" if it is none. */
const char *cvar_text(int cvar, char *buffer, size_t size);

/* The values that have names: those of the enumeration, or those that the description lists as
 * "name - text". The caller frees the list; 0 or -1. */
int cvar_choices(int cvar, struct algorithms *a, struct err *e);

#endif
