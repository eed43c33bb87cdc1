#include "base/temporary.h"

#include "base/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { DIGITS = 8, MAX_TRIES = 100 };

/* Processes in containers may have equal numbers, and those on several hosts equal times. */
static uint32_t random_number(int try)
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
        text_add(name, "%s.%s-%08" PRIx32, path, kind, random_number(i));
        if (name->failed)
            return err_no_memory(e, strlen(path));
        int fd = open(name->s, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd >= 0 ? fd : err_set(e, "cannot write '%s': %s", path, strerror(errno));
    }
    return err_set(e, "cannot write '%s': no free name for '%s'", path, text_get(name));
}

bool temporary_has_name(const char *name, const char *path, const char *kind)
{
    size_t path_len = strlen(path), kind_len = strlen(kind);
    if (strncmp(name, path, path_len) != 0 || name[path_len] != '.')
        return false;
    name += path_len + 1;
    if (strncmp(name, kind, kind_len) != 0 || name[kind_len] != '-')
        return false;
    name += kind_len + 1;
    return strlen(name) == DIGITS && strspn(name, "0123456789abcdef") == DIGITS;
}
