/* A preloaded library that lets an allocation of skampi itself, not of a library, fail: the one
 * with the number SKAMPI_MEMORY, from 1. It says so. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

static int fails(const void *caller)
{
    static long count;
    Dl_info program, of_caller;
    if (dladdr((void *)getauxval(AT_ENTRY), &program) == 0 || dladdr(caller, &of_caller) == 0 ||
        program.dli_fbase != of_caller.dli_fbase || ++count != atol(getenv("SKAMPI_MEMORY")))
        return 0;
    return fputs("(no memory)\n", stderr);
}

#define FAILING(TYPE, NAME, PARAMETERS, ARGUMENTS)                                                 \
    TYPE NAME PARAMETERS                                                                           \
    {                                                                                              \
        static TYPE(*real) PARAMETERS;                                                             \
        if (real == NULL)                                                                          \
            *(void **)&real = dlsym(RTLD_NEXT, #NAME);                                             \
        return fails(__builtin_return_address(0)) ? NULL : real ARGUMENTS;                         \
    }

FAILING(void *, malloc, (size_t size), (size))
FAILING(void *, calloc, (size_t count, size_t size), (count, size))
FAILING(void *, realloc, (void *old, size_t size), (old, size))
FAILING(char *, strdup, (const char *s), (s))
FAILING(char *, strndup, (const char *s, size_t len), (s, len))
