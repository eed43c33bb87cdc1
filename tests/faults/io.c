/* A preloaded library that simulates a failing disk, for files called skampi.out... and
 * skampi.log..., and directories that are synced. SKAMPI_IO is "CALL:N:WHAT", or two of these
 * separated by a comma: WHAT happens in the N-th such call, or, with "+" after N, in every call
 * from the N-th on.
 *
 *     CALL   write fsync close ftruncate open link unlink rename, or any of them
 *     WHAT   an error: ENOSPC EIO EROFS EDQUOT EINTR EPERM
 *            short: only half is written; pipe: SIGPIPE, as from the system, and EPIPE
 *            kill, killed: SIGKILL before the call, after it
 *
 * SKAMPI_IO_COUNT names a file to which the number of calls is written at the end. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum call {
    CALL_ANY,
    CALL_WRITE,
    CALL_FSYNC,
    CALL_CLOSE,
    CALL_FTRUNCATE,
    CALL_OPEN,
    CALL_LINK,
    CALL_UNLINK,
    CALL_RENAME,
    CALLS
};

static const char *const call_names[CALLS] = { "any",  "write", "fsync",  "close", "ftruncate",
                                               "open", "link",  "unlink", "rename" };

enum what { NOTHING, FAIL, SHORT, PIPE, KILL_BEFORE, KILL_AFTER };

static const struct {
    const char *name;
    enum what what;
    int error;
} faults[] = {
    { "ENOSPC", FAIL, ENOSPC },  { "EIO", FAIL, EIO },     { "EROFS", FAIL, EROFS },
    { "EDQUOT", FAIL, EDQUOT },  { "EINTR", FAIL, EINTR }, { "EPERM", FAIL, EPERM },
    { "short", SHORT, 0 },       { "pipe", PIPE, EPIPE },  { "kill", KILL_BEFORE, 0 },
    { "killed", KILL_AFTER, 0 },
};

enum { MAX_PLANS = 2 };

static struct plan {
    enum call call;
    int nth;
    bool on; /* from the nth on */
    enum what what;
    int error;
} plans[MAX_PLANS];
static int counts[CALLS];

static void refuse(const char *text)
{
    fprintf(stderr, "io: cannot read '%s' in SKAMPI_IO\n", text);
    _exit(2);
}

static void read_plan(struct plan *p, const char *text)
{
    char call[16], what[16], on;
    if (sscanf(text, "%15[^:]:%d%c%15[^,]", call, &p->nth, &on, what) != 4)
        refuse(text);
    p->on = on == '+';
    const char *name = p->on ? what + 1 : what;
    while (p->call < CALLS && strcmp(call, call_names[p->call]) != 0)
        p->call++;
    for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++)
        if (strcmp(name, faults[i].name) == 0) {
            p->what = faults[i].what;
            p->error = faults[i].error;
        }
    if (p->call == CALLS || p->what == NOTHING)
        refuse(text);
}

__attribute__((constructor)) static void start(void)
{
    const char *text = getenv("SKAMPI_IO");
    for (int i = 0; i < MAX_PLANS && text != NULL && *text != '\0'; i++) {
        read_plan(&plans[i], text);
        text = strchr(text, ',');
        text = text == NULL ? NULL : text + 1;
    }
}

__attribute__((destructor)) static void write_counts(void)
{
    const char *path = getenv("SKAMPI_IO_COUNT");
    FILE *f = path != NULL && counts[CALL_ANY] > 0 ? fopen(path, "w") : NULL;
    if (f == NULL)
        return;
    for (int i = 0; i < CALLS; i++)
        fprintf(f, "%s %d\n", call_names[i], counts[i]);
    fclose(f);
}

static bool is_ours(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    return strncmp(name, "skampi.out", 10) == 0 || strncmp(name, "skampi.log", 10) == 0;
}

static bool is_our_descriptor(int fd)
{
    char link[64], path[4096];
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    ssize_t len = readlink(link, path, sizeof(path) - 1);
    if (len < 0)
        return false;
    path[len] = '\0';
    return is_ours(path);
}

static bool is_directory(int fd)
{
    struct stat st;
    return fstat(fd, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool is_due(const struct plan *p, enum call call)
{
    int n = counts[p->call];
    return p->what != NOTHING && (p->call == CALL_ANY || p->call == call) &&
           (n == p->nth || (p->on && n > p->nth));
}

/* Counts a call. Returns what is to happen in it, and sets errno if it is to fail. */
static enum what fate(enum call call)
{
    const struct plan *p = &plans[0];
    counts[CALL_ANY]++;
    counts[call]++;
    while (p < plans + MAX_PLANS && !is_due(p, call))
        p++;
    if (p == plans + MAX_PLANS)
        return NOTHING;
    if (p->what == KILL_BEFORE)
        raise(SIGKILL);
    if (p->what == PIPE)
        raise(SIGPIPE);
    errno = p->error;
    return p->what;
}

static bool fails(enum what what)
{
    return what == FAIL || what == PIPE;
}

static long after_call(enum what what, long rc)
{
    if (what == KILL_AFTER)
        raise(SIGKILL);
    return rc;
}

#define REAL(result, name, ...)                                                                    \
    static result (*real)(__VA_ARGS__);                                                            \
    if (real == NULL)                                                                              \
    *(void **)&real = dlsym(RTLD_NEXT, #name)

ssize_t write(int fd, const void *bytes, size_t len)
{
    REAL(ssize_t, write, int, const void *, size_t);
    if (!is_our_descriptor(fd))
        return real(fd, bytes, len);
    enum what what = fate(CALL_WRITE);
    if (fails(what))
        return -1;
    return after_call(what, real(fd, bytes, what == SHORT && len > 1 ? len / 2 : len));
}

/* A function that does not do what it should, or that fails. */
#define FAULTY(name, call, ours, parameters, ...)                                                  \
    int name parameters                                                                            \
    {                                                                                              \
        static int(*real) parameters;                                                              \
        if (real == NULL)                                                                          \
            *(void **)&real = dlsym(RTLD_NEXT, #name);                                             \
        enum what what = ours ? fate(call) : NOTHING;                                              \
        return fails(what) ? -1 : (int)after_call(what, real(__VA_ARGS__));                        \
    }

FAULTY(fsync, CALL_FSYNC, is_our_descriptor(fd) || is_directory(fd), (int fd), fd)
FAULTY(ftruncate, CALL_FTRUNCATE, is_our_descriptor(fd), (int fd, off_t len), fd, len)
FAULTY(link, CALL_LINK, is_ours(from), (const char *from, const char *to), from, to)
FAULTY(unlink, CALL_UNLINK, is_ours(path), (const char *path), path)
FAULTY(rename, CALL_RENAME, is_ours(from), (const char *from, const char *to), from, to)

/* The descriptor is closed even after an error, as on Linux. */
int close(int fd)
{
    REAL(int, close, int);
    enum what what = is_our_descriptor(fd) ? fate(CALL_CLOSE) : NOTHING;
    int error = errno;
    int rc = (int)after_call(what, real(fd));
    errno = fails(what) ? error : errno;
    return fails(what) ? -1 : rc;
}

int open(const char *path, int flags, ...)
{
    REAL(int, open, const char *, int, ...);
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
    va_end(args);
    enum what what = is_ours(path) ? fate(CALL_OPEN) : NOTHING;
    return fails(what) ? -1 : (int)after_call(what, real(path, flags, mode));
}
