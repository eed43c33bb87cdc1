#include "../test.h"

#include "base/file.h"

#include "pattern.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void ignore_signal(int number)
{
}

/* Signals that interrupt reading and writing. */
static void let_signals_interrupt(void)
{
    struct sigaction action = { .sa_handler = ignore_signal };
    assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
}

static void disturb_parent(void)
{
    struct timespec pause = { 0, 10000000 };
    nanosleep(&pause, NULL);
    kill(getppid(), SIGUSR1);
    nanosleep(&pause, NULL);
}

enum { PIPED = 300 * KIB }; /* more than a pipe takes at once */

/* In a child: reads in parts; its exit status says whether all was right. */
static void drain(int fd, const char *bytes)
{
    static char got[PIPED + 1];
    size_t len = 0;
    ssize_t n;
    disturb_parent(); /* after part of it was written */
    disturb_parent(); /* and when the pipe is full */
    while ((n = read(fd, got + len, sizeof(got) - len)) > 0) {
        len += (size_t)n;
        if (len == 64 * KIB)
            disturb_parent();
    }
    _exit(len == PIPED && memcmp(got, bytes, PIPED) == 0 ? 0 : 1);
}

static void check_child(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

TEST(test_write_interrupted_and_in_parts)
{
    int ends[2];
    struct err e = { "" };
    char *content = pattern(PIPED);
    let_signals_interrupt();
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ends[1]);
        drain(ends[0], content);
    }
    close(ends[0]);
    int rc = file_write_synced(ends[1], "pipe", content, PIPED, &e);
    close(ends[1]);
    check_child(child);
    assert_string_equal(e.text, "");
    assert_int_equal(rc, 0);
    free(content);
}

/* Without file_report_limits() the signal would end the process. */
TEST(test_no_reader)
{
    int ends[2];
    struct err e = { "" };
    signal(SIGPIPE, SIG_DFL);
    file_report_limits();
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    assert_int_equal(file_write_synced(ends[1], "pipe", "x", 1, &e), -1);
    assert_string_equal(e.text, "cannot write 'pipe': Broken pipe");
    close(ends[1]);
}
