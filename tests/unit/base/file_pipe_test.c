#define _GNU_SOURCE /* F_SETPIPE_SZ */
#include "../test.h"

#include "base/file.h"

#include "pattern.h"

#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/time.h>

static volatile int *signals; /* that the parent has handled */

static void count_signal(int number)
{
    ++*signals;
}

/* A signal each millisecond interrupts reading and writing. 0: no more. */
static void interrupt_every(suseconds_t us)
{
    const struct itimerval every = { { 0, us }, { 0, us } };
    assert_int_equal(setitimer(ITIMER_REAL, &every, NULL), 0);
}

enum { PIPED = 300 * KIB, FULL = 64 * KIB, NO_MORE = 1 << 30 };

/* In a child: reads in parts; its exit status says whether all was right. */
static void drain(int fd, const char *bytes)
{
    static char got[PIPED + 1];
    size_t len = 0;
    ssize_t n;
    int queued = 0;
    while (queued < FULL && *signals < NO_MORE && ioctl(fd, FIONREAD, &queued) == 0)
        sched_yield();
    for (int until = *signals + 10; *signals < until && *signals < NO_MORE;)
        sched_yield();
    while ((n = read(fd, got + len, sizeof(got) - len)) > 0)
        len += (size_t)n;
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
    LOCAL_STRING content = pattern(PIPED);
    struct sigaction action = { .sa_handler = count_signal };
    signals =
        mmap(NULL, sizeof(*signals), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(signals != MAP_FAILED);
    assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(fcntl(ends[1], F_SETPIPE_SZ, FULL), FULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ends[1]);
        drain(ends[0], content);
    }
    close(ends[0]);
    interrupt_every(1000);
    int rc = file_write_synced(ends[1], "pipe", content, PIPED, &e);
    interrupt_every(0);
    *signals = NO_MORE;
    close(ends[1]);
    check_child(child);
    assert_string_equal(e.text, "");
    assert_int_equal(rc, 0);
}

/* Without file_report_limits() the signal would end the process. */
TEST(test_no_reader)
{
    int ends[2];
    signal(SIGPIPE, SIG_DFL);
    file_report_limits();
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    FAILS(file_write_synced(ends[1], "pipe", "x", 1, &e), "cannot write 'pipe': Broken pipe");
    close(ends[1]);
}
