/* The main function of a test program that uses the machine of a parameter file. */
#include "context/file_place.h"
#include "ops/registry.h"
#include "params/params.h"
#include "patterns/op.h"
#include "patterns/suite.h"
#include "model/parameters.h"

#include <stdio.h>
#include <string.h>

/* Returns the number of failures. */
typedef int machine_test(struct resources *res, const struct params *p,
                         const struct registry *types);

/* Returns the exit status: 0 if the text could be read and nothing failed. */
static int test_on_machine(const struct source *text, const struct registry *types,
                           machine_test *test)
{
    struct err e = { "" };
    struct complaints c = { 0 };
    struct params p = { 0 };
    struct resources res;
    struct file_place place = { .ready = false };
    struct catalog catalog = registry_catalog(types);
    int failures = 1;
    MPI_Init(NULL, NULL);
    if (params_read(&p, text, &catalog, &c) == 0 &&
        resources_init(&res, &p, MPI_Wtime(), &e) == 0) {
        resources_check_clock(&res, &e);
        res.place = &place;
        if (!params_use_files(&p) || file_place_make(&place, p.io_directory, res.world, &e) == 0)
            failures = test(&res, &p, types);
        if (place.ready && file_place_release(&place, res.world, &e) != 0)
            failures++;
        resources_release(&res);
    }
    complaints_print(&c, text, stderr);
    complaints_release(&c);
    params_release(&p);
    MPI_Finalize();
    return failures == 0 ? 0 : 1;
}

/* Runs the test with all types. The text is a parameter file. */
static inline int test_parameter_file(const char *text, machine_test *test)
{
    static struct registry types;
    const struct source source = { "test", text, strlen(text) };
    struct err e = { "" };
    if (registry_init(&types, &e) == 0)
        return test_on_machine(&source, &types, test);
    fprintf(stderr, "%s\n", e.text);
    return 1;
}

/* All turns of a suite in a row. Release the block in any case. */
static inline int suite_measure(const struct suite_job *job, struct block *b, struct err *e)
{
    enum suite_goes next = SUITE_GOES_ON;
    int rc = 0;
    struct suite_work *w = suite_begin(job, e);
    *b = (struct block){ 0 };
    while (w != NULL && rc == 0 && next == SUITE_GOES_ON)
        rc = suite_turn(w, &next, e);
    if (w != NULL) {
        *b = *suite_block(w);
        *suite_block(w) = (struct block){ 0 };
    }
    suite_end(w);
    return w == NULL ? -1 : rc;
}

/* Number i of a rank's send buffer: it identifies the sender and the place. */
static inline int number_sent(int rank, int i)
{
    return 1000000 * (rank + 1) + i;
}

/* Clears all buffers but the attached one, which belongs to the library and comes first; fills the
 * beginning of the send buffer with such numbers. */
static inline void number_messages(struct measurement *m, int n)
{
    int *send = (int *)m->send.at;
    size_t attached = (size_t)m->sizes.attached;
    memset(m->resources->buffers.block + attached, 0,
           (size_t)m->resources->buffers.bytes - attached);
    for (int i = 0; i < n; i++)
        send[i] = number_sent(m->rank, i);
}
