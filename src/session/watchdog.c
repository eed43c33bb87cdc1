#include "session/watchdog.h"

#include "results/log.h"

#include <unistd.h>

enum { STATUS = 1, SIGNALS = 20 };

/* The time to write the last words; the part of the limit for a turn when all of it is spent. */
static const double WRITE_S = 10.0, LEAST_PART = 1e-3;

static void write_all(int fd, const struct text *t)
{
    for (size_t done = 0; fd >= 0 && done < t->len;) {
        ssize_t n = write(fd, t->s + done, t->len - done);
        if (n < 0 && errno != EINTR)
            return;
        done += n > 0 ? (size_t)n : 0;
    }
}

/* 0: no more signals */
static void set_timer(struct watchdog *w, double seconds)
{
    double whole = floor(seconds / SIGNALS);
    struct timespec each = { (time_t)whole, (long)((seconds / SIGNALS - whole) * 1e9) };
    struct itimerspec at = { .it_interval = each, .it_value = each };
    timer_settime(w->timer, 0, &at, NULL);
}

/* The one that writes its last words, which a pipe that nobody reads, or a file server, delays. */
static struct watchdog *volatile ending;

/* Handles the signal: calls only async-signal-safe functions. */
static void expire(int number, siginfo_t *info, void *context)
{
    struct watchdog *w = info->si_value.sival_ptr;
    if (info->si_code != SI_TIMER || (ending != NULL && ending != w) ||
        (ending == NULL && !w->armed) || --w->left > 0)
        return;
    if (ending != NULL)
        _exit(STATUS);
    w->armed = 0;
    if (w->ends) {
        w->left = SIGNALS;
        ending = w;
        set_timer(w, w->write_s);
    }
    if (w->rows != NULL) {
        write_all(w->rows_fd, w->rows);
        w->rows->len = 0;
    }
    write_all(w->journal_fd, &w->line);
    fsync(w->journal_fd);
    write_all(w->log_fd, &w->line);
    write_all(STDOUT_FILENO, &w->last);
    write_all(STDERR_FILENO, &w->message);
    if (w->ends)
        _exit(STATUS);
}

int watchdog_init(struct watchdog *w, double limit_s, int rank, struct err *e)
{
    struct sigaction action = { .sa_sigaction = expire,
                                .sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER };
    struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM };
    *w = (struct watchdog){ .ends = limit_s > 0.0,
                            .limit_s = limit_s,
                            .write_s = WRITE_S,
                            .limit = "@SUITETIMEOUT",
                            .rank = rank };
    w->journal_fd = w->log_fd = w->rows_fd = -1;
    w->signals = SIGNALS + (rank < SIGNALS ? rank : SIGNALS);
    if (limit_s == 0.0)
        return 0;
    event.sigev_value.sival_ptr = w;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGALRM, &action, NULL) != 0 ||
        timer_create(CLOCK_MONOTONIC, &event, &w->timer) != 0)
        return err_set(e, "cannot create a timer for @SUITETIMEOUT: %s", strerror(errno));
    w->created = true;
    return 0;
}

/* A rank does not know which one hangs, or whether rank 0 has ended the run already. */
static void add_end(struct watchdog *w, const char *label, const char *at)
{
    text_add(&w->message, "\nskampi: ");
    if (w->rank != 0)
        text_add(&w->message, "on rank %d, ", w->rank);
    text_add(&w->message, "suite '%s'%s takes longer than %s (%g minutes); the run ends here%s\n",
             label, at, w->limit, w->limit_s / 60.0,
             w->keeps ? "; restart to continue with the next suite" : "");
}

static void add_warning(struct watchdog *w, const char *label, const char *at)
{
    text_add(&w->message,
             "\nskampi: warning: suite '%s' hangs%s, or is very slow: not finished after %g "
             "minutes; wait, or end the run (Ctrl-C)%s. Of the first %d processes, these have not "
             "finished the argument:\n",
             label, at, w->limit_s / 60.0,
             w->keeps ? " and start it again: it keeps what is measured, and tries this suite "
                        "last; @SUITETIMEOUT does so by itself"
                      : "",
             WATCHDOG_RANKS);
}

/* Prepares the texts to print and write later; at: "", or " at argument 8". */
static void prepare(struct watchdog *w, const char *label, const char *at)
{
    LOCAL_TEXT rest = { 0 };
    const double minutes = w->limit_s / 60.0;
    text_release(&w->line);
    text_release(&w->message);
    text_release(&w->last);
    if (w->ends)
        text_add(&rest, "%s%s took longer than %s (%g minutes)", label, at, w->limit, minutes);
    else
        text_add(&rest, "%s%s was not finished after %g minutes", label, at, minutes);
    log_line(&w->line, w->expires, w->ends ? LOG_SUITE_CRASHED : LOG_SUITE_SILENT, text_get(&rest));
    if (w->ends && w->add_last != NULL)
        w->add_last(&w->last, text_get(&rest));
    if (w->ends)
        add_end(w, label, at);
    else if (w->rank == 0)
        add_warning(w, label, at);
    if (!w->ends) {
        char host[HOST_NAME_MAX + 1] = "";
        gethostname(host, sizeof(host) - 1);
        text_add(&w->message, "    rank %d, process %ld on %s\n", w->rank, (long)getpid(), host);
    }
}

void watchdog_arm(struct watchdog *w, const char *label, double spent_s)
{
    double rest_s = fmax(w->limit_s - spent_s, LEAST_PART * w->limit_s);
    if (!w->created)
        return;
    watchdog_disarm(w);
    w->expires = time(NULL) + (time_t)ceil(rest_s);
    prepare(w, label, "");
    w->left = w->signals;
    w->armed = 1;
    set_timer(w, rest_s);
}

void watchdog_name(struct watchdog *w, const char *label, const char *argument)
{
    bool armed = w->armed != 0;
    w->armed = 0;
    if (armed)
        prepare(w, label, argument);
    w->armed = armed;
}

void watchdog_disarm(struct watchdog *w)
{
    if (!w->created)
        return;
    w->armed = 0;
    set_timer(w, 0.0);
}

void watchdog_release(struct watchdog *w)
{
    if (w->created)
        timer_delete(w->timer);
    text_release(&w->line);
    text_release(&w->message);
    text_release(&w->last);
    *w = (struct watchdog){ 0 };
}
