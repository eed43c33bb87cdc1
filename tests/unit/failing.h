/* Allocations that fail on demand, for tests that are linked with --wrap (Makefile: WRAP). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

static int allocations_left =
    -1; /* allocations that succeed before all others fail; negative: none fails */

/* The linker requires these names. */
void *__real_malloc(size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__real_strdup(const char *s);
char *__real_strndup(const char *s, size_t len);
char *__wrap_strdup(const char *s);
char *__wrap_strndup(const char *s, size_t len);

static bool allocation_fails(void)
{
    if (allocations_left == 0)
        return true;
    if (allocations_left > 0)
        allocations_left--;
    return false;
}

void *__wrap_malloc(size_t size)
{
    return allocation_fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return allocation_fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return allocation_fails() ? NULL : __real_realloc(old, size);
}

char *__wrap_strdup(const char *s)
{
    return allocation_fails() ? NULL : __real_strdup(s);
}

char *__wrap_strndup(const char *s, size_t len)
{
    return allocation_fails() ? NULL : __real_strndup(s, len);
}
