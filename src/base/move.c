#include "base/move.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Does the file system lack hard links? */
static bool no_links(int error)
{
    return error == EPERM || error == ENOTSUP || error == EOPNOTSUPP || error == ENOSYS ||
           error == EMLINK;
}

/* A link and the file that it leads to are not the same. */
static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    return lstat(a, &x) == 0 && lstat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Without hard links: a new empty file takes the name, then gives it up. */
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

int move_to_free_name(const char *from, const char *to)
{
    if (link(from, to) == 0 || (errno == EEXIST && same_file(from, to)))
        return unlink(from);
    return no_links(errno) ? move_onto_claim(from, to) : -1;
}

static int put_back(int (*undo)(const char *aside, const char *to), const char *aside,
                    const char *to)
{
    int reason = errno;
    undo(aside, to);
    errno = reason;
    return -1;
}

static int forget_aside(const char *aside, const char *to)
{
    (void)to;
    return unlink(aside);
}

int move_into_place(const char *from, const char *to, const char *aside)
{
    if (link(to, aside) == 0 || (errno == EEXIST && same_file(to, aside)))
        return rename(from, to) == 0 ? 0 : put_back(forget_aside, aside, to);
    if (!no_links(errno) || move_onto_claim(to, aside) != 0)
        return -1;
    return move_to_free_name(from, to) == 0 ? 0 : put_back(move_to_free_name, aside, to);
}
