#include "../test.h"

#include "finished_runs.h"

#include <errno.h>
#include <sys/wait.h>

/* The process exits after this number of changes; negative: never. The linker requires the names.
 */
static int changes_left = -1;

int __real_link(const char *from, const char *to);
int __real_unlink(const char *path);
int __real_rename(const char *from, const char *to);
int __wrap_link(const char *from, const char *to);
int __wrap_unlink(const char *path);
int __wrap_rename(const char *from, const char *to);

static bool links_fail;

enum { DEAD = 42 };

static void change(void)
{
    if (changes_left-- == 0)
        _exit(DEAD);
}

int __wrap_link(const char *from, const char *to)
{
    change();
    errno = EPERM;
    return links_fail ? -1 : __real_link(from, to);
}

int __wrap_unlink(const char *path)
{
    change();
    return __real_unlink(path);
}

int __wrap_rename(const char *from, const char *to)
{
    change();
    return __real_rename(from, to);
}

/* Does the run still exist, unchanged? */
static bool is_kept(const char *run)
{
    static const char *const names[] = { "out", "out.1", "out.2", "out.3", "out.4", "out.5" };
    for (size_t i = 0; i < COUNT(names); i++) {
        LOCAL_STRING bytes = file_exists(names[i]) ? text_of(names[i]) : NULL;
        bool same = bytes != NULL && strcmp(bytes, run) == 0;
        if (same)
            return true;
    }
    return false;
}

/* Ends a run that exits after a number of changes; false if it needs no more than that. */
static bool dies_after(int changes)
{
    int status;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct err e = { "" };
        struct merge_report report = { 0 };
        changes_left = changes;
        _exit(postproc_finish("out", &report, &e) == 0 ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == DEAD));
    return WEXITSTATUS(status) == DEAD;
}

/* Exits while the third run is merged, and continues: no run is ever lost, and in the end
 * all are merged. */
static bool check_killed(int changes)
{
    struct err e = { "" };
    LOCAL(merge_report) report = { 0 };
    remove_all();
    measure("Monday", "1");
    measure("Tuesday", "2");
    finish("'out' is merged from 2 runs; this one is 'out.2'\n");
    measure("Wednesday", "9");
    bool died = dies_after(changes);
    assert_true(is_kept(RUN("Monday", "1")) && is_kept(RUN("Tuesday", "2")) &&
                is_kept(RUN("Wednesday", "9")));
    measure("Thursday", "10");
    if (postproc_finish("out", &report, &e) != 0)
        fail_msg("%s", e.text);
    check_contains("out", "# runs=4 of=4 ");
    assert_true(is_kept(RUN("Monday", "1")) && is_kept(RUN("Tuesday", "2")) &&
                is_kept(RUN("Wednesday", "9")) && is_kept(RUN("Thursday", "10")));
    return died;
}

TEST_IN_DIRECTORY(test_killed_at_every_change)
{
    int changes = 0;
    while (check_killed(changes))
        changes++;
    assert_int_equal(changes, 3); /* old merge removed, run linked, merge renamed */
    links_fail = true;
    for (changes = 0; check_killed(changes);)
        changes++;
    assert_int_equal(changes, 5); /* old merge removed; for run and merge: no link, renamed */
    links_fail = false;
}
