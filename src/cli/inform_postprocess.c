#include "cli/inform.h"

#include "base/file.h"
#include "merge/merge.h"

static const char BY[] = "hand";

enum { STATUS_DONE = 0, STATUS_FAILED = 1, STATUS_USAGE = 2 };

/* A device or a pipe has no content that could be overwritten. */
static bool is_stream(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && (S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode));
}

static bool is_run(const struct request *o, const struct stat *file)
{
    struct stat st;
    for (int i = 0; i < o->run_count; i++)
        if (stat(o->runs[i], &st) == 0 && st.st_dev == file->st_dev && st.st_ino == file->st_ino)
            return true;
    return false;
}

/* Checks the output before the runs are read, which may take a while. */
static int check_output(const struct request *o, struct err *e)
{
    const char *path = o->outfile;
    struct stat st;
    if (o->run_count == 0)
        return err_set(e, "--postprocess requires the result files of the runs; see skampi --help");
    if (path == NULL)
        return err_set(e, "--postprocess requires -o FILE for its result; '-' is standard output; "
                          "see skampi --help");
    if (request_prints_results(o) || is_stream(path))
        return 0;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return err_set(e, "'%s' is a directory; name a file with -o", path);
    if (stat(path, &st) == 0 && is_run(o, &st))
        return err_set(e, "'%s' is one of the runs; name another file with -o", path);
    if (lstat(path, &st) == 0 && !o->force)
        return err_set(e, "'%s' exists; name another file with -o, or add --force", path);
    return file_check_directory(path, e);
}

static void print_differences(const struct runs *rs, const struct past_run *run, bool force)
{
    const char *line = text_get(&run->differs);
    text_print_to(stderr, "skampi: %s'%s' ", force ? "warning: " : "", run->path);
    if (run == rs->list)
        fputs("should not be merged:\n", stderr);
    else
        text_print_to(stderr, "does not belong to '%s':\n", rs->list[0].path);
    for (; *line != '\0'; line += strcspn(line, "\n") + 1)
        text_print_to(stderr, "    %.*s\n", (int)strcspn(line, "\n"), line);
}

static int check_belong(const struct request *o, const struct runs *rs, struct err *e)
{
    size_t count = 0;
    for (size_t i = 0; i < rs->count; i++) {
        if (rs->list[i].differs.len == 0)
            continue;
        print_differences(rs, &rs->list[i], o->force);
        count++;
    }
    if (count == 0 || o->force)
        return 0;
    return err_set(e, "nothing is written; add --force to merge them anyway");
}

static int write_stream(const char *path, const struct text *merged, struct err *e)
{
    int fd = file_open_stream(path, true, e);
    int rc = fd < 0 ? -1 : file_append(fd, path, text_get(merged), merged->len, e);
    if (fd >= 0)
        close(fd);
    return rc;
}

/* Under a temporary name until it is complete. */
static int write_file(const char *path, const struct text *merged, bool overwrite, struct err *e)
{
    LOCAL_TEXT name = { 0 };
    int fd = temporary_write(path, MERGE_KIND, merged, &name, e);
    if (fd < 0)
        return -1;
    close(fd);
    if ((overwrite ? rename(name.s, path) : move_to_free_name(name.s, path)) == 0)
        return file_sync_directory(path, e);
    err_set(e, "cannot move '%s' to '%s': %s", name.s, path, strerror(errno));
    unlink(name.s);
    return -1;
}

static int write_merge(const struct request *o, const struct runs *rs, struct err *e)
{
    LOCAL_TEXT merged = { 0 };
    if (merge_add(&merged, rs, BY, e) != 0)
        return -1;
    if (is_stream(o->outfile) && !request_prints_results(o))
        return write_stream(o->outfile, &merged, e);
    if (!request_prints_results(o))
        return write_file(o->outfile, &merged, o->force, e);
    fwrite(text_get(&merged), 1, merged.len, stdout);
    return file_flush_output(e);
}

int postprocess(const struct request *o)
{
    struct faults faults = { 0 };
    struct runs rs = { .faults = &faults, .merged = o->outfile };
    struct err e = { "" };
    int status = STATUS_USAGE;
    int rc = check_output(o, &e);
    for (int i = 0; i < o->run_count && rc == 0; i++)
        rc = runs_add(&rs, o->runs[i], o->runs[i], &e);
    if (rc == 0)
        status = check_belong(o, &rs, &e) == 0 && write_merge(o, &rs, &e) == 0 ? STATUS_DONE
                                                                               : STATUS_FAILED;
    faults_print(&faults, stderr);
    if (status != STATUS_DONE)
        fprintf(stderr, "skampi: %s\n", e.text);
    else if (!o->quiet && !request_prints_results(o))
        text_print_to(stderr, "skampi: %zu suite%s of %zu run%s, results in %s\n", rs.suite_count,
                      plural(rs.suite_count), rs.count, plural(rs.count), o->outfile);
    runs_release(&rs);
    faults_release(&faults);
    return status;
}
