/* Input and output by MPI files. Every process writes or reads one part of the file, a message of
 * its buffer: in a block of its own, in blocks that alternate with those of the others (a view of a
 * derived datatype), or in a file of its own. Files are written before they are read. */
#include "ops/families.h"
#include "ops/io_file.h"
#include "patterns/pattern.h"

/* The data are on the disk then; collective, so it is called after a failure as well. */
static void end_write(struct run *r, struct io *k, int code)
{
    int synced = r->suite->options.io_sync ? MPI_File_sync(k->file) : MPI_SUCCESS;
    k->code = code == MPI_SUCCESS ? synced : code;
    k->writes = true;
}

#define SENT     r->send, r->send_count, r->send_type, &k->status
#define RECEIVED r->receive, r->receive_count, r->receive_type, &k->status
#define WRITES(name, call)                                                                         \
    static void name(struct run *r)                                                                \
    {                                                                                              \
        struct io *k = r->state;                                                                   \
        end_write(r, k, call);                                                                     \
    }
#define READS(name, call)                                                                          \
    static void name(struct run *r)                                                                \
    {                                                                                              \
        struct io *k = r->state;                                                                   \
        k->code = call;                                                                            \
    }
WRITES(write_at, MPI_File_write_at(k->file, k->at, SENT))
WRITES(write_at_all, MPI_File_write_at_all(k->file, k->at, SENT))
WRITES(write_shared, MPI_File_write_shared(k->file, SENT))
WRITES(write_ordered, MPI_File_write_ordered(k->file, SENT))
READS(read_at, MPI_File_read_at(k->file, k->other_at, RECEIVED))
READS(read_at_all, MPI_File_read_at_all(k->file, k->other_at, RECEIVED))
READS(read_shared, MPI_File_read_shared(k->file, RECEIVED))
READS(read_ordered, MPI_File_read_ordered(k->file, RECEIVED))

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
    k->code = MPI_File_set_size(k->file, (MPI_Offset)r->size * r->length);
}

/* Every process finds what all have written. */
static void fill(struct run *r)
{
    struct io *k = r->state;
    io_reserve(r);
    if (err_is_set(&r->file.why))
        return;
    io_note_transfer(r, MPI_File_write_at_all(k->file, k->at, SENT), "MPI_File_write_at_all", true);
    io_note(r, MPI_File_sync(k->file), "MPI_File_sync");
    MPI_Barrier(r->comm);
    io_note(r, MPI_File_sync(k->file), "MPI_File_sync");
}

/* What the next MPI_File_sync brings to the disk. */
static void write_part(struct run *r)
{
    struct io *k = r->state;
    io_note_transfer(r, MPI_File_write_at(k->file, k->at, SENT), "MPI_File_write_at", true);
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
    io_note(r, MPI_File_read_at_all(k->file, k->at, RECEIVED), "MPI_File_read_at_all");
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

#define FORM(name, ...)                                                                            \
    static int init_##name(struct run *r, struct err *e)                                           \
    {                                                                                              \
        static const struct io_form form = { __VA_ARGS__ };                                        \
        return io_init(r, &form, e);                                                               \
    }
FORM(blocks, .own = false)
FORM(strided, .strided = true)
FORM(own, .own = true)
FORM(shared, .shared = true)
FORM(other, .other = true)
FORM(closed, .unread = true, .closed = true)
FORM(unread, .unread = true)

#define LENGTH         TYPE_FILE | TYPE_HAS_LENGTH
#define SYNCED         .options = OPTIONS(OPTION_IO_SYNC)
#define STRIDED        .options = OPTIONS(OPTION_IO_BLOCK)
#define STRIDED_SYNCED .options = OPTIONS(OPTION_IO_SYNC, OPTION_IO_BLOCK)

#define WRITE(number, name, text, more, keys, form, call, origin_)                                 \
    {                                                                                              \
        .info = { TYPE(name, text, LENGTH | TYPE_ONE_DATATYPE | (more)), .needs = NEEDS_FILES,     \
                  keys, .send = ONE_LENGTH, .receive = ONE_LENGTH },                               \
        .in = IO_TYPE(number),                                                                     \
        .hooks = { .init = init_##form,                                                            \
                   .prepare = io_reserve,                                                          \
                   .server_op = call,                                                              \
                   .finalize = io_finalize,                                                        \
                   .free = io_free },                                                              \
        .origin = origin_, .fetch = fetch                                                          \
    }
#define READ(number, name, text, more, keys, form, call, origin_)                                  \
    {                                                                                              \
        .info = { TYPE(name, text, LENGTH | (more)), .needs = NEEDS_FILES, keys,                   \
                  .send = ONE_LENGTH, .receive = ONE_LENGTH },                                     \
        .in = IO_TYPE(number),                                                                     \
        .hooks = { .init = init_##form,                                                            \
                   .prepare = fill,                                                                \
                   .server_op = call,                                                              \
                   .finalize = io_finalize,                                                        \
                   .free = io_free },                                                              \
        .rewrite = rewrite_nothing, .origin = origin_                                              \
    }
#define OF_FILE(number, name, text, form, get_ready, call, finish)                                 \
    {                                                                                              \
        .info = { TYPE(name, text, TYPE_FILE), .needs = NEEDS_FILES }, .in = IO_TYPE(number),      \
        .hooks = {                                                                                 \
            .init = init_##form,                                                                   \
            .prepare = get_ready,                                                                  \
            .server_op = call,                                                                     \
            .finalize = finish,                                                                    \
            .free = io_free                                                                        \
        }                                                                                          \
    }

static const struct op rows[] = {
    WRITE(220, "MPI_File_write_at", "MPI_File_write_at of a block per process", 0, SYNCED, blocks,
          write_at, of_part),
    WRITE(221, "MPI_File_write_at_all", "MPI_File_write_at_all of a block per process", 0, SYNCED,
          blocks, write_at_all, of_part),
    READ(222, "MPI_File_read_at", "MPI_File_read_at of a block per process", 0, .options = NULL,
         blocks, read_at, of_part),
    READ(223, "MPI_File_read_at_all", "MPI_File_read_at_all of a block per process", 0,
         .options = NULL, blocks, read_at_all, of_part),
    WRITE(224, "MPI_File_write_at-strided",
          "MPI_File_write_at of alternating blocks, in a strided view", 0, STRIDED_SYNCED, strided,
          write_at, of_part),
    WRITE(225, "MPI_File_write_at_all-strided",
          "MPI_File_write_at_all of alternating blocks, in a strided view", 0, STRIDED_SYNCED,
          strided, write_at_all, of_part),
    READ(226, "MPI_File_read_at-strided",
         "MPI_File_read_at of alternating blocks, in a strided view", 0, STRIDED, strided, read_at,
         of_part),
    READ(227, "MPI_File_read_at_all-strided",
         "MPI_File_read_at_all of alternating blocks, in a strided view", 0, STRIDED, strided,
         read_at_all, of_part),
    WRITE(228, "MPI_File_write_at-own", "MPI_File_write_at to a file per process", TYPE_OWN_FILES,
          SYNCED, own, write_at, of_part),
    READ(229, "MPI_File_read_at-own", "MPI_File_read_at from a file per process", TYPE_OWN_FILES,
         .options = NULL, own, read_at, of_part),
    WRITE(230, "MPI_File_write_shared", "MPI_File_write_shared, by the shared file pointer", 0,
          SYNCED, shared, write_shared, NULL),
    READ(231, "MPI_File_read_shared", "MPI_File_read_shared, by the shared file pointer", 0,
         .options = NULL, shared, read_shared, NULL),
    WRITE(232, "MPI_File_write_ordered", "MPI_File_write_ordered: collective, in rank order", 0,
          SYNCED, shared, write_ordered, of_part),
    READ(233, "MPI_File_read_ordered", "MPI_File_read_ordered: collective, in rank order", 0,
         .options = NULL, shared, read_ordered, of_part),
    READ(234, "MPI_File_read_at-other",
         "MPI_File_read_at of what the process half of all ranks away has written", 0,
         .options = NULL, other, read_at, of_part),
    READ(235, "MPI_File_read_at_all-other",
         "MPI_File_read_at_all of what the process half of all ranks away has written", 0,
         .options = NULL, other, read_at_all, of_part),
    OF_FILE(236, "MPI_File_open", "MPI_File_open of a shared file", closed, NULL, open_file,
            finish_open),
    OF_FILE(237, "MPI_File_close", "MPI_File_close of a shared file", closed, open_again,
            close_file, finish_close),
    { .info = { TYPE("MPI_File_sync", "MPI_File_sync after MPI_File_write_at",
                     LENGTH | TYPE_ONE_DATATYPE),
                .needs = NEEDS_FILES, .send = ONE_LENGTH, .receive = ONE_LENGTH },
      .in = IO_TYPE(238),
      .hooks = { .init = init_unread,
                 .prepare = write_part,
                 .server_op = sync_file,
                 .finalize = finish_sync,
                 .free = io_free },
      .origin = of_part,
      .fetch = fetch },
    { .info = { TYPE("MPI_File_set_size", "MPI_File_set_size from 0 to a length per process",
                     LENGTH),
                .needs = NEEDS_FILES },
      .in = IO_TYPE(239),
      .hooks = { .init = init_unread,
                 .prepare = empty_file,
                 .server_op = extend,
                 .finalize = finish_size,
                 .free = io_free },
      .origin = of_nobody },
};

OP_FAMILY(io_family, rows);
