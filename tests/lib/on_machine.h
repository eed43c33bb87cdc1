/* The main function of a test program that uses the machine of a parameter file. */
#include "context/file_place.h"
#include "context/library.h"
#include "ops/registry.h"
#include "params/params.h"
#include "patterns/op.h"
#include "patterns/suite.h"
#include "model/parameters.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For a call whose message the test does not read. */
#define NO_ERR (&(struct err){ "" })

typedef void machine_test(struct resources *res, const struct params *p,
                          const struct registry *types);

static int tap_tests, tap_failures;

/* Prints a line of TAP on rank 0: whether this is right on all processes, and the text. */
__attribute__((format(printf, 3, 4))) static inline void tap(const struct resources *res,
                                                             bool right, const char *format, ...)
{
    int all = right;
    va_list args;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, res->control);
    tap_failures += !all;
    tap_tests++;
    if (res->rank != 0)
        return;
    printf("%s %d - ", all ? "ok" : "not ok", tap_tests);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    puts("");
    fflush(stdout);
}

/* Returns the exit status: 0 if the text could be read and nothing failed. Prints the plan of what
 * uses tap. */
static int test_on_machine(const struct source *text, const struct registry *types,
                           machine_test *test)
{
    struct complaints c = { 0 };
    struct params p = { 0 };
    struct resources res;
    struct file_place place = { .ready = false };
    struct catalog catalog = registry_catalog(types);
    bool ready = false;
    MPI_Init(NULL, NULL);
    library_try(UINT_MAX, MPI_COMM_WORLD);
    if (params_read(&p, text, 0, &catalog, &c) == 0 &&
        resources_init(&res, &p, MPI_Wtime(), NO_ERR) == 0) {
        resources_check_clock(&res, NO_ERR);
        res.place = &place;
        ready = !params_use_files(&p) ||
                file_place_make(&place, p.io_directory, res.world, NO_ERR) == 0;
        if (ready)
            test(&res, &p, types);
        if (tap_tests > 0 && res.rank == 0)
            printf("1..%d\n", tap_tests);
        if (place.ready && file_place_release(&place, res.world, NO_ERR) != 0)
            ready = false;
        resources_release(&res);
    }
    complaints_print(&c, text, stderr);
    complaints_release(&c);
    params_release(&p);
    MPI_Finalize();
    return ready && tap_failures == 0 ? 0 : 1;
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

/* The main function of a program without arguments. */
#define TEST_PARAMETER_FILE(text, test)                                                            \
    int main(void)                                                                                 \
    {                                                                                              \
        return test_parameter_file(text, test);                                                    \
    }

/* The main function of a program that writes its parameter file itself. */
#define TEST_MADE_FILE(write_file, test)                                                           \
    int main(void)                                                                                 \
    {                                                                                              \
        static struct registry types;                                                              \
        LOCAL_TEXT file = { 0 };                                                                   \
        registry_init(&types, &(struct err){ "" });                                                \
        write_file(&types, &file);                                                                 \
        const struct source source = { "test", text_get(&file), file.len };                        \
        return test_on_machine(&source, &types, test);                                             \
    }

/* All turns of a suite in a row; prints an error. Release the block in any case. */
static inline int suite_measure(const struct suite_job *job, struct block *b)
{
    struct err e = { "" };
    enum suite_goes next = SUITE_GOES_ON;
    int rc = 0;
    struct suite_work *w = suite_begin(job);
    *b = (struct block){ 0 };
    while (rc == 0 && next == SUITE_GOES_ON)
        rc = suite_turn(w, &next, &e);
    *b = *suite_block(w);
    *suite_block(w) = (struct block){ 0 };
    suite_end(w);
    if (rc != 0)
        fprintf(stderr, "%s\n", e.text);
    return rc;
}

/* Number i of a rank's send buffer: it identifies the sender and the place. */
static inline int number_sent(int rank, int i)
{
    return 1000000 * (rank + 1) + i;
}

/* Buffers that are large enough for short messages of all processes. */
static inline void small_buffers(struct resources *res)
{
    buffers_release(&res->buffers);
    buffers_init(&res->buffers, 1 << 20, NO_ERR);
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
