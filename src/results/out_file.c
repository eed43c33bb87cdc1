#include "results/out_file.h"

#include "base/file.h"
#include "results/blocks.h"
#include "results/rotated.h"

#define TEMPORARY_KIND "copy"

static int not_written(const char *path, struct err *e)
{
    return err_set(e, "cannot write '%s': %s", path, strerror(errno));
}

static bool is_unchanged(const struct out_file *f)
{
    struct stat own;
    return file_is_named(f->fd, f->path, &own) && own.st_size == (off_t)f->bytes.len;
}

/* 1: same text; 0: different; -1: cannot be read. */
static int is_same_text(const struct out_file *f, struct err *e)
{
    size_t len;
    char *bytes;
    if (file_read_open(f->fd, f->path, OUT_LONGEST, &bytes, &len, e) != 0)
        return -1;
    bool same = len == f->bytes.len && memcmp(bytes, text_get(&f->bytes), len) == 0;
    free(bytes);
    return same;
}

static int remember(struct out_file *f, const char *bytes, size_t len, struct err *e)
{
    if (f->plain)
        text_add_bytes(&f->bytes, bytes, len);
    return f->bytes.failed ? err_no_memory(e, f->bytes.len + len) : 0;
}

struct copy {
    int fd;
    struct text name;
};

static int copy_beside(const struct out_file *f, const char *path, struct copy *c, struct err *e)
{
    c->fd = temporary_create(path, TEMPORARY_KIND, &c->name, e);
    if (c->fd < 0)
        return -1;
    if (file_write_synced(c->fd, f->path, text_get(&f->bytes), f->bytes.len, e) == 0)
        return 0;
    close(c->fd);
    c->fd = -1;
    unlink(text_get(&c->name));
    return -1;
}

/* Copies to the directory for temporary files if the file's own no longer exists. */
static void copy_elsewhere(const struct out_file *f, struct copy *c)
{
    const char *directory = getenv("TMPDIR");
    LOCAL_TEXT path = { 0 };
    struct err e = { "" };
    text_add(&path, "%s/%s", directory == NULL ? "/tmp" : directory, file_name(f->path));
    if (!path.failed)
        copy_beside(f, path.s, c, &e);
}

/* Renames the copy, which becomes the open file; the previous file is closed. kept: the new name of
 * a file that had the name; "" without one. */
static int put(struct out_file *f, const struct copy *c, struct text *kept, struct err *e)
{
    struct stat st;
    const char *name = text_get(&c->name);
    if (lstat(f->path, &st) == 0) {
        if (rotate_file(name, f->path, kept, e) != 0)
            return -1;
    } else if (move_to_free_name(name, f->path) != 0) {
        return not_written(f->path, e);
    }
    close(f->fd);
    f->fd = c->fd;
    return file_sync_directory(f->path, e);
}

static void describe_change(struct out_file *f, const char *kept)
{
    text_release(&f->changed);
    if (kept[0] == '\0')
        text_add(&f->changed,
                 "'%s' was removed during the run; it was written again with all results", f->path);
    else
        text_add(&f->changed,
                 "'%s' was replaced or changed during the run; that file is kept as '%s', and all "
                 "results were written again",
                 f->path, kept);
}

static int rewrite(struct out_file *f, struct err *e)
{
    struct copy c = { .fd = -1 };
    LOCAL_TEXT kept = { 0 };
    struct err why = { "" };
    int rc = copy_beside(f, f->path, &c, &why);
    if (rc != 0)
        copy_elsewhere(f, &c);
    else
        rc = put(f, &c, &kept, &why);
    if (rc == 0)
        describe_change(f, text_get(&kept));
    else if (c.fd < 0)
        err_set(e, "'%s' was removed or changed during the run, and its results are lost: %s",
                f->path, why.text);
    else
        err_set(e, "'%s' was removed or changed during the run: %s; all results so far are in '%s'",
                f->path, why.text, text_get(&c.name));
    text_release(&c.name);
    return rc;
}

/* Non-blocking, because a named pipe that replaced the device would block. */
static int open_device(const char *path, struct err *e)
{
    struct stat st;
    int fd = open(path, O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISCHR(st.st_mode) && fcntl(fd, F_SETFL, O_APPEND) == 0)
        return fd;
    not_written(path, e);
    if (fd >= 0)
        close(fd);
    return -1;
}

int out_file_create(struct out_file *f, const char *path, const char *header, struct err *e)
{
    struct stat st;
    if (path == NULL) {
        *f = (struct out_file){ .fd = -1, .plain = true };
        return remember(f, header, strlen(header), e);
    }
    *f = (struct out_file){ .path = path, .plain = stat(path, &st) != 0 || S_ISREG(st.st_mode) };
    f->fd = f->plain ? file_create(path, e) : open_device(path, e);
    if (f->fd < 0)
        return -1;
    if (out_file_append(f, header, e) == 0)
        return 0;
    if (f->plain && file_is_named(f->fd, f->path, &st)) /* without a complete header */
        unlink(f->path);
    return -1;
}

/* Writes the part of the file that is used, and keeps the whole file under another name. */
static int cut(struct out_file *f, struct err *e)
{
    struct copy c = { 0 };
    LOCAL_TEXT kept = { 0 };
    int rc = copy_beside(f, f->path, &c, e);
    if (rc == 0) {
        rc = put(f, &c, &kept, e);
        if (rc != 0)
            unlink(text_get(&c.name));
    }
    if (rc == 0)
        text_add(
            &f->changed,
            "'%s' ends in lines that are not a complete suite; they are removed, and the whole "
            "file is kept as '%s'",
            f->path, text_get(&kept));
    text_release(&c.name);
    return rc;
}

int out_file_resume(struct out_file *f, const char *path, size_t end, bool again, struct err *e)
{
    size_t len;
    char *bytes;
    *f = (struct out_file){ .path = path, .plain = true };
    f->fd = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (f->fd < 0)
        return not_written(path, e);
    if (file_read_open(f->fd, path, OUT_LONGEST, &bytes, &len, e) != 0)
        return -1;
    int rc = remember(f, bytes, end < len ? end : len, e);
    free(bytes);
    if (rc != 0 || end >= len)
        return rc;
    return again ? file_cut(f->fd, path, end, e) : cut(f, e);
}

int out_file_append(struct out_file *f, const char *text, struct err *e)
{
    size_t len = strlen(text);
    if (f->path == NULL)
        return remember(f, text, len, e);
    if (f->plain && !is_unchanged(f) && rewrite(f, e) != 0)
        return -1;
    if (file_append(f->fd, f->path, text, len, e) != 0 || file_sync(f->fd, f->path, e) != 0)
        return -1;
    return remember(f, text, len, e);
}

int out_file_replace(struct out_file *f, size_t at, const char *text, struct err *e)
{
    size_t len = strlen(text);
    memcpy(f->bytes.s + at, text, len);
    if (f->path == NULL)
        return 0;
    if (!is_unchanged(f))
        return rewrite(f, e);
    return pwrite(f->fd, text, len, (off_t)at) == (ssize_t)len ? 0 : not_written(f->path, e);
}

static int check_all(struct out_file *f, struct err *e)
{
    int same = is_unchanged(f) ? is_same_text(f, e) : 0;
    if (same < 0 || (same == 0 && rewrite(f, e) != 0))
        return -1;
    leftovers_remove(f->path, TEMPORARY_KIND, NULL, text_get(&f->bytes), f->bytes.len);
    return 0;
}

/* Some file systems report a failed write only on close. */
int out_file_close(struct out_file *f, struct err *e)
{
    if (f->path == NULL)
        return 0;
    if (f->plain && check_all(f, e) != 0)
        return -1;
    int rc = close(f->fd);
    f->fd = -1;
    return rc != 0 && errno != EINTR ? not_written(f->path, e) : 0;
}

void out_file_release(struct out_file *f)
{
    if (f->path != NULL && f->fd >= 0)
        close(f->fd);
    text_release(&f->bytes);
    text_release(&f->changed);
    *f = (struct out_file){ .fd = -1 };
}
