#include "../test.h"

#include "base/scratch.h"

#include "../text_files.h"

TEST_IN_DIRECTORY(made_and_removed)
{
    struct scratch s, other;
    struct stat status;
    assert_int_equal(scratch_make(&s, ".", NO_ERR), 0);
    assert_int_equal(stat(s.id.path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0700);
    close(scratch_open(&s, "skampi-io.1", O_CREAT | O_EXCL, NO_ERR));
    assert_int_equal(scratch_open(&s, "skampi-io.1", O_CREAT | O_EXCL, NO_ERR), -1);
    assert_true(scratch_join(&other, &s.id));
    int fd = scratch_open(&other, "skampi-io.1", 0, NO_ERR);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(scratch_release(&other, NO_ERR), 0);
    assert_true(file_exists(s.id.path));
    assert_int_equal(scratch_release(&s, NO_ERR), 0);
    assert_int_equal(count_files(), 0);
}

/* The name is that of this process; what is there stays as it is. */
TEST_IN_DIRECTORY(names_in_use)
{
    struct scratch first, s;
    char name[3][SCRATCH_PATH_SIZE];
    assert_int_equal(scratch_make(&first, ".", NO_ERR), 0);
    strcpy(name[0], first.id.path);
    assert_int_equal(scratch_release(&first, NO_ERR), 0);
    snprintf(name[1], sizeof(name[1]), "%.4000s-2", name[0]);
    snprintf(name[2], sizeof(name[2]), "%.4000s-3", name[0]);
    write_text(name[0], "a user\'s");
    assert_int_equal(symlink("/tmp", name[1]), 0);
    assert_int_equal(scratch_make(&s, ".", NO_ERR), 0);
    assert_string_equal(s.id.path, name[2]);
    assert_int_equal(scratch_sweep("."), 0);
    assert_int_equal(scratch_release(&s, NO_ERR), 0);
    assert_true(file_exists(name[0]) && file_exists(name[1]) && !file_exists(name[2]));
}

/* A link that somebody puts in the place of a file is not followed. */
TEST_IN_DIRECTORY(links_in_it)
{
    struct scratch s;
    struct err e = { "" };
    char name[SCRATCH_PATH_SIZE + 32], path[SCRATCH_PATH_SIZE];
    write_text("mine", "a user\'s");
    assert_int_equal(scratch_make(&s, ".", &e), 0);
    strcpy(path, s.id.path);
    snprintf(name, sizeof(name), "%s/skampi-io.1", s.id.path);
    assert_int_equal(symlink("../mine", name), 0);
    assert_int_equal(scratch_open(&s, "skampi-io.1", O_CREAT | O_EXCL, &e), -1);
    e.text[0] = '\0';
    assert_int_equal(scratch_open(&s, "skampi-io.1", 0, &e), -1);
    e.text[0] = '\0';
    assert_int_equal(scratch_release(&s, &e), -1);
    assert_non_null(strstr(e.text, "cannot remove"));
    assert_true(file_exists("mine"));
    assert_int_equal(unlink(name), 0);
    assert_int_equal(rmdir(path), 0);
}

/* Files of others in it stay, and so does the directory. */
TEST_IN_DIRECTORY(foreign_file_in_it)
{
    struct scratch s;
    char name[SCRATCH_PATH_SIZE + 32];
    assert_int_equal(scratch_make(&s, ".", NO_ERR), 0);
    snprintf(name, sizeof(name), "%s/precious", s.id.path);
    write_text(name, "a user\'s");
    char path[SCRATCH_PATH_SIZE];
    strcpy(path, s.id.path);
    assert_int_equal(scratch_release(&s, NO_ERR), -1);
    assert_true(file_exists(name));
    assert_int_equal(unlink(name), 0);
    assert_int_equal(rmdir(path), 0);
}

/* A child that makes a directory, with a file, and is killed, or waits until then. */
static pid_t child_with_directory(const struct scratch_id *again, int *ready)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        struct scratch s;
        int rc =
            again == NULL ? scratch_make(&s, ".", NO_ERR) : scratch_make_again(&s, again, NO_ERR);
        bool made = rc == 0 && scratch_open(&s, "skampi-io.1", O_CREAT | O_EXCL, NO_ERR) >= 0;
        if (write(ends[1], made ? "y" : "n", 1) == 1)
            pause();
        _exit(1);
    }
    char answer = 'n';
    assert_int_equal(read(ends[0], &answer, 1), 1);
    assert_int_equal(answer, 'y');
    close(ends[1]);
    *ready = ends[0];
    return pid;
}

static bool stops_at_sync;

/* In place of the system's: a process that is about to say who owns its directory may be delayed.
 */
int fsync(int fd)
{
    if (stops_at_sync)
        raise(SIGSTOP);
    return fd >= 0 ? 0 : -1;
}

/* Another run that starts meanwhile does not remove the directory. */
TEST_IN_DIRECTORY(stopped_while_making)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        struct scratch s;
        stops_at_sync = true;
        _exit(scratch_make(&s, ".", NO_ERR) == 0 &&
                      scratch_open(&s, "skampi-io.1", O_CREAT | O_EXCL, NO_ERR) >= 0
                  ? 0
                  : 1);
    }
    assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
    assert_true(WIFSTOPPED(status));
    assert_int_equal(scratch_sweep("."), 0);
    assert_int_equal(count_files(), 1);
    kill(pid, SIGCONT);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_int_equal(scratch_sweep("."), 1);
    assert_int_equal(count_files(), 0);
}

TEST_IN_DIRECTORY(sweeping)
{
    struct err e = { "" };
    struct scratch foreign;
    int ready;
    pid_t pid = child_with_directory(NULL, &ready);
    assert_int_equal(scratch_sweep("."), 0);
    assert_int_equal(count_files(), 1);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    close(ready);
    assert_int_equal(mkdir("skampi-io-like-ours", 0700), 0);
    assert_int_equal(count_files(), 2);
    assert_int_equal(scratch_sweep("."), 1);
    assert_int_equal(count_files(), 1);
    assert_int_equal(rmdir("skampi-io-like-ours"), 0);
    foreign = SCRATCH_NONE;
    assert_false(scratch_join(&foreign, &(struct scratch_id){ "./none", "" }));
    assert_int_equal(scratch_sweep("no directory"), 0);
    assert_string_equal(e.text, "");
}

/* Others stay; a text that names no run removes nothing. */
TEST_IN_DIRECTORY(semaphores)
{
    static const char other[] = "/dev/shm/sem.TEST_skampi-io.1.1.1.rank0";
    struct scratch s;
    char begin[SCRATCH_NAME_SIZE], own[128];
    assert_int_equal(scratch_make(&s, ".", NO_ERR), 0);
    assert_true(scratch_name(s.id.owner, begin));
    snprintf(own, sizeof(own), "/dev/shm/sem.TEST_%s1.rank0", begin);
    make_file(own, "", 0);
    make_file(other, "", 0);
    scratch_remove_semaphores("skampi-io");
    assert_true(file_exists(own));
    scratch_remove_semaphores(s.id.owner);
    assert_false(file_exists(own));
    assert_int_equal(unlink(other), 0);
    assert_int_equal(scratch_release(&s, NO_ERR), 0);
}

/* For another host, which this one cannot ask whether its process lives. */
TEST_IN_DIRECTORY(of_other_hosts)
{
    static const char owner[] = "skampi-io otherhost process 1 time 1\n";
    assert_int_equal(mkdir("skampi-io-otherhost-1", 0700), 0);
    write_text("skampi-io-otherhost-1/skampi-io.owner", owner);
    assert_int_equal(scratch_sweep("."), 0);
    assert_true(file_exists("skampi-io-otherhost-1/skampi-io.owner"));
    assert_int_equal(unlink("skampi-io-otherhost-1/skampi-io.owner"), 0);
}

/* A directory for this host in a run that begins on another one. */
TEST_IN_DIRECTORY(of_a_run_of_another_host)
{
    static const struct scratch_id id = { "./skampi-io-otherhost-1",
                                          "skampi-io otherhost process 1 time 1\n" };
    int ready;
    pid_t pid = child_with_directory(&id, &ready);
    struct scratch joined;
    assert_false(scratch_join(&joined, &id));
    assert_int_equal(scratch_sweep("."), 0);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    close(ready);
    assert_int_equal(scratch_sweep("."), 1);
    assert_int_equal(count_files(), 0);
}

TEST_IN_DIRECTORY(what_cannot_be_used)
{
    static const struct {
        const char *path, *why;
    } cases[] = {
        { "missing", "cannot use 'missing': No such file or directory" },
        { "file", "cannot use 'file': not a directory" },
        { "/proc/self/map_files/x", "cannot use '/proc/self/map_files/x': " },
        { ".", "" },
    };
    make_file("file", "", 0);
    EACH(c, cases) {
        struct err e = { "" };
        int rc = scratch_check(c->path, &e);
        assert_int_equal(strncmp(e.text, c->why, strlen(c->why)), 0);
        assert_int_equal(rc == 0, *c->why == '\0');
    }
    struct err e = { "" };
    struct scratch s;
    assert_int_equal(scratch_make(&s, "/proc/self", &e), -1);
    assert_non_null(strstr(e.text, "cannot make a directory in '/proc/self': "));
}
