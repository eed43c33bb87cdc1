#include "base/file.h"
#include "base/scratch.h"

#include <dirent.h>

enum { MAX_TRIES = 100, HOST_SIZE = 256 };

const char scratch_prefix[] = "skampi-io";
static const char owner_file[] = "skampi-io.owner";
static const char new_owner_file[] = "skampi-io.owner.new";
static const char shared_memory[] = "/dev/shm", semaphore[] = "sem.";

static const char *host_name(char host[HOST_SIZE])
{
    host[0] = '\0';
    gethostname(host, HOST_SIZE - 1);
    host[HOST_SIZE - 1] = '\0';
    return host;
}

int scratch_check(const char *parent, struct err *e)
{
    struct stat status;
    if (stat(parent, &status) != 0)
        return err_set(e, "cannot use '%s': %s", parent, strerror(errno));
    if (!S_ISDIR(status.st_mode))
        return err_set(e, "cannot use '%s': not a directory", parent);
    if (access(parent, W_OK | X_OK) != 0)
        return err_set(e, "cannot write in '%s': %s", parent, strerror(errno));
    return 0;
}

static int open_directory(struct scratch *s, struct err *e)
{
    s->directory = open(s->id.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return s->directory >= 0 ? 0 : err_set(e, "cannot open '%s': %s", s->id.path, strerror(errno));
}

/* Writes who owns the directory, and locks that file before it gets the name by which others look
 * for it: they remove a directory whose file is not locked. File systems that cannot lock still
 * work: what is left there has to be removed by the user. */
static int write_owner(struct scratch *s, struct err *e)
{
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    size_t len = strlen(s->id.owner);
    s->lock = scratch_open(s, new_owner_file, O_CREAT | O_EXCL, e);
    if (s->lock < 0)
        return -1;
    fcntl(s->lock, F_SETLK, &whole);
    if (write(s->lock, s->id.owner, len) != (ssize_t)len || fsync(s->lock) != 0 ||
        renameat(s->directory, new_owner_file, s->directory, owner_file) != 0)
        return err_set(e, "cannot write in '%s': %s", s->id.path, strerror(errno));
    return 0;
}

static int make(struct scratch *s, struct err *e)
{
    if (mkdir(s->id.path, 0700) != 0)
        return -1;
    s->made = true;
    return open_directory(s, e) == 0 && write_owner(s, e) == 0 ? 0 : -1;
}

static bool print_path(struct scratch_id *id, const char *parent, int try)
{
    char host[HOST_SIZE], more[16] = "";
    if (try > 1)
        snprintf(more, sizeof(more), "-%d", try);
    /* A path that begins with "NAME:" would name a file system to ROMIO. */
    int len = snprintf(id->path, sizeof(id->path), "%s%s/%s-%s-%ld%s",
                       *parent == '/' || *parent == '.' ? "" : "./", parent, scratch_prefix,
                       host_name(host), (long)getpid(), more);
    return len > 0 && (size_t)len < sizeof(id->path);
}

static void print_owner(struct scratch_id *id)
{
    char host[HOST_SIZE];
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(id->owner, sizeof(id->owner), "%s %s process %ld time %lld.%09ld\n", scratch_prefix,
             host_name(host), (long)getpid(), (long long)now.tv_sec, now.tv_nsec);
}

int scratch_make(struct scratch *s, const char *parent, struct err *e)
{
    *s = SCRATCH_NONE;
    print_owner(&s->id);
    for (int try = 1; try <= MAX_TRIES; try++) {
        if (!print_path(&s->id, parent, try))
            return err_set(e, "the name of the directory '%s' is too long", parent);
        if (make(s, e) == 0)
            return 0;
        if (s->made)
            return -1;
        if (errno != EEXIST)
            return err_set(e, "cannot make a directory in '%s': %s", parent, strerror(errno));
    }
    return err_set(e, "cannot make '%s': this name and %d others are used", s->id.path,
                   MAX_TRIES - 1);
}

int scratch_make_again(struct scratch *s, const struct scratch_id *id, struct err *e)
{
    *s = SCRATCH_NONE;
    s->id = *id;
    print_owner(&s->id);
    if (make(s, e) == 0)
        return 0;
    return s->made ? -1 : err_set(e, "cannot make '%s': %s", id->path, strerror(errno));
}

/* Returns a descriptor of its file of the owner, with the content, or -1. */
static int read_owner(int directory, int flags, char owner[SCRATCH_OWNER_SIZE])
{
    int fd = openat(directory, owner_file, flags | O_NOFOLLOW | O_CLOEXEC);
    struct stat status;
    ssize_t len = -1;
    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid())
        len = read(fd, owner, SCRATCH_OWNER_SIZE - 1);
    owner[len > 0 ? len : 0] = '\0';
    if (len > 0 || fd < 0)
        return fd;
    close(fd);
    return -1;
}

bool scratch_join(struct scratch *s, const struct scratch_id *id)
{
    struct err why = { "" };
    char owner[SCRATCH_OWNER_SIZE];
    *s = SCRATCH_NONE;
    s->id = *id;
    if (open_directory(s, &why) != 0)
        return false;
    int fd = read_owner(s->directory, O_RDONLY, owner);
    if (fd >= 0)
        close(fd);
    if (fd >= 0 && strcmp(owner, id->owner) == 0)
        return true;
    scratch_release(s, &why);
    return false;
}

bool scratch_name(const char *owner, char name[SCRATCH_NAME_SIZE])
{
    char pid[24], time[24];
    if (sscanf(owner, "%*s %*s process %23[0-9] time %23[0-9.]", pid, time) != 2)
        return false;
    snprintf(name, SCRATCH_NAME_SIZE, "%s.%s.%s.", scratch_prefix, pid, time);
    return true;
}

int scratch_open(const struct scratch *s, const char *name, int flags, struct err *e)
{
    int fd = openat(s->directory, name, O_RDWR | flags | O_NOFOLLOW | O_CLOEXEC, 0600);
    return fd >= 0 ? fd : err_set(e, "cannot open '%s/%s': %s", s->id.path, name, strerror(errno));
}

/* Removes files of skampi, and those that an MPI library has added for them, whose names contain
 * theirs; but not that of the owner. Closes the directory. */
static void remove_own(DIR *d, const char *prefix, const char *part)
{
    struct stat status;
    for (struct dirent *entry; (entry = readdir(d)) != NULL;) {
        const char *name = entry->d_name;
        if (strncmp(name, prefix, strlen(prefix)) == 0 && strstr(name, part) != NULL &&
            strcmp(name, owner_file) != 0 &&
            fstatat(dirfd(d), name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode) &&
            status.st_uid == geteuid())
            unlinkat(dirfd(d), name, 0);
    }
    closedir(d);
}

/* The file of the owner is last, because the others are not recognised without it. */
static void remove_files(int directory)
{
    int fd = dup(directory);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (d == NULL)
        return;
    rewinddir(d);
    remove_own(d, "", scratch_prefix);
    unlinkat(directory, owner_file, 0);
}

void scratch_remove_semaphores(const char *owner)
{
    char part[SCRATCH_NAME_SIZE];
    DIR *d = scratch_name(owner, part) ? opendir(shared_memory) : NULL;
    if (d != NULL)
        remove_own(d, semaphore, part);
}

static int remove_all(const struct scratch *s, struct err *e)
{
    struct stat own;
    if (s->directory < 0)
        return rmdir(s->id.path);
    remove_files(s->directory);
    if (!file_is_named(s->directory, s->id.path, &own) || rmdir(s->id.path) == 0)
        return 0;
    return err_set(e, "cannot remove '%s': %s", s->id.path, strerror(errno));
}

int scratch_release(struct scratch *s, struct err *e)
{
    int rc = s->made ? remove_all(s, e) : 0;
    if (s->lock >= 0)
        close(s->lock);
    if (s->directory >= 0)
        close(s->directory);
    *s = SCRATCH_NONE;
    return rc;
}

/* Did another process of this user on this host make it, and does it not hold the lock any more?
 * Processes do not notice their own locks. */
static bool is_left(int directory, char owner[SCRATCH_OWNER_SIZE])
{
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    char host[HOST_SIZE], its[HOST_SIZE];
    struct stat status;
    long pid;
    if (fstat(directory, &status) != 0 || status.st_uid != geteuid())
        return false;
    int fd = read_owner(directory, O_RDWR, owner);
    if (fd < 0)
        return false;
    bool here =
        sscanf(owner, "%*s %255s process %ld", its, &pid) == 2 && strcmp(its, host_name(host)) == 0;
    bool left = here && pid != (long)getpid() && fcntl(fd, F_SETLK, &whole) == 0;
    close(fd);
    return left;
}

static int sweep_one(int parent, const char *name)
{
    int directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (directory < 0)
        return 0;
    char owner[SCRATCH_OWNER_SIZE];
    int removed = 0;
    if (is_left(directory, owner)) {
        scratch_remove_semaphores(owner);
        remove_files(directory);
        removed = unlinkat(parent, name, AT_REMOVEDIR) == 0;
    }
    close(directory);
    return removed;
}

int scratch_sweep(const char *parent)
{
    DIR *d = opendir(parent);
    int removed = 0;
    if (d == NULL)
        return 0;
    for (struct dirent *entry; (entry = readdir(d)) != NULL;)
        if (strncmp(entry->d_name, scratch_prefix, strlen(scratch_prefix)) == 0)
            removed += sweep_one(dirfd(d), entry->d_name);
    closedir(d);
    return removed;
}
