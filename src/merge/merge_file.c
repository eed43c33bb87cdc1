#include "merge/merge.h"

#include "base/file.h"

static int not_written(const char *path, int reason, struct err *e)
{
    return err_set(e, "cannot write '%s': %s", path, strerror(reason));
}

int mergefile_stream(const struct runs *rs, const char *by, FILE *out, const char *name,
                     struct err *e)
{
    errno = 0;
    if (merge_write(rs, by, out, e) != 0)
        return -1;
    if (fflush(out) != 0 || ferror(out))
        return not_written(name, errno != 0 ? errno : EIO, e);
    return 0;
}

/* Reports the first error: buffered bytes are lost with it. */
static int write_and_sync(const struct runs *rs, const char *by, int fd, const char *path,
                          struct err *e)
{
    FILE *out = fdopen(fd, "w");
    if (out == NULL) {
        close(fd);
        return err_no_memory(e, BUFSIZ);
    }
    int rc = mergefile_stream(rs, by, out, path, e);
    if (rc == 0)
        rc = file_write_synced(fd, path, "", 0, e);
    if (fclose(out) != 0 && rc == 0)
        rc = not_written(path, errno, e);
    return rc;
}

int mergefile_prepare(const struct runs *rs, const char *by, const char *path,
                      struct text *temporary, struct err *e)
{
    int fd = temporary_create(path, MERGE_KIND, temporary, e);
    if (fd < 0)
        return -1;
    if (write_and_sync(rs, by, fd, path, e) == 0)
        return 0;
    unlink(text_get(temporary));
    return -1;
}

int mergefile_put(const char *temporary, const char *path, bool overwrite, struct err *e)
{
    int rc = overwrite ? rename(temporary, path) : move_to_free_name(temporary, path);
    if (rc == 0)
        rc = file_sync_directory(path, e);
    else if (overwrite)
        not_written(path, errno, e);
    else
        err_set(e, "cannot move '%s' to '%s': %s", temporary, path, strerror(errno));
    if (rc != 0)
        unlink(temporary);
    return rc;
}
