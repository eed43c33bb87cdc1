/* The life of a run: parameter file -> machine -> suite after suite -> results. */
#include "base/file.h"
#include "cli/inform.h"
#include "session/session.h"

#include <mpi.h>
#include <stdio.h>

enum { STATUS_DONE = 0, STATUS_INCOMPLETE = 1, STATUS_USAGE = 2 };

static int measure_all(struct session *s, struct err *e)
{
    if (session_begin(s, e) != 0)
        return -1;
    for (const struct suite *suite; (suite = session_next(s)) != NULL;)
        if (session_measure(s, suite, e) != 0)
            return -1;
    return session_finish(s, e);
}

static int run(const struct request *o, const struct registry *types)
{
    struct session s;
    struct err e = { "" };
    int status = STATUS_USAGE;
    session_init(&s, o, types);
    if (session_read(&s, &e) == 0)
        status = measure_all(&s, &e) == 0 && s.complete ? STATUS_DONE : STATUS_INCOMPLETE;
    if (err_is_set(&e) && s.machine.rank == 0)
        fprintf(stderr, "skampi: %s\n", e.text);
    session_release(&s);
    return status;
}

int main(int argc, char **argv)
{
    struct registry types;
    struct request options;
    struct err e = { "" };
    file_own_new_files();
    if (registry_init(&types, &e) != 0 || options_read(&options, argc, argv, &e) != 0) {
        if (launcher_rank() == 0)
            fprintf(stderr, "skampi: %s\n", e.text);
        return STATUS_USAGE;
    }
    if (options.action != ACTION_MEASURE)
        return launcher_rank() == 0 ? inform(&options, &types) : 0;
    file_report_limits();
    hosts_before_init();
    MPI_Init(&argc, &argv);
    int status = run(&options, &types);
    MPI_Finalize();
    return status;
}
