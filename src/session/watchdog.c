#include "session/watchdog.h"

#include "results/log.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { STATUS = 1 };

static void write_all(int fd, const struct text *t)
{
    for (size_t done = 0; done < t->len;) {
        ssize_t n = write(fd, t->s + done, t->len - done);
        if (n < 0 && errno != EINTR)
            return;
        done += n > 0 ? (size_t)n : 0;
    }
}

/* Only what a signal handler may call. */
static void bark(int number, siginfo_t *info, void *context)
{
    const struct watchdog *w = info->si_value.sival_ptr;
    (void)number;
    (void)context;
    if (info->si_code != SI_TIMER || !w->armed)
        return;
    write_all(w->log_fd, &w->line);
    fsync(w->log_fd);
    write_all(STDERR_FILENO, &w->message);
    _exit(STATUS);
}

int watchdog_init(struct watchdog *w, double limit_s, int log_fd, struct err *e)
{
    struct sigaction action = { .sa_sigaction = bark, .sa_flags = SA_SIGINFO | SA_RESTART };
    struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM };
    *w = (struct watchdog){ .limit_s = limit_s, .log_fd = log_fd };
    if (limit_s <= 0.0)
        return 0;
    event.sigev_value.sival_ptr = w;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGALRM, &action, NULL) != 0 ||
        timer_create(CLOCK_MONOTONIC, &event, &w->timer) != 0)
        return err_set(e, "no timer for @SUITETIMEOUT: %s", strerror(errno));
    w->created = true;
    return 0;
}

static void prepare(struct watchdog *w, const char *label)
{
    struct text rest = { 0 };
    text_release(&w->line);
    text_release(&w->message);
    text_add(&rest, "%s took longer than @SUITETIMEOUT, %g minutes", label, w->limit_s / 60.0);
    log_line(&w->line, time(NULL) + (time_t)ceil(w->limit_s), LOG_SUITE_CRASHED, text_get(&rest));
    text_add(&w->message,
             "\nskampi: suite '%s' takes longer than @SUITETIMEOUT, %g minutes; the run ends here, "
             "start it again to go on behind this suite\n",
             label, w->limit_s / 60.0);
    w->line.failed = w->line.failed || rest.failed || w->message.failed;
    text_release(&rest);
}

static int set_timer(struct watchdog *w, double seconds)
{
    struct itimerspec at = { .it_value = { .tv_sec = (time_t)seconds } };
    at.it_value.tv_nsec = (long)((seconds - floor(seconds)) * 1e9);
    return timer_settime(w->timer, 0, &at, NULL);
}

int watchdog_arm(struct watchdog *w, const char *label, struct err *e)
{
    if (!w->created)
        return 0;
    prepare(w, label);
    if (w->line.failed)
        return err_no_memory(e, strlen(label));
    w->armed = 1;
    if (set_timer(w, w->limit_s) != 0)
        return err_set(e, "no timer for @SUITETIMEOUT: %s", strerror(errno));
    return 0;
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
    *w = (struct watchdog){ 0 };
}
