#include "ops/io_file.h"

#include "base/page_cache.h"
#include "context/file_place.h"
#include "model/parameters.h"

#include <fcntl.h>
#include <unistd.h>

enum { NAME_SIZE = 96 };

static const char remedy_space[] = "; free some space, lower '@IO_SPACE', or use another "
                                   "'@IO_DIRECTORY'";

/* Some libraries report a full disk as any other error, and explain errors in several lines. */
static bool is_full(int code, const char *text)
{
    int kind;
    MPI_Error_class(code, &kind);
    return kind == MPI_ERR_NO_SPACE || kind == MPI_ERR_QUOTA ||
           strstr(text, strerror(ENOSPC)) != NULL || strstr(text, strerror(EDQUOT)) != NULL;
}

void io_note(struct run *r, int code, const char *call)
{
    char text[MPI_MAX_ERROR_STRING];
    int len;
    if (code == MPI_SUCCESS)
        return;
    MPI_Error_string(code, text, &len);
    for (char *c = text; *c != '\0'; c++)
        *c = *c == '\n' ? ' ' : *c;
    err_set(&r->file.why, "%s on rank %d in '%s': %.500s%s", call, r->rank, r->params->io_directory,
            text, is_full(code, text) ? remedy_space : "");
}

/* A disk that is full can end a transfer early, without an error. */
void io_note_transfer(struct run *r, int code, const char *call, bool writes)
{
    struct io *k = r->state;
    MPI_Count moved;
    io_note(r, code, call);
    if (code != MPI_SUCCESS)
        return;
    MPI_Get_elements_x(&k->status, MPI_BYTE, &moved);
    if (moved != r->at.length)
        err_set(&r->file.why, "%s on rank %d in '%s': only %lld of %ld bytes%s", call, r->rank,
                r->params->io_directory, (long long)moved, r->at.length,
                writes ? remedy_space : "");
}

/* A file of this process, or of all: "skampi-io.PID.TIME.3.rank0", "....3.shared". */
static void print_name(const struct run *r, const struct io *k, char name[NAME_SIZE])
{
    char run[SCRATCH_NAME_SIZE] = "";
    scratch_name(r->machine->place->scratch.id.owner, run);
    int len = snprintf(name, NAME_SIZE, "%s%d.", run, k->number);
    snprintf(name + len, NAME_SIZE - (size_t)len, k->form->own ? "rank%d" : "shared", r->rank);
}

static int take_path(const struct run *r, struct io *k, const char *name, struct err *e)
{
    struct text path = { 0 };
    text_add(&path, "%s/%s", r->machine->place->scratch.id.path, name);
    k->path = text_take(&path);
    return k->path != NULL ? 0 : err_no_memory(e, strlen(name));
}

static bool has_created(const struct run *r, const struct io *k)
{
    return k->form->own || r->rank == 0;
}

/* The process that has a file creates it; the others find it afterwards. */
static int create(struct run *r, struct io *k, struct err *e)
{
    const struct scratch *s = &r->machine->place->scratch;
    char name[NAME_SIZE];
    int rc = 0;
    k->number = r->machine->place->files++;
    MPI_Bcast(&k->number, 1, MPI_INT, 0, r->control);
    print_name(r, k, name);
    if (take_path(r, k, name, e) != 0)
        rc = -1;
    else if (has_created(r, k))
        rc = (k->cache_fd = scratch_create(s, name, e)) < 0 ? -1 : 0;
    rc = run_agree(r, rc, e);
    if (rc == 0 && k->cache_fd < 0 && r->machine->place->leads)
        rc = (k->cache_fd = scratch_open(s, name, e)) < 0 ? -1 : 0;
    return run_agree(r, rc, e);
}

/* Blocks of this process, at distances of one block for each process. */
static void make_view(struct run *r, struct io *k)
{
    MPI_Datatype block;
    MPI_Aint bytes = r->suite->options.io_block;
    MPI_Type_contiguous(r->suite->options.io_block, MPI_BYTE, &block);
    MPI_Type_create_resized(block, 0, bytes * r->size, &k->view);
    MPI_Type_commit(&k->view);
    MPI_Type_free(&block);
}

int io_origin(const struct run *r)
{
    const struct io *k = r->state;
    return k->form->other ? (r->rank + r->size / 2) % r->size : r->rank;
}

/* A view has only the parts of its process. */
static MPI_Offset part_of(const struct run *r, const struct io *k, int rank)
{
    bool alone = k->form->own || k->form->strided;
    MPI_Offset parts = alone ? k->place : (MPI_Offset)k->place * r->size + rank;
    return parts * r->at.length;
}

void io_go(struct run *r, int place)
{
    struct io *k = r->state;
    k->last_at = k->at;
    k->place = place;
    k->at = part_of(r, k, r->rank);
    k->other_at = part_of(r, k, io_origin(r));
}

int io_open(struct io *k)
{
    return MPI_File_open(k->comm, k->path, MPI_MODE_RDWR, MPI_INFO_NULL, &k->file);
}

int io_close(struct io *k)
{
    return k->file == MPI_FILE_NULL ? MPI_SUCCESS : MPI_File_close(&k->file);
}

static int set_view(struct run *r, struct io *k)
{
    MPI_Offset first = (MPI_Offset)r->rank * r->suite->options.io_block;
    return k->view == MPI_DATATYPE_NULL
               ? MPI_SUCCESS
               : MPI_File_set_view(k->file, first, MPI_BYTE, k->view, "native", MPI_INFO_NULL);
}

static int check(const struct run *r, struct err *e)
{
    return err_is_set(&r->file.why) ? err_set(e, "%s", r->file.why.text) : 0;
}

/* A file that some processes could not open is not closed by the others. */
static int open_first(struct run *r, struct io *k, struct err *e)
{
    r->file.why.text[0] = '\0';
    io_note(r, io_open(k), "MPI_File_open");
    if (run_agree(r, check(r, e), e) != 0) {
        k->file = MPI_FILE_NULL;
        return -1;
    }
    io_note(r, set_view(r, k), "MPI_File_set_view");
    if (k->form->closed)
        io_note(r, io_close(k), "MPI_File_close");
    return run_agree(r, check(r, e), e);
}

/* File systems without a reservation of their own are written to by the C library. */
void io_reserve(struct run *r)
{
    struct io *k = r->state;
    struct err e = { "" };
    long long bytes = (k->form->own ? 1 : r->size) * (long long)r->at.length * r->file.places;
    bool reserves = has_created(r, k) && bytes > 0;
    int error = reserves ? posix_fallocate(k->cache_fd, 0, bytes) : 0;
    MPI_Barrier(r->comm);
    if (reserves && ftruncate(k->cache_fd, 0) != 0)
        error = errno;
    if (error == ENOSPC || error == EDQUOT || error == EFBIG)
        err_set(&r->file.why, "reserving %lld bytes on rank %d in '%s': %s%s", bytes, r->rank,
                r->params->io_directory, strerror(error), remedy_space);
    if (run_agree(r, check(r, &e), &e) != 0)
        err_set(&r->file.why, "%s", e.text);
}

int io_init(struct run *r, struct err *e)
{
    const struct io_form *form = r->form;
    struct io *k = r->state;
    k->form = form;
    k->file = MPI_FILE_NULL;
    k->cache_fd = -1;
    k->view = MPI_DATATYPE_NULL;
    k->comm = form->own ? MPI_COMM_SELF : r->comm;
    if (form->strided)
        make_view(r, k);
    const int places = suite_file_places(r->params, r->suite, r->at.length, r->size);
    r->file = (struct file_status){ .places = places };
    io_go(r, 0);
    return create(r, k, e) == 0 ? open_first(r, k, e) : -1;
}

/* Only what this suite has created is removed. */
void io_free(struct run *r)
{
    struct io *k = r->state;
    char name[NAME_SIZE];
    io_close(k);
    if (k->view != MPI_DATATYPE_NULL)
        MPI_Type_free(&k->view);
    MPI_Barrier(r->control);
    print_name(r, k, name);
    if (k->cache_fd >= 0 && has_created(r, k))
        scratch_remove(&r->machine->place->scratch, name);
    if (k->cache_fd >= 0)
        close(k->cache_fd);
    free(k->path);
}

/* ROMIO's strided writes lock the file and, if they fail, keep the lock, so that others wait
 * forever. A process loses all its locks of a file when it closes any descriptor of it. */
static void unlock(const struct io *k)
{
    int fd = open(k->path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0)
        close(fd);
}

/* One process on each host drops the file. */
static void drop(struct run *r, const struct io *k)
{
    int error = k->cache_fd >= 0 ? page_cache_drop(k->cache_fd) : 0;
    if (error != 0)
        err_set(&r->file.why, "fsync on rank %d in '%s': %s", r->rank, r->params->io_directory,
                strerror(error));
}

/* Files that are kept stay as they are, so one look is enough. */
static void look(struct run *r, const struct io *k)
{
    double percent = k->cache_fd >= 0 ? page_cache_percent(k->cache_fd) : 0.0;
    r->file.looked = true;
    if (percent > r->file.cached_percent)
        r->file.cached_percent = percent;
}

/* All repetitions that write extend the file. */
static void begin_again(struct run *r, const struct io *k)
{
    if (!k->form->reads && r->file.places > 1) {
        io_note(r, MPI_File_set_size(k->file, 0), "MPI_File_set_size");
        MPI_Barrier(r->comm);
    }
    if (k->form->shared)
        io_note(r, MPI_File_seek_shared(k->file, 0, MPI_SEEK_SET), "MPI_File_seek_shared");
    io_go(r, 0);
}

/* The barrier: no process still accesses the file when its pages are dropped or counted, or when it
 * is emptied, or moves the shared pointer when another process puts it back. */
void io_finalize(struct run *r)
{
    struct io *k = r->state;
    bool drops = r->suite->options.io_cache == IO_CACHE_DROPPED;
    bool ends = k->place + 1 == r->file.places;
    if (k->code != MPI_SUCCESS)
        unlock(k);
    if (drops || (ends && (k->form->shared || r->file.places > 1)) || !r->file.looked)
        MPI_Barrier(r->comm);
    if (k->form->unread)
        io_note(r, k->code, r->suite->type->name);
    else
        io_note_transfer(r, k->code, r->suite->type->name, k->writes);
    if (drops)
        drop(r, k);
    if (drops || !r->file.looked)
        look(r, k);
    if (ends)
        begin_again(r, k);
    else
        io_go(r, k->place + 1);
}
