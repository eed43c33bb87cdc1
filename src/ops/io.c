/* Input and output by MPI files. Every process writes or reads one part of the file, a message of
 * its buffer: in a block of its own, in blocks that alternate with those of the others (a view of a
 * derived datatype), or in a file of its own. Files are written before they are read. */
#include "ops/families.h"
#include "ops/io_file.h"
#include "patterns/pattern.h"

#define SENT     r->send, r->send_count, r->send_type, &k->status
#define RECEIVED r->receive, r->receive_count, r->receive_type, &k->status

static int write_at(struct run *r, struct io *k)
{
    return MPI_File_write_at(k->file, k->at, SENT);
}

static int write_at_all(struct run *r, struct io *k)
{
    return MPI_File_write_at_all(k->file, k->at, SENT);
}

static int write_shared(struct run *r, struct io *k)
{
    return MPI_File_write_shared(k->file, SENT);
}

static int write_ordered(struct run *r, struct io *k)
{
    return MPI_File_write_ordered(k->file, SENT);
}

static int read_at(struct run *r, struct io *k)
{
    return MPI_File_read_at(k->file, k->other_at, RECEIVED);
}

static int read_at_all(struct run *r, struct io *k)
{
    return MPI_File_read_at_all(k->file, k->other_at, RECEIVED);
}

static int read_shared(struct run *r, struct io *k)
{
    return MPI_File_read_shared(k->file, RECEIVED);
}

static int read_ordered(struct run *r, struct io *k)
{
    return MPI_File_read_ordered(k->file, RECEIVED);
}

/* With io_sync the data are on the disk then; collective, so it is called after a failure as well.
 */
static void write_file(struct run *r)
{
    struct io *k = r->state;
    int code = k->form->call(r, k);
    int synced = r->suite->options.io_sync ? MPI_File_sync(k->file) : MPI_SUCCESS;
    k->code = code == MPI_SUCCESS ? synced : code;
    k->writes = true;
}

static void read_file(struct run *r)
{
    struct io *k = r->state;
    k->code = k->form->call(r, k);
}

static void open_file(struct run *r)
{
    struct io *k = r->state;
    k->code = io_open(k);
}

static void close_file(struct run *r)
{
    struct io *k = r->state;
    k->code = io_close(k);
}

static void sync_file(struct run *r)
{
    struct io *k = r->state;
    k->code = MPI_File_sync(k->file);
}

/* As long as all parts. */
static void extend(struct run *r)
{
    struct io *k = r->state;
    k->code = MPI_File_set_size(k->file, (MPI_Offset)r->size * r->at.length);
}

/* Every process finds what all have written, at all places. */
static void fill(struct run *r)
{
    struct io *k = r->state;
    bool all = k->form->strided;
    io_reserve(r);
    if (err_is_set(&r->file.why))
        return;
    for (int i = 0; i < r->file.places; i++) {
        io_go(r, i);
        io_note_transfer(r, all ? write_at_all(r, k) : write_at(r, k),
                         all ? "MPI_File_write_at_all" : "MPI_File_write_at", true);
    }
    io_go(r, 0);
    io_note(r, MPI_File_sync(k->file), "MPI_File_sync");
    MPI_Barrier(r->comm);
    io_note(r, MPI_File_sync(k->file), "MPI_File_sync");
}

/* What the next MPI_File_sync brings to the disk. */
static void write_part(struct run *r)
{
    struct io *k = r->state;
    io_note_transfer(r, write_at(r, k), "MPI_File_write_at", true);
}

static void open_again(struct run *r)
{
    struct io *k = r->state;
    io_note(r, io_open(k), "MPI_File_open");
}

static void empty_file(struct run *r)
{
    struct io *k = r->state;
    io_note(r, MPI_File_set_size(k->file, 0), "MPI_File_set_size");
}

static void finish_open(struct run *r)
{
    struct io *k = r->state;
    io_finalize(r);
    io_note(r, io_close(k), "MPI_File_close");
}

static void finish_close(struct run *r)
{
    io_finalize(r);
    open_again(r);
}

/* No process writes before the pages are dropped and counted. */
static void finish_sync(struct run *r)
{
    io_finalize(r);
    MPI_Barrier(r->comm);
    write_part(r);
}

static void finish_size(struct run *r)
{
    io_finalize(r);
    empty_file(r);
}

/* What a write has left in the file; the file's order of parts is that of the ranks. */
static void fetch(struct run *r)
{
    struct io *k = r->state;
    io_note(r, MPI_File_read_at_all(k->file, k->last_at, RECEIVED), "MPI_File_read_at_all");
}

static struct origin of_part(const struct run *r, int message)
{
    (void)message;
    return (struct origin){ io_origin(r), 0 };
}

static struct origin of_nobody(const struct run *r, int message)
{
    (void)r, (void)message;
    return (struct origin){ ORIGIN_NONE, 0 };
}

/* Reading sends nothing. */
static void rewrite_nothing(struct run *r)
{
    (void)r;
}

#define HOOKS(ready, call, finish)                                                                 \
    .hooks = {                                                                                     \
        .init = io_init, .prepare = ready, .server_op = call, .finalize = finish, .free = io_free  \
    }
#define FORM(...)                                                                                  \
    .form = &(const struct io_form)                                                                \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define IO(number, name, text, traits, length, rate_, ...)                                         \
    OP(name, text, TYPE_FILE | (traits), length, length, .in = IO_TYPE(number),                    \
       .info.needs = NEEDS_FILES, .info.rate = rate_, __VA_ARGS__)

/* What a call writes or reads, and what else the row's form has. */
#define WRITE(number, call_, more, text, traits, key, origin_, ...)                                \
    IO(number, "MPI_File_" #call_ more, "MPI_File_" #call_ text,                                   \
       TYPE_HAS_LENGTH | TYPE_ONE_DATATYPE | (traits), ONE_LENGTH, RATE_PARTS,                     \
       .info.options = OPTIONS(OPTION_IO_WALK, OPTION_IO_SYNC, key),                               \
       HOOKS(io_reserve, write_file, io_finalize), .fetch = fetch, .origin = origin_,              \
       FORM(.call = call_, __VA_ARGS__))
#define READ(number, call_, more, text, traits, key, origin_, ...)                                 \
    IO(number, "MPI_File_" #call_ more, "MPI_File_" #call_ text, TYPE_HAS_LENGTH | (traits),       \
       ONE_LENGTH, RATE_PARTS, .info.options = OPTIONS(OPTION_IO_WALK, key),                       \
       HOOKS(fill, read_file, io_finalize), .rewrite = rewrite_nothing, .origin = origin_,         \
       FORM(.call = call_, .reads = true, __VA_ARGS__))

#define BLOCK      " of a block per process"
#define STRIPES    " of alternating blocks, in a strided view"
#define BY_POINTER ", by the shared file pointer"
#define IN_ORDER   ": collective, in rank order"
#define OF_OTHER   " of what the process half of all ranks away has written"
#define OWN        TYPE_OWN_FILES
#define NO_KEY     OPTIONS_END
#define IO_BLOCK   OPTION_IO_BLOCK

static const struct op rows[] = {
    WRITE(220, write_at, "", BLOCK, 0, NO_KEY, of_part, ),
    WRITE(221, write_at_all, "", BLOCK, 0, NO_KEY, of_part, ),
    READ(222, read_at, "", BLOCK, 0, NO_KEY, of_part, ),
    READ(223, read_at_all, "", BLOCK, 0, NO_KEY, of_part, ),
    WRITE(224, write_at, "-strided", STRIPES, 0, IO_BLOCK, of_part, .strided = true),
    WRITE(225, write_at_all, "-strided", STRIPES, 0, IO_BLOCK, of_part, .strided = true),
    READ(226, read_at, "-strided", STRIPES, 0, IO_BLOCK, of_part, .strided = true),
    READ(227, read_at_all, "-strided", STRIPES, 0, IO_BLOCK, of_part, .strided = true),
    WRITE(228, write_at, "-own", " to a file per process", OWN, NO_KEY, of_part, .own = true),
    READ(229, read_at, "-own", " from a file per process", OWN, NO_KEY, of_part, .own = true),
    WRITE(230, write_shared, "", BY_POINTER, 0, NO_KEY, NULL, .shared = true),
    READ(231, read_shared, "", BY_POINTER, 0, NO_KEY, NULL, .shared = true),
    WRITE(232, write_ordered, "", IN_ORDER, 0, NO_KEY, of_part, .shared = true),
    READ(233, read_ordered, "", IN_ORDER, 0, NO_KEY, of_part, .shared = true),
    READ(234, read_at, "-other", OF_OTHER, 0, NO_KEY, of_part, .other = true),
    READ(235, read_at_all, "-other", OF_OTHER, 0, NO_KEY, of_part, .other = true),
    IO(236, "MPI_File_open", "MPI_File_open of a shared file", 0, NO_LENGTH, RATE_NONE,
       FORM(.unread = true, .closed = true), HOOKS(NULL, open_file, finish_open)),
    IO(237, "MPI_File_close", "MPI_File_close of a shared file", 0, NO_LENGTH, RATE_NONE,
       FORM(.unread = true, .closed = true), HOOKS(open_again, close_file, finish_close)),
    IO(238, "MPI_File_sync", "MPI_File_sync after MPI_File_write_at",
       TYPE_HAS_LENGTH | TYPE_ONE_DATATYPE, ONE_LENGTH, RATE_SYNCED,
       .info.options = OPTIONS(OPTION_IO_WALK), FORM(.unread = true),
       HOOKS(write_part, sync_file, finish_sync), .origin = of_part, .fetch = fetch),
    IO(239, "MPI_File_set_size", "MPI_File_set_size from 0 to a length per process",
       TYPE_HAS_LENGTH, NO_LENGTH, RATE_NONE, FORM(.unread = true),
       HOOKS(empty_file, extend, finish_size), .origin = of_nobody),
};

OP_FAMILY(io_family, rows);
