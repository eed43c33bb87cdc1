/* The life of a run: parameter file -> machine -> suite after suite -> results. */
#include "base/file.h"
#include "cli/inform.h"
#include "cli/options.h"
#include "context/library.h"
#include "session/selftest.h"
#include "session/session.h"
#include "ops/registry.h"

enum { STATUS_DONE = 0, STATUS_INCOMPLETE = 1, STATUS_USAGE = 2, STATUS_UNKNOWN = 3 };

static int measure_all(struct session *s, struct err *e)
{
    if (session_begin(s, e) != 0)
        return -1;
    for (const struct suite *suite; (suite = session_next(s)) != NULL;)
        if (session_measure(s, suite, e) != 0)
            return -1;
    return session_verify(s, e) != 0 ? -1 : session_finish(s, e);
}

/* Tests of the machine, or of the data of a parameter file's suites. */
static int test(struct session *s, struct err *e)
{
    static const int status[] = { [SELFTEST_PASSED] = STATUS_DONE,
                                  [SELFTEST_UNKNOWN] = STATUS_UNKNOWN,
                                  [SELFTEST_FAILED] = STATUS_INCOMPLETE };
    enum selftest_verdict verdict;
    return selftest_run(s, &verdict, e) == 0 ? status[verdict] : STATUS_INCOMPLETE;
}

/* late: the file to write into after MPI_Finalize. */
static int run(const struct request *o, const struct registry *types, double init_s, int *late)
{
    struct session s;
    struct err e = { "" };
    int status = STATUS_USAGE;
    session_init(&s, o, types, init_s);
    if (o->action == ACTION_SELFTEST)
        status = test(&s, &e);
    else if (session_read(&s, &e) == 0)
        status = s.params.verify == VERIFY_ONLY           ? test(&s, &e)
                 : measure_all(&s, &e) == 0 && s.complete ? STATUS_DONE
                                                          : STATUS_INCOMPLETE;
    if (err_is_set(&e) && s.resources.rank == 0)
        fprintf(stderr, "skampi: %s\n", e.text);
    *late = s.late_file;
    session_release(&s);
    return status;
}

/* Negative: unknown. */
static double elapsed_s(double since_s)
{
    return LIBRARY_IS_SIMULATED ? -1.0 : hostclock_now() - since_s;
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
    if (options.action != ACTION_MEASURE && options.action != ACTION_SELFTEST)
        return launcher_rank() == 0 ? inform(&options, &types) : 0;
    file_report_limits();
    hosts_before_init();
    int late;
    double began_s = hostclock_now();
    MPI_Init(&argc, &argv);
    int status = run(&options, &types, elapsed_s(began_s), &late);
    began_s = hostclock_now();
    MPI_Finalize();
    if (late_fact_write(late, elapsed_s(began_s) * 1e6) != 0)
        fprintf(stderr,
                "skampi: cannot write how long MPI_Finalize took; the results are complete\n");
    return status;
}
