#include "hosts/duet.h"

#include "base/interrupt.h"
#include "clock/clock.h"
#include "model/permutation.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

/* How long the other run may take to start, in tries every 10 ms. */
enum { PATIENCE_S = 120, TRIES_PER_S = 100 };

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

/* Reads a message; 0: the other run has closed its end, -1: a signal came. Before the other run has
 * opened the pipe, a read would find an end, but poll waits. */
static int receive(const struct duet *d, void *message, size_t size)
{
    struct pollfd ready = { .fd = d->in, .events = POLLIN };
    while (poll(&ready, 1, -1) < 0)
        if (errno != EINTR || interrupt_name() != NULL)
            return -1;
    return read(d->in, message, size) == (ssize_t)size;
}

static void announce(const struct duet *d, const void *message, size_t size)
{
    if (!d->alone && write(d->out, message, size) < 0 && errno != EPIPE)
        perror("skampi: --duet");
}

/* Also in a simulation, where sleeping takes no time. */
static void pause_shortly(void)
{
    poll(NULL, 0, 1000 / TRIES_PER_S);
}

static int open_pipes(struct duet *d, const char *own, const char *other, struct err *e)
{
    d->in = open(own, O_RDONLY | O_NONBLOCK);
    if (d->in < 0)
        return err_set(e, "cannot open the pipe '%s': %s", own, strerror(errno));
    for (int i = 0; i < PATIENCE_S * TRIES_PER_S && interrupt_name() == NULL; i++) {
        d->out = open(other, O_WRONLY | O_NONBLOCK);
        if (d->out >= 0)
            return 0;
        if (errno != ENXIO)
            return err_set(e, "cannot open the pipe '%s': %s", other, strerror(errno));
        pause_shortly();
    }
    return err_set(e,
                   "the other run of the duet has not come within %d s; rank 0 of both must be on "
                   "the same host",
                   PATIENCE_S);
}

/* Learns the random number of the other run. Until that has opened the pipe, it has an end if
 * somebody else has opened it before. */
static int exchange(const struct duet *d, uint64_t mine, uint64_t *its, struct err *e)
{
    announce(d, &mine, sizeof(mine));
    for (int i = 0; i < PATIENCE_S * TRIES_PER_S && interrupt_name() == NULL; i++) {
        if (receive(d, its, sizeof(*its)) == 1)
            return 0;
        pause_shortly();
    }
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
    char *own = strndup(pipes, (size_t)(colon - pipes));
    if (own == NULL)
        return err_no_memory(e, strlen(pipes));
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
    announce(d, &at, sizeof(at));
    d->turns++;
    /* Neither run knows the first place of the other. Later, each has the last one. */
    for (bool is_known = d->turns > 1; !d->alone && !(is_known && is_first(d, &at));) {
        int got = receive(d, &d->other, sizeof(d->other));
        if (got < 0)
            return 0;
        if (got == 0)
            return err_set(e, "the other run of the duet has ended before its last visit");
        is_known = true;
        d->alone = place_compare(&d->other, &last) == 0;
    }
    return 0;
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
