/* Reads clocks and times calls with the shim, for shim.t.
 *
 * readings clock SECONDS DIR   readings before MPI_Init, after it, SECONDS later, and after
 *                              MPI_Finalize, as lines
 *                              "CLOCK WHEN FROM READING TO EXPECTED"
 *                              (true times before and after; expected at FROM, by shim_reading)
 * readings calls DIR           "CALL BYTES I SECONDS", for three calls of each at 8 and 96 bytes,
 *                              each within the process alone
 * Each rank writes DIR/RANK. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "find_shim.h"
#include "shim.h"

#include <mpi.h>
#include <string.h>
#include <time.h>

enum { READINGS = 200, MAX_INTS = 24, REPEATS = 3 };

static FILE *open_own(const char *dir, int rank)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s/%d", dir, rank);
    FILE *out = fopen(path, "w");
    if (out != NULL)
        return out;
    perror(path);
    _Exit(2);
}

static double wtime(void)
{
    return MPI_Wtime();
}

static double monotonic(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The time that the MPI library itself sees, with another zero; 0 if MPI is not running. */
static double library(void)
{
    int begun, ended;
    PMPI_Initialized(&begun);
    PMPI_Finalized(&ended);
    return begun && !ended ? PMPI_Wtime() : 0.0;
}

enum { CLOCKS = 3 };

static const struct {
    const char *name;
    double (*now)(void);
} clocks[CLOCKS] = { { "wtime", wtime }, { "monotonic", monotonic }, { "library", library } };

struct record {
    const char *clock, *when;
    double from_s, reading_s, to_s;
};

struct records {
    int n;
    struct record at[CLOCKS * (2 * READINGS + 2)];
};

static void look(const struct shim *s, const char *when, int times, struct records *r)
{
    for (int c = 0; c < CLOCKS; c++)
        for (int i = 0; i < times; i++) {
            struct record *now = &r->at[r->n++];
            *now = (struct record){ clocks[c].name, when, s->true_s(), 0.0, 0.0 };
            now->reading_s = clocks[c].now();
            now->to_s = s->true_s();
        }
}

static void pause_for(double seconds)
{
    struct timespec t = { (time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9) };
    nanosleep(&t, NULL);
}

static void look_at_clocks(double seconds, const char *dir)
{
    static struct records r;
    struct shim s = find_shim();
    int rank;
    look(&s, "uninitialised", 1, &r);
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    look(&s, "begin", READINGS, &r);
    pause_for(seconds);
    look(&s, "later", READINGS, &r);
    MPI_Finalize();
    look(&s, "finalised", 1, &r);
    FILE *out = open_own(dir, rank);
    for (int i = 0; i < r.n; i++) {
        const struct record *a = &r.at[i];
        fprintf(out, "%s %s %.17g %.17g %.17g %.17g\n", a->clock, a->when, a->from_s, a->reading_s,
                a->to_s, s.reading(rank, a->from_s));
    }
    fclose(out);
}

static int sent[MAX_INTS], received[MAX_INTS];

static MPI_Comm made;

#define CALL(name, ...)                                                                            \
    static void name(int count)                                                                    \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
#define SELF MPI_COMM_SELF

CALL(k_allreduce, MPI_Allreduce(sent, received, count, MPI_INT, MPI_SUM, SELF))
CALL(k_alltoall, MPI_Alltoall(sent, count, MPI_INT, received, count, MPI_INT, SELF))
CALL(k_barrier, MPI_Barrier(SELF))
CALL(k_bcast, MPI_Bcast(sent, count, MPI_INT, 0, SELF))
CALL(k_dup, MPI_Comm_dup(SELF, &made), MPI_Comm_free(&made))
CALL(k_split, MPI_Comm_split(SELF, 0, 0, &made), MPI_Comm_free(&made))
CALL(k_reduce, MPI_Reduce(sent, received, count, MPI_INT, MPI_SUM, 0, SELF))

static void k_send(int count)
{
    MPI_Request request;
    MPI_Irecv(received, count, MPI_INT, 0, 0, SELF, &request);
    MPI_Send(sent, count, MPI_INT, 0, 0, SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static const struct {
    const char *name;
    void (*call)(int count);
} calls[] = {
    { "MPI_Allreduce", k_allreduce }, { "MPI_Alltoall", k_alltoall }, { "MPI_Barrier", k_barrier },
    { "MPI_Bcast", k_bcast },         { "MPI_Comm_dup", k_dup },      { "MPI_Comm_split", k_split },
    { "MPI_Reduce", k_reduce },       { "MPI_Send", k_send },
};

static void time_call(const struct shim *s, size_t which, int count, FILE *out)
{
    for (int i = 1; i <= REPEATS; i++) {
        double start = s->true_s();
        calls[which].call(count);
        double time = s->true_s() - start;
        fprintf(out, "%s %zu %d %.17g\n", calls[which].name, (size_t)count * sizeof(int), i, time);
    }
}

static void time_calls(const char *dir)
{
    struct shim s = find_shim();
    int rank, provided;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    FILE *out = open_own(dir, rank);
    for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
        time_call(&s, i, 2, out);
        time_call(&s, i, MAX_INTS, out);
    }
    fclose(out);
    MPI_Finalize();
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "clock") == 0)
        look_at_clocks(atof(argv[2]), argv[3]);
    else if (argc == 3 && strcmp(argv[1], "calls") == 0)
        time_calls(argv[2]);
    else
        return 2;
    return 0;
}
