/* A preloaded library that makes chosen calls of MPI fail. SKAMPI_ABORT has words separated by
 * commas, "CALL:N:WHAT" or "CALL:N:WHAT:FILE": in its N-th call of CALL, each process does WHAT:
 * abort, kill (SIGKILL), term and int (SIGTERM and SIGINT), exit (status 1, without MPI_Finalize),
 * hang, or stop (SIGSTOP; stop0 and stop1: only that rank). With a FILE, only if it does not exist;
 * the file is created, so that this happens once. With SKAMPI_ABORT_LEVEL, each process prints its
 * thread level at its end. MPI_Allgather never returns for more than SKAMPI_ABORT_ABOVE bytes. With
 * SKAMPI_WAITS, the kernel says that rank 1 waited a second for a CPU before each of this number of
 * readings, and that nobody else waited.
 *
 * From a hang or a stop on, the process's timers, two at most, are fast: a minute takes 0.06 s on
 * rank 0, and longer on the others, as rank 0 is to be the first. So a test has limits that no
 * busy machine meets, and does not wait for them. A process that goes on has its own times again.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { MAX_TIMERS = 16, MAX_CALLS = 8 };

static struct {
    char call[32], what[16], file[256];
    int nth, seen;
} plans[MAX_CALLS];

__attribute__((constructor)) static void start(void)
{
    const char *text = getenv("SKAMPI_ABORT");
    for (int i = 0; i < MAX_CALLS && text != NULL && *text != '\0'; i++) {
        if (sscanf(text, "%31[^:]:%d:%15[^:,]:%255[^,]", plans[i].call, &plans[i].nth,
                   plans[i].what, plans[i].file) < 3)
            _exit(2);
        text = strchr(text, ',');
        text = text == NULL ? NULL : text + 1;
    }
}

static struct {
    timer_t timer;
    struct itimerspec at;
} timers[MAX_TIMERS];
static int timer_count;

static int set_timer(timer_t timer, int flags, const struct itimerspec *at, struct itimerspec *old)
{
    int (*next)(timer_t, int, const struct itimerspec *, struct itimerspec *);
    *(void **)&next = dlsym(RTLD_NEXT, "timer_settime");
    return next(timer, flags, at, old);
}

int timer_settime(timer_t timer, int flags, const struct itimerspec *at, struct itimerspec *old)
{
    int i = 0;
    while (i < timer_count && timers[i].timer != timer)
        i++;
    if (i == MAX_TIMERS)
        _exit(2);
    timers[i].timer = timer;
    timers[i].at = *at;
    timer_count += i == timer_count;
    return set_timer(timer, flags, at, old);
}

static void set_timers(double speed)
{
    for (int i = 0; i < timer_count; i++) {
        const struct timespec *t = &timers[i].at.it_value;
        double s = ((double)t->tv_sec + 1e-9 * (double)t->tv_nsec) / speed;
        struct timespec soon = { (time_t)s, (long)(1e9 * (s - (double)(time_t)s)) };
        set_timer(timers[i].timer, 0, &(struct itimerspec){ soon, soon }, NULL);
    }
}

static int world_rank(void)
{
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

static void hurry(void)
{
    set_timers(world_rank() == 0 ? 1000.0 : 300.0);
}

static void hang(void)
{
    hurry();
    for (;;)
        pause();
}

static void stop_if(int is_stopped)
{
    hurry();
    if (!is_stopped)
        return;
    raise(SIGSTOP);
    set_timers(1.0);
}

static void go_wrong(const char *what)
{
    static const struct {
        const char *name;
        int number;
    } signals[] = { { "kill", SIGKILL }, { "term", SIGTERM }, { "int", SIGINT } };
    for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
        if (strcmp(what, signals[i].name) == 0)
            raise(signals[i].number);
    if (strcmp(what, "abort") == 0)
        abort();
    if (strcmp(what, "exit") == 0)
        _exit(1);
    if (strcmp(what, "hang") == 0)
        hang();
    if (strncmp(what, "stop", 4) == 0)
        stop_if(what[4] == '\0' || what[4] - '0' == world_rank());
}

static void visit(const char *call)
{
    for (int i = 0; i < MAX_CALLS; i++) {
        if (strcmp(plans[i].call, call) != 0 || ++plans[i].seen != plans[i].nth)
            continue;
        int fd = plans[i].file[0] == '\0' ? 0 : open(plans[i].file, O_CREAT | O_EXCL, 0666);
        if (fd >= 0)
            go_wrong(plans[i].what);
    }
}

#define CALL(name, parameters, arguments)                                                          \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        visit("MPI_" #name);                                                                       \
        return PMPI_##name arguments;                                                              \
    }

CALL(Ssend, (const void *s, int n, MPI_Datatype d, int to, int tag, MPI_Comm c),
     (s, n, d, to, tag, c))
CALL(Scan, (const void *s, void *r, int n, MPI_Datatype d, MPI_Op op, MPI_Comm c),
     (s, r, n, d, op, c))
CALL(Reduce, (const void *s, void *r, int n, MPI_Datatype d, MPI_Op op, int root, MPI_Comm c),
     (s, r, n, d, op, root, c))
CALL(Scatter,
     (const void *s, int n, MPI_Datatype d, void *r, int m, MPI_Datatype e, int root, MPI_Comm c),
     (s, n, d, r, m, e, root, c))
CALL(Pack,
     (const void *s, int n, MPI_Datatype d, void *packed, int size, int *position, MPI_Comm c),
     (s, n, d, packed, size, position, c))
CALL(Alltoall, (const void *s, int n, MPI_Datatype d, void *r, int m, MPI_Datatype e, MPI_Comm c),
     (s, n, d, r, m, e, c))

int MPI_Allgather(const void *s, int n, MPI_Datatype d, void *r, int m, MPI_Datatype e, MPI_Comm c)
{
    const char *above = getenv("SKAMPI_ABORT_ABOVE");
    int size;
    PMPI_Type_size(d, &size);
    if (above != NULL && (long)n * size > strtol(above, NULL, 10))
        hang();
    return PMPI_Allgather(s, n, d, r, m, e, c);
}

static int schedstat(const char *waits)
{
    static int readings;
    int rank = world_rank(), most = atoi(waits), fd = memfd_create("schedstat", MFD_CLOEXEC);
    readings += readings < most;
    dprintf(fd, "1000 %lld 1\n", rank == 1 ? readings * 1000000000LL : 0);
    lseek(fd, 0, SEEK_SET);
    return fd;
}

int open(const char *path, int flags, ...)
{
    const char *waits = getenv("SKAMPI_WAITS");
    int (*next)(const char *, int, ...);
    va_list args;
    if (waits != NULL && strcmp(path, "/proc/thread-self/schedstat") == 0)
        return schedstat(waits);
    va_start(args, flags);
    mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
    va_end(args);
    *(void **)&next = dlsym(RTLD_NEXT, "open");
    return next(path, flags, mode);
}

int MPI_Finalize(void)
{
    int level;
    PMPI_Query_thread(&level);
    if (getenv("SKAMPI_ABORT_LEVEL") != NULL)
        fprintf(stderr, "thread level %d\n", level);
    return PMPI_Finalize();
}

/* Open MPI 4.1 calls it when it opens a file. */
int sem_post(sem_t *s)
{
    int (*next)(sem_t *);
    *(void **)&next = dlsym(RTLD_NEXT, "sem_post");
    visit("sem_post");
    return next(s);
}
