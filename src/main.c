/* The life of a run: parameter file -> machine -> suite after suite -> results. */
#include "base/file.h"
#include "cli/door.h"
#include "cli/inform.h"
#include "cli/options.h"
#include "context/cvars.h"
#include "context/library.h"
#include "context/thread_level.h"
#include "hosts/job.h"
#include "session/parameter_file.h"
#include "session/health.h"
#include "session/selftest.h"
#include "ops/registry.h"

enum { STATUS_DONE = 0, STATUS_INCOMPLETE = 1, STATUS_USAGE = 2, STATUS_UNKNOWN = 3 };

static int measure_all(struct session *s, struct err *e)
{
    const struct suite *suite;
    int rc = session_begin(s, e);
    while (rc == 0 && (suite = session_next(s)) != NULL)
        rc = session_measure(s, suite, e);
    if (rc != 0 || session_verify(s, e) != 0 || session_finish(s, e) != 0)
        return STATUS_INCOMPLETE;
    return s->complete ? STATUS_DONE : STATUS_INCOMPLETE;
}

/* Tests of the machine, or of the data of a parameter file's suites. */
static int test(struct session *s, struct err *e)
{
    static const int status[] = { [SELFTEST_PASSED] = STATUS_DONE,
                                  [SELFTEST_UNKNOWN] = STATUS_UNKNOWN,
                                  [SELFTEST_FAILED] = STATUS_INCOMPLETE };
    int verdict = selftest_run(s, e);
    return verdict >= 0 ? status[verdict] : STATUS_INCOMPLETE;
}

static int examine(struct session *s, struct err *e)
{
    int state = health_run(s, e);
    if (state >= 0)
        return health_states[state].status;
    return state == HEALTH_NO_FILE ? STATUS_USAGE : STATUS_UNKNOWN;
}

static int run(struct session *s, struct err *e)
{
    if (s->request->action == ACTION_SELFTEST)
        return test(s, e);
    if (s->request->action == ACTION_HEALTH)
        return examine(s, e);
    if (session_read(s, e) != 0)
        return STATUS_USAGE;
    return s->params.verify == VERIFY_ONLY ? test(s, e) : measure_all(s, e);
}

/* Negative: unknown. */
static double elapsed_s(double since_s)
{
    return LIBRARY_IS_SIMULATED ? -1.0 : hostclock_now() - since_s;
}

/* Without MPI: what the command line asks for; its words become a parameter file. */
static int understand(struct request *o, struct registry *types, struct command_line *line)
{
    struct err e = { "" };
    FILE *out = launcher_rank() == 0 ? stderr : NULL;
    int rc = registry_init(types, &e);
    if (rc == 0)
        rc = options_read(o, line, &e);
    o->command = line->argv;
    o->command_count = line->argc;
    if (rc != 0 && out != NULL)
        fprintf(out, "skampi: %s\n", e.text);
    if (rc != 0 || o->word_count == 0)
        return rc;
    const struct catalog catalog = registry_catalog(types);
    if (words_name_file(o, &catalog)) {
        o->name = o->file = o->words[0];
        return 0;
    }
    return words_file(o, line, &catalog, out);
}

static void abort_all(int status)
{
    MPI_Abort(MPI_COMM_WORLD, status);
}

static int measure_run(struct request *o, const struct registry *types, int *argc, char ***argv)
{
    const struct catalog catalog = registry_catalog(types);
    struct session s;
    struct err e = { "" };
    file_report_limits();
    hosts_before_init();
    o->level = parameter_file_level(o, &catalog);
    environment_at_start();
    double began_s = hostclock_now();
    /* Rank 0 reads variables for the header. After MPI_Init, that opens all components again. */
    if (o->action == ACTION_MEASURE && request_has_header(o) && launcher_rank() == 0)
        cvars_begin();
    thread_level_init(o->level, argc, argv);
    allocated_ends_by(abort_all);
    session_init(&s, o, types, elapsed_s(began_s));
    int status = run(&s, &e);
    if (err_is_set(&e) && session_is_root(&s))
        fprintf(stderr, "skampi: %s\n", e.text);
    session_release(&s);
    began_s = hostclock_now();
    allocated_ends_by(exit);
    MPI_Finalize();
    if (late_fact_write(s.late_file, elapsed_s(began_s) * 1e6) != 0)
        fprintf(stderr,
                "skampi: cannot write how long MPI_Finalize took; the results are complete\n");
    return status;
}

int main(int argc, char **argv)
{
    struct registry types;
    struct request options;
    struct command_line line = { .given = argv, .argc = argc };
    int status = door_open(argc, argv);
    if (status >= 0)
        return status;
    file_own_new_files();
    if (understand(&options, &types, &line) != 0)
        status = STATUS_USAGE;
    else if (options.action <= LAST_ACTION_WITH_MPI)
        status = measure_run(&options, &types, &argc, &argv);
    else
        status = launcher_rank() == 0 ? inform(&options, &types) : STATUS_DONE;
    command_line_release(&line);
    return status;
}
