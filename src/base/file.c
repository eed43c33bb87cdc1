#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ssize_t read_some(int fd, char *bytes, size_t len)
{
    ssize_t n;
    do
        n = read(fd, bytes, len);
    while (n < 0 && errno == EINTR);
    return n;
}

static int read_all(int fd, const char *path, size_t limit, char **bytes, size_t *len,
                    struct err *e)
{
    size_t capacity = 64 * 1024;
    *len = 0;
    for (;;) {
        char *grown = realloc(*bytes, capacity);
        if (grown == NULL)
            return err_no_memory(e, capacity);
        *bytes = grown;
        ssize_t n = read_some(fd, *bytes + *len, capacity - *len - 1);
        if (n < 0)
            return err_set(e, "cannot read '%s': %s", path, strerror(errno));
        *len += (size_t)n;
        if (*len > limit)
            return err_set(e, "'%s' is longer than %zu bytes", path, limit);
        if (n == 0)
            break;
        if (*len + 1 == capacity)
            capacity *= 2;
    }
    (*bytes)[*len] = '\0';
    return 0;
}

int file_read(const char *path, size_t limit, char **bytes, size_t *len, struct err *e)
{
    *bytes = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return err_set(e, "cannot read '%s': %s", path, strerror(errno));
    int rc = read_all(fd, path, limit, bytes, len, e);
    close(fd);
    if (rc != 0) {
        free(*bytes);
        *bytes = NULL;
    }
    return rc;
}

static int open_to_write(const char *path, int flags, struct err *e)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666);
    if (fd < 0)
        err_set(e, "cannot write '%s': %s", path, strerror(errno));
    return fd;
}

int file_open_append(const char *path, struct err *e)
{
    return open_to_write(path, O_APPEND, e);
}

int file_create(const char *path, struct err *e)
{
    return open_to_write(path, O_EXCL, e);
}

/* Terminals and pipes cannot be synced; that is no failure. */
static int sync_descriptor(int fd)
{
    int rc;
    do
        rc = fsync(fd);
    while (rc != 0 && errno == EINTR);
    return rc != 0 && (errno == EINVAL || errno == EROFS || errno == ENOTSUP) ? 0 : rc;
}

int file_write_synced(int fd, const char *path, const char *bytes, size_t len, struct err *e)
{
    size_t done = 0;
    while (done < len) {
        ssize_t n = write(fd, bytes + done, len - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return err_set(e, "cannot write '%s': %s", path, strerror(n < 0 ? errno : ENOSPC));
        done += (size_t)n;
    }
    if (sync_descriptor(fd) != 0)
        return err_set(e, "cannot write '%s': %s", path, strerror(errno));
    return 0;
}
