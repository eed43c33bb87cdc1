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
#define PARTS(number, name, text, traits_, rate_, ...)                                             \
    .info = { TYPE(name, text, TYPE_FILE | TYPE_HAS_LENGTH | (traits_)),                           \
              .needs = NEEDS_FILES,                                                                \
              .rate = rate_,                                                                       \
              .options = OPTIONS(OPTION_IO_WALK, __VA_ARGS__),                                     \
              .send = ONE_LENGTH,                                                                  \
              .receive = ONE_LENGTH },                                                             \
    .in = IO_TYPE(number)
#define WRITE(number, name, text, traits, keys)                                                    \
    PARTS(number, name, text, TYPE_ONE_DATATYPE | (traits), RATE_PARTS, OPTION_IO_SYNC, keys),     \
        HOOKS(io_reserve, write_file, io_finalize), .fetch = fetch
#define READ(number, name, text, traits, keys)                                                     \
    PARTS(number, name, text, traits, RATE_PARTS, keys), HOOKS(fill, read_file, io_finalize),      \
        .rewrite = rewrite_nothing

static const struct op rows[] = {
    { WRITE(220, "MPI_File_write_at", "MPI_File_write_at of a block per process", 0, OPTIONS_END),
      FORM(.call = write_at), .origin = of_part },
    { WRITE(221, "MPI_File_write_at_all", "MPI_File_write_at_all of a block per process", 0,
            OPTIONS_END),
      FORM(.call = write_at_all), .origin = of_part },
    { READ(222, "MPI_File_read_at", "MPI_File_read_at of a block per process", 0, OPTIONS_END),
      FORM(.call = read_at, .reads = true), .origin = of_part },
    { READ(223, "MPI_File_read_at_all", "MPI_File_read_at_all of a block per process", 0,
           OPTIONS_END),
      FORM(.call = read_at_all, .reads = true), .origin = of_part },
    { WRITE(224, "MPI_File_write_at-strided",
            "MPI_File_write_at of alternating blocks, in a strided view", 0, OPTION_IO_BLOCK),
      FORM(.call = write_at, .strided = true), .origin = of_part },
    { WRITE(225, "MPI_File_write_at_all-strided",
            "MPI_File_write_at_all of alternating blocks, in a strided view", 0, OPTION_IO_BLOCK),
      FORM(.call = write_at_all, .strided = true), .origin = of_part },
    { READ(226, "MPI_File_read_at-strided",
           "MPI_File_read_at of alternating blocks, in a strided view", 0, OPTION_IO_BLOCK),
      FORM(.call = read_at, .strided = true, .reads = true), .origin = of_part },
    { READ(227, "MPI_File_read_at_all-strided",
           "MPI_File_read_at_all of alternating blocks, in a strided view", 0, OPTION_IO_BLOCK),
      FORM(.call = read_at_all, .strided = true, .reads = true), .origin = of_part },
    { WRITE(228, "MPI_File_write_at-own", "MPI_File_write_at to a file per process", TYPE_OWN_FILES,
            OPTIONS_END),
      FORM(.call = write_at, .own = true), .origin = of_part },
    { READ(229, "MPI_File_read_at-own", "MPI_File_read_at from a file per process", TYPE_OWN_FILES,
           OPTIONS_END),
      FORM(.call = read_at, .own = true, .reads = true), .origin = of_part },
    { WRITE(230, "MPI_File_write_shared", "MPI_File_write_shared, by the shared file pointer", 0,
            OPTIONS_END),
      FORM(.call = write_shared, .shared = true) },
    { READ(231, "MPI_File_read_shared", "MPI_File_read_shared, by the shared file pointer", 0,
           OPTIONS_END),
      FORM(.call = read_shared, .shared = true, .reads = true) },
    { WRITE(232, "MPI_File_write_ordered", "MPI_File_write_ordered: collective, in rank order", 0,
            OPTIONS_END),
      FORM(.call = write_ordered, .shared = true), .origin = of_part },
    { READ(233, "MPI_File_read_ordered", "MPI_File_read_ordered: collective, in rank order", 0,
           OPTIONS_END),
      FORM(.call = read_ordered, .shared = true, .reads = true), .origin = of_part },
    { READ(234, "MPI_File_read_at-other",
           "MPI_File_read_at of what the process half of all ranks away has written", 0,
           OPTIONS_END),
      FORM(.call = read_at, .other = true, .reads = true), .origin = of_part },
    { READ(235, "MPI_File_read_at_all-other",
           "MPI_File_read_at_all of what the process half of all ranks away has written", 0,
           OPTIONS_END),
      FORM(.call = read_at_all, .other = true, .reads = true), .origin = of_part },
    { .info = { TYPE("MPI_File_open", "MPI_File_open of a shared file", TYPE_FILE),
                .needs = NEEDS_FILES, .rate = RATE_NONE },
      .in = IO_TYPE(236),
      FORM(.unread = true, .closed = true),
      HOOKS(NULL, open_file, finish_open) },
    { .info = { TYPE("MPI_File_close", "MPI_File_close of a shared file", TYPE_FILE),
                .needs = NEEDS_FILES, .rate = RATE_NONE },
      .in = IO_TYPE(237),
      FORM(.unread = true, .closed = true),
      HOOKS(open_again, close_file, finish_close) },
    { PARTS(238, "MPI_File_sync", "MPI_File_sync after MPI_File_write_at", TYPE_ONE_DATATYPE,
            RATE_SYNCED, OPTIONS_END),
      FORM(.unread = true), HOOKS(write_part, sync_file, finish_sync), .origin = of_part,
      .fetch = fetch },
    { .info = { TYPE("MPI_File_set_size", "MPI_File_set_size from 0 to a length per process",
                     TYPE_FILE | TYPE_HAS_LENGTH),
                .needs = NEEDS_FILES, .rate = RATE_NONE },
      .in = IO_TYPE(239),
      FORM(.unread = true),
      HOOKS(empty_file, extend, finish_size),
      .origin = of_nobody },
};

OP_FAMILY(io_family, rows);
