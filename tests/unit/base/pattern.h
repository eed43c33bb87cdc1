/* Content for the tests of files. */
#pragma once

#include <stdlib.h>

enum { KIB = 1024, PATTERN = 251 };

/* Bytes that depend on their place; owned by the caller. */
static char *pattern(size_t len)
{
    char *bytes = malloc(len + 1);
    assert_non_null(bytes);
    for (size_t i = 0; i < len; i++)
        bytes[i] = (char)(i % PATTERN);
    return bytes;
}
