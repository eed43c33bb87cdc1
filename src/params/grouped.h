/* Groups a warning about several suites: reports the first of them, and the number of others. */
#ifndef SKAMPI_PARAMS_GROUPED_H
#define SKAMPI_PARAMS_GROUPED_H

#include "base/complaints.h"
#include "base/text.h"
#include "model/parameters.h"

struct grouped {
    size_t at;          /* place in the file, of the first suite */
    struct text first;  /* the warning about it */
    struct text others; /* names of further suites, up to a limit */
    size_t count;       /* of suites, including the first */
};

/* The first call determines place and words of the warning. */
void grouped_add(struct grouped *g, const struct suite *s, size_t at, const struct text *words);

/* Warns if a suite was added: "suite 'NAME': WORDS; also 2 other suites: a, b". Releases g. */
void grouped_warn(struct grouped *g, struct complaints *c);

#endif
