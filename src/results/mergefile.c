#include "results/mergefile.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int not_written(const char *path, int reason, struct err *e)
{
    return err_set(e, "cannot write '%s': %s", path, strerror(reason));
}

static int flush(FILE *out, const char *path, struct err *e)
{
    if (fflush(out) != 0 || ferror(out))
        return not_written(path, errno != 0 ? errno : EIO, e);
    return 0;
}

int mergefile_stream(const struct runs *rs, const char *by, FILE *out, const char *name,
                     struct err *e)
{
    errno = 0;
    if (merge_write(rs, by, out, e) != 0)
        return -1;
    return flush(out, name, e);
}

/* What is buffered is lost with an error: the first one tells. */
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
    text_add(temporary, "%s.merge-%ld", path, (long)getpid());
    if (temporary->failed)
        return err_no_memory(e, strlen(path));
    int fd = file_create(text_get(temporary), e);
    if (fd < 0)
        return -1;
    if (write_and_sync(rs, by, fd, path, e) == 0)
        return 0;
    unlink(text_get(temporary));
    return -1;
}

/* Without hard links: an empty file of one's own takes the name, then gives it up. */
static int move_onto_claim(const char *from, const char *to)
{
    int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return -1;
    close(fd);
    return rename(from, to);
}

/* Makes new and changed names last. Some file systems cannot, and need not, sync a directory. */
static int sync_directory(const char *path, struct err *e)
{
    const char *slash = strrchr(path, '/');
    char *directory =
        slash == NULL ? text_copy(".", 1) : text_copy(path, (size_t)(slash - path) + 1);
    if (directory == NULL)
        return err_no_memory(e, strlen(path));
    int rc = 0;
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0 && fsync(fd) != 0 && errno == EIO)
        rc = not_written(directory, errno, e);
    if (fd >= 0)
        close(fd);
    free(directory);
    return rc;
}

int mergefile_move(const char *from, const char *to, struct err *e)
{
    int rc = link(from, to);
    if (rc == 0)
        rc = unlink(from);
    else if (errno != EEXIST)
        rc = move_onto_claim(from, to);
    if (rc != 0)
        return err_set(e, "cannot move '%s' to '%s': %s", from, to, strerror(errno));
    return sync_directory(to, e);
}

int mergefile_put(const char *temporary, const char *path, bool overwrite, struct err *e)
{
    int rc;
    if (!overwrite)
        rc = mergefile_move(temporary, path, e);
    else if (rename(temporary, path) != 0)
        rc = not_written(path, errno, e);
    else
        rc = sync_directory(path, e);
    if (rc != 0)
        unlink(temporary);
    return rc;
}
