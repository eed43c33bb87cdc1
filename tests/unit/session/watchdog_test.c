#define _DEFAULT_SOURCE /* syscall */
#include "../test.h"

#include "session/watchdog.h"

#include <sys/syscall.h>

/* The limit of suites that hang, and how long a stopped process stays so. */
static const double SHORT_S = 0.06;
static const struct timespec STOPPED = { 0, 200000000 };

/* Runs act in a child process, which may end it or stop, and then goes on after more than SHORT_S.
 * Returns its status, and its log and messages (through pipes). */
static int run_child(void (*act)(int log_fd), char *log, char *message, size_t size)
{
    int to_log[2], to_message[2], status;
    assert_int_equal(pipe(to_log) | pipe(to_message), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        dup2(to_message[1], STDERR_FILENO);
        act(to_log[1]);
        _exit(77);
    }
    close(to_log[1]);
    close(to_message[1]);
    memset(log, 0, size);
    memset(message, 0, size);
    while (waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status)) {
        nanosleep(&STOPPED, NULL);
        kill(pid, SIGCONT);
    }
    assert_true(read(to_log[0], log, size - 1) >= 0);
    assert_true(read(to_message[0], message, size - 1) >= 0);
    close(to_log[0]);
    close(to_message[0]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void arm(struct watchdog *w, double limit_s, double spent_s, int log_fd)
{
    int rc = watchdog_init(w, limit_s, 0, NO_ERR);
    w->log_fd = log_fd;
    w->keeps = true;
    if (rc != 0)
        _exit(76);
    watchdog_arm(w, "col_a", spent_s);
}

/* Hangs like an MPI library: without sleeping. */
static void hang(int log_fd)
{
    struct watchdog w;
    arm(&w, SHORT_S, 0.0, log_fd);
    for (volatile int i = 0;; i = !i)
        ;
}

/* In a turn of a suite whose other turns took the time already. */
static void hang_in_a_later_turn(int log_fd)
{
    struct watchdog w;
    arm(&w, 60.0, 60.0, log_fd);
    for (;;)
        pause();
}

/* A signal of the timer that was on its way, and would be the last one, comes afterwards; no more
 * follow. */
static void finish_in_time(int log_fd)
{
    LOCAL(watchdog) w;
    struct itimerspec left;
    siginfo_t late = { .si_code = SI_TIMER };
    arm(&w, 60.0, 0.0, log_fd);
    watchdog_disarm(&w);
    w.left = 1;
    late.si_value.sival_ptr = &w;
    if (syscall(SYS_rt_sigqueueinfo, getpid(), SIGALRM, &late) != 0 ||
        timer_gettime(w.timer, &left) != 0 || left.it_value.tv_sec != 0 ||
        left.it_value.tv_nsec != 0)
        _exit(75);
}

static void have_no_limit(int log_fd)
{
    LOCAL(watchdog) w;
    arm(&w, 0.0, 0.0, log_fd);
    if (w.created)
        _exit(75);
    watchdog_disarm(&w);
}

/* A signal of another process, or one that arrives late. */
static void get_a_signal(int log_fd)
{
    LOCAL(watchdog) w;
    arm(&w, 60.0, 0.0, log_fd);
    raise(SIGALRM);
}

TEST(test_hanging_suite)
{
    char log[512], message[512];
    assert_int_equal(run_child(hang, log, message, sizeof(log)), 1);
    assert_int_equal(strlen(log) > 21 ? strcmp(log + 21, "suite-crashed col_a took longer than "
                                                         "@SUITETIMEOUT (0.001 minutes)\n")
                                      : -1,
                     0);
    assert_string_equal(message, "\nskampi: suite 'col_a' takes longer than @SUITETIMEOUT (0.001 "
                                 "minutes); the run ends here; restart to continue with the next "
                                 "suite\n");
}

static void add_last(struct text *out, const char *why)
{
    text_add(out, "# stopped: %s\n", why);
}

/* Nothing is kept; the rows so far, and why they are the last, are on standard output. */
static void hang_beside_rows(int log_fd)
{
    struct watchdog w;
    struct text rows = { 0 };
    dup2(log_fd, STDOUT_FILENO);
    text_add(&rows, "8 1.0\n");
    watchdog_init(&w, SHORT_S, 0, &(struct err){ "" });
    w.rows = &rows;
    w.rows_fd = STDOUT_FILENO;
    w.limit = "twice @TIMERUN";
    w.add_last = add_last;
    watchdog_arm(&w, "col_a", 0.0);
    watchdog_name(&w, "col_a", " at argument 16");
    for (;;)
        pause();
}

TEST(test_rows_so_far)
{
    char printed[512], message[512];
    assert_int_equal(run_child(hang_beside_rows, printed, message, sizeof(printed)), 1);
    assert_string_equal(printed, "8 1.0\n# stopped: col_a at argument 16 took longer than twice "
                                 "@TIMERUN (0.001 minutes)\n");
    assert_string_equal(message, "\nskampi: suite 'col_a' at argument 16 takes longer than twice "
                                 "@TIMERUN (0.001 minutes); the run ends here\n");
}

/* Standard output is a pipe that is full, which nobody reads. */
static void hang_beside_a_full_pipe(int log_fd)
{
    struct watchdog w;
    char bytes[4096] = "";
    int full[2];
    if (pipe(full) != 0 || fcntl(full[1], F_SETFL, O_NONBLOCK) != 0)
        _exit(76);
    while (write(full[1], bytes, sizeof(bytes)) > 0)
        ;
    fcntl(full[1], F_SETFL, 0);
    dup2(full[1], STDOUT_FILENO);
    watchdog_init(&w, SHORT_S, 0, &(struct err){ "" });
    w.log_fd = log_fd;
    w.add_last = add_last;
    w.write_s = 0.1;
    watchdog_arm(&w, "col_a", 0.0);
    for (;;)
        pause();
}

TEST(test_its_own_writing_has_a_limit)
{
    char log[512], message[512];
    assert_int_equal(run_child(hang_beside_a_full_pipe, log, message, sizeof(log)), 1);
    assert_non_null(strstr(log, "suite-crashed col_a"));
    assert_string_equal(message, "");
}

TEST(test_a_later_turn)
{
    char log[512], message[512];
    assert_int_equal(run_child(hang_in_a_later_turn, log, message, sizeof(log)), 1);
}

/* Hangs like a rank that waits for a stopped rank 0: it has no log. */
static void hang_as_another_rank(int log_fd)
{
    struct watchdog w;
    if (watchdog_init(&w, SHORT_S, 3, NO_ERR) != 0)
        _exit(76);
    watchdog_arm(&w, "col_a", 0.0);
    for (volatile int i = 0;; i = !i)
        ;
}

TEST(test_rank_0_is_stopped)
{
    char log[512], message[512];
    assert_int_equal(run_child(hang_as_another_rank, log, message, sizeof(log)), 1);
    assert_string_equal(log, "");
    assert_string_equal(message,
                        "\nskampi: on rank 3, suite 'col_a' takes longer than @SUITETIMEOUT (0.001 "
                        "minutes); the run ends here\n");
}

/* A higher rank's watchdog expires later, so that only one of them reports. */
TEST(test_ranks_expire_in_order)
{
    static const struct {
        int rank, signals;
    } rows[] = { { 0, 20 }, { 1, 21 }, { 7, 27 }, { 20, 40 }, { 4000, 40 } };
    EACH(c, rows) {
        LOCAL(watchdog) w;
        assert_int_equal(watchdog_init(&w, 0.0, c->rank, NO_ERR), 0);
        assert_int_equal(w.signals, c->signals);
    }
}

/* Signals of a timer that come while the process does not run are one. */
static void be_stopped(int log_fd)
{
    LOCAL(watchdog) w;
    arm(&w, SHORT_S, 0.0, log_fd);
    raise(SIGSTOP);
    if (w.left <= w.signals / 2)
        _exit(75);
}

TEST(test_nothing_hangs)
{
    static void (*const acts[])(int log_fd) = { finish_in_time, have_no_limit, get_a_signal,
                                                be_stopped };
    for (size_t i = 0; i < COUNT(acts); i++) {
        char log[512], message[512];
        assert_int_equal(run_child(acts[i], log, message, sizeof(log)), 77);
        assert_string_equal(log, "");
        assert_string_equal(message, "");
    }
}
