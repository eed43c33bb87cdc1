/* The exact simulated time of one-sided communication, by its definition in the manual. It uses no
 * code from src. rma PARTNER LENGTH prints lines "CALL SYNC TARGETS MICROSECONDS"; with TARGETS
 * "one" rank 0 accesses the partner's memory, and the target is ready before; with "trip", they
 * access each other's memory in turn, again and again. */
#include <mpi.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAUSE_S 0.1
#define LEAD_S  1e-4
enum { TAG = 7 };

static int rank, size, count; /* in the communicator of the window; ints of a message */
static int accesses = 1;      /* to each target in one epoch */
static int *sent, *memory, *result;
static MPI_Win win;
static MPI_Comm comm;
static int targets[1024], target_count, origins[1024], origin_count;
enum { MANY = 5 };
static MPI_Request requests[1024 * MANY];
static int one_value[4];

struct call {
    const char *name;
    int request;
    void (*make)(int target, MPI_Request *request);
};

static void nothing(int target, MPI_Request *request)
{
}

static MPI_Aint place(void)
{
    return (MPI_Aint)((1 + rank) * count) * (MPI_Aint)sizeof(int);
}

#define ACCESS(name, call)                                                                         \
    static void name(int target, MPI_Request *request)                                             \
    {                                                                                              \
        call;                                                                                      \
    }
#define SENT        sent, count, MPI_INT, target, place(), count, MPI_INT
#define RESULT      result + target *count, count, MPI_INT
#define FROM_TARGET target, 0, count, MPI_INT

ACCESS(put, MPI_Put(SENT, win))
ACCESS(get, MPI_Get(RESULT, FROM_TARGET, win))
ACCESS(accumulate, MPI_Accumulate(SENT, MPI_SUM, win))
ACCESS(get_accumulate, MPI_Get_accumulate(sent, count, MPI_INT, RESULT, target, place(), count,
                                          MPI_INT, MPI_SUM, win))
ACCESS(fetch_and_op, MPI_Fetch_and_op(one_value, one_value + 1, MPI_INT, target, 0, MPI_SUM, win))
ACCESS(compare_and_swap,
       MPI_Compare_and_swap(one_value, one_value + 1, one_value + 2, MPI_INT, target, 0, win))
ACCESS(rput, MPI_Rput(SENT, win, request))
ACCESS(rget, MPI_Rget(RESULT, FROM_TARGET, win, request))

static const struct call calls[] = {
    { "sync", 0, nothing },
    { "Put", 0, put },
    { "Get", 0, get },
    { "Accumulate", 0, accumulate },
    { "Get_accumulate", 0, get_accumulate },
    { "Fetch_and_op", 0, fetch_and_op },
    { "Compare_and_swap", 0, compare_and_swap },
    { "Rput", 1, rput },
    { "Rget", 1, rget },
};

static void make(const struct call *c, int target)
{
    for (int i = 0; i < accesses; i++)
        c->make(targets[target], &requests[target * accesses + i]);
}

static void make_all(const struct call *c)
{
    for (int i = 0; i < target_count; i++)
        make(c, i);
    if (c->request)
        MPI_Waitall(target_count * accesses, requests, MPI_STATUSES_IGNORE);
}

#define BY(name, ...)                                                                              \
    static void name(const struct call *c)                                                         \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
BY(by_fence, MPI_Win_fence(0, win), make_all(c), MPI_Win_fence(0, win))

static void by_pscw(const struct call *c)
{
    MPI_Group all, to, from;
    MPI_Comm_group(comm, &all);
    MPI_Group_incl(all, target_count, targets, &to);
    MPI_Group_incl(all, origin_count, origins, &from);
    if (origin_count > 0)
        MPI_Win_post(from, 0, win);
    if (target_count > 0)
        MPI_Win_start(to, 0, win);
    make_all(c);
    if (target_count > 0)
        MPI_Win_complete(win);
    if (origin_count > 0)
        MPI_Win_wait(win);
    MPI_Group_free(&to);
    MPI_Group_free(&from);
    MPI_Group_free(&all);
}

static void by_lock(const struct call *c)
{
    for (int i = 0; i < target_count; i++) {
        MPI_Win_lock(MPI_LOCK_SHARED, targets[i], 0, win);
        make(c, i);
        if (c->request)
            MPI_Waitall(accesses, &requests[i * accesses], MPI_STATUSES_IGNORE);
        MPI_Win_unlock(targets[i], win);
    }
}

#define BY_FLUSH(name, flush)                                                                      \
    static void by_##name(const struct call *c)                                                    \
    {                                                                                              \
        make_all(c);                                                                               \
        if (target_count == 1)                                                                     \
            flush(targets[0], win);                                                                \
        else if (target_count > 1)                                                                 \
            flush##_all(win);                                                                      \
    }
BY_FLUSH(flush, MPI_Win_flush)
BY_FLUSH(flush_local, MPI_Win_flush_local)

static void receive_notes(void)
{
    for (int i = 0; i < origin_count; i++)
        MPI_Recv(NULL, 0, MPI_BYTE, origins[i], TAG, comm, MPI_STATUS_IGNORE);
}

static void send_notes(void)
{
    for (int i = 0; i < target_count; i++)
        MPI_Isend(NULL, 0, MPI_BYTE, targets[i], TAG, comm, &requests[i]);
}

BY(by_notify, by_flush(c), send_notes(), receive_notes(),
   MPI_Waitall(target_count, requests, MPI_STATUSES_IGNORE))
BY(answer, receive_notes(), by_flush(c), send_notes(),
   MPI_Waitall(target_count, requests, MPI_STATUSES_IGNORE))

static const struct sync {
    const char *name;
    int locked, requests;
    void (*server)(const struct call *c);
    void (*client)(const struct call *c);
} syncs[] = {
    { "fence", 0, 0, by_fence, by_fence },
    { "pscw", 0, 0, by_pscw, by_pscw },
    { "lock", 0, 1, by_lock, by_lock },
    { "flush", 1, 1, by_flush, by_flush },
    { "flush_local", 1, 1, by_flush_local, by_flush_local },
    { "notify", 1, 1, by_notify, answer },
};

static void others(int *ranks, int *n)
{
    for (*n = 0; *n < size - 1; (*n)++)
        ranks[*n] = (rank + *n + 1) % size;
}

static void choose(const char *kind, const struct sync *s)
{
    target_count = origin_count = 0;
    if (strcmp(kind, "all") == 0 || (strcmp(kind, "one") == 0 && s->server == by_notify)) {
        others(targets, &target_count);
        others(origins, &origin_count);
    } else if (strcmp(kind, "next") == 0) {
        target_count = origin_count = 1;
        targets[0] = (rank + 1) % size;
        origins[0] = (rank + size - 1) % size;
    } else if (rank == 0 && strcmp(kind, "root") == 0) {
        others(origins, &origin_count);
    } else if (strcmp(kind, "root") == 0) {
        targets[target_count++] = 0;
    } else if (rank == 0) {
        targets[target_count++] = 1;
    } else {
        origins[origin_count++] = 0;
    }
}

static double common_instant(void)
{
    double own = simgrid_get_clock(), latest;
    MPI_Allreduce(&own, &latest, 1, MPI_DOUBLE, MPI_MAX, comm);
    return latest + PAUSE_S;
}

static void sleep_to(double instant)
{
    sg_actor_sleep_for(instant - simgrid_get_clock());
}

static double time_of(const struct call *c, const struct sync *s, int one)
{
    double start = common_instant(), own, longest;
    int serves = !one || rank == 0;
    sleep_to(one && rank == 0 ? start + LEAD_S : start);
    own = simgrid_get_clock();
    (serves ? s->server : s->client)(c);
    own = serves ? simgrid_get_clock() - own : 0.0;
    sleep_to(start + PAUSE_S);
    if (s->locked)
        MPI_Win_flush_all(win);
    MPI_Allreduce(&own, &longest, 1, MPI_DOUBLE, MPI_MAX, comm);
    return longest;
}

/* Two messages, one in each direction, each in an epoch of its own. */
BY(trip_server, by_fence(c), by_fence(&calls[0]))
BY(trip_client, by_fence(&calls[0]), by_fence(c))

static void print_trip(void)
{
    double start = 0.0;
    target_count = 1;
    targets[0] = 1 - rank;
    for (int i = 0; i < 3; i++) {
        start = simgrid_get_clock();
        (rank == 0 ? trip_server : trip_client)(&calls[1]);
    }
    if (rank == 0)
        printf("Put fence trip %.6f\n", 1e6 * (simgrid_get_clock() - start));
}

static void print_times(const char *kind)
{
    for (size_t s = 0; s < sizeof(syncs) / sizeof(*syncs); s++) {
        choose(kind, &syncs[s]);
        if (syncs[s].locked)
            MPI_Win_lock_all(0, win);
        for (size_t c = 0; c < sizeof(calls) / sizeof(*calls); c++) {
            if (calls[c].request && !syncs[s].requests)
                continue;
            double us = 1e6 * time_of(&calls[c], &syncs[s], strcmp(kind, "one") == 0);
            if (rank == 0)
                printf(accesses > 1 ? "%s %s%d %s %.6f\n" : "%s %s%.0d %s %.6f\n", calls[c].name,
                       syncs[s].name, accesses > 1 ? accesses : 0, kind, us);
        }
        if (syncs[s].locked)
            MPI_Win_unlock_all(win);
    }
}

static void with_window(MPI_Comm of, const char *kind)
{
    comm = of;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Aint bytes = (MPI_Aint)(size + 1) * count * (MPI_Aint)sizeof(int);
    MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, comm, &memory, &win);
    memset(memory, 0, (size_t)bytes);
    print_times(kind);
    accesses = MANY;
    print_times(kind);
    accesses = 1;
    if (strcmp(kind, "one") == 0)
        print_trip();
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    int world, processes;
    MPI_Comm pair;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    if (argc != 3)
        return 2;
    int partner = atoi(argv[1]);
    count = atoi(argv[2]) / (int)sizeof(int);
    sent = calloc((size_t)count, sizeof(int));
    result = calloc((size_t)(processes * count), sizeof(int));
    MPI_Comm_split(MPI_COMM_WORLD, world == 0 || world == partner ? 0 : MPI_UNDEFINED, world,
                   &pair);
    if (pair != MPI_COMM_NULL)
        with_window(pair, "one");
    MPI_Barrier(MPI_COMM_WORLD);
    with_window(MPI_COMM_WORLD, "next");
    with_window(MPI_COMM_WORLD, "root");
    with_window(MPI_COMM_WORLD, "all");
    free(sent);
    free(result);
    MPI_Finalize();
    return 0;
}
