#include "base/file.h"

/* Why is it not a file of the wanted kind? NULL: it is one. */
static const char *why_unfit(int fd, bool is_own)
{
    struct stat st;
    if (fd < 0)
        return errno == ELOOP ? "it is a symbolic link; name another file" : strerror(errno);
    if (fstat(fd, &st) != 0)
        return strerror(errno);
    if (!S_ISREG(st.st_mode))
        return S_ISDIR(st.st_mode) ? strerror(EISDIR) : "not a regular file";
    return is_own && st.st_uid != geteuid() ? "it belongs to another user; name another file"
                                            : NULL;
}

/* Opens without waiting for the other end of a pipe, and not as the terminal of the process. */
static int open_fit(const char *path, int flags, mode_t mode, bool is_own, struct err *e)
{
    int fd = open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode);
    const char *why = why_unfit(fd, is_own);
    if (why == NULL)
        return fd;
    err_set(e, "cannot %s '%s': %s", is_own ? "write" : "read", path, why);
    if (fd >= 0)
        close(fd);
    return -1;
}

int file_open_read(const char *path, int flags, struct err *e)
{
    return open_fit(path, O_RDONLY | flags, 0, false, e);
}

FILE *file_stream_read(const char *path, struct err *e)
{
    int fd = file_open_read(path, 0, e);
    return fd < 0 ? NULL : allocated(fdopen(fd, "r"));
}

int file_open_own(const char *path, int flags, mode_t mode, struct err *e)
{
    return open_fit(path, O_RDWR | O_NOFOLLOW | flags, mode, true, e);
}

int file_open_stream(const char *path, bool may_be_pipe, struct err *e)
{
    struct stat st = { 0 };
    int fd = open(path, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return err_set(e, "cannot write '%s': %s", path,
                       errno == ENXIO ? "no program reads it" : strerror(errno));
    fstat(fd, &st);
    if ((S_ISCHR(st.st_mode) || (may_be_pipe && S_ISFIFO(st.st_mode))) &&
        fcntl(fd, F_SETFL, O_APPEND) == 0)
        return fd;
    close(fd);
    return err_set(e, "cannot write '%s': not a device", path);
}
