#include "results/out_file.h"

#include "base/file.h"
#include "results/blocks.h"
#include "results/rotated.h"

#define TEMPORARY_KIND "copy"

static const char DURING[] = "during the run";

static bool is_unchanged(const struct out_file *f)
{
    struct stat own;
    return file_is_named(f->fd, f->path, &own) && own.st_size == (off_t)f->bytes.len;
}

static void remember(struct out_file *f, const char *bytes, size_t len)
{
    if (f->plain)
        text_add_bytes(&f->bytes, bytes, len);
}

/* Writes the whole file anew after another program removed or changed it. when: words for the
 * message, such as "after the last start". */
static int rewrite(struct out_file *f, const char *when, struct err *e)
{
    LOCAL_TEXT name = { 0 };
    LOCAL_TEXT kept = { 0 };
    struct err why = { "" };
    struct stat st;
    int fd = temporary_write(f->path, TEMPORARY_KIND, &f->bytes, &name, &why);
    int rc = fd < 0 ? -1 : 0;
    if (rc == 0 && lstat(f->path, &st) == 0)
        rc = rotate_file(name.s, f->path, &kept, &why);
    else if (rc == 0 && move_to_free_name(name.s, f->path) != 0)
        rc = err_not_written(&why, f->path, errno);
    if (rc != 0 && fd >= 0) {
        unlink(name.s);
        close(fd);
    }
    if (rc != 0)
        return err_set(e, "'%s' was removed or changed %s: %s; its journal has all results",
                       f->path, when, why.text);
    close(f->fd);
    f->fd = fd;
    text_release(&f->changed);
    text_add(&f->changed,
             kept.len == 0 ? "'%s' was removed %s; it was written again with all results"
                           : "'%s' was replaced or changed %s; it was written again with all "
                             "results, and that file is kept as '%s'",
             f->path, when, text_get(&kept));
    return file_sync_directory(f->path, e);
}

/* Makes an existing file what it should be: its end may be missing, or be visits. */
static int complete(struct out_file *f, const struct out_expected *x, struct err *e)
{
    LOCAL_TEXT found = { 0 };
    if (file_read_open(f->fd, f->path, OUT_LONGEST, &found, e) != 0)
        return -1;
    const size_t len = found.len, all = f->bytes.len;
    bool good = memcmp(found.s, text_get(&f->bytes), len < all ? len : all) == 0;
    if (len > all)
        good = good && len - all == x->visits_len &&
               hash_bytes(found.s + all, x->visits_len) == x->visits_hash;
    if (!good)
        return rewrite(f, "after the last start", e);
    if (len > all)
        return file_cut(f->fd, f->path, all, e);
    if (file_append(f->fd, f->path, text_get(&f->bytes) + len, all - len, e) != 0)
        return -1;
    return len == all ? 0 : file_sync(f->fd, f->path, e);
}

int out_file_open(struct out_file *f, const char *path, const struct out_expected *x, struct err *e)
{
    struct stat st;
    *f = (struct out_file){ .path = path, .fd = -1, .plain = true };
    f->plain = path == NULL || stat(path, &st) != 0 || S_ISREG(st.st_mode);
    remember(f, x->text, strlen(x->text));
    if (path == NULL)
        return 0;
    bool exists = lstat(path, &st) == 0;
    if (f->plain)
        f->fd = file_open_own(path, exists ? 0 : O_CREAT | O_EXCL, 0666, e);
    else
        f->fd = file_open_stream(path, false, e);
    if (f->fd < 0)
        return -1;
    if (f->plain && exists)
        return complete(f, x, e);
    int rc = file_write_synced(f->fd, path, x->text, strlen(x->text), e);
    if (rc != 0 && f->plain && file_is_named(f->fd, path, &st)) /* without a complete header */
        unlink(path);
    return rc;
}

int out_file_append(struct out_file *f, const char *text, struct err *e)
{
    size_t len = strlen(text);
    if (f->path != NULL && f->plain && !is_unchanged(f) && rewrite(f, DURING, e) != 0)
        return -1;
    if (f->path != NULL &&
        (file_append(f->fd, f->path, text, len, e) != 0 || file_sync(f->fd, f->path, e) != 0))
        return -1;
    remember(f, text, len);
    return 0;
}

int out_file_replace(struct out_file *f, size_t at, const char *text, struct err *e)
{
    size_t len = strlen(text);
    memcpy(f->bytes.s + at, text, len);
    if (f->path == NULL)
        return 0;
    if (!is_unchanged(f))
        return rewrite(f, DURING, e);
    return pwrite(f->fd, text, len, (off_t)at) == (ssize_t)len ? 0
                                                               : err_not_written(e, f->path, errno);
}

static int check_all(struct out_file *f, struct err *e)
{
    LOCAL_TEXT all = { 0 };
    bool same = is_unchanged(f);
    if (same && file_read_open(f->fd, f->path, OUT_LONGEST, &all, e) != 0)
        return -1;
    same = same && all.len == f->bytes.len && memcmp(all.s, text_get(&f->bytes), all.len) == 0;
    if (!same && rewrite(f, DURING, e) != 0)
        return -1;
    leftovers_remove(f->path, TEMPORARY_KIND, NULL, &f->bytes);
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
    return rc != 0 && errno != EINTR ? err_not_written(e, f->path, errno) : 0;
}

void out_file_release(struct out_file *f)
{
    if (f->path != NULL && f->fd >= 0)
        close(f->fd);
    text_release(&f->bytes);
    text_release(&f->changed);
    *f = (struct out_file){ .fd = -1 };
}
