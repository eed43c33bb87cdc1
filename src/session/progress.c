#include "session/progress.h"

#include "plan/spec.h"
#include "session/estimate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Before that much is done, the time left rests on the estimate alone. */
static const double TRUST_S = 1.0;

/* If standard error is a pipe to the launcher, the launcher may forward it to a terminal. */
static bool launcher_has_terminal(void)
{
    char path[64], target[64] = "";
    struct stat own;
    if (fstat(STDERR_FILENO, &own) != 0 || !S_ISFIFO(own.st_mode))
        return false;
    snprintf(path, sizeof(path), "/proc/%ld/fd/2", (long)getppid());
    ssize_t len = readlink(path, target, sizeof(target) - 1);
    return len > 0 && (strncmp(target, "/dev/pts/", 9) == 0 || strncmp(target, "/dev/tty", 8) == 0);
}

void progress_init(struct progress *g, const struct params *p, bool quiet, double (*now)(void))
{
    *g = (struct progress){ .quiet = quiet, .now = now };
    g->terminal = isatty(STDERR_FILENO) || launcher_has_terminal();
    g->started_s = now();
    g->suite = g->suites = p->suite_count;
}

void progress_expect(struct progress *g, const struct params *p, const struct suite *s,
                     int processes)
{
    g->suite--;
    if (!g->quiet)
        g->all_s += estimate_suite(p, s, processes).seconds;
}

const char *progress_duration(double seconds, char *buffer, size_t size)
{
    long whole = (long)(seconds + 0.5);
    if (whole < 60)
        snprintf(buffer, size, "%ld s", whole);
    else if (whole < 3600)
        snprintf(buffer, size, "%ld:%02ld min", whole / 60, whole % 60);
    else
        snprintf(buffer, size, "%ld:%02ld:%02ld h", whole / 3600, whole / 60 % 60, whole % 60);
    return buffer;
}

/* "[ 3/90] col_MPI_Bcast-length-SM   12 s, about 1:20 min left" */
static void print_line(const struct progress *g, double done_s, const char *before,
                       const char *after)
{
    char so_far[32], left[32];
    double elapsed = g->now() - g->started_s;
    double slowness = (elapsed + TRUST_S) / (done_s + TRUST_S);
    int width = snprintf(NULL, 0, "%zu", g->suites);
    fprintf(stderr, "%s[%*zu/%zu] %-44s %9s", before, width, g->suite, g->suites, g->label,
            progress_duration(elapsed, so_far, sizeof(so_far)));
    fprintf(stderr, ", about %s left",
            progress_duration(slowness * (g->all_s - done_s), left, sizeof(left)));
    fputs(after, stderr);
    fflush(stderr);
}

void progress_begin_suite(struct progress *g, const struct params *p, const struct suite *s,
                          int processes)
{
    g->suite++;
    suite_label(s, g->label, sizeof(g->label));
    if (g->quiet)
        return;
    g->part = estimate_suite(p, s, processes);
    print_line(g, g->done_s, g->terminal ? "\r" : "", g->terminal ? "\033[K" : "\n");
}

void progress_argument(void *context, size_t done)
{
    struct progress *g = context;
    if (!g->quiet && g->terminal)
        print_line(g, g->done_s + g->part.seconds * fmin((double)done / g->part.rows, 1.0), "\r",
                   "\033[K");
}

void progress_end_suite(struct progress *g)
{
    g->done_s += g->part.seconds;
}

void progress_end(struct progress *g, const char *where, const char *shares)
{
    char so_far[32];
    if (g->quiet)
        return;
    fprintf(stderr, "%sskampi: %zu suite%s in %s, results in %s\n", g->terminal ? "\r\033[K" : "",
            g->suite, g->suite == 1 ? "" : "s",
            progress_duration(g->now() - g->started_s, so_far, sizeof(so_far)), where);
    fprintf(stderr, "skampi: time spent: %s\n", shares);
}
