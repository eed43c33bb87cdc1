#include "hosts/duet.h"

#include "base/interrupt.h"
#include "base/text.h"
#include "clock/clock.h"
#include "model/permutation.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* How long the other run may take to start, and from one turn to the next; when this is said, and
 * how often it is looked for. Looks are counted: a process that is stopped itself does not wait. */
enum { START_MS = 120000, TURN_MS = 600000, SAID_MS = 10000, LOOK_MS = 1000, OPEN_MS = 10 };

static const struct duet_place last = { INT_MAX, INT_MAX, INT_MAX };

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

/* Adds what this process has used so far, times 1 or -1. */
static void count_use(struct duet *d, double times)
{
    struct rusage use;
    if (!d->on)
        return;
    getrusage(RUSAGE_SELF, &use);
    d->slept_s += times * hostclock_now();
    d->cpu_s += times * (seconds_of(use.ru_utime) + seconds_of(use.ru_stime));
    d->wakeups += times * (double)use.ru_nvcsw;
}

void duet_sleep(struct duet *d)
{
    count_use(d, -1.0);
}

void duet_wake(struct duet *d)
{
    count_use(d, 1.0);
}

/* A wait for the other run. */
struct wait {
    int waited_ms, patience_ms;
};

static struct wait begin(const struct duet *d, int usual_ms)
{
    return (struct wait){ .patience_ms = d->patience_ms > 0 ? d->patience_ms : usual_ms };
}

/* Waits for a message or, with none to come (fd -1), for some milliseconds. 1: it has come; -1: a
 * signal came, or the other run has done nothing for too long. */
static int look(struct wait *w, int fd, int ms)
{
    struct pollfd ready = { .fd = fd, .events = POLLIN };
    int step_ms = ms < w->patience_ms ? ms : w->patience_ms;
    int rc = poll(&ready, 1, step_ms), before_ms = w->waited_ms;
    if (rc == 0)
        w->waited_ms += step_ms;
    if (before_ms < SAID_MS && w->waited_ms >= SAID_MS)
        fprintf(stderr,
                "skampi: --duet: waiting for the other run, which has done nothing for %d s; this "
                "run ends after %d s\n",
                w->waited_ms / 1000, w->patience_ms / 1000);
    if (rc > 0)
        return 1;
    return interrupt_name() != NULL || w->waited_ms >= w->patience_ms ? -1 : 0;
}

static int too_long(const struct wait *w, struct err *e)
{
    return err_set(e,
                   "the other run of the duet has done nothing for %g s: it is stopped, on another "
                   "host, or one of its visits takes longer",
                   w->patience_ms / 1000.0);
}

/* Reads a message; 0: the other run has closed its end, -1: a signal came, or the wait is too long.
 * Before the other run has opened the pipe, a read would find an end, but poll waits. */
static int receive(const struct duet *d, struct wait *w, void *message, size_t size, struct err *e)
{
    int come;
    while ((come = look(w, d->in, LOOK_MS)) == 0)
        continue;
    if (come < 0)
        return interrupt_name() != NULL ? -1 : too_long(w, e);
    return read(d->in, message, size) == (ssize_t)size;
}

static void announce(const struct duet *d, const void *message, size_t size)
{
    if (!d->alone && write(d->out, message, size) < 0 && errno != EPIPE)
        perror("skampi: --duet");
}

/* -1: errno; a file that is no pipe is neither read nor written. */
static int open_pipe(const char *path, int how)
{
    struct stat st;
    int fd = open(path, how | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || (fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode)))
        return fd;
    close(fd);
    errno = ESPIPE;
    return -1;
}

static int not_opened(const char *path, struct err *e)
{
    return err_set(e, "cannot open the pipe '%s': %s", path,
                   errno == ESPIPE || errno == ELOOP ? "it is no pipe" : strerror(errno));
}

static int open_pipes(struct duet *d, const char *own, const char *other, struct err *e)
{
    struct wait w = begin(d, START_MS);
    d->in = open_pipe(own, O_RDONLY);
    if (d->in < 0)
        return not_opened(own, e);
    while ((d->out = open_pipe(other, O_WRONLY)) < 0) {
        if (errno != ENXIO)
            return not_opened(other, e);
        if (look(&w, -1, OPEN_MS) < 0)
            return interrupt_name() == NULL ? too_long(&w, e)
                                            : err_set(e, "ended by %s", interrupt_name());
    }
    return 0;
}

/* Learns the random number of the other run. Until that has opened the pipe, it has an end if
 * somebody else has opened it before. */
static int exchange(const struct duet *d, uint64_t mine, uint64_t *its, struct err *e)
{
    struct wait w = begin(d, START_MS);
    announce(d, &mine, sizeof(mine));
    do
        if (receive(d, &w, its, sizeof(*its), e) > 0)
            return 0;
    while (!err_is_set(e) && look(&w, -1, OPEN_MS) == 0);
    return err_set(e, "the other run of the duet has ended");
}

int duet_open(struct duet *d, const char *pipes, struct err *e)
{
    /* Not from clock and process, which two simulations have in common. */
    uint64_t mine = 0, its = 0;
    const char *colon = strrchr(pipes, ':');
    d->in = d->out = -1;
    if (colon == NULL)
        return err_set(e, "option '--duet': expected OWN:OTHER, got '%s'", pipes);
    char *own = allocated(strndup(pipes, (size_t)(colon - pipes)));
    signal(SIGPIPE, SIG_IGN);
    int rc = open_pipes(d, own, colon + 1, e);
    free(own);
    if (rc == 0 && getrandom(&mine, sizeof(mine), 0) != sizeof(mine))
        rc = err_set(e, "cannot get a random number: %s", strerror(errno));
    if (rc == 0)
        rc = exchange(d, mine, &its, e);
    d->id = (uint32_t)(mine ^ its);
    d->leads = mine > its;
    return rc;
}

static int place_compare(const struct duet_place *a, const struct duet_place *b)
{
    if (a->round != b->round)
        return a->round < b->round ? -1 : 1;
    if (a->suite != b->suite)
        return a->suite < b->suite ? -1 : 1;
    return (a->visit > b->visit) - (a->visit < b->visit);
}

/* Is it this run's turn, when both wait? */
static bool is_first(const struct duet *d, const struct duet_place *at)
{
    int order = place_compare(at, &d->other);
    uint64_t which =
        ((uint64_t)at->round << 40) ^ ((uint64_t)at->suite << 20) ^ (uint64_t)at->visit;
    return order < 0 || (order == 0 && d->leads == (permutation_key(d->id, which) & 1));
}

int duet_wait(struct duet *d, struct duet_place at, struct err *e)
{
    bool meets = place_compare(&d->other, &at) == 0;
    announce(d, &at, sizeof(at));
    d->turns++;
    /* Neither run knows the first place of the other. Later, each has the last one. */
    for (bool is_known = d->turns > 1; !d->alone && !(is_known && is_first(d, &at));) {
        struct wait w = begin(d, TURN_MS);
        int got = receive(d, &w, &d->other, sizeof(d->other), e);
        if (got < 0)
            return err_is_set(e) ? -1 : 0;
        if (got == 0)
            return err_set(e, "the other run of the duet has ended before its last visit");
        is_known = true;
        meets |= place_compare(&d->other, &at) == 0;
        d->alone = place_compare(&d->other, &last) == 0;
    }
    return meets ? 0 : 1;
}

void duet_close(struct duet *d)
{
    if (!d->on || d->out < 0)
        return;
    announce(d, &last, sizeof(last));
    close(d->out);
    close(d->in);
    d->out = -1;
}
