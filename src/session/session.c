#include "session/session.h"

#include "base/file.h"
#include "hosts/fault.h"
#include "session/parameter_file.h"
#include "session/header_facts.h"
#include "results/format.h"
#include "merge/postproc.h"
#include "ops/registry.h"
#include "params/tables.h"

/* The place of the section, or else of the first suite that needs it. */
static size_t place_of(const struct params *p)
{
    size_t i = 0;
    if (p->io_directory_at != SECTION_MISSING)
        return p->io_directory_at;
    while ((p->suites[i].type->traits & TYPE_FILE) == 0)
        i++;
    return p->suites[i].at[FIELD_TYPE];
}

static int check_common(const struct session *s, struct complaints *c)
{
    const struct params *p = &s->params;
    for (size_t i = 0; i < p->suite_count && !s->place.common; i++)
        if ((p->suites[i].type->traits & (TYPE_FILE | TYPE_OWN_FILES)) == TYPE_FILE)
            return complaints_add(
                c, place_of(p),
                "the hosts do not see the same directory '%s': name one on a file system that they "
                "share, or measure own files only (types 228 and 229; '%s' has a common one)",
                p->io_directory, p->suites[i].name);
    return 0;
}

/* Makes the directory of the files that suites access, if one needs it; collective. Rank 0
 * complains if a host cannot use it. */
static int files_begin(struct session *s, struct complaints *c)
{
    const struct params *p = &s->params;
    struct err why = { "" };
    if (!params_use_files(p))
        return 0;
    if (file_place_make(&s->place, p->io_directory, MPI_COMM_WORLD, &why) != 0)
        return complaints_add(c, place_of(p),
                              "%s; write '@IO_DIRECTORY' and a directory in which you may write",
                              why.text);
    if (session_is_root(s) && s->place.swept > 0)
        text_print_to(stderr, "skampi: removed %d director%s that a killed run left in '%s'\n",
                      s->place.swept, s->place.swept == 1 ? "y" : "ies", p->io_directory);
    return check_common(s, c);
}

void files_check(const struct params *p, struct complaints *c)
{
    struct err why = { "" };
    if (params_use_files(p) && scratch_check(p->io_directory, &why) != 0)
        complaints_warn(c, place_of(p), "%s; a run needs it on all of its hosts", why.text);
}

void session_init(struct session *s, const struct request *o, const struct registry *types,
                  double init_s)
{
    *s = (struct session){ .place = { .scratch = SCRATCH_NONE },
                           .request = o,
                           .types = types,
                           .started_s = MPI_Wtime(),
                           .init_s = init_s,
                           .late_file = -1,
                           .complete = true };
    s->resources.world = s->resources.control = MPI_COMM_NULL;
    MPI_Comm_rank(MPI_COMM_WORLD, &s->resources.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &s->resources.size);
}

void session_release(struct session *s)
{
    struct err why = { "" };
    for (size_t i = 0; i < s->params.suite_count && s->work != NULL; i++)
        suite_end(s->work[i]);
    free(s->work);
    if (s->place.ready && file_place_release(&s->place, MPI_COMM_WORLD, &why) != 0)
        fprintf(stderr, "skampi: %s\n", why.text);
    resources_release(&s->resources);
    watchdog_release(&s->watchdog);
    watchdog_release(&s->silence);
    text_release(&s->rows);
    text_release(&s->view.missing);
    usual_release(&s->usual);
    text_release(&s->missing.names);
    text_release(&s->missing.skipped);
    store_release(&s->store);
    progress_release(&s->progress);
    rounds_release(&s->rounds);
    warnings_release(&s->warnings);
    text_release(&s->faults);
    text_release(&s->file_warnings);
    fault_end();
    params_release(&s->params);
}

const struct past *session_past(const struct session *s, const struct suite *suite)
{
    static const struct past none;
    const struct past *suites = s->store.recovery.past.suites;
    return suites == NULL ? &none : &suites[suite - s->params.suites];
}

int session_suite_index(const struct params *p, const char *label, size_t len)
{
    for (size_t i = 0; i < p->suite_count; i++)
        if (strncmp(label_of(&p->suites[i]), label, len) == 0 &&
            label_of(&p->suites[i])[len] == '\0')
            return (int)i;
    return -1;
}

int session_share_status(struct session *s, int rc, struct err *e)
{
    struct {
        int rc;
        struct err e;
    } status = { rc, *e };
    idle_bcast(&s->resources.clock, &status, sizeof(status), s->resources.control);
    *e = status.e;
    return status.rc;
}

struct suite_job session_job(struct session *s, const struct suite *suite)
{
    return (struct suite_job){ .resources = &s->resources,
                               .params = &s->params,
                               .suite = suite,
                               .op = registry_op(s->types, suite->type),
                               .dummy = registry_dummy(s->types, suite->type->pattern) };
}

/* Uses the file. All ranks read the same text, and have the same complaints. */
static int use(struct session *s, struct parameter_file *file)
{
    struct catalog catalog = registry_catalog(s->types);
    int rc = parameter_file_use(file, &s->params, &catalog, s->resources.size);
    s->params.spares_memory = s->request->own_suites;
    if (rc == 0)
        rc = files_begin(s, &file->complaints);
    if (session_is_root(s)) {
        parameter_file_complain(file, stderr);
        complaints_add_warnings(&file->complaints, &file->source, &s->file_warnings);
    }
    return rc;
}

/* Waits until the other run of a duet lets this one prepare itself. */
static int join_duet(struct session *s, struct err *e)
{
    struct duet *d = &s->resources.duet;
    const struct duet_place start = { -1, -1, -1 };
    const struct clock patient = { .now = MPI_Wtime, .naps = true };
    int rc = 0;
    d->on = s->request->duet != NULL;
    if (d->on && session_is_root(s)) {
        rc = duet_open(d, s->request->duet, e);
        rc = rc == 0 && duet_wait(d, start, e) >= 0 ? 0 : -1;
    }
    if (d->on) {
        idle_bcast(&patient, &rc, sizeof(rc), MPI_COMM_WORLD);
        s->started_s = MPI_Wtime();
    }
    return rc;
}

/* Before anything is measured: have the result file and the log a place? */
static int check_outputs(const struct session *s, struct err *e)
{
    struct err why = { "" };
    if (!session_is_root(s) || !request_keeps_files(s->request) ||
        (file_check_output(request_results(s->request, &s->params), &why) == 0 &&
         file_check_output(s->params.logfile, &why) == 0))
        return 0;
    return err_set(e, "%s; name a file in a directory in which you may write", why.text);
}

int session_read(struct session *s, struct err *e)
{
    struct parameter_file file;
    if (s->resources.size < 2)
        return err_set(e,
                       "at least two processes are needed; start skampi with: mpirun -np 2 skampi\n"
                       "    (if you did, that mpirun belongs to another MPI library; with srun, "
                       "try srun --mpi=pmix)");
    if (join_duet(s, e) != 0)
        return -1;
    int rc = parameter_file_share(&file, s->request, MPI_COMM_WORLD, e);
    if (rc == 0 && session_is_root(s) && !s->request->quiet)
        parameter_file_announce(&file);
    if (rc == 0)
        rc = use(s, &file);
    if (rc == 0)
        rc = ranks_agree(MPI_COMM_WORLD, check_outputs(s, e), e);
    parameter_file_release(&file);
    return rc;
}

/* Merges the run, whatever comes of it; then it is complete. */
static int postprocess(struct session *s, struct err *e)
{
    struct merge_report merged = { 0 };
    struct err log = { "" }, why = { "" };
    if (s->store.out_path == NULL)
        return 0;
    if (!s->params.postproc)
        return store_complete(&s->store, e);
    int rc = postproc_finish(s->store.out_path, &merged, &why);
    if (rc != 0)
        err_set(e, "this run is complete, but not merged with earlier ones: %s", why.text);
    if (session_report_merge(s, &merged, &log) != 0)
        rc = err_set(e, "%s", log.text);
    merge_report_release(&merged);
    struct err *left = rc == 0 ? e : &log; /* e keeps the first one */
    if (store_log(&s->store, LOG_MERGE_END, left, "%s", s->store.out_path) != 0 ||
        store_complete(&s->store, left) != 0)
        rc = -1;
    return rc;
}

int session_finish(struct session *s, struct err *e)
{
    LOCAL_TEXT trailer = { 0 };
    struct err none = { "" }; /* a device has no file to replace it in */
    int rc = 0;
    struct duet *d = &s->resources.duet;
    if (d->on) { /* the most that a process used while it slept */
        const struct clock *c = &s->resources.clock;
        control_reduce(c, &d->cpu_s, 1, MPI_DOUBLE, MPI_MAX, s->resources.control);
        control_reduce(c, &d->wakeups, 1, MPI_DOUBLE, MPI_MAX, s->resources.control);
    }
    if (session_is_root(s)) {
        resources_enter(&s->resources, ACTIVITY_WRITING);
        facts_trailer(&s->resources, text_get(&s->store.failed), &trailer);
        format_trailer(&trailer, false);
        rc = store_finish(&s->store, text_get(&trailer), s->params.postproc, e);
        if (rc == 0 && !s->store.recovery.past.ended && s->store.out_path != NULL)
            s->late_file = file_open_own(s->store.out_path, 0, 0, &none);
        session_print_news(s);
        rc = rc == 0 ? postprocess(s, e) : rc;
    }
    if (session_share_status(s, rc, e) != 0)
        return -1;
    if (session_is_root(s)) {
        session_print_end(s);
        duet_close(d);
        if (request_prints_results(s->request))
            fputs(text_get(&s->store.out.bytes), stdout);
        rc = file_flush_output(e);
    }
    return session_share_status(s, rc, e);
}
