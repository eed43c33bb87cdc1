/* Shared by the parts of truth.c. */
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

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

static inline void nothing(struct me *m)
{
}

static inline int right(const struct me *m)
{
    return (m->rank + 1) % m->size;
}

static inline int left(const struct me *m)
{
    return (m->rank + m->size - 1) % m->size;
}

/* An action of some calls, a call that is waited for, or two actions; and arguments of calls. */
#define ACTION(name, ...)                                                                          \
    static void name(struct me *m)                                                                 \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
#define STARTED(name, call, ...)                                                                   \
    static void name(struct me *m)                                                                 \
    {                                                                                              \
        call(__VA_ARGS__, m->comm, m->requests);                                                   \
        MPI_Wait(m->requests, MPI_STATUS_IGNORE);                                                  \
    }
#define IN_TURN(name, first, second)                                                               \
    static void name(struct me *m)                                                                 \
    {                                                                                              \
        first(m);                                                                                  \
        second(m);                                                                                 \
    }
#define ONE     m->send, m->count, MPI_INT
#define BLOCKS  m->send, m->counts, m->places, MPI_INT
#define TO_ONE  m->receive, m->count, MPI_INT
#define TO_EACH m->receive, m->counts, m->places, MPI_INT
#define SUM(n)  m->send, m->receive, n, MPI_INT, MPI_SUM

/* With a process: MPI_Isend(TO(1), &request). */
#define TO(rank)   ONE, rank, TAG, m->comm
#define FROM(rank) TO_ONE, rank, TAG, m->comm

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

/* The work of each side before it is timed, in its time, two actions in turn, and after it. */
struct side {
    action *before, *first, *second, *after;
};

struct sides {
    int type;
    bool together; /* both start at once; otherwise the server, 0.1 ms after the client */
    struct side server, client;
};

#define PING_PONG(send, receive)                                                                   \
    { nothing, send, receive, nothing },                                                           \
    {                                                                                              \
        nothing, receive, send, nothing                                                            \
    }
#define BOTH_WAYS(both)                                                                            \
    { nothing, both, nothing, nothing },                                                           \
    {                                                                                              \
        nothing, both, nothing, nothing                                                            \
    }

/* Rank 0 with the partner, and all pairs i with i + p/2 at once. */
void report_alone(struct me *m, const struct sides *list, size_t n);
void report_in_pairs(struct me *m, const struct sides *list, size_t n);

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
