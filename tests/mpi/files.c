/* The files that operations write, read with plain system calls, and the data they read. Every
 * process has a message of numbers that identify it and the place. TAP on rank 0. */
#include "../lib/on_machine.h"

#include "ops/io_file.h"
#include "patterns/pattern.h"

#include <fcntl.h>
#include <unistd.h>

enum { COUNT = 7, BLOCK = 8, MAX_PROCESSES = 16 };
enum { BYTES = COUNT * sizeof(int), REPEATS = 3, TWO_PLACES = 2 * BYTES };
enum { MAX_FILE = REPEATS * MAX_PROCESSES * (BYTES + BLOCK) };

static const char file[] =
    "@VERSION 4.2\n@MEMORY 64\n@MEASUREMENTS\n"
    "write { Type = 220; }\n"
    "write_dropped { Type = 220; Parameters = \"io_cache=dropped io_sync=yes\"; }\n"
    "write_all { Type = 221; }\n"
    "read { Type = 222; }\n"
    "read_dropped { Type = 222; Parameters = \"io_cache=dropped\"; }\n"
    "read_all { Type = 223; }\n"
    "strided { Type = 224; Parameters = \"io_block=8\"; }\n"
    "strided_all { Type = 225; Parameters = \"io_block=8 io_cache=dropped\"; }\n"
    "strided_long { Type = 225; Parameters = \"io_block=64\"; }\n"
    "read_strided { Type = 226; Parameters = \"io_block=8\"; }\n"
    "read_strided_all { Type = 227; Parameters = \"io_block=8\"; }\n"
    "own { Type = 228; Parameters = \"io_cache=dropped\"; }\n"
    "read_own { Type = 229; }\n"
    "shared { Type = 230; }\n"
    "read_shared { Type = 231; Parameters = \"io_cache=dropped\"; }\n"
    "ordered { Type = 232; Parameters = \"io_sync=yes\"; }\n"
    "read_ordered { Type = 233; }\n"
    "other { Type = 234; }\n"
    "other_all { Type = 235; }\n"
    "open { Type = 236; }\n"
    "close { Type = 237; }\n"
    "sync { Type = 238; }\n"
    "size { Type = 239; }\n"
    "write_one { Type = 220; Parameters = \"io_walk=no\"; }\n"
    "read_one { Type = 231; Parameters = \"io_walk=no\"; }\n"
    "write_two { Type = 220; Parameters = \"io_walk=56\"; }\n"
    "ordered_two { Type = 232; Parameters = \"io_walk=1\"; }\n"
    "strided_two { Type = 225; Parameters = \"io_walk=56 io_block=8\"; }\n"
    "own_two { Type = 228; Parameters = \"io_walk=56\"; }\n"
    "read_two { Type = 223; Parameters = \"io_walk=56\"; }\n"
    "read_own_two { Type = 229; Parameters = \"io_walk=56\"; }\n"
    "read_strided_two { Type = 227; Parameters = \"io_walk=56 io_block=8\"; }\n"
    "read_shared_two { Type = 231; Parameters = \"io_walk=56\"; }\n"
    "read_ordered_two { Type = 233; Parameters = \"io_walk=56\"; }\n"
    "other_two { Type = 234; Parameters = \"io_walk=56 io_cache=dropped\"; }\n"
    "sync_two { Type = 238; Parameters = \"io_walk=56\"; }\n"
    "iwrite { Type = 333; }\n"
    "iread { Type = 334; Parameters = \"io_walk=56\"; }\n"
    "iwrite_all { Type = 335; Parameters = \"io_walk=56 io_cache=dropped\"; }\n"
    "iread_all { Type = 336; }\n"
    "write_begin { Type = 337; Parameters = \"io_walk=56 io_sync=yes\"; }\n"
    "read_begin { Type = 338; Parameters = \"io_walk=56\"; }\n";

static bool walks(const struct measurement *m)
{
    int number = m->suite->type->number;
    return m->suite->options.io_walk > 0 && (number < 236 || number == 238 || number > 239);
}

/* At how many places the last of the repetitions finds the file written or to be read. */
static int last_place(const struct measurement *m)
{
    return !walks(m) ? 0 : m->suite->options.io_walk <= TWO_PLACES ? 0 : REPEATS - 1;
}

/* The place in the file of a byte of a process's part. */
static long place_of(const struct measurement *m, int rank, int place, long i)
{
    const struct io *k = m->state;
    long block = m->suite->options.io_block;
    if (k->form->own)
        return place * (long)BYTES + i;
    if (!k->form->strided)
        return ((long)place * m->size + rank) * (long)BYTES + i;
    i += place * (long)BYTES;
    return (i / block * m->size + rank) * block + i % block;
}

static char byte_of(int rank, long i)
{
    int number = number_sent(rank, (int)(i / (long)sizeof(int)));
    return ((char *)&number)[i % (long)sizeof(int)];
}

/* Each part, in any order, once for each place. */
static bool has_all_parts(const char *content, int size, int places)
{
    int found[MAX_PROCESSES] = { 0 };
    for (int part = 0; part < size * places; part++)
        for (int rank = 0; rank < size; rank++) {
            long i = 0;
            while (i < BYTES && content[part * (long)BYTES + i] == byte_of(rank, i))
                i++;
            found[rank] += i == BYTES;
        }
    for (int rank = 0; rank < size; rank++)
        if (found[rank] != places)
            return false;
    return true;
}

static bool has_parts(const struct measurement *m, const char *content, int first, int end)
{
    for (int place = 0; place <= last_place(m); place++)
        for (int rank = first; rank < end; rank++)
            for (long i = 0; i < BYTES; i++)
                if (content[place_of(m, rank, place, i)] != byte_of(rank, i))
                    return false;
    return true;
}

/* Before a read: what the last repetition does not read is overwritten, so that no other place is
 * right. */
static void spoil_others(const struct measurement *m)
{
    const struct io *k = m->state;
    long parts = (k->form->own ? 1 : m->size) * (long)BYTES;
    static const char zeros[MAX_FILE];
    int fd = open(k->path, O_RDWR), last = last_place(m);
    MPI_Barrier(m->comm);
    if (walks(m) && (k->form->own || m->rank == 0) && !k->form->strided &&
        pwrite(fd, zeros, (size_t)parts, last == 0 ? parts : 0) < parts)
        MPI_Abort(m->comm, 1);
    close(fd);
    MPI_Barrier(m->comm);
}

/* Is the file right? It has been read by no MPI call. */
static bool file_is_right(const struct measurement *m)
{
    const struct io *k = m->state;
    static char content[MAX_FILE];
    long parts = (k->form->own ? 1 : m->size) * (long)BYTES * (1 + last_place(m));
    int fd = open(k->path, O_RDONLY);
    ssize_t len = pread(fd, content, sizeof(content), 0);
    close(fd);
    if (k->form->closed || m->suite->type->number == 239)
        return len == 0;
    if (k->form->shared && m->suite->type->number == 230)
        return len == parts && has_all_parts(content, m->size, 1 + last_place(m));
    if (k->form->reads)
        return len >= parts;
    int first = k->form->own ? m->rank : 0;
    bool synced = m->suite->type->number == 238;
    return (len == parts || k->form->strided || synced) &&
           has_parts(m, content, first, k->form->own ? first + 1 : m->size);
}

/* For the types that read, and for the writes that can be read back. */
static bool message_is_right(const struct measurement *m, const struct op *op)
{
    bool reads = op->info.receive.once > 0 && op->origin != NULL;
    for (long i = 0; reads && i < BYTES; i++)
        if (m->receive.at[i] != byte_of(io_origin(m), i))
            return false;
    return true;
}

static bool repeat(struct measurement *m, const struct op *op, int times)
{
    for (int i = 0; i < times; i++) {
        memset(m->receive.at, 0, BYTES);
        pattern_calls(m, op, 1);
        pattern_finalize(m, op);
    }
    MPI_Barrier(m->comm);
    bool right = file_is_right(m);
    MPI_Barrier(m->comm);
    if (op->fetch != NULL)
        op->fetch(m);
    return right && message_is_right(m, op) && !err_is_set(&m->file.why);
}

static bool test_one(struct measurement *m, const struct op *op, struct err *e)
{
    char path[SCRATCH_PATH_SIZE] = "";
    m->state = calloc(1, op->hooks.state);
    m->form = op->form;
    m->pattern = pattern_of(m->suite);
    m->hooks = &op->hooks;
    measurement_first_buffers(m);
    number_messages(m, COUNT);
    bool right = op->hooks.try_init(m, e) == 0;
    if (right) {
        snprintf(path, sizeof(path), "%s", ((struct io *)m->state)->path);
        pattern_prepare(m, op);
        if (((struct io *)m->state)->form->reads)
            spoil_others(m);
        right = repeat(m, op, REPEATS);
    }
    op->hooks.free(m);
    free(m->state);
    MPI_Barrier(m->comm);
    return right && access(path, F_OK) != 0;
}

static void test_suite(struct resources *res, const struct params *p, const struct registry *types,
                       size_t i)
{
    struct err e = { "" };
    struct setting s = { .processes = res->size, .length = BYTES };
    struct measurement m;
    measurement_init(&m, res, p, &p->suites[i]);
    measurement_prepare(&m, &s, &e);
    bool right = test_one(&m, registry_op(types, m.suite->type), &e);
    if (!right)
        printf("# rank %d: %s%s\n", res->rank, e.text, m.file.why.text);
    tap(res, right, "%s: the right bytes, and no file remains", m.suite->name);
    measurement_release(&m);
}

static void test_machine(struct resources *res, const struct params *p,
                         const struct registry *types)
{
    for (size_t i = 0; i < p->suite_count; i++)
        test_suite(res, p, types, i);
}

TEST_PARAMETER_FILE(file, test_machine)
