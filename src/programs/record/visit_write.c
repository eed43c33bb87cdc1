#include "programs/record/visit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { TAG_TEXT = 3, COMMAND_BYTES = 512 };

static void command_line(char *text, size_t bytes)
{
    FILE *in = fopen("/proc/self/cmdline", "r");
    size_t n = in == NULL ? 0 : fread(text, 1, bytes - 1, in);
    if (in != NULL)
        fclose(in);
    while (n > 0 && text[n - 1] == '\0')
        n--;
    text[n] = '\0';
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)text[i] < ' ')
            text[i] = ' ';
}

static void head(struct recording *r, int rank, unsigned long long split)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "", command[COMMAND_BYTES] = "", now[32];
    char host[MPI_MAX_PROCESSOR_NAME + 1] = "";
    time_t t = time(NULL);
    struct tm utc;
    int size, length;
    PMPI_Comm_size(r->comm, &size);
    PMPI_Get_processor_name(host, &length);
    PMPI_Get_library_version(version, &length);
    version[strcspn(version, "\n")] = '\0';
    command_line(command, sizeof(command));
    strftime(now, sizeof(now), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&t, &utc));
    snprintf(r->part->text, TEXT_BYTES,
             "#@PROFILE 1\n#@PROGRAM %s\n#@STARTED %s\n#@MPILIBRARY %.200s\n#@PROCESSES %d\n"
             "#@HOSTS %d\n#@SPLIT %llu\n#@RANK %d %s\n",
             command, now, version, size, handles_hosts(), split, rank, host);
}

/* Is the file of this process another program's, which is recorded there and still runs (spawned
 * processes are one), or is there anything else that no recorder has written? */
static bool is_taken(const char *path, int rank)
{
    char part[RECORD_PATH + 16], head[4] = "";
    snprintf(part, sizeof(part), "%s.parts/%d", path, rank);
    int file = part_file(part, 0);
    if (file < 0)
        return errno != ENOENT && errno != ENOTDIR;
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    bool taken = fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    if (read(file, head, sizeof(head)) > 0 && head[0] != '\0')
        taken = taken || memcmp(head, "#@PR", sizeof(head)) != 0;
    close(file);
    return taken;
}

/* A second program at the same time has a file of its own, named after one of its processes. */
static void choose_path(struct recording *r, int rank)
{
    const char *wanted = getenv("SKAMPI_RECORD");
    long own = 0, first;
    int n = snprintf(r->path, RECORD_PATH - 64, "%s",
                     wanted == NULL || *wanted == '\0' ? "skampi.profile" : wanted);
    if (is_taken(r->path, rank))
        own = (long)getpid();
    PMPI_Allreduce(&own, &first, 1, MPI_LONG, MPI_MAX, r->comm);
    if (first > 0 && n < RECORD_PATH - 64)
        snprintf(r->path + n, 32, ".%ld", first);
}

int recording_open(struct recording *r, unsigned long long split)
{
    int rank, failed, any;
    PMPI_Comm_rank(r->comm, &rank);
    choose_path(r, rank);
    int n = snprintf(r->part_path, RECORD_PATH - 16, "%.*s.parts", RECORD_PATH - 48, r->path);
    mkdir(r->part_path, 0777);
    snprintf(r->part_path + n, 16, "/%d", rank);
    r->part = part_new(r->part_path);
    failed = r->part == NULL;
    PMPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, r->comm);
    if (any)
        return -1;
    head(r, rank, split);
    return 0;
}

static const char *word(const struct cell_key *k, int has, int is, const char *yes, const char *no)
{
    const char *which = (k->marks & is) != 0 ? yes : no;
    return (k->marks & has) == 0 ? "-" : which;
}

static void write_histogram(FILE *out, const struct cell *c)
{
    fprintf(out, " arrivals=%lld lead_us=%.3f histogram=", (long long)c->arrivals, c->lead_s * 1e6);
    for (int i = 0, first = 1; i < ARRIVAL_BINS; i++)
        if (c->histogram[i] > 0) {
            fprintf(out, "%s%d:%u", first ? "" : ",", i, c->histogram[i]);
            first = 0;
        }
}

static void write_sent_to(FILE *out, const int64_t *bytes, int processes)
{
    const char *before = " to=";
    for (int i = 0; i < processes; i++)
        if (bytes[i] > 0) {
            fprintf(out, "%s%d:%lld", before, i, (long long)bytes[i]);
            before = ",";
        }
}

static void write_cell(FILE *out, const struct cell *c, const int64_t *sent_to)
{
    static const char *const roots[] = { "-", "fixed", "rotating", "elsewhere" };
    const struct cell_key *k = &c->key;
    int width = (k->marks & MARK_OCTAVE) != 0 ? 4 : 1;
    long long low = k->bin < 0 ? 0 : bin_low(k->bin);
    long long high = k->bin < 0 ? 0 : bin_low(k->bin + width) - 1;
    fprintf(out, "%s %d %d %lld %lld %s %s %s %s %d %lld %lld %.3f %.3f", c->name, k->processes,
            k->hosts, low, high < low ? low : high, roots[k->root],
            word(k, MARK_DATA, MARK_GAPS, "gaps", "contiguous"),
            word(k, MARK_PLACE, MARK_IN_PLACE, "inplace", "apart"),
            word(k, MARK_OP, MARK_OWN_OP, "own", "predefined"), k->requests, (long long)c->calls,
            (long long)c->bytes, c->sum_s * 1e6, c->max_s * 1e6);
    if (width > 1)
        fprintf(out, " coarse=1");
    if (c->split_calls > 0)
        fprintf(out, " split=%lld wait_us=%.3f after_us=%.3f", (long long)c->split_calls,
                c->split_wait_s * 1e6, c->split_call_s * 1e6);
    if (c->arrivals > 0)
        write_histogram(out, c);
    if (sent_to != NULL)
        write_sent_to(out, sent_to, k->processes);
    fputc('\n', out);
}

/* A process's part of the file; owned by the caller. NULL without memory. */
static char *text_of(const struct recording *r, size_t *bytes)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, bytes);
    const struct live *l = &r->part->live;
    if (out == NULL)
        return NULL;
    fputs(strstr(r->part->text, "#@RANK"), out);
    fprintf(out, "#@SECONDS %.6f\n#@OWN_SECONDS %.6f\n#@CALLS %lld\n#@LOST %lld\n", l->seconds,
            l->own_s + r->own_s, (long long)l->calls, (long long)l->lost);
    for (int i = 0; i < CELLS; i++)
        if (r->part->cells[i].calls > 0)
            write_cell(out, &r->part->cells[i], r->sent_to[i]);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static void write_others(MPI_Comm comm, FILE *out, bool *good)
{
    int size, bytes;
    PMPI_Comm_size(comm, &size);
    for (int i = 1; i < size; i++) {
        MPI_Status status;
        PMPI_Probe(i, TAG_TEXT, comm, &status);
        PMPI_Get_count(&status, MPI_CHAR, &bytes);
        char *text = malloc((size_t)bytes + 1);
        *good = *good && text != NULL && bytes > 0;
        PMPI_Recv(text, text == NULL ? 0 : bytes, MPI_CHAR, i, TAG_TEXT, comm, MPI_STATUS_IGNORE);
        if (*good)
            *good = fwrite(text, 1, (size_t)bytes, out) == (size_t)bytes;
        free(text);
    }
}

static void write_all(struct recording *r, const char *own, size_t bytes, bool *good)
{
    char path[RECORD_PATH + 32];
    snprintf(path, sizeof(path), "%s.%ld.new", r->path, (long)getpid());
    FILE *out = fopen(path, "wx");
    *good = out != NULL && own != NULL;
    if (*good) {
        int n = (int)(strstr(r->part->text, "#@RANK") - r->part->text);
        *good = fprintf(out, "%.*s#@COMPLETE yes\n", n, r->part->text) > 0 &&
                fwrite(own, 1, bytes, out) == bytes;
    }
    write_others(r->comm, out, good);
    if (out != NULL && fclose(out) != 0)
        *good = false;
    *good = *good && rename(path, r->path) == 0;
    if (*good)
        return;
    fprintf(stderr,
            "skampi-record: cannot write '%s': %s; what each process had is in '%s.parts'\n",
            r->path, strerror(errno), r->path);
    remove(path);
}

void recording_write(struct recording *r)
{
    int rank;
    bool good = false;
    size_t bytes = 0;
    char *own = text_of(r, &bytes);
    PMPI_Comm_rank(r->comm, &rank);
    if (rank == 0)
        write_all(r, own, bytes, &good);
    else
        PMPI_Send(own, own == NULL ? 0 : (int)bytes, MPI_CHAR, 0, TAG_TEXT, r->comm);
    free(own);
    PMPI_Bcast(&good, sizeof(good), MPI_BYTE, 0, r->comm);
    if (!good)
        return;
    part_free(r->part, r->part_path);
    r->part = NULL;
    PMPI_Barrier(r->comm);
    *strrchr(r->part_path, '/') = '\0';
    rmdir(r->part_path);
}
