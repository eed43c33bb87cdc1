#include "programs/record/cells.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Entries from which on keys are coarser. */
enum { OCTAVES_FROM = CELLS * 3 / 4, NO_LENGTHS_FROM = CELLS * 7 / 8, FULL = CELLS - CELLS / 32 };

_Static_assert(sizeof(struct cell_key) == 24, "compared and hashed as three words");
_Static_assert(sizeof(struct cell) == 256, "as the manual says");

int16_t bin_of(int64_t bytes)
{
    return bytes <= 0 ? -1 : (int16_t)floor(4.0 * log2((double)bytes));
}

int64_t bin_low(int bin)
{
    return bin < 0 ? 0 : (int64_t)ceil(exp2(bin / 4.0));
}

int part_file(const char *path, int flags)
{
    struct stat st;
    int file = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags, 0666);
    if (file < 0 || (fstat(file, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid()))
        return file;
    close(file);
    errno = EPERM;
    return -1;
}

static struct part *map(int file, int sharing)
{
    void *p = mmap(NULL, sizeof(struct part), PROT_READ | PROT_WRITE, sharing, file, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* Room is taken now: a write to a mapped page without room on the disk would end the program. */
static struct part *map_shared(int file)
{
    /* A lock that is held says that the program runs; the file stays open for it. */
    const struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    struct part *p = NULL;
    if (ftruncate(file, 0) == 0 && posix_fallocate(file, 0, sizeof(struct part)) == 0)
        p = map(file, MAP_SHARED);
    if (p == NULL || fcntl(file, F_SETLK, &lock) != 0)
        close(file);
    return p;
}

struct part *part_new(const char *path)
{
    int file = part_file(path, O_CREAT);
    struct part *p = file < 0 ? NULL : map_shared(file);
    if (p != NULL)
        return p;
    if (file >= 0)
        unlink(path);
    file = open("/dev/zero", O_RDWR | O_CLOEXEC);
    p = map(file, MAP_PRIVATE);
    close(file);
    return p;
}

void part_free(struct part *p, const char *path)
{
    if (p != NULL)
        munmap(p, sizeof(*p));
    if (path != NULL)
        unlink(path);
}

static struct cell *find(struct part *p, const struct cell_key *key)
{
    uint64_t words[3];
    memcpy(words, key, sizeof(words));
    uint64_t h = (words[0] * 0x9e3779b97f4a7c15u) ^ (words[1] * 0xc2b2ae3d27d4eb4fu) ^
                 (words[2] * 0x165667b19e3779f9u);
    h = (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9u >> 40;
    for (uint32_t i = (uint32_t)h % CELLS;; i = (i + 1) % CELLS) {
        struct cell *c = &p->cells[i];
        if (c->name[0] == '\0' || memcmp(&c->key, key, sizeof(*key)) == 0)
            return c;
    }
}

struct cell *part_cell(struct part *p, const struct cell_key *key, const char *const *names)
{
    struct cell *c = find(p, key);
    if (c->name[0] != '\0')
        return c;
    struct cell_key k = *key;
    if (p->live.entries >= OCTAVES_FROM) {
        k.marks |= MARK_OCTAVE;
        k.bin = (int16_t)(k.bin < 0 ? -1 : k.bin & ~3);
        if (p->live.entries >= NO_LENGTHS_FROM)
            k = (struct cell_key){ .call = k.call, .bin = -1, .marks = MARK_OCTAVE };
        c = find(p, &k);
        if (c->name[0] != '\0')
            return c;
    }
    if (p->live.entries >= FULL)
        return NULL;
    p->live.entries++;
    c->key = k;
    strncpy(c->name, names[k.call], NAME_BYTES - 1);
    return c;
}
