/* Faults of a child process: it ends by the signal, and leaves what it called. */
#include "../test.h"

#include "hosts/fault.h"

#include <sys/mman.h>
#include <sys/stat.h>

enum { RANK = 3, BYTES = 4096 };

static const char *results(void)
{
    static char path[64];
    snprintf(path, sizeof(path), "/tmp/skampi_fault_%d", (int)getppid());
    return path;
}

static void access_guarded(char *memory)
{
    *(volatile char *)(memory + BYTES / 2) = 1;
}

static void access_other(char *memory)
{
    mprotect(memory, BYTES, PROT_READ);
    *(volatile char *)(memory + 2 * BYTES) = 1;
}

static void send_signal(char *memory)
{
    kill(getpid(), SIGSEGV);
}

/* The signal that ends a child in which this is done while the first of three pages is guarded. */
static int ended_by(void (*act)(char *memory))
{
    int status;
    const char *name = results();
    pid_t child = fork();
    if (child == 0) {
        void *memory = NULL;
        if (posix_memalign(&memory, BYTES, 3 * BYTES) != 0 ||
            mprotect(memory, 3 * BYTES, PROT_NONE) != 0)
            _exit(1);
        freopen("/dev/null", "w", stderr);
        signal(SIGSEGV, SIG_DFL); /* not cmocka's handler */
        fault_guard(memory, BYTES);
        if (fault_keep(name, RANK, &(struct err){ "" }) != 0)
            _exit(1);
        fault_name("syncol_A", "MPI_Scan");
        act(memory);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST(an_access_is_kept_with_its_name)
{
    char text[FAULT_SIZE];
    assert_int_equal(ended_by(access_guarded), SIGSEGV);
    fault_read(results(), RANK, text);
    assert_string_equal(text,
                        "syncol_A the MPI library accesses GPU memory from the host in MPI_Scan");
}

TEST(other_faults_end_the_process_and_leave_nothing)
{
    char text[FAULT_SIZE];
    assert_int_equal(ended_by(access_other), SIGSEGV);
    fault_read(results(), RANK, text);
    assert_string_equal(text, "");
    assert_int_equal(ended_by(send_signal), SIGSEGV);
    fault_read(results(), RANK, text);
    assert_string_equal(text, "");
}

static void make_link(const char *path)
{
    assert_int_equal(symlink("/dev/zero", path), 0);
}

static void make_pipe(const char *path)
{
    assert_int_equal(mkfifo(path, 0600), 0);
}

static void make_notes(const char *path)
{
    FILE *f = fopen(path, "w");
    assert_true(f != NULL && fputs("my notes\n", f) >= 0 && fclose(f) == 0);
}

/* It is neither read, waited for, written nor removed. */
TEST(other_files_remain)
{
    static const struct {
        void (*make)(const char *path);
        const char *why;
    } cases[] = {
        { make_link, "it is a symbolic link; name another file" },
        { make_pipe, "not a regular file" },
        { make_notes, "' is not skampi's; rename it" },
    };
    char path[80], text[FAULT_SIZE];
    snprintf(path, sizeof(path), "%s.fault.%d", results(), RANK);
    remove(path);
    EACH(c, cases) {
        struct stat before, after;
        struct err e = { "" };
        c->make(path);
        assert_int_equal(lstat(path, &before), 0);
        fault_read(results(), RANK, text);
        assert_string_equal(text, "");
        assert_int_equal(fault_keep(results(), RANK, &e), -1);
        assert_non_null(strstr(e.text, c->why));
        fault_end();
        assert_int_equal(lstat(path, &after), 0);
        assert_true(before.st_ino == after.st_ino && before.st_size == after.st_size);
        assert_int_equal(remove(path), 0);
    }
}

TEST(only_the_user_reads_a_fault)
{
    char path[80];
    struct stat st;
    snprintf(path, sizeof(path), "%s.fault.%d", results(), RANK);
    mode_t before = umask(0);
    assert_int_equal(fault_keep(results(), RANK, &(struct err){ "" }), 0);
    umask(before);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    fault_end();
    assert_int_equal(access(path, F_OK), -1);
}
