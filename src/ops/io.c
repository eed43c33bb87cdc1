/* Input and output by MPI files. Every process writes or reads one part of the file, a message of
 * its buffer: in a block of its own, in blocks that alternate with those of the others (a view of a
 * derived datatype), or in a file of its own. Files are written before they are read. */
#include "context/library.h"
#include "ops/arguments.h"
#include "ops/io_file.h"

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
#define SPLIT(call, place, buffer, message)                                                        \
    static int call##_begin(struct measurement *m, struct io *k)                                   \
    {                                                                                              \
        int code = MPI_File_##call##_begin(k->file, place, message);                               \
        overlap_wait(m, NULL, 0);                                                                  \
        return code == MPI_SUCCESS ? MPI_File_##call##_end(k->file, buffer, &k->status) : code;    \
    }

NON_BLOCKING(iwrite_at, k->at, SENT)
NON_BLOCKING(iread_at, k->other_at, RECEIVED)
NON_BLOCKING(iwrite_at_all, k->at, SENT)
NON_BLOCKING(iread_at_all, k->other_at, RECEIVED)
SPLIT(write_at_all, k->at, m->send.at, SENT)
SPLIT(read_at_all, k->other_at, m->receive.at, RECEIVED)

/* Writes; with io_sync, a sync follows. It is collective, so it is called after a failure, too. */
static void write_file(struct measurement *m)
{
    struct io *k = m->state;
    int code = k->form->call(m, k);
    int synced = m->suite->options.io_sync ? MPI_File_sync(k->file) : MPI_SUCCESS;
    k->code = code == MPI_SUCCESS ? synced : code;
    k->writes = true;
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
        io_note_transfer(m, all ? write_at_all(m, k) : write_at(m, k),
                         all ? "MPI_File_write_at_all" : "MPI_File_write_at", true);
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

IN_TURN(io_finalize, close_again)
IN_TURN(io_finalize, open_again)
IN_TURN(io_finalize, empty_file)

/* Separates repetitions: no process writes before the pages are dropped and counted. */
CALLED(finish_sync, io_finalize(m); MPI_Barrier(m->comm); write_part(m))

/* Reads the data that a write has left; the file's order of parts is that of the ranks. */
CALLED_OF(io, fetch, k->other_at = k->last_at;
          io_note(m, read_at_all(m, k), "MPI_File_read_at_all"))

ORIGIN(of_part, io_origin(m), 0)
ORIGIN(of_nobody, MPI_PROC_NULL, 0)

CALLED(rewrite_nothing, )

#define HOOKS(ready, call, finish)                                                                 \
    HOOKS_OF(io, io_init, call, .prepare = ready, .finalize = finish, .free = io_free)
#define FORM(...)                                                                                  \
    .form = &(const struct io_form)                                                                \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define IO(type, number, name, text, traits, length, rate_, ...)                                   \
    OP(name, text, TYPE_FILE | (traits), length, length, .in = type(number),                       \
       .info.needs = NEEDS_FILES, .info.rate = rate_, __VA_ARGS__)

/* The calls of writing and reading, and the other members of the row's form. */
#define WRITE(type, number, call_, more, text, traits, key, origin_, ...)                          \
    IO(type, number, "MPI_File_" #call_ more, "MPI_File_" #call_ text,                             \
       TYPE_HAS_LENGTH | TYPE_ONE_DATATYPE | (traits), ONE_LENGTH, RATE_PARTS,                     \
       .info.options = OPTIONS(OPTION_IO_WALK, OPTION_IO_SYNC, key),                               \
       HOOKS(io_reserve, write_file, io_finalize), .fetch = fetch, .origin = origin_,              \
       FORM(.call = call_, __VA_ARGS__))
#define READ(type, number, call_, more, text, traits, key, origin_, ...)                           \
    IO(type, number, "MPI_File_" #call_ more, "MPI_File_" #call_ text, TYPE_HAS_LENGTH | (traits), \
       ONE_LENGTH, RATE_PARTS, .info.options = OPTIONS(OPTION_IO_WALK, key),                       \
       HOOKS(fill, read_file, io_finalize), .rewrite = rewrite_nothing, .origin = origin_,         \
       FORM(.call = call_, .reads = true, __VA_ARGS__))

#define BLOCK      " of a block per process"
#define STRIPES    " of alternating blocks, in a strided view"
#define BY_POINTER ", by the shared file pointer"
#define IN_ORDER   ": collective, in rank order"
#define OF_OTHER   " of what the process half of all ranks away has written"
#define OWN        TYPE_OWN_FILES | TYPE_COUNTS
#define COUNTS     TYPE_COUNTS
#define NO_KEY     OPTIONS_END
#define IO_BLOCK   OPTION_IO_BLOCK
#define WORK       ", work, and MPI_Wait"
#define END        ", work, and _end"
#define CACHE      OPTION_IO_CACHE

static const struct op rows[] = {
    WRITE(IO_TYPE, 220, write_at, "", BLOCK, COUNTS, NO_KEY, of_part, ),
    WRITE(IO_TYPE, 221, write_at_all, "", BLOCK, COUNTS, NO_KEY, of_part, ),
    READ(IO_TYPE, 222, read_at, "", BLOCK, COUNTS, NO_KEY, of_part, ),
    READ(IO_TYPE, 223, read_at_all, "", BLOCK, COUNTS, NO_KEY, of_part, ),
    WRITE(IO_TYPE, 224, write_at, "-strided", STRIPES, COUNTS, IO_BLOCK, of_part, .strided = true),
    WRITE(IO_TYPE, 225, write_at_all, "-strided", STRIPES, COUNTS, IO_BLOCK, of_part,
          .strided = true),
    READ(IO_TYPE, 226, read_at, "-strided", STRIPES, COUNTS, IO_BLOCK, of_part, .strided = true),
    READ(IO_TYPE, 227, read_at_all, "-strided", STRIPES, COUNTS, IO_BLOCK, of_part,
         .strided = true),
    WRITE(IO_TYPE, 228, write_at, "-own", " to a file per process", OWN, NO_KEY, of_part,
          .own = true),
    READ(IO_TYPE, 229, read_at, "-own", " from a file per process", OWN, NO_KEY, of_part,
         .own = true),
    WRITE(IO_TYPE, 230, write_shared, "", BY_POINTER, 0, NO_KEY, NULL, .shared = true),
    READ(IO_TYPE, 231, read_shared, "", BY_POINTER, 0, NO_KEY, NULL, .shared = true),
    WRITE(IO_TYPE, 232, write_ordered, "", IN_ORDER, 0, NO_KEY, of_part, .shared = true),
    READ(IO_TYPE, 233, read_ordered, "", IN_ORDER, 0, NO_KEY, of_part, .shared = true),
    READ(IO_TYPE, 234, read_at, "-other", OF_OTHER, COUNTS, NO_KEY, of_part, .other = true),
    READ(IO_TYPE, 235, read_at_all, "-other", OF_OTHER, COUNTS, NO_KEY, of_part, .other = true),
    IO(IO_TYPE, 236, "MPI_File_open", "MPI_File_open of a shared file", 0, NO_LENGTH, RATE_NONE,
       FORM(.unread = true, .closed = true), HOOKS(NULL, open_file, io_finalize_close_again)),
    IO(IO_TYPE, 237, "MPI_File_close", "MPI_File_close of a shared file", 0, NO_LENGTH, RATE_NONE,
       FORM(.unread = true, .closed = true), HOOKS(open_again, close_file, io_finalize_open_again)),
    IO(IO_TYPE, 238, "MPI_File_sync", "MPI_File_sync after MPI_File_write_at",
       TYPE_HAS_LENGTH | TYPE_ONE_DATATYPE, ONE_LENGTH, RATE_SYNCED,
       .info.options = OPTIONS(OPTION_IO_WALK), FORM(.unread = true),
       HOOKS(write_part, sync_file, finish_sync), .origin = of_part, .fetch = fetch),
    IO(IO_TYPE, 239, "MPI_File_set_size", "MPI_File_set_size from 0 to a length per process",
       TYPE_HAS_LENGTH, NO_LENGTH, RATE_NONE, FORM(.unread = true),
       HOOKS(empty_file, extend, io_finalize_empty_file), .origin = of_nobody),
    WRITE(OVERLAP_TYPE, 333, iwrite_at, "", WORK, 0, CACHE, of_part, .unread = true),
    READ(OVERLAP_TYPE, 334, iread_at, "", WORK, 0, CACHE, of_part, .unread = true),
    WRITE(OVERLAP_TYPE, 335, iwrite_at_all, "", WORK, 0, CACHE, of_part, .unread = true),
    READ(OVERLAP_TYPE, 336, iread_at_all, "", WORK, 0, CACHE, of_part, .unread = true),
    WRITE(OVERLAP_TYPE, 337, write_at_all_begin, "-end", END, 0, CACHE, of_part, ),
    READ(OVERLAP_TYPE, 338, read_at_all_begin, "-end", END, 0, CACHE, of_part, ),
};

OP_FAMILY(io_family, rows);
