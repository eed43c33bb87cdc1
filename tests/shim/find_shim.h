/* Finds the shim from a program that is not linked with it. The program defines _GNU_SOURCE. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

struct shim {
    double (*true_s)(void);
    double (*reading)(int rank, double true_s);
};

static struct shim find_shim(void)
{
    struct shim s = { NULL, NULL };
    *(void **)&s.true_s = dlsym(RTLD_DEFAULT, "shim_true");
    *(void **)&s.reading = dlsym(RTLD_DEFAULT, "shim_reading");
    if (s.true_s != NULL && s.reading != NULL)
        return s;
    fprintf(stderr, "the shim is not loaded\n");
    _Exit(2);
}
