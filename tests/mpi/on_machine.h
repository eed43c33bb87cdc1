/* The main function of a test program that uses the machine of a parameter file. */
#include "ops/registry.h"
#include "params/params.h"

#include <stdio.h>

/* Returns the number of failures. */
typedef int machine_test(struct machine *m, const struct params *p, const struct registry *types);

/* Returns the exit status: 0 if the text could be read and nothing failed. */
static int test_on_machine(const struct source *text, const struct registry *types,
                           machine_test *test)
{
    struct err e = { "" };
    struct complaints c = { 0 };
    struct params p = { 0 };
    struct machine m;
    struct catalog catalog = registry_catalog(types);
    int failures = 1;
    MPI_Init(NULL, NULL);
    if (params_read(&p, text, &catalog, &c) == 0 && machine_init(&m, &p, MPI_Wtime(), &e) == 0) {
        failures = test(&m, &p, types);
        machine_release(&m);
    }
    complaints_print(&c, text, stderr);
    complaints_release(&c);
    params_release(&p);
    MPI_Finalize();
    return failures == 0 ? 0 : 1;
}
