/* The files that ship inside the program (skampi --print-config NAME), by configs/embed.pl. */
#pragma once

#include <stddef.h>

struct shipped {
    const char *name; /* of the file, without .skampi */
    const char *text; /* the whole file */
};

extern const struct shipped shipped_configs[];
extern const size_t shipped_config_count;
