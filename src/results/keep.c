#include "results/keep.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
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

/* A link and the file that it leads to are not the same. */
static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    return lstat(a, &x) == 0 && lstat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
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

int keep_file(const char *path, struct text *kept, struct err *e)
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
