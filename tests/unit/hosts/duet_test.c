/* Two processes take turns. */
#include "../test.h"

#include "hosts/duet.h"

#include "../files.h"

enum { VISITS = 100, SIDES = 2, GONE = 7 };

static const char *const pipes[SIDES] = { "a:b", "b:a" };

/* A run: the numbers of its suites, and the visits of each. */
struct run {
    int suites[3], count, visits;
    bool dies; /* after its last visit */
};

static void note(int log, const char *text)
{
    assert_true(write(log, text, strlen(text)) == (ssize_t)strlen(text));
}

/* Notes the begin and the end of each visit, with ? one that the other run does not make. Returns
 * an exit status. */
static int perform(const struct run *run, int side)
{
    struct duet d = { .on = true };
    int log = open("log", O_WRONLY | O_APPEND | O_CREAT, 0600);
    if (duet_open(&d, pipes[side], NO_ERR) != 0 ||
        duet_wait(&d, (struct duet_place){ -1, -1, -1 }, NO_ERR) != 0)
        return 1;
    for (int i = 0; i < run->count; i++)
        for (int visit = 0; visit < run->visits; visit++) {
            char text[32];
            duet_sleep(&d);
            int rc = duet_wait(&d, (struct duet_place){ 0, run->suites[i], visit }, NO_ERR);
            if (rc < 0)
                return GONE;
            duet_wake(&d);
            snprintf(text, sizeof(text), rc > 0 ? "%c%d.%d? " : "%c%d.%d ", 'A' + side,
                     run->suites[i], visit);
            note(log, text);
            note(log, ". ");
        }
    if (!run->dies)
        duet_close(&d);
    return d.slept_s > 0.0 && d.turns == run->count * run->visits + 1 ? 0 : 1;
}

/* Returns the log, owned by the caller; status: of both. */
static char *duet_of(const struct run runs[SIDES], int status[SIDES])
{
    pid_t children[SIDES];
    char *log = calloc(1, 64000);
    remove("log");
    remove("a");
    remove("b");
    assert_int_equal(mkfifo("a", 0600) | mkfifo("b", 0600), 0);
    for (int side = 0; side < SIDES; side++)
        if ((children[side] = fork()) == 0)
            _exit(perform(&runs[side], side));
    for (int side = 0; side < SIDES; side++) {
        assert_int_equal(waitpid(children[side], &status[side], 0), children[side]);
        status[side] = WEXITSTATUS(status[side]);
    }
    int file = open("log", O_RDONLY);
    assert_true(file >= 0 && read(file, log, 63999) > 0);
    close(file);
    return log;
}

TEST_WITH(at_equal_places_both_follow_each_other_in_a_random_order, enter_directory,
          leave_directory)
{
    const struct run run = { .suites = { 3 }, .count = 1, .visits = VISITS };
    int status[SIDES], first[SIDES] = { 0, 0 };
    char *log = duet_of((const struct run[]){ run, run }, status), *at = log;
    assert_int_equal(status[0] | status[1], 0);
    for (int visit = 0; visit < VISITS; visit++) {
        char one[40], other[40];
        snprintf(one, sizeof(one), "A3.%d . B3.%d . ", visit, visit);
        snprintf(other, sizeof(other), "B3.%d . A3.%d . ", visit, visit);
        if (strncmp(at, one, strlen(one)) != 0 && strncmp(at, other, strlen(other)) != 0)
            fail_msg("visit %d: %.40s", visit, at);
        first[*at == 'B']++;
        at += strlen(one);
    }
    assert_string_equal(at, "");
    assert_true(first[0] >= VISITS / 4 && first[1] >= VISITS / 4);
    free(log);
}

TEST_WITH(the_run_with_the_earlier_place_goes_first, enter_directory, leave_directory)
{
    int status[SIDES];
    const struct run runs[] = { { .suites = { 1, 2, 4 }, .count = 3, .visits = 2 },
                                { .suites = { 1, 3 }, .count = 2, .visits = 3 } };
    LOCAL_STRING log = duet_of(runs, status);
    assert_int_equal(status[0] | status[1], 0);
    assert_non_null(strstr(log, "B1.2? . A2.0? . A2.1? . B3.0? . B3.1? . B3.2? . A4.0? . "));
}

TEST_WITH(a_run_notices_that_the_other_one_has_died, enter_directory, leave_directory)
{
    int status[SIDES];
    const struct run runs[] = { { .suites = { 1 }, .count = 1, .visits = 2, .dies = true },
                                { .suites = { 1, 2 }, .count = 2, .visits = 2 } };
    LOCAL_STRING log = duet_of(runs, status);
    assert_int_equal(status[0], 0);
    assert_int_equal(status[1], GONE);
    assert_null(strstr(log, "B2"));
}

/* Stopped for ever, when it has got so far; the other side waits for it with little patience. */
enum until { OPENED, ANNOUNCED, FIRST_TURN, UNTILS };

static void stop_at(enum until moment)
{
    struct duet d = { .on = true };
    if (moment == OPENED && open("b", O_RDONLY | O_NONBLOCK) >= 0 && open("a", O_RDWR) >= 0)
        raise(SIGSTOP);
    if (duet_open(&d, pipes[1], NO_ERR) == 0 && moment == FIRST_TURN)
        duet_wait(&d, (struct duet_place){ -1, -1, -1 }, NO_ERR);
    raise(SIGSTOP);
}

TEST_WITH(a_run_that_is_stopped_is_not_waited_for_for_ever, enter_directory, leave_directory)
{
    for (enum until moment = OPENED; moment < UNTILS; moment++) {
        struct duet d = { .on = true };
        struct err e = { "" };
        int status, rc = 0;
        remove("a");
        remove("b");
        assert_int_equal(mkfifo("a", 0600) | mkfifo("b", 0600), 0);
        pid_t child = fork();
        if (child == 0)
            stop_at(moment);
        if (moment == OPENED)
            assert_int_equal(waitpid(child, &status, WUNTRACED), child);
        d.patience_ms = moment == OPENED ? 20 : 0;
        rc = duet_open(&d, pipes[0], &e);
        d.patience_ms = 20;
        for (int visit = 0; rc == 0; visit++)
            rc = duet_wait(&d, (struct duet_place){ 0, 0, visit }, &e);
        assert_non_null(strstr(e.text, "the other run of the duet has done nothing for 0.02 s"));
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, &status, 0), child);
    }
}

TEST_WITH(wrong_pipes, enter_directory, leave_directory)
{
    static const struct {
        const char *pipes, *error;
    } cases[] = { { "a", "option '--duet': expected OWN:OTHER, got 'a'" },
                  { "none:b", "cannot open the pipe 'none': No such file or directory" },
                  { "a:none", "cannot open the pipe 'none': No such file or directory" },
                  { "file:a", "cannot open the pipe 'file': it is no pipe" },
                  { "a:file", "cannot open the pipe 'file': it is no pipe" },
                  { "link:a", "cannot open the pipe 'link': it is no pipe" },
                  { "/dev/zero:a", "cannot open the pipe '/dev/zero': it is no pipe" },
                  { "a:link", "cannot open the pipe 'link': it is no pipe" } };
    make_file("file", "", 0);
    assert_int_equal(mkfifo("a", 0600) | symlink("file", "link"), 0);
    EACH(c, cases) {
        struct duet d = { .on = true };
        struct err e = { "" };
        assert_int_equal(duet_open(&d, c->pipes, &e), -1);
        assert_string_equal(e.text, c->error);
    }
}
