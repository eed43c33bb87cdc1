#include "base/file.h"

#include <signal.h>

void file_report_limits(void)
{
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
}

void file_own_new_files(void)
{
    const mode_t owner = S_IRUSR | S_IWUSR;
    umask(umask(0) & ~owner);
}

static int read_all(int fd, const char *path, size_t limit, struct text *all, struct err *e)
{
    char part[64 * 1024];
    ssize_t n = 1;
    while (n > 0 && all->len <= limit) {
        do
            n = read(fd, part, sizeof(part));
        while (n < 0 && errno == EINTR);
        text_add_bytes(all, part, n > 0 ? (size_t)n : 0);
    }
    if (n == 0 && all->len <= limit)
        return 0;
    text_release(all);
    return n < 0 ? err_set(e, "cannot read '%s': %s", path, strerror(errno))
                 : err_set(e, "'%s' is longer than %zu bytes", path, limit);
}

/* The reason of an earlier failed write is lost by now, so another write is tried to find it. */
int file_flush_output(struct err *e)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return 0;
    return err_set(e, "cannot write to standard output: %s",
                   write(STDOUT_FILENO, "\n", 1) < 0 ? strerror(errno) : "output is lost");
}

int file_read(const char *path, size_t limit, struct text *all, struct err *e)
{
    int fd = file_open_read(path, 0, e);
    if (fd < 0)
        return -1;
    int rc = read_all(fd, path, limit, all, e);
    close(fd);
    return rc;
}

int file_read_open(int fd, const char *path, size_t limit, struct text *all, struct err *e)
{
    if (lseek(fd, 0, SEEK_SET) < 0)
        return err_set(e, "cannot read '%s': %s", path, strerror(errno));
    return read_all(fd, path, limit, all, e);
}

int file_read_input(size_t limit, struct text *all, struct err *e)
{
    return read_all(STDIN_FILENO, "standard input", limit, all, e);
}

/* Terminals and pipes cannot be synced; that is not an error. */
static int sync_descriptor(int fd)
{
    struct stat st;
    int rc;
    do
        rc = fsync(fd);
    while (rc != 0 && errno == EINTR);
    if (rc == 0 || errno == EINVAL || errno == ENOTSUP)
        return 0;
    bool special =
        errno == EROFS && fstat(fd, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
    return special ? 0 : rc;
}

static int write_all(int fd, const char *path, const char *bytes, size_t len, struct err *e)
{
    size_t done = 0;
    while (done < len) {
        ssize_t n = write(fd, bytes + done, len - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return err_not_written(e, path, n < 0 ? errno : ENOSPC);
        done += (size_t)n;
    }
    return 0;
}

int file_sync(int fd, const char *path, struct err *e)
{
    return sync_descriptor(fd) == 0 ? 0 : err_not_written(e, path, errno);
}

int file_write_synced(int fd, const char *path, const char *bytes, size_t len, struct err *e)
{
    return write_all(fd, path, bytes, len, e) == 0 ? file_sync(fd, path, e) : -1;
}

int file_cut(int fd, const char *path, size_t len, struct err *e)
{
    int rc;
    do
        rc = ftruncate(fd, (off_t)len);
    while (rc != 0 && errno == EINTR);
    if (rc != 0 || sync_descriptor(fd) != 0)
        return err_set(e, "cannot cut '%s': %s", path, strerror(errno));
    return 0;
}

int file_append(int fd, const char *path, const char *bytes, size_t len, struct err *e)
{
    off_t before = lseek(fd, 0, SEEK_END);
    if (write_all(fd, path, bytes, len, e) == 0)
        return 0;
    if (before >= 0)
        file_cut(fd, path, (size_t)before, e);
    return -1;
}

const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

void file_add_directory(const char *path, struct text *out)
{
    text_add(out, "%.*s.", (int)(file_name(path) - path), path);
}

int file_sync_directory(const char *path, struct err *e)
{
    LOCAL_TEXT directory = { 0 };
    file_add_directory(path, &directory);
    int rc = 0, fd = open(directory.s, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0 && sync_descriptor(fd) != 0 && errno != EBADF)
        rc = err_not_written(e, directory.s, errno);
    if (fd >= 0)
        close(fd);
    return rc;
}

int file_check_directory(const char *path, struct err *e)
{
    LOCAL_TEXT directory = { 0 };
    file_add_directory(path, &directory);
    return access(directory.s, W_OK | X_OK) == 0 ? 0 : err_not_written(e, path, errno);
}

int file_check_output(const char *path, struct err *e)
{
    struct stat st;
    if (lstat(path, &st) != 0)
        return file_check_directory(path, e);
    return S_ISDIR(st.st_mode) ? err_not_written(e, path, EISDIR) : 0;
}

enum { DIGITS = 8, MAX_TRIES = 100 };

/* Processes in containers may have equal numbers, and those on several hosts equal times. */
uint32_t file_random_number(int try)
{
    struct {
        struct timespec now;
        uint64_t pid, address, try;
        char host[64];
    } seed;
    memset(&seed, 0, sizeof(seed));
    clock_gettime(CLOCK_REALTIME, &seed.now);
    gethostname(seed.host, sizeof(seed.host) - 1);
    seed.pid = (uint64_t)getpid();
    seed.address = (uint64_t)(uintptr_t)&seed;
    seed.try = (uint64_t)try;
    uint64_t hash = hash_bytes((const char *)&seed, sizeof(seed));
    return (uint32_t)(hash ^ hash >> 32);
}

int temporary_create(const char *path, const char *kind, struct text *name, struct err *e)
{
    for (int i = 0; i < MAX_TRIES; i++) {
        text_release(name);
        text_add(name, "%s.%s-%08" PRIx32, path, kind, file_random_number(i));
        int fd = open(name->s, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd >= 0 ? fd : err_not_written(e, path, errno);
    }
    return err_set(e, "cannot write '%s': no free name for '%s'", path, text_get(name));
}

int temporary_write(const char *path, const char *kind, const struct text *content,
                    struct text *name, struct err *e)
{
    int fd = temporary_create(path, kind, name, e);
    if (fd < 0 || file_write_synced(fd, path, text_get(content), content->len, e) == 0)
        return fd;
    unlink(text_get(name));
    close(fd);
    return -1;
}

int file_replace(const char *path, const struct text *text, struct err *e)
{
    LOCAL_TEXT name = { 0 };
    int fd = temporary_write(path, "tmp", text, &name, e);
    if (fd < 0)
        return -1;
    close(fd);
    if (rename(text_get(&name), path) == 0)
        return 0;
    err_not_written(e, path, errno);
    unlink(text_get(&name));
    return -1;
}

bool temporary_has_name(const char *name, const char *path, const char *kind)
{
    LOCAL_TEXT begin = { 0 };
    text_add(&begin, "%s.%s-", path, kind);
    if (strncmp(name, begin.s, begin.len) != 0)
        return false;
    name += begin.len;
    return strlen(name) == DIGITS && strspn(name, "0123456789abcdef") == DIGITS;
}

/* Does the file system lack hard links? */
static bool no_links(int error)
{
    return error == EPERM || error == ENOTSUP || error == EOPNOTSUPP || error == ENOSYS ||
           error == EMLINK;
}

bool file_is_plain(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool file_same(const char *a, const char *b)
{
    struct stat x, y;
    return lstat(a, &x) == 0 && lstat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool file_is_named(int fd, const char *path, struct stat *own)
{
    struct stat named;
    return fstat(fd, own) == 0 && lstat(path, &named) == 0 && own->st_dev == named.st_dev &&
           own->st_ino == named.st_ino;
}

/* Removes the file after a failure, whose reason is kept. Always returns -1. */
static int give_up(const char *path)
{
    int reason = errno;
    unlink(path);
    errno = reason;
    return -1;
}

/* Moves without hard links: a new empty file takes the name, then gives it up. */
static int move_onto_claim(const char *from, const char *to)
{
    int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return -1;
    close(fd);
    return rename(from, to) == 0 ? 0 : give_up(to);
}

int move_to_free_name(const char *from, const char *to)
{
    if (link(from, to) == 0 || (errno == EEXIST && file_same(from, to)))
        return unlink(from);
    return no_links(errno) ? move_onto_claim(from, to) : -1;
}

int move_into_place(const char *from, const char *to, const char *aside)
{
    if (link(to, aside) == 0 || (errno == EEXIST && file_same(to, aside)))
        return rename(from, to) == 0 ? 0 : give_up(aside);
    if (!no_links(errno) || move_onto_claim(to, aside) != 0)
        return -1;
    if (move_to_free_name(from, to) == 0)
        return 0;
    int reason = errno;
    move_to_free_name(aside, to);
    errno = reason;
    return -1;
}
