#include "session/parameter_file.h"

#include "base/file.h"
#include "base/text.h"
#include "params/skip.h"
#include "plan/spec.h"
#include "plan/sweep.h"
#include "session/shipped.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 256 * 1024 * 1024 };

static int take_shipped(struct parameter_file *f, const struct shipped *shipped, struct err *e)
{
    size_t len = strlen(shipped->text);
    f->shipped = true;
    f->source.bytes = text_copy(shipped->text, len);
    f->source.len = len;
    return f->source.bytes == NULL ? err_no_memory(e, len) : 0;
}

void parameter_file_announce(const struct parameter_file *f)
{
    if (f->shipped)
        fprintf(stderr, "skampi: no file '%s' here; using the shipped file '%s'\n", f->source.name,
                f->source.name);
}

int parameter_file_read(struct parameter_file *f, const char *path, struct err *e)
{
    struct err why = { "" };
    char *bytes;
    *f = (struct parameter_file){ .source = { path, NULL, 0 } };
    const struct shipped *shipped = shipped_find(path);
    if (shipped != NULL && access(path, F_OK) != 0)
        return take_shipped(f, shipped, e);
    if (file_read(path, LONGEST, &bytes, &f->source.len, &why) != 0)
        return err_set(e,
                       "%s\nskampi: name a parameter file with -f FILE, or create one:\n"
                       "    skampi --print-config standard > .skampi\n"
                       "skampi: or use one that ships with skampi: -f quick",
                       why.text);
    f->source.bytes = bytes;
    return 0;
}

/* Broadcasts the length, or -1 if rank 0 could not read the file. */
static long long announced_length(const struct parameter_file *f, int rc, MPI_Comm comm)
{
    long long len = rc == 0 ? (long long)f->source.len : -1;
    MPI_Bcast(&len, 1, MPI_LONG_LONG, 0, comm);
    return len;
}

int parameter_file_share(struct parameter_file *f, const char *path, MPI_Comm comm, struct err *e)
{
    int rank, rc = 0;
    MPI_Comm_rank(comm, &rank);
    *f = (struct parameter_file){ .source = { path, NULL, 0 } };
    if (rank == 0)
        rc = parameter_file_read(f, path, e);
    long long len = announced_length(f, rc, comm);
    if (len < 0)
        return err_set(e, "rank 0 cannot read '%s'", path);
    char *bytes = rank == 0 ? (char *)f->source.bytes : malloc((size_t)len + 1);
    int ready = bytes != NULL, all_ready;
    MPI_Allreduce(&ready, &all_ready, 1, MPI_INT, MPI_MIN, comm);
    f->source.bytes = bytes;
    f->source.len = (size_t)len;
    if (!all_ready)
        return err_no_memory(e, (unsigned long long)len + 1);
    MPI_Bcast(bytes, (int)len, MPI_BYTE, 0, comm);
    bytes[len] = '\0';
    return 0;
}

/* Complains about sweeps that are too long to be measured. */
static void check_plans(struct parameter_file *f, const struct params *p, int processes)
{
    for (size_t i = 0; i < p->suite_count; i++) {
        const struct suite *s = &p->suites[i];
        struct err e = { "" };
        struct plan_spec spec = plan_spec_of(p, s, processes);
        if (s->type->application != NULL)
            continue;
        if (sweep_check(&spec, &e) != 0)
            complaints_add(&f->complaints, s->at[FIELD_STEPWIDTH], "%s", e.text);
    }
}

int parameter_file_use(struct parameter_file *f, struct params *p, const struct catalog *types,
                       int processes)
{
    if (params_read(p, &f->source, types, &f->complaints) != 0)
        return -1;
    params_skip(p, types, &f->complaints);
    if (f->complaints.errors > 0)
        return -1;
    if (processes == 0)
        return 0;
    if (params_check_processes(p, processes, &f->complaints) != 0)
        return -1;
    check_plans(f, p, processes);
    return f->complaints.errors == 0 ? 0 : -1;
}

void parameter_file_release(struct parameter_file *f)
{
    free((char *)f->source.bytes);
    complaints_release(&f->complaints);
    *f = (struct parameter_file){ 0 };
}
