/* Input and output by MPI files. Every process writes or reads one part of the file, a message of
 * its buffer: in a block of its own, in blocks that alternate with those of the others (a view of a
 * derived datatype), or in a file of its own. Files are written before they are read. */
#include "context/library.h"
#include "ops/arguments.h"
#include "ops/io_file.h"
#include "patterns/overlap.h"

#define WRITTEN   SENT, &k->status
#define FILLED    RECEIVED, &k->status
#define WRITTEN_C SENT_C, &k->status
#define FILLED_C  RECEIVED_C, &k->status

/* Define a call, which returns its code; and one that has large counts if the suite says so. */
#define CALL(function, ...)                                                                        \
    static int function(struct measurement *m, struct io *k)                                       \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }
#define COUNTED(function, call, place, message)                                                    \
    CALL(function, m->suite->options.counts == COUNTS_C                                            \
                       ? COUNTED_CALL(call, k->file, place, message##_C)                           \
                       : MPI_##call(k->file, place, message))

COUNTED(write_at, File_write_at, k->at, WRITTEN)
COUNTED(write_at_all, File_write_at_all, k->at, WRITTEN)
COUNTED(read_at, File_read_at, k->other_at, FILLED)
COUNTED(read_at_all, File_read_at_all, k->other_at, FILLED)
CALL(write_shared, MPI_File_write_shared(k->file, WRITTEN))
CALL(write_ordered, MPI_File_write_ordered(k->file, WRITTEN))
CALL(read_shared, MPI_File_read_shared(k->file, FILLED))
CALL(read_ordered, MPI_File_read_ordered(k->file, FILLED))

#define NON_BLOCKING(call, place, message)                                                         \
    static int call(struct measurement *m, struct io *k)                                           \
    {                                                                                              \
        MPI_Request request;                                                                       \
        int code = MPI_File_##call(k->file, place, message, &request);                             \
        return code == MPI_SUCCESS ? overlap_wait(m, &request, 1) : code;                          \
    }

NON_BLOCKING(iwrite_at, k->at, SENT)
NON_BLOCKING(iread_at, k->other_at, RECEIVED)
NON_BLOCKING(iwrite_at_all, k->at, SENT)
NON_BLOCKING(iread_at_all, k->other_at, RECEIVED)

static int write_at_all_begin(struct measurement *m, struct io *k)
{
    int code = MPI_File_write_at_all_begin(k->file, k->at, SENT);
    overlap_wait(m, NULL, 0);
    return code == MPI_SUCCESS ? MPI_File_write_at_all_end(k->file, m->send.at, &k->status) : code;
}

static int read_at_all_begin(struct measurement *m, struct io *k)
{
    int code = MPI_File_read_at_all_begin(k->file, k->other_at, RECEIVED);
    overlap_wait(m, NULL, 0);
    return code == MPI_SUCCESS ? MPI_File_read_at_all_end(k->file, m->receive.at, &k->status)
                               : code;
}

/* Writes; with io_sync, a sync follows. It is collective, so it is called after a failure, too. */
static void write_file(struct measurement *m)
{
    struct io *k = m->state;
    int code = k->form->call(m, k);
    int synced = m->suite->options.io_sync ? MPI_File_sync(k->file) : MPI_SUCCESS;
    k->code = code == MPI_SUCCESS ? synced : code;
}

CALLED_OF(io, read_file, k->code = k->form->call(m, k))
CALLED_OF(io, open_file, k->code = io_open(k))
CALLED_OF(io, close_file, k->code = io_close(k))
CALLED_OF(io, sync_file, k->code = MPI_File_sync(k->file))

/* Extends the file to the length of all parts. */
CALLED_OF(io, extend, k->code = MPI_File_set_size(k->file, (MPI_Offset)m->size * m->at.length))

/* Writes all parts of all places, which every process finds. */
static void fill(struct measurement *m)
{
    struct io *k = m->state;
    bool all = k->form->strided;
    io_reserve(m);
    if (err_is_set(&m->file.why))
        return;
    for (int i = 0; i < m->file.places; i++) {
        io_go(m, i);
        int code = all ? write_at_all(m, k) : write_at(m, k);
        io_note_transfer(m, code, all ? "MPI_File_write_at_all" : "MPI_File_write_at", true);
    }
    io_go(m, 0);
    io_note(m, MPI_File_sync(k->file), "MPI_File_sync");
    MPI_Barrier(m->comm);
    io_note(m, MPI_File_sync(k->file), "MPI_File_sync");
}

/* Writes the part that the next MPI_File_sync brings to the disk. */
CALLED_OF(io, write_part, io_note_transfer(m, write_at(m, k), "MPI_File_write_at", true))
CALLED_OF(io, open_again, io_note(m, io_open(k), "MPI_File_open"))
CALLED_OF(io, empty_file, io_note(m, MPI_File_set_size(k->file, 0), "MPI_File_set_size"))

CALLED_OF(io, close_again, io_note(m, io_close(k), "MPI_File_close"))

CALLED(finish_open, io_finalize(m); close_again(m))
CALLED(finish_close, io_finalize(m); open_again(m))
CALLED(finish_extend, io_finalize(m); empty_file(m))

/* Separates repetitions: no process writes before the pages are dropped and counted. */
CALLED(finish_sync, io_finalize(m); MPI_Barrier(m->comm); write_part(m))

/* Reads the data that a write has left; the file's order of parts is that of the ranks. */
CALLED_OF(io, fetch, k->other_at = k->last_at;
          io_note(m, read_at_all(m, k), "MPI_File_read_at_all"))

ORIGIN(of_part, io_origin(m), 0)
ORIGIN(of_nobody, MPI_PROC_NULL, 0)

CALLED(rewrite_nothing, )

#define FILES                                                                                      \
    .info.needs = NEEDS_FILES, .hooks.state = sizeof(struct io), .hooks.try_init = io_init,        \
    .hooks.free = io_free, .status = io_status, .note = io_add_facts

#define TO_FILE TYPE_FILE | TYPE_ONE_DATATYPE
#define WRITING(...)                                                                               \
    .info.rate = RATE_PARTS, FILES, SENDS_ONE, RECEIVES_ONE, .info.options = OPTIONS(__VA_ARGS__), \
    .hooks.prepare = io_reserve, .hooks.server_op = write_file, .hooks.finalize = io_finalize,     \
    .fetch = fetch
#define READING(...)                                                                               \
    .info.rate = RATE_PARTS, FILES, SENDS_ONE, RECEIVES_ONE, .info.options = OPTIONS(__VA_ARGS__), \
    .hooks.prepare = fill, .hooks.server_op = read_file, .hooks.finalize = io_finalize,            \
    .rewrite = rewrite_nothing

/* With what the row's keys say: in blocks, in a strided view, for the overlap pattern. */
#define WRITE_KEYS    OPTION_IO_WALK, OPTION_IO_SYNC
#define WRITES        WRITING(WRITE_KEYS), .origin = of_part
#define READS         READING(OPTION_IO_WALK), .origin = of_part
#define WRITES_BLOCKS WRITING(WRITE_KEYS, OPTION_IO_BLOCK), .origin = of_part
#define READS_BLOCKS  READING(OPTION_IO_WALK, OPTION_IO_BLOCK), .origin = of_part
#define WRITES_LATER  WRITING(WRITE_KEYS, OPTION_IO_CACHE), .origin = of_part
#define READS_LATER   READING(OPTION_IO_WALK, OPTION_IO_CACHE), .origin = of_part

#define BLOCK      " of a block per process"
#define STRIPES    " of alternating blocks, in a strided view"
#define BY_POINTER ", by the shared file pointer"
#define IN_ORDER   ": collective, in rank order"
#define OF_OTHER   " of what the process half of all ranks away has written"
#define WORK       ", work, and MPI_Wait"
#define END        ", work, and _end"

/* Rows of calls that move a message to the file, or from it. */
#define WRITE(call_, suffix, text, traits, types, kind, ...)                                       \
    OP("MPI_File_" #call_ suffix, "MPI_File_" #call_ text, TO_FILE | (traits), kind, .in = types,  \
       FORM(io_form, .call = call_, __VA_ARGS__))
#define READ(call_, suffix, text, traits, types, kind, ...)                                        \
    OP("MPI_File_" #call_ suffix, "MPI_File_" #call_ text, TYPE_FILE | (traits), kind,             \
       .in = types, FORM(io_form, .call = call_, .reads = true, __VA_ARGS__))

static const struct op rows[] = {
    WRITE(write_at, "", BLOCK, TYPE_COUNTS, IO_TYPE(220), WRITES, ),
    WRITE(write_at_all, "", BLOCK, TYPE_COUNTS, IO_TYPE(221), WRITES, ),
    READ(read_at, "", BLOCK, TYPE_COUNTS, IO_TYPE(222), READS, ),
    READ(read_at_all, "", BLOCK, TYPE_COUNTS, IO_TYPE(223), READS, ),
    WRITE(write_at, "-strided", STRIPES, TYPE_COUNTS, IO_TYPE(224), WRITES_BLOCKS, .strided = true),
    WRITE(write_at_all, "-strided", STRIPES, TYPE_COUNTS, IO_TYPE(225), WRITES_BLOCKS,
          .strided = true),
    READ(read_at, "-strided", STRIPES, TYPE_COUNTS, IO_TYPE(226), READS_BLOCKS, .strided = true),
    READ(read_at_all, "-strided", STRIPES, TYPE_COUNTS, IO_TYPE(227), READS_BLOCKS,
         .strided = true),
    WRITE(write_at, "-own", " to a file per process", TYPE_OWN_FILES | TYPE_COUNTS, IO_TYPE(228),
          WRITES, .own = true),
    READ(read_at, "-own", " from a file per process", TYPE_OWN_FILES | TYPE_COUNTS, IO_TYPE(229),
         READS, .own = true),
    WRITE(write_shared, "", BY_POINTER, 0, IO_TYPE(230), WRITING(WRITE_KEYS), .shared = true),
    READ(read_shared, "", BY_POINTER, 0, IO_TYPE(231), READING(OPTION_IO_WALK), .shared = true),
    WRITE(write_ordered, "", IN_ORDER, 0, IO_TYPE(232), WRITES, .shared = true),
    READ(read_ordered, "", IN_ORDER, 0, IO_TYPE(233), READS, .shared = true),
    READ(read_at, "-other", OF_OTHER, TYPE_COUNTS, IO_TYPE(234), READS, .other = true),
    READ(read_at_all, "-other", OF_OTHER, TYPE_COUNTS, IO_TYPE(235), READS, .other = true),
    OP("MPI_File_open", "MPI_File_open of a shared file", TYPE_FILE, FILES, .info.rate = RATE_NONE,
       .in = IO_TYPE(236), FORM(io_form, .unread = true, .closed = true),
       .hooks.server_op = open_file, .hooks.finalize = finish_open),
    OP("MPI_File_close", "MPI_File_close of a shared file", TYPE_FILE, FILES,
       .info.rate = RATE_NONE, .in = IO_TYPE(237), FORM(io_form, .unread = true, .closed = true),
       .hooks.prepare = open_again, .hooks.server_op = close_file, .hooks.finalize = finish_close),
    OP("MPI_File_sync", "MPI_File_sync after MPI_File_write_at", TO_FILE, FILES, SENDS_ONE,
       RECEIVES_ONE, .info.rate = RATE_SYNCED, .info.options = OPTIONS(OPTION_IO_WALK),
       .in = IO_TYPE(238), FORM(io_form, .unread = true), .hooks.prepare = write_part,
       .hooks.server_op = sync_file, .hooks.finalize = finish_sync, .origin = of_part,
       .fetch = fetch),
    OP("MPI_File_set_size", "MPI_File_set_size from 0 to a length per process",
       TYPE_FILE | TYPE_HAS_LENGTH, FILES, .info.rate = RATE_NONE, .in = IO_TYPE(239),
       FORM(io_form, .unread = true), .hooks.prepare = empty_file, .hooks.server_op = extend,
       .hooks.finalize = finish_extend, .origin = of_nobody),
    WRITE(iwrite_at, "", WORK, 0, OVERLAP_TYPE(333), WRITES_LATER, .unread = true),
    READ(iread_at, "", WORK, 0, OVERLAP_TYPE(334), READS_LATER, .unread = true),
    WRITE(iwrite_at_all, "", WORK, 0, OVERLAP_TYPE(335), WRITES_LATER, .unread = true),
    READ(iread_at_all, "", WORK, 0, OVERLAP_TYPE(336), READS_LATER, .unread = true),
    WRITE(write_at_all_begin, "-end", END, 0, OVERLAP_TYPE(337), WRITES_LATER, ),
    READ(read_at_all_begin, "-end", END, 0, OVERLAP_TYPE(338), READS_LATER, ),
};

OP_FAMILY(io_family, rows);
