/* Words and options of other programs: the rows of foreign.def. */
#pragma once

#include "base/text.h"

struct foreign {
    const char *words, *whose, *here; /* here: what to type instead, maybe the name of a type */
};

/* The row of a word, in any case, or of an option, "-i"; NULL without a match. */
const struct foreign *foreign_find(const char *typed);

/* Refuses an option of another program, "--root=0" or "-i"; 0: it is not known. */
int foreign_refuse(const char *option, struct err *e);

/* Adds the rows as the list "foreign" of the catalogue. */
void foreign_catalog(struct text *out);
