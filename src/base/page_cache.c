/* For mincore and getmntent. smpicc defines it, too, with a value. */
#undef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE

#include "base/file.h"
#include "base/page_cache.h"

#include <mntent.h>
#include <sys/mman.h>

enum { MAX_PAGES = 1 << 16 }; /* asked for at a time */

int page_cache_drop(int fd)
{
    return fsync(fd) != 0 ? errno : posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
}

/* Counts cached pages in a part of the file that begins at a page. */
static size_t cached_pages(int fd, off_t from, size_t bytes, size_t page)
{
    unsigned char resident[MAX_PAGES];
    size_t pages = (bytes + page - 1) / page, cached = 0;
    void *mapped = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, from);
    if (mapped == MAP_FAILED)
        return pages;
    if (mincore(mapped, bytes, resident) != 0)
        memset(resident, 1, pages);
    for (size_t i = 0; i < pages; i++)
        cached += resident[i] & 1u;
    munmap(mapped, bytes);
    return cached;
}

double page_cache_percent(int fd)
{
    struct stat status;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), step = MAX_PAGES * page, cached = 0;
    if (fstat(fd, &status) != 0)
        return 100.0;
    if (status.st_size == 0)
        return 0.0;
    size_t size = (size_t)status.st_size;
    for (size_t from = 0; from < size; from += step)
        cached += cached_pages(fd, (off_t)from, size - from < step ? size - from : step, page);
    return 100.0 * (double)cached / (double)((size + page - 1) / page);
}

static void find_mount(const char *path, char *type, size_t size)
{
    FILE *mounts = setmntent("/proc/self/mounts", "r");
    size_t longest = 0;
    if (mounts == NULL)
        return;
    for (struct mntent *m; (m = getmntent(mounts)) != NULL;) {
        size_t len = strlen(m->mnt_dir);
        bool below = len > 0 && strncmp(path, m->mnt_dir, len) == 0 &&
                     (path[len] == '/' || path[len] == '\0' || m->mnt_dir[len - 1] == '/');
        if (len >= longest && below) {
            longest = len;
            snprintf(type, size, "%s", m->mnt_type);
        }
    }
    endmntent(mounts);
}

void page_cache_add_file_system(const char *path, struct text *out)
{
    char type[64] = "unknown", *whole = realpath(path, NULL);
    if (whole != NULL)
        find_mount(whole, type, sizeof(type));
    free(whole);
    text_add_printable(out, type, strlen(type));
}
