/* FFT of ddtbench: all processes transpose a matrix of complex numbers, of which each has rows, and
 * transpose the result back: two MPI_Alltoall. The matrix is at the start of the send buffer, the
 * transposed one follows; packed blocks are in the attached buffer. */
#include "loops/loops.h"
#include "ops/arguments.h"
#include "patterns/phases.h"

enum { COMPLEX_BYTES = 2 * sizeof(double) };

struct fft {
    long n, rows;
    struct fft_loops loops;
    int back;                         /* 1: the transposed matrix is sent */
    MPI_Datatype block, column_block; /* to and from one process; the next one's begins after it */
};

static char *matrix(const struct measurement *m, int transposed)
{
    return m->send.at + (transposed ? m->sizes.send / 2 : 0);
}

static MPI_Datatype resized(MPI_Datatype old, long elements)
{
    MPI_Datatype new;
    MPI_Type_create_resized(old, 0, (MPI_Aint)elements * COMPLEX_BYTES, &new);
    MPI_Type_free(&old);
    return new;
}

/* Turns there and back: each step begins where the last one ended. */
CALLED_OF(fft, turn, k->back = !k->back)

static int bytes_of_block(const struct measurement *m)
{
    return (int)(m->at.length / m->size);
}

CALLED_OF(fft, send_typed,
          MPI_Alltoall(matrix(m, k->back), 1, k->block, matrix(m, !k->back), 1, k->column_block,
                       m->comm);
          turn(m))
CALLED_OF(fft, send_bytes, char *from = k->back ? m->receive.at : m->send.at;
          char *to = k->back ? m->send.at : m->receive.at;
          MPI_Alltoall(from, bytes_of_block(m), MPI_BYTE, to, bytes_of_block(m), MPI_BYTE, m->comm);
          turn(m))

static char *packed(const struct measurement *m, int received)
{
    return m->attached + (received ? m->sizes.attached / 2 : 0);
}

static void send_packed(struct measurement *m)
{
    MPI_Datatype type = m->suite->options.method == METHOD_PACK ? MPI_PACKED : MPI_BYTE;
    MPI_Alltoall(packed(m, 0), bytes_of_block(m), type, packed(m, 1), bytes_of_block(m), type,
                 m->comm);
}

CALLED_OF(fft, pack_by_loops,
          k->loops.pack((const double *)(const void *)matrix(m, k->back),
                        (double *)(void *)packed(m, 0), k->n, k->rows))
CALLED_OF(fft, unpack_by_loops,
          k->loops.unpack((double *)(void *)matrix(m, !k->back),
                          (const double *)(const void *)packed(m, 1), k->n, k->rows);
          turn(m))

static void pack_by_mpi(struct measurement *m)
{
    const struct fft *f = m->state;
    int room = (int)(m->sizes.attached / 2), position = 0;
    for (int i = 0; i < m->size; i++)
        MPI_Pack(matrix(m, f->back) + i * f->rows * COMPLEX_BYTES, 1, f->block, packed(m, 0), room,
                 &position, m->comm);
}

static void unpack_by_mpi(struct measurement *m)
{
    const struct fft *f = m->state;
    int room = (int)(m->sizes.attached / 2), position = 0;
    for (int i = 0; i < m->size; i++)
        MPI_Unpack(packed(m, 1), room, &position, matrix(m, !f->back) + i * f->rows * COMPLEX_BYTES,
                   1, f->column_block, m->comm);
    turn(m);
}

static const struct phase_hooks methods[METHOD_COUNT] = {
    [METHOD_DDT] = { .send = send_typed },
    [METHOD_CONTIGUOUS] = { .send = send_bytes },
    [METHOD_MANUAL] = { pack_by_loops, send_packed, NULL, unpack_by_loops },
    [METHOD_PACK] = { pack_by_mpi, send_packed, NULL, unpack_by_mpi },
};

static void fft_init(struct measurement *m)
{
    int number = application_suite_case(m->suite, m->at.length, m->size);
    struct fft *f = m->state;
    f->n = application_suite_numbers(m->suite, number, m->size).k[0];
    f->rows = f->n / m->size;
    f->loops = loops_fft(m->suite->options.language);
    m->form = &methods[m->suite->options.method];
    int n = (int)f->n, rows = (int)f->rows;
    MPI_Datatype element, type, column;
    MPI_Type_contiguous(2, MPI_DOUBLE, &element);
    MPI_Type_vector(rows, rows, n, element, &type);
    f->block = resized(type, rows);
    MPI_Type_vector(rows, 1, n, element, &type);
    column = resized(type, 1);
    MPI_Type_contiguous(rows, column, &f->column_block);
    MPI_Type_free(&column);
    MPI_Type_free(&element);
    MPI_Type_commit(&f->block);
    MPI_Type_commit(&f->column_block);
    m->sent.bytes = m->at.length; /* the matrix; transposed, it is written by the operation */
    if (m->rank == 0)
        m->extra[PHASE_CASE].value = number + 1;
}

CALLED_OF(fft, fft_free, MPI_Type_free(&k->block); MPI_Type_free(&k->column_block))

static double numbered(long n, long row, long column, int part)
{
    return (double)(2 * (row * n + column) + part);
}

/* The first wrong number in this process's rows, of the matrix or the transposed one; or -1. */
static long wrong_number(const struct fft *f, const double *found, int rank, bool transposed)
{
    for (long i = 0; i < 2 * f->rows * f->n; i++) {
        long row = rank * f->rows + i / 2 / f->n, column = i / 2 % f->n;
        double wanted = transposed ? numbered(f->n, column, row, (int)(i % 2))
                                   : numbered(f->n, row, column, (int)(i % 2));
        if (found[i] != wanted)
            return i;
    }
    return -1;
}

/* Checks that a repetition transposes the numbered matrix, and leaves it unchanged itself. */
static int fft_check(struct measurement *m, const struct op *op, struct err *e)
{
    const struct fft *f = m->state;
    double *there = (double *)(void *)matrix(m, 0), *back = (double *)(void *)matrix(m, 1);
    for (long i = 0; i < 2 * f->rows * f->n; i++)
        there[i] = numbered(f->n, m->rank * f->rows + i / 2 / f->n, i / 2 % f->n, (int)(i % 2));
    pattern_calls(m, op, 1);
    long transposed = wrong_number(f, back, m->rank, true);
    long same = wrong_number(f, there, m->rank, false);
    if (transposed < 0 && same < 0)
        return 0;
    long wrong = transposed < 0 ? same : transposed;
    return err_set(e, "number %ld of rank %d is wrong after %s of %ld x %ld numbers", wrong,
                   m->rank, transposed < 0 ? "the second transposition" : "a transposition", f->n,
                   f->n);
}

static const struct op rows[] = {
    OP("FFT", "FFT: a matrix is transposed by all and transposed back",
       TYPE_HAS_LENGTH | TYPE_PACKS | TYPE_PHASES, .info.application = &applications[15],
       .info.extra = phases_extra_of_all,
       .info.options = OPTIONS(OPTION_CASE, OPTION_METHOD, OPTION_LANGUAGE),
       .in = COL_TYPES(136, 135),
       .hooks = { .state = sizeof(struct fft),
                  .init = fft_init,
                  .server_op = phases_two_steps,
                  .free = fft_free },
       .recorder = &phases_recorder, .check = fft_check),
};

OP_FAMILY(fft_family, rows);
