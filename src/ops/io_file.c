#include "ops/io_file.h"

#include "base/page_cache.h"
#include "context/file_place.h"
#include "patterns/op.h"
#include "results/fact.h"

#include <fcntl.h>
#include <unistd.h>

enum { NAME_SIZE = 96 };

static const double NOTICED_PERCENT = 1.0;

static const char remedy_space[] = "; free some space, lower '@IO_SPACE', or use another "
                                   "'@IO_DIRECTORY'";

/* Is the disk full? Some libraries report that as any other error, or in several lines. */
static bool is_full(int code, const char *text)
{
    int kind;
    MPI_Error_class(code, &kind);
    return kind == MPI_ERR_NO_SPACE || kind == MPI_ERR_QUOTA ||
           strstr(text, strerror(ENOSPC)) != NULL || strstr(text, strerror(EDQUOT)) != NULL;
}

void io_note(struct measurement *m, int code, const char *call)
{
    char text[MPI_MAX_ERROR_STRING];
    int len;
    if (code == MPI_SUCCESS)
        return;
    MPI_Error_string(code, text, &len);
    for (char *c = text; *c != '\0'; c++)
        *c = *c == '\n' ? ' ' : *c;
    err_set(&m->file.why, "%s on rank %d in '%s': %.500s%s", call, m->rank, m->params->io_directory,
            text, is_full(code, text) ? remedy_space : "");
}

/* Notes an early end of a transfer, by which a full disk may show without an error. */
void io_note_transfer(struct measurement *m, int code, const char *call, bool writes)
{
    struct io *k = m->state;
    MPI_Count moved;
    io_note(m, code, call);
    if (code != MPI_SUCCESS)
        return;
    MPI_Get_elements_x(&k->status, MPI_BYTE, &moved);
    if (moved != m->at.length)
        err_set(&m->file.why, "%s on rank %d in '%s': only %lld of %ld bytes%s", call, m->rank,
                m->params->io_directory, (long long)moved, m->at.length,
                writes ? remedy_space : "");
}

/* A file of this process, or of all: "skampi-io.PID.TIME.3.rank0", "....3.shared". */
static void print_name(const struct measurement *m, const struct io *k, char name[NAME_SIZE])
{
    char run[SCRATCH_NAME_SIZE] = "";
    scratch_name(m->resources->place->scratch.id.owner, run);
    int len = snprintf(name, NAME_SIZE, "%s%d.", run, k->number);
    snprintf(name + len, NAME_SIZE - (size_t)len, k->form->own ? "rank%d" : "shared", m->rank);
}

/* Creates the file on the process that has it; the others find it afterwards. */
static int create(struct measurement *m, struct io *k, struct err *e)
{
    const struct scratch *s = &m->resources->place->scratch;
    struct text path = { 0 };
    char name[NAME_SIZE];
    k->number = m->resources->place->files++;
    MPI_Bcast(&k->number, 1, MPI_INT, 0, m->control);
    print_name(m, k, name);
    text_add(&path, "%s/%s", s->id.path, name);
    k->path = text_take(&path);
    int rc = 0;
    if ((k->form->own || m->rank == 0))
        rc = (k->cache_fd = scratch_open(s, name, O_CREAT | O_EXCL, e)) < 0 ? -1 : 0;
    rc = measurement_agree(m, rc, e);
    if (rc == 0 && k->cache_fd < 0 && m->resources->place->leads)
        rc = (k->cache_fd = scratch_open(s, name, 0, e)) < 0 ? -1 : 0;
    return measurement_agree(m, rc, e);
}

/* Makes a view of the blocks of this process, at distances of one block for each process. */
static void make_view(struct measurement *m, struct io *k)
{
    MPI_Datatype block;
    MPI_Aint bytes = m->suite->options.io_block;
    MPI_Type_contiguous(m->suite->options.io_block, MPI_BYTE, &block);
    MPI_Type_create_resized(block, 0, bytes * m->size, &k->view);
    MPI_Type_commit(&k->view);
    MPI_Type_free(&block);
}

int io_origin(const struct measurement *m)
{
    const struct io *k = m->state;
    return k->form->other ? (m->rank + m->size / 2) % m->size : m->rank;
}

/* The place of this process's part: a view has only the parts of its process. */
static MPI_Offset part_of(const struct measurement *m, const struct io *k, int rank)
{
    bool alone = k->form->own || k->form->strided;
    MPI_Offset parts = alone ? k->place : (MPI_Offset)k->place * m->size + rank;
    return parts * m->at.length;
}

void io_go(struct measurement *m, int place)
{
    struct io *k = m->state;
    k->last_at = k->at;
    k->place = place;
    k->at = part_of(m, k, m->rank);
    k->other_at = part_of(m, k, io_origin(m));
}

int io_open(struct io *k)
{
    return MPI_File_open(k->comm, k->path, MPI_MODE_RDWR, MPI_INFO_NULL, &k->file);
}

int io_close(struct io *k)
{
    return k->file == MPI_FILE_NULL ? MPI_SUCCESS : MPI_File_close(&k->file);
}

int io_status(const struct measurement *m, struct err *e)
{
    return err_is_set(&m->file.why) ? err_set(e, "%s", m->file.why.text) : 0;
}

/* Opens the file; if some processes cannot, the others do not close it. */
static int open_first(struct measurement *m, struct io *k, struct err *e)
{
    m->file.why.text[0] = '\0';
    io_note(m, io_open(k), "MPI_File_open");
    if (measurement_agree(m, io_status(m, e), e) != 0) {
        k->file = MPI_FILE_NULL;
        return -1;
    }
    MPI_Offset first = (MPI_Offset)m->rank * m->suite->options.io_block;
    if (k->view != MPI_DATATYPE_NULL)
        io_note(m, MPI_File_set_view(k->file, first, MPI_BYTE, k->view, "native", MPI_INFO_NULL),
                "MPI_File_set_view");
    if (k->form->closed)
        io_note(m, io_close(k), "MPI_File_close");
    return measurement_agree(m, io_status(m, e), e);
}

/* Reserves space; the C library writes to file systems without a reservation of their own. */
void io_reserve(struct measurement *m)
{
    struct io *k = m->state;
    struct err e = { "" };
    long long bytes = (k->form->own ? 1 : m->size) * (long long)m->at.length * m->file.places;
    bool reserves = (k->form->own || m->rank == 0) && bytes > 0;
    int error = reserves ? posix_fallocate(k->cache_fd, 0, bytes) : 0;
    MPI_Barrier(m->comm);
    if (reserves && ftruncate(k->cache_fd, 0) != 0)
        error = errno;
    if (error == ENOSPC || error == EDQUOT || error == EFBIG)
        err_set(&m->file.why, "reserving %lld bytes on rank %d in '%s': %s%s", bytes, m->rank,
                m->params->io_directory, strerror(error), remedy_space);
    if (measurement_agree(m, io_status(m, &e), &e) != 0)
        err_set(&m->file.why, "%s", e.text);
}

int io_init(struct measurement *m, struct err *e)
{
    const struct io_form *form = m->form;
    struct io *k = m->state;
    k->form = form;
    k->file = MPI_FILE_NULL;
    k->cache_fd = -1;
    k->view = MPI_DATATYPE_NULL;
    k->comm = form->own ? MPI_COMM_SELF : m->comm;
    if (form->strided)
        make_view(m, k);
    const int places = suite_file_places(m->params, m->suite, m->at.length, m->size);
    m->file = (struct file_status){ .places = places };
    io_go(m, 0);
    return create(m, k, e) == 0 ? open_first(m, k, e) : -1;
}

void io_free(struct measurement *m)
{
    struct io *k = m->state;
    char name[NAME_SIZE];
    io_close(k);
    if (k->view != MPI_DATATYPE_NULL)
        MPI_Type_free(&k->view);
    MPI_Barrier(m->control);
    print_name(m, k, name);
    if (k->cache_fd >= 0 && (k->form->own || m->rank == 0))
        unlinkat(m->resources->place->scratch.directory, name, 0);
    if (k->cache_fd >= 0)
        close(k->cache_fd);
    free(k->path);
}

static void drop(struct measurement *m, const struct io *k)
{
    int error = k->cache_fd >= 0 ? page_cache_drop(k->cache_fd) : 0;
    if (error != 0)
        err_set(&m->file.why, "fsync on rank %d in '%s': %s", m->rank, m->params->io_directory,
                strerror(error));
}

/* Empties the file before all repetitions that write, which extend it. */
static void begin_again(struct measurement *m, const struct io *k)
{
    if (!k->form->reads && m->file.places > 1) {
        io_note(m, MPI_File_set_size(k->file, 0), "MPI_File_set_size");
        MPI_Barrier(m->comm);
    }
    if (k->form->shared)
        io_note(m, MPI_File_seek_shared(k->file, 0, MPI_SEEK_SET), "MPI_File_seek_shared");
    io_go(m, 0);
}

/* The barrier: no process still accesses the file when its pages are dropped or counted, or when it
 * is emptied, or moves the shared pointer when another process puts it back. */
void io_finalize(struct measurement *m)
{
    struct io *k = m->state;
    bool drops = m->suite->options.io_cache == IO_CACHE_DROPPED;
    bool ends = k->place + 1 == m->file.places;
    /* ROMIO's strided writes lock the file and, if they fail, keep the lock, so that others wait
     * forever. A process loses all its locks of a file when it closes any descriptor of it. */
    int fd = k->code == MPI_SUCCESS ? -1 : open(k->path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0)
        close(fd);
    if (drops || (ends && (k->form->shared || m->file.places > 1)) || !m->file.looked)
        MPI_Barrier(m->comm);
    if (k->form->unread)
        io_note(m, k->code, m->suite->type->name);
    else
        io_note_transfer(m, k->code, m->suite->type->name, !k->form->reads);
    if (drops)
        drop(m, k);
    if (drops || !m->file.looked) { /* files that are kept stay unchanged: once */
        double percent = k->cache_fd >= 0 ? page_cache_percent(k->cache_fd) : 0.0;
        m->file.cached_percent = fmax(percent, m->file.cached_percent);
        m->file.looked = true;
    }
    if (ends)
        begin_again(m, k);
    else
        io_go(m, k->place + 1);
}

void io_add_facts(const struct measurement *m, struct text *out)
{
    const struct suite_options *x = &m->suite->options;
    const struct scratch_id *at = &m->resources->place->scratch.id;
    LOCAL_TEXT type = { 0 };
    page_cache_add_file_system(at->path, &type);
    fact_write(
        out, FACT_SUITE_FILE, { .text = text_get(&type) },
        { .text = x->io_cache == IO_CACHE_KEPT ? "kept" : "dropped after each repetition" },
        { .text = x->io_sync ? "writes include MPI_File_sync" : NULL },
        { .text = x->io_walk > 0 ? "each repetition at the next place" : "always the same place" });
    if (x->io_cache == IO_CACHE_DROPPED && m->suite->type->pattern == &io_pattern.info &&
        m->extra[IO_CACHED].value > NOTICED_PERCENT)
        fact_addf(
            out, FACT_NOTE,
            "up to %.0f %% of the file stayed in the page cache, which %s did not drop: times "
            "are as with io_cache=kept",
            m->extra[IO_CACHED].value, text_get(&type));
}
