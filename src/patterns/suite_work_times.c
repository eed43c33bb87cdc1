#include "patterns/suite_work.h"

#include "results/times_file.h"

enum { TAG_TIMES = 54, PART_BYTES = 16 * 1024 };

static bool is_timed(const struct measurement *m, int rank)
{
    return (suite_pattern(m->suite)->traits & PATTERN_OWN_TIMES) != 0 &&
           (!pattern_is_pair(m) || rank == m->home || rank == m->at.partner);
}

static struct argument_times *find(const struct kept_times *k, long argument)
{
    for (size_t i = 0; i < k->count; i++)
        if (k->list[i].argument == argument)
            return &k->list[i];
    return NULL;
}

static void append(double **all, int *n, const double *us, int more)
{
    *all = allocated(realloc(*all, ((size_t)*n + (size_t)more + 1) * sizeof(double)));
    if (more > 0)
        memcpy(*all + *n, us, (size_t)more * sizeof(double));
    *n += more;
}

void times_keep(struct kept_times *k, struct measurement *m, const struct series *s, long argument)
{
    struct argument_times *t = find(k, argument);
    if (t == NULL) {
        grow_for_one(&k->list, k->count, &k->capacity, sizeof(*k->list));
        t = &k->list[k->count++];
        *t = (struct argument_times){ .argument = argument };
    }
    append(&t->own_us, &t->own_n, s->own.list, s->own.n);
    t->late += s->own_late;
    if (m->all.rank != m->home)
        return;
    append(&t->us, &t->n, s->times_us, s->n);
    t->invalid += s->invalid;
}

void times_release(struct kept_times *k)
{
    for (size_t i = 0; i < k->count; i++) {
        free(k->list[i].own_us);
        free(k->list[i].us);
    }
    free(k->list);
    *k = (struct kept_times){ 0 };
}

static struct times_row own_row(const struct measurement *m, const struct argument_times *t,
                                double *sorted, const struct disturbed *disturbed)
{
    return (struct times_row){ .argument = t->argument,
                               .process = m->all.rank,
                               .us = t->own_us,
                               .sorted = sorted,
                               .n = t->own_n,
                               .late = t->late,
                               .disturbed = disturbed,
                               .histogram = m->suite->options.histogram,
                               .raw = m->suite->options.raw };
}

/* Sends a text in parts, the last one shorter. */
static void send_text(struct measurement *m, const struct text *row)
{
    for (size_t at = 0;; at += PART_BYTES) {
        int part = (int)(row->len - at < PART_BYTES ? row->len - at : PART_BYTES);
        MPI_Send(row->s + at, part, MPI_BYTE, m->home, TAG_TIMES, m->control);
        if (part < PART_BYTES)
            break;
    }
}

static void send_row(struct measurement *m, const struct argument_times *t, double *sorted)
{
    struct disturbed disturbed;
    LOCAL_TEXT row = { 0 };
    control_receive(&m->resources->clock, &disturbed, sizeof(disturbed), MPI_BYTE, m->home,
                    TAG_TIMES, m->control);
    const struct times_row own = own_row(m, t, sorted, &disturbed);
    times_add_row(&row, &own);
    send_text(m, &row);
}

/* Receives in parts, so that home needs no more memory for a longer row. */
static void receive_row(struct measurement *m, int from, struct times_file *file)
{
    char part[PART_BYTES];
    int len;
    do {
        MPI_Status status;
        MPI_Recv(part, PART_BYTES, MPI_BYTE, from, TAG_TIMES, m->control, &status);
        MPI_Get_count(&status, MPI_BYTE, &len);
        times_file_add(file, m->suite, part, (size_t)len);
    } while (len == PART_BYTES);
}

static void write_row(struct measurement *m, struct times_row row, struct times_file *file)
{
    LOCAL_TEXT text = { 0 };
    times_add_row(&text, &row);
    times_file_add(file, m->suite, text_get(&text), text.len);
}

/* Collects rows, which all processes prepare at the same time. */
static void collect(struct measurement *m, const struct argument_times *t, double *sorted,
                    struct times_file *file)
{
    const struct disturbed disturbed =
        disturbed_find(t->us, sorted, t->n, m->resources->clock.tick_s * 1e6);
    struct times_row all = own_row(m, t, sorted, &disturbed);
    for (int i = 0; i < m->all.size; i++)
        if (i != m->all.rank && is_timed(m, i))
            MPI_Send(&disturbed, sizeof(disturbed), MPI_BYTE, i, TAG_TIMES, m->control);
    all.process = TIMES_OF_ALL;
    all.us = t->us;
    all.n = t->n;
    all.late = t->invalid;
    write_row(m, all, file);
    for (int i = 0; i < m->all.size; i++)
        if (i != m->all.rank && is_timed(m, i))
            receive_row(m, i, file);
        else if (is_timed(m, i))
            write_row(m, own_row(m, t, sorted, &disturbed), file);
}

void times_send_home(struct measurement *m, const struct kept_times *k, long argument,
                     struct times_file *file)
{
    const struct argument_times *t = find(k, argument);
    double *sorted;
    allocated_array(&sorted, (size_t)fmax(t->n, t->own_n));
    if (m->all.rank == m->home)
        collect(m, t, sorted, file);
    else if (is_timed(m, m->all.rank))
        send_row(m, t, sorted);
    free(sorted);
}
