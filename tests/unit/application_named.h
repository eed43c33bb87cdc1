/* The test of an application with this name; NULL: there is none. */
#include "model/applications.h"

#include <stddef.h>
#include <string.h>

static inline const struct application *application_named(const char *name)
{
    for (size_t i = 0; i < application_count; i++)
        if (strcmp(name, applications[i].name) == 0)
            return &applications[i];
    return NULL;
}
