/* Shared by the parts of truth.c. */
#pragma once

#include <mpi.h>
#include <stdbool.h>

enum { TAG = 7 };

#define PAUSE_S      0.1  /* longer than any operation that may still be in progress */
#define TOGETHER     1000 /* added to the number of a type: measured with enter=together */
#define LOOPED       2000 /* measured with loop=LOOP; the time is per call */
#define LOOP         5
#define COUNT(table) (sizeof(table) / sizeof(*(table)))

struct me {
    int rank, size, partner, chunks;
    int peer;  /* the other side of a ping-pong */
    int root;  /* of MPI_Bcast and MPI_Gather */
    int count; /* ints in a message */
    int *send, *receive, *counts, *places;
    MPI_Request *requests;
    MPI_Comm comm, made;
    const char *types; /* ",1,47," or NULL: all */
};

typedef void action(struct me *m);

/* An action that is one call, and arguments of calls. */
#define ACTION(name, call)                                                                         \
    static void name(struct me *m)                                                                 \
    {                                                                                              \
        call;                                                                                      \
    }
#define ONE     m->send, m->count, MPI_INT
#define BLOCKS  m->send, m->counts, m->places, MPI_INT
#define TO_ONE  m->receive, m->count, MPI_INT
#define TO_EACH m->receive, m->counts, m->places, MPI_INT
#define SUM(n)  m->send, m->receive, n, MPI_INT, MPI_SUM

/* In seconds, the same on all processes. */
double now(void);
void sleep_to(double instant);

/* The same instant on all processes: long after all became idle. */
double common_instant(const struct me *m);

/* From a common start until the last process is done, per call. */
double synchronised_time(struct me *m, action *act, int calls);

/* On rank 0: prints a line with the true time of a type. */
void print_time(const struct me *m, int type, double seconds);
bool is_wanted(const struct me *m, int type);

/* The time is evaluated, that is measured, only for a type that is wanted. */
#define report(m, type, seconds)                                                                   \
    do {                                                                                           \
        if (is_wanted(m, type))                                                                    \
            print_time(m, type, seconds);                                                          \
    } while (0)

/* Each is in its own file. They print the time of each of their types, or of the first one. */
void report_ping_pongs(struct me *m);
void report_first_ping_pong(struct me *m);
void report_streams(struct me *m);
void report_masters(struct me *m);
void report_collectives(struct me *m);
void report_nonblocking(struct me *m);
void report_first_collective(struct me *m);
void report_algorithms(struct me *m);

struct collective {
    int barrier_measured, synchronised; /* type numbers; 0: none */
    action *act;
};

/* Prints the times of an operation, also of several calls in a row. */
void report_collective(struct me *m, const struct collective *c);
