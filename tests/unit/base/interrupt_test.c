/* A run that does not end after a signal is ended by a timer. */
#include "../test.h"

#include "base/interrupt.h"

#include <time.h>

/* Replaces the C library's function: the time is over at once. */
int timer_settime(timer_t timer, int flags, const struct itimerspec *at, struct itimerspec *before)
{
    return at->it_value.tv_sec == 10 ? raise(SIGTERM) : -1;
}

TEST(a_run_that_does_not_end_is_ended)
{
    static const int signals[] = { SIGTERM, SIGINT };
    for (size_t i = 0; i < COUNT(signals); i++) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            interrupt_watch();
            raise(signals[i]);
            for (;;)
                pause();
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    }
}
