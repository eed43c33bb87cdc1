/* The launcher of this run, and its options: the rows of launchers.def. No MPI. */
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

/* Adds the rows as the list "launchers" of the catalogue. */
void launcher_catalog(struct text *out);
