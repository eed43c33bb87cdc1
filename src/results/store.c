#include "results/store.h"

#include "base/file.h"
#include "base/text.h"
#include "results/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_KEPT = 100000 }; /* output files of earlier runs */

/* Does the file system lack hard links? */
static bool no_links(int error)
{
    return error == EPERM || error == ENOTSUP || error == EOPNOTSUPP || error == ENOSYS ||
           error == EMLINK;
}

static bool same_inode(const struct stat *x, const struct stat *y)
{
    return x->st_dev == y->st_dev && x->st_ino == y->st_ino;
}

/* A link and the file that it leads to are not the same. */
static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    return lstat(a, &x) == 0 && lstat(b, &y) == 0 && same_inode(&x, &y);
}

/* Do both names lead to one plain file, perhaps over links? A device may well have two uses. */
static bool same_contents(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && S_ISREG(x.st_mode) && same_inode(&x, &y);
}

/* Without hard links: an empty file of one's own takes the name, then gives it up. */
static int move_onto_claim(const char *from, const char *to)
{
    int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return -1;
    close(fd);
    if (rename(from, to) == 0)
        return 0;
    int reason = errno;
    unlink(to);
    errno = reason;
    return -1;
}

/* Renames, but never onto a file that is there (EEXIST). A link that exists already and is the
 * same file comes from a move that was interrupted, or from an answer lost by NFS. */
static int move_to_free_name(const char *from, const char *to)
{
    if (link(from, to) == 0 || (errno == EEXIST && same_file(from, to)))
        return unlink(from);
    return no_links(errno) ? move_onto_claim(from, to) : -1;
}

static int keep_regular(const char *path, struct text *kept, struct err *e)
{
    for (int i = 1; i <= MOST_KEPT; i++) {
        text_release(kept);
        text_add(kept, "%s.%d", path, i);
        if (kept->failed)
            return err_no_memory(e, strlen(path));
        if (move_to_free_name(path, kept->s) == 0)
            return 0;
        if (errno != EEXIST)
            return err_set(e, "cannot move '%s' to '%s': %s", path, kept->s, strerror(errno));
    }
    return err_set(e, "cannot move '%s' away: every name up to '%s' is taken", path, kept->s);
}

/* Opens the output file. One that is there is kept under another name, which is told in kept;
 * a device or a pipe is written to as it is. */
static int open_output(const char *path, struct text *kept, struct err *e)
{
    struct stat st;
    if (lstat(path, &st) != 0)
        return errno == ENOENT ? file_create(path, e)
                               : err_set(e, "cannot write '%s': %s", path, strerror(errno));
    if (S_ISREG(st.st_mode))
        return keep_regular(path, kept, e) == 0 ? file_create(path, e) : -1;
    if (stat(path, &st) == 0 && (S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode)))
        return file_open_append(path, e);
    return err_set(e, "cannot write '%s': neither a plain file nor a device", path);
}

/* Makes new and changed names in the file's directory last. Some file systems cannot, and need
 * not, sync a directory. */
static int sync_directory(const char *path, struct err *e)
{
    const char *slash = strrchr(path, '/');
    size_t len = slash == NULL ? 0 : (size_t)(slash - path);
    char *directory = len > 0 ? text_copy(path, len) : text_copy(slash == NULL ? "." : "/", 1);
    if (directory == NULL)
        return err_no_memory(e, strlen(path));
    int rc = 0;
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0 && fsync(fd) != 0 && errno == EIO)
        rc = err_set(e, "cannot write '%s': %s", directory, strerror(errno));
    if (fd >= 0)
        close(fd);
    free(directory);
    return rc;
}

static int note_kept(struct store *s, const char *kept, struct err *e)
{
    struct text note = { 0 };
    text_add(&note, "moved '%s' to '%s'", s->out_path, kept);
    int rc = store_note(s, text_get(&note), e);
    text_release(&note);
    return rc;
}

/* All of the text or, where a file can be cut, nothing of it. */
static int append_whole(const struct store *s, const char *bytes, struct err *e)
{
    off_t before = lseek(s->out_fd, 0, SEEK_END);
    if (file_write_synced(s->out_fd, s->out_path, bytes, strlen(bytes), e) == 0)
        return 0;
    if (before >= 0 && ftruncate(s->out_fd, before) == 0)
        lseek(s->out_fd, before, SEEK_SET);
    return -1;
}

/* A file without a header would be taken for one of an earlier run. */
static void forget_output(const struct store *s)
{
    struct stat st;
    if (fstat(s->out_fd, &st) == 0 && S_ISREG(st.st_mode))
        unlink(s->out_path);
}

static int begin_run(struct store *s, const char *header, struct err *e)
{
    struct text kept = { 0 };
    int rc = -1;
    s->out_fd = open_output(s->out_path, &kept, e);
    if (s->out_fd < 0)
        goto out;
    if (append_whole(s, header, e) != 0) {
        forget_output(s);
        goto out;
    }
    if (sync_directory(s->out_path, e) != 0 || sync_directory(s->log_path, e) != 0)
        goto out;
    if (kept.len > 0 && note_kept(s, kept.s, e) != 0)
        goto out;
    rc = log_append(s->log_fd, s->log_path, LOG_RUN_BEGIN, s->out_path, e);
out:
    text_release(&kept);
    return rc;
}

static int check_distinct(const char *what, const char *a, const char *b, struct err *e)
{
    return same_contents(a, b) ? err_set(e, "%s are the same file '%s'", what, a) : 0;
}

/* Opening the log may create a file, which then has the output file's name too. */
static int open_log(struct store *s, struct err *e)
{
    if (check_distinct("output file and log", s->out_path, s->log_path, e) != 0)
        return -1;
    s->log_fd = log_open(s->log_path, e);
    if (s->log_fd < 0)
        return -1;
    int rc = check_distinct("output file and log", s->out_path, s->log_path, e);
    if (rc != 0)
        unlink(s->log_path);
    return rc;
}

int store_open(struct store *s, const char *out_path, const char *log_path,
               const char *parameter_path, const char *header, struct err *e)
{
    const char *input = parameter_path != NULL ? parameter_path : "";
    *s = (struct store){ .out_fd = -1, .log_fd = -1 };
    s->out_path = text_copy(out_path, strlen(out_path));
    s->log_path = text_copy(log_path, strlen(log_path));
    if (s->out_path == NULL || s->log_path == NULL)
        return err_no_memory(e, strlen(out_path) + strlen(log_path));
    if (check_distinct("output file and parameter file", out_path, input, e) != 0 ||
        check_distinct("log and parameter file", log_path, input, e) != 0 || open_log(s, e) != 0)
        return -1;
    return begin_run(s, header, e);
}

int store_begin_suite(struct store *s, const char *label, struct err *e)
{
    return log_append(s->log_fd, s->log_path, LOG_SUITE_BEGIN, label, e);
}

int store_end_suite(struct store *s, const char *label, const char *block, struct err *e)
{
    if (append_whole(s, block, e) != 0)
        return -1;
    return log_append(s->log_fd, s->log_path, LOG_SUITE_END, label, e);
}

int store_fail_suite(struct store *s, const char *label, const char *why, struct err *e)
{
    struct text rest = { 0 };
    text_add(&rest, "%s %s", label, why);
    int rc = rest.failed ? err_no_memory(e, strlen(why))
                         : log_append(s->log_fd, s->log_path, LOG_SUITE_FAILED, rest.s, e);
    text_release(&rest);
    return rc;
}

int store_finish(struct store *s, const char *trailer, struct err *e)
{
    if (append_whole(s, trailer, e) != 0)
        return -1;
    return log_append(s->log_fd, s->log_path, LOG_RUN_END, s->out_path, e);
}

int store_note(struct store *s, const char *text, struct err *e)
{
    return log_append(s->log_fd, s->log_path, LOG_NOTE, text, e);
}

/* A path that is NULL belongs to a struct that was never opened. */
void store_release(struct store *s)
{
    if (s->out_path != NULL && s->out_fd >= 0)
        close(s->out_fd);
    if (s->log_path != NULL && s->log_fd >= 0)
        close(s->log_fd);
    free(s->out_path);
    free(s->log_path);
    *s = (struct store){ .out_fd = -1, .log_fd = -1 };
}
