#include "session/parameter_file.h"

#include "base/file.h"
#include "context/library.h"
#include "context/thread_level.h"
#include "context/resources.h"
#include "model/argument_range.h"
#include "plan/sweep.h"
#include "stats/visit_length.h"

enum { LONGEST = 256 * 1024 * 1024 };

void parameter_file_announce(const struct parameter_file *f)
{
    if (f->shipped)
        text_print_to(stderr, "skampi: no file '%s' here; using the shipped file '%s'\n",
                      f->source.name, f->source.name);
}

static int take_text(struct parameter_file *f, const char *text)
{
    f->source.bytes = allocated(strdup(text));
    f->source.len = strlen(text);
    return 0;
}

static int read_source(struct parameter_file *f, const struct request *o, struct err *e)
{
    struct err why = { "" };
    LOCAL_TEXT all = { 0 };
    const char *path = o->file;
    *f = (struct parameter_file){ .source = { .name = path }, .comm = MPI_COMM_NULL };
    const struct shipped *shipped = shipped_find(path);
    const char *nearest = shipped_nearest(path);
    if (o->text != NULL) {
        f->source.name = "command line";
        f->complaints.line = o->line;
        f->complaints.marked = o->marked;
        return take_text(f, o->text);
    }
    f->shipped = shipped != NULL && access(path, F_OK) != 0;
    if (f->shipped)
        return take_text(f, shipped->text);
    if (strcmp(path, "-") == 0) {
        f->source.name = "standard input";
        if (file_read_input(LONGEST, &all, e) != 0)
            return -1;
    } else if (file_read(path, LONGEST, &all, &why) != 0)
        return err_set(e,
                       "%s\nskampi: name a parameter file with -f FILE, or create one:\n"
                       "    skampi --print-config standard > .skampi\n"
                       "skampi: or use one that ships with skampi: -f %s",
                       why.text, nearest != NULL ? nearest : "quick");
    f->source.len = all.len;
    f->source.bytes = text_take(&all);
    return 0;
}

int parameter_file_read(struct parameter_file *f, const struct request *o, struct err *e)
{
    struct text all = { 0 };
    int rc = read_source(f, o, e);
    if (rc != 0 || o->text != NULL || o->setting_count == 0)
        return rc;
    text_add_bytes(&all, f->source.bytes, f->source.len);
    f->complaints.own = f->source.len;
    for (int i = 0; i < o->setting_count; i++)
        if (request_label(o, i) != NULL) /* words have them already */
            text_add(&all, "\n@LABEL %s", request_label(o, i));
    free((char *)f->source.bytes);
    f->source.len = all.len;
    f->source.bytes = text_take(&all);
    return 0;
}

/* Sends the text that rank 0 has read to all. Collective. */
static int share(struct source *s, int rc, MPI_Comm comm, struct err *e)
{
    char *bytes = (char *)s->bytes;
    if (ranks_agree(comm, rc, e) != 0)
        return -1;
    MPI_Bcast(&s->len, sizeof(s->len), MPI_BYTE, 0, comm);
    if (rank_in(comm) != 0)
        allocated_array(&bytes, s->len);
    s->bytes = bytes;
    MPI_Bcast(bytes, (int)s->len, MPI_BYTE, 0, comm);
    bytes[s->len] = '\0';
    return 0;
}

int parameter_file_share(struct parameter_file *f, const struct request *o, MPI_Comm comm,
                         struct err *e)
{
    *f = (struct parameter_file){ .source = { .name = o->file }, .request = o };
    bool known = o->text != NULL; /* each process has the command line */
    int rc = known || rank_in(comm) == 0 ? parameter_file_read(f, o, e) : 0;
    f->comm = comm;
    f->request = o;
    MPI_Bcast(&f->complaints.own, sizeof(f->complaints.own), MPI_BYTE, 0, comm);
    return known ? ranks_agree(comm, rc, e) : share(&f->source, rc, comm, e);
}

static int read_named(struct parameter_file *f, const char *name, size_t at)
{
    struct err e = { "" };
    struct text all = { 0 };
    int rc = rank_in(f->comm) == 0 ? file_read(name, LONGEST, &all, &e) : 0;
    f->named = (struct source){ name, all.s, all.len };
    f->named_complaints.hidden = true;
    if (f->comm != MPI_COMM_NULL)
        rc = share(&f->named, rc, f->comm, &e);
    return rc == 0 ? 0 : complaints_add(&f->complaints, at, "%s", e.text);
}

static void release_named(struct parameter_file *f)
{
    free((char *)f->named.bytes);
    complaints_release(&f->named_complaints);
    f->named = (struct source){ 0 };
    f->named_complaints = (struct complaints){ 0 };
}

/* Reads the files of pairs, shares and arrivals, up to the first that cannot be used. */
static int use_named(struct parameter_file *f, struct params *p, int processes)
{
    for (size_t i = 0; i < p->suite_count * NAMED_FILES; i++) {
        struct suite *s = &p->suites[i / NAMED_FILES];
        enum named_file which = i % NAMED_FILES;
        const char *name = suite_file(s, which);
        if (name == NULL)
            continue;
        int rc = read_named(f, name, s->at[FIELD_PARAMETERS]);
        if (rc == 0 && which == FILE_ARRIVALS)
            rc = arrival_read(s, &f->named, processes, &f->named_complaints);
        else if (rc == 0 && s->options.pairs == PAIRS_FILE)
            rc = pairing_read(s, &f->named, processes, &f->named_complaints);
        else if (rc == 0)
            rc = spread_read(p, s, &f->named, processes, &f->named_complaints);
        if (rc != 0)
            return -1;
        release_named(f);
    }
    return 0;
}

/* Reads the files of graphs, up to the first that cannot be used. */
static int use_graphs(struct parameter_file *f, struct params *p)
{
    for (int i = 1; i <= TOPOLOGY_MAX; i++) {
        struct topology *t = &p->topologies[i];
        if (t->file == NULL)
            continue;
        if (read_named(f, t->file, t->offset) != 0 ||
            topology_read_file(t, &f->named, &f->named_complaints) != 0)
            return -1;
        release_named(f);
    }
    for (size_t i = 0; i < p->suite_count; i++)
        topology_check_graph(p, &p->suites[i], &f->complaints);
    return f->complaints.errors == 0 ? 0 : -1;
}

static void check_plans(struct parameter_file *f, const struct params *p, int processes)
{
    for (const struct suite *s = p->suites; s < p->suites + p->suite_count; s++) {
        struct err e = { "" };
        struct sweep sweep;
        struct plan_spec spec = plan_spec_of(p, s, processes);
        if (s->type->application != NULL || s->skip != NULL)
            continue;
        if (sweep_init(&sweep, &spec, &e) != 0)
            complaints_add(&f->complaints, s->at[FIELD_STEPWIDTH], "%s", e.text);
        sweep_release(&sweep);
    }
}

/* Skips what would end the run (context/library.h). */
static void skip_uneven(struct params *p, int processes)
{
    for (struct suite *s = p->suites; s < p->suites + p->suite_count; s++) {
        const char *collective = s->type->collective;
        bool even =
            (processes & (processes - 1)) == 0 && (processes <= 2 || !suite_varies(s, processes));
        if (even || s->skip != NULL || collective == NULL || strcmp(collective, "alltoall") != 0)
            continue;
        long last = suite_range(p, s, processes).last;
        if (suite_setting(s, processes, last).length < UNEVEN_ALLTOALL_ENDS_AT)
            continue;
        s->skip = allocated(
            strdup("the MPI library ends the program in MPI_Alltoall of 512 KiB, unless the "
                   "number of processes is a power of two; send less"));
    }
}

/* Is there a process on another host? False before MPI_Init. */
static bool spans_hosts(MPI_Comm comm, int processes)
{
    return comm != MPI_COMM_NULL && on_host(comm).processes < processes;
}

/* Adds what a trial of the suites' needs shows; after MPI_Init. */
static struct catalog tried(const struct params *p, bool complete, struct catalog types,
                            MPI_Comm comm)
{
    unsigned needs = 0;
    for (size_t i = 0; complete && i < p->suite_count; i++)
        needs |= suite_needs(p, &p->suites[i]);
    if (comm != MPI_COMM_NULL)
        types.lacks |= library_try(needs, comm);
    return types;
}

int parameter_file_use(struct parameter_file *f, struct params *p, const struct catalog *types,
                       int processes)
{
    int rc = params_read(p, &f->source, 0, types, &f->complaints);
    const struct catalog known = tried(p, rc == 0, *types, f->comm);
    if (rc == 0)
        params_skip(p, &known, &f->complaints);
    if (processes > 0 && f->complaints.errors == 0)
        skip_uneven(p, processes);
    if (processes > 0 && f->complaints.errors == 0)
        algorithms_ask(p, processes, spans_hosts(f->comm, processes), &f->complaints);
    if (f->complaints.errors == 0)
        memories_list(p);
    int good = f->complaints.errors == 0;
    if (f->comm != MPI_COMM_NULL) /* all continue with the named files, or none does */
        MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, f->comm);
    if (good && f->comm != MPI_COMM_NULL) {
        if (f->request->threads != LEVEL_AUTO)
            p->thread_level = f->request->threads;
        if (f->request->machine != NULL) {
            free(p->machine);
            p->machine = allocated(strdup(f->request->machine));
        }
        thread_level_ask(p, f->request->level, f->comm);
        devices_ask(p, f->comm);
    }
    if (!good || use_named(f, p, processes) != 0 || use_graphs(f, p) != 0)
        return -1;
    if (processes == 0)
        return 0;
    if (params_check_processes(p, processes, &f->complaints) != 0)
        return -1;
    check_plans(f, p, processes);
    visits_share_time(p, processes);
    return f->complaints.errors == 0 ? 0 : -1;
}

enum thread_level parameter_file_level(const struct request *o, const struct catalog *types)
{
    struct parameter_file file = { .comm = MPI_COMM_NULL };
    struct params params = { .suites = NULL };
    struct err e = { "" };
    enum thread_level level = o->threads == LEVEL_AUTO ? LEVEL_SINGLE : o->threads;
    struct stat status; /* of a file that may be read now, and again later */
    bool missing = stat(o->file, &status) != 0;
    bool readable =
        o->text != NULL || (missing ? shipped_find(o->file) != NULL : S_ISREG(status.st_mode));
    if (o->threads != LEVEL_AUTO || o->action != ACTION_MEASURE || !readable)
        return level;
    if (parameter_file_read(&file, o, &e) == 0 &&
        params_read(&params, &file.source, 0, types, &file.complaints) == 0) {
        params_skip(&params, types, &file.complaints);
        level = params_thread_level(&params);
    }
    params_release(&params);
    parameter_file_release(&file);
    return level;
}

void parameter_file_complain(const struct parameter_file *f, FILE *out)
{
    complaints_print(&f->complaints, &f->source, out);
    if (f->named.bytes != NULL)
        complaints_print(&f->named_complaints, &f->named, out);
}

void parameter_file_release(struct parameter_file *f)
{
    release_named(f);
    free((char *)f->source.bytes);
    complaints_release(&f->complaints);
    *f = (struct parameter_file){ 0 };
}

const struct shipped *shipped_find(const char *name)
{
    for (size_t i = 0; i < shipped_config_count; i++)
        if (text_same(name, shipped_configs[i].name))
            return &shipped_configs[i];
    return NULL;
}

const char *shipped_nearest(const char *name)
{
    return text_nearest(name, shipped_config_count, &shipped_configs[0].name,
                        sizeof(*shipped_configs));
}
