#include "patterns/times_home.h"

#include "patterns/pattern.h"
#include "results/times_text.h"

#include <limits.h>

enum { TAG_TIMES = 54, PART_BYTES = 16 * 1024 };

static bool each_is_timed(const struct run *r)
{
    return (suite_pattern(r->suite)->traits & PATTERN_OWN_TIMES) != 0;
}

/* Does this process have times of its own? */
static bool is_timed(const struct run *r, int rank)
{
    bool pair = (suite_pattern(r->suite)->traits & PATTERN_ONE_PAIR) != 0;
    return !pair || rank == r->home || rank == r->partner;
}

static struct times_row own_row(struct run *r, long argument, const struct disturbed *disturbed)
{
    struct own_times *own = &r->own_times;
    return (struct times_row){ .argument = argument,
                               .process = r->rank,
                               .us = own->us,
                               .sorted = own->sorted,
                               .n = own->n,
                               .late = own->late,
                               .disturbed = disturbed,
                               .histogram = r->suite->options.histogram,
                               .raw = r->suite->options.raw };
}

static int check(const struct text *row, struct err *e)
{
    return row->failed || row->len > INT_MAX ? err_no_memory(e, row->len) : 0;
}

/* The last part is shorter than the others; there is only an empty one if the row is missing. */
static void send_text(struct run *r, const struct text *row)
{
    size_t len = row == NULL ? 0 : row->len;
    for (size_t at = 0;; at += PART_BYTES) {
        int part = (int)(len - at < PART_BYTES ? len - at : PART_BYTES);
        MPI_Send(len > 0 ? row->s + at : NULL, part, MPI_BYTE, r->home, TAG_TIMES, r->control);
        if (part < PART_BYTES)
            break;
    }
}

static void send_row(struct run *r, long argument)
{
    struct disturbed disturbed;
    struct text row = { 0 };
    struct err e = { "" };
    MPI_Recv(&disturbed, sizeof(disturbed), MPI_BYTE, r->home, TAG_TIMES, r->control,
             MPI_STATUS_IGNORE);
    struct times_row own = own_row(r, argument, &disturbed);
    times_add_row(&row, &own);
    send_text(r, check(&row, &e) == 0 ? &row : NULL);
    text_release(&row);
}

/* In parts, so that home needs no more memory for a longer row. */
static int receive_row(struct run *r, int from, struct times_file *file, struct err *e)
{
    char part[PART_BYTES];
    int len, total = 0;
    do {
        MPI_Status status;
        MPI_Recv(part, PART_BYTES, MPI_BYTE, from, TAG_TIMES, r->control, &status);
        MPI_Get_count(&status, MPI_BYTE, &len);
        times_file_add(file, r->suite, part, (size_t)len);
        total += len;
    } while (len == PART_BYTES);
    return total == 0 ? err_set(e, "rank %d ran out of memory", from) : 0;
}

static int write_row(struct run *r, const struct times_row *row, struct times_file *file,
                     struct err *e)
{
    struct text text = { 0 };
    times_add_row(&text, row);
    int rc = check(&text, e);
    if (rc == 0)
        times_file_add(file, r->suite, text_get(&text), text.len);
    text_release(&text);
    return rc;
}

/* The other processes prepare their rows at the same time. */
static int collect(struct run *r, struct series *s, long argument, struct times_file *file,
                   struct err *e)
{
    double tick_us = r->machine->clock.tick_s * 1e6;
    struct disturbed disturbed = disturbed_find(s->times_us, s->sorted, s->n, tick_us);
    struct times_row own = own_row(r, argument, &disturbed), all = own;
    all.process = TIMES_OF_ALL;
    all.us = s->times_us;
    all.sorted = s->sorted;
    all.n = s->n;
    all.late = s->invalid;
    for (int i = 0; i < r->size && each_is_timed(r); i++)
        if (i != r->rank && is_timed(r, i))
            MPI_Send(&disturbed, sizeof(disturbed), MPI_BYTE, i, TAG_TIMES, r->control);
    int rc = write_row(r, &all, file, e);
    for (int i = 0; i < r->size && each_is_timed(r); i++)
        if (is_timed(r, i))
            rc |= i == r->rank ? write_row(r, &own, file, e) : receive_row(r, i, file, e);
    return rc;
}

int times_send_home(struct run *r, struct series *s, long argument, struct times_file *file,
                    struct err *e)
{
    if (r->rank == r->home)
        return collect(r, s, argument, file, e);
    if (each_is_timed(r))
        send_row(r, argument);
    return 0;
}
