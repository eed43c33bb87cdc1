#include "hosts/fault.h"

#include "base/file.h"
#include "model/suite.h"

#include <ctype.h>
#include <signal.h>

#define WHY "the MPI library accesses GPU memory from the host in "

struct block {
    const char *from, *to;
};

/* All that the handler uses: it must not call more than strlen and write. */
static struct {
    struct block blocks[MEMORY_KINDS];
    int count;
    int file; /* -1: none */
    char path[PATH_MAX];
    char shown[FAULT_SIZE + 64], kept[FAULT_SIZE]; /* prepared lines */
    struct sigaction before_segv, before_bus;
} guard = { .file = -1 };

static bool is_guarded(const char *at)
{
    for (int i = 0; i < guard.count; i++)
        if (at >= guard.blocks[i].from && at < guard.blocks[i].to)
            return true;
    return false;
}

/* Another handler, of CUDA or UCX, may know the fault and cure it. */
static void caught(int number, siginfo_t *info, void *context)
{
    const struct sigaction *before = number == SIGBUS ? &guard.before_bus : &guard.before_segv;
    if (is_guarded(info->si_addr)) {
        ssize_t done = write(STDERR_FILENO, guard.shown, strlen(guard.shown));
        if (guard.file >= 0)
            done = write(guard.file, guard.kept, strlen(guard.kept));
        (void)done;
        guard.count = 0; /* said once */
    }
    if (before->sa_flags & SA_SIGINFO)
        before->sa_sigaction(number, info, context);
    else if (before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN)
        before->sa_handler(number);
    else {
        sigaction(number, before, NULL); /* the access is repeated, and ends the process */
        if (info->si_code <= 0)
            raise(number); /* it was sent, so that nothing is repeated */
    }
}

static void path_of(const char *results, int rank, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s.fault.%d", results, rank);
}

/* Empties the file if it is the handler's, perhaps torn. */
static int take_over(int file, const char *path, struct err *e)
{
    LOCAL_TEXT text = { 0 };
    if (file_read_open(file, path, FAULT_SIZE - 1, &text, e) != 0)
        return -1;
    return text.len == 0 || strstr(text.s, WHY) != NULL
               ? file_cut(file, path, 0, e)
               : err_set(e, "'%s' is not skampi's; rename it", path);
}

int fault_keep(const char *results, int rank, struct err *e)
{
    path_of(results, rank, guard.path);
    guard.file = file_open_own(guard.path, O_CREAT | O_APPEND, S_IRUSR | S_IWUSR, e);
    if (guard.file < 0)
        return -1;
    int rc = take_over(guard.file, guard.path, e);
    if (rc != 0) {
        close(guard.file);
        guard.file = -1;
    }
    return rc;
}

void fault_guard(const char *from, size_t bytes)
{
    struct sigaction own = { .sa_sigaction = caught, .sa_flags = SA_SIGINFO | SA_NODEFER };
    if (guard.count == 0) {
        sigaction(SIGSEGV, &own, &guard.before_segv);
        sigaction(SIGBUS, &own, &guard.before_bus);
    }
    guard.blocks[guard.count++] = (struct block){ from, from + bytes };
}

void fault_name(const char *label, const char *operation)
{
    snprintf(guard.shown, sizeof(guard.shown), "skampi: %s: " WHY "%s%s\n", label, operation,
             guard.file < 0 ? "" : "; start again to go on without it");
    snprintf(guard.kept, sizeof(guard.kept), "%s " WHY "%s\n", label, operation);
}

void fault_end(void)
{
    if (guard.file < 0)
        return;
    if (file_is_named(guard.file, guard.path, &(struct stat){ 0 }))
        unlink(guard.path);
    close(guard.file);
    guard.file = -1;
}

/* Is it what the handler writes, all of it? */
static bool is_report(const char *text)
{
    const char *end = text;
    while (*end != '\0' && !iscntrl((unsigned char)*end))
        end++;
    return *end == '\n' && strstr(text, " " WHY) != NULL;
}

void fault_read(const char *results, int rank, char text[FAULT_SIZE])
{
    char path[PATH_MAX];
    LOCAL_TEXT all = { 0 };
    struct err none = { "" };
    path_of(results, rank, path);
    text[0] = '\0';
    if (file_read(path, FAULT_SIZE - 1, &all, &none) == 0 && is_report(all.s))
        snprintf(text, FAULT_SIZE, "%.*s", (int)strcspn(all.s, "\n"), all.s);
}
