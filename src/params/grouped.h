/* One warning for all suites that it concerns: about the first of them, and how many more there
 * are. */
#ifndef SKAMPI_PARAMS_GROUPED_H
#define SKAMPI_PARAMS_GROUPED_H

#include "base/complaints.h"
#include "base/text.h"
#include "model/parameters.h"

struct grouped {
    size_t at;          /* in the file, of the first */
    struct text first;  /* what is said about it */
    struct text others; /* names of further suites, up to a limit */
    size_t count;       /* of suites, with the first */
};

/* The first call decides the place and the words. */
void grouped_add(struct grouped *g, const struct suite *s, size_t at, const struct text *words);

/* Warns, if there was a suite: "suite 'NAME': WORDS; likewise 2 other suites: a, b". Releases g. */
void grouped_warn(struct grouped *g, struct complaints *c);

#endif
