/* The parameter files that ship inside the program (skampi --print-config NAME). configs/embed.pl
 * writes the definitions. */
#pragma once

#include <stddef.h>

struct shipped {
    const char *name; /* of the file, without .skampi */
    const char *text; /* the whole file */
};

extern const struct shipped shipped_configs[];
extern const size_t shipped_config_count;

/* Finds a file by its name, ignoring case; NULL without a match. */
const struct shipped *shipped_find(const char *name);

/* The most similar name of a file, for a suggestion; NULL if none is similar. */
const char *shipped_nearest(const char *name);
