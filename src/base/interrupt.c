#include "base/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

enum { PATIENCE_S = 10 };

/* The only means by which a handler can report a signal. */
static volatile sig_atomic_t came;
static timer_t timer;

/* Calls only async-signal-safe functions. */
static void remember(int number)
{
    const struct itimerspec at = { .it_value = { .tv_sec = PATIENCE_S } };
    came = number;
    signal(SIGTERM, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    timer_settime(timer, 0, &at, NULL);
}

void interrupt_watch(void)
{
    struct sigaction action = { .sa_handler = remember, .sa_flags = SA_RESTART };
    struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGTERM };
    sigemptyset(&action.sa_mask);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) {
        sigaction(SIGTERM, &action, NULL);
        sigaction(SIGINT, &action, NULL);
    }
}

const char *interrupt_name(void)
{
    const char *name = came == SIGINT ? "SIGINT" : "SIGTERM";
    return came == 0 ? NULL : name;
}
