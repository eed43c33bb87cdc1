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

/* Appends times; without memory, the argument has no times at all: n is negative. */
static void append(double **all, int *n, const double *us, int more)
{
    double *longer =
        *n < 0 ? NULL : realloc(*all, ((size_t)*n + (size_t)more + 1) * sizeof(double));
    if (longer == NULL) {
        *n = -1;
        return;
    }
    if (more > 0)
        memcpy(longer + *n, us, (size_t)more * sizeof(double));
    *all = longer;
    *n += more;
}

void times_keep(struct kept_times *k, struct measurement *m, const struct series *s, long argument)
{
    struct argument_times *t = find(k, argument);
    if (t == NULL && !grow_for_one(&k->list, k->count, &k->capacity, sizeof(*k->list)))
        return;
    if (t == NULL) {
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

static int check(const struct text *row, struct err *e)
{
    return row->failed || row->len > INT_MAX ? err_no_memory(e, row->len) : 0;
}

/* Sends a text in parts, the last one shorter; only a missing row has an empty one. */
static void send_text(struct measurement *m, const struct text *row)
{
    size_t len = row == NULL ? 0 : row->len;
    for (size_t at = 0;; at += PART_BYTES) {
        int part = (int)(len - at < PART_BYTES ? len - at : PART_BYTES);
        MPI_Send(len > 0 ? row->s + at : NULL, part, MPI_BYTE, m->home, TAG_TIMES, m->control);
        if (part < PART_BYTES)
            break;
    }
}

/* Sends a row; t is NULL without memory. */
static void send_row(struct measurement *m, const struct argument_times *t, double *sorted)
{
    struct disturbed disturbed;
    LOCAL_TEXT row = { 0 };
    struct err e = { "" };
    control_receive(&m->resources->clock, &disturbed, sizeof(disturbed), MPI_BYTE, m->home,
                    TAG_TIMES, m->control);
    if (sorted != NULL) {
        struct times_row own = own_row(m, t, sorted, &disturbed);
        times_add_row(&row, &own);
    }
    send_text(m, sorted != NULL && check(&row, &e) == 0 ? &row : NULL);
}

/* Receives in parts, so that home needs no more memory for a longer row. */
static int receive_row(struct measurement *m, int from, struct times_file *file, struct err *e)
{
    char part[PART_BYTES];
    int len, total = 0;
    do {
        MPI_Status status;
        MPI_Recv(part, PART_BYTES, MPI_BYTE, from, TAG_TIMES, m->control, &status);
        MPI_Get_count(&status, MPI_BYTE, &len);
        times_file_add(file, m->suite, part, (size_t)len);
        total += len;
    } while (len == PART_BYTES);
    return total == 0 ? err_set(e, "rank %d ran out of memory", from) : 0;
}

static int write_row(struct measurement *m, struct times_row row, struct times_file *file,
                     struct err *e)
{
    LOCAL_TEXT text = { 0 };
    times_add_row(&text, &row);
    int rc = check(&text, e);
    if (rc == 0)
        times_file_add(file, m->suite, text_get(&text), text.len);
    return rc;
}

/* Collects rows, which all processes prepare at the same time. */
static int collect(struct measurement *m, const struct argument_times *t, double *sorted,
                   struct times_file *file, struct err *e)
{
    double tick_us = m->resources->clock.tick_s * 1e6;
    struct disturbed disturbed = { 0 };
    if (sorted != NULL)
        disturbed = disturbed_find(t->us, sorted, t->n, tick_us);
    for (int i = 0; i < m->all.size; i++)
        if (i != m->all.rank && is_timed(m, i))
            MPI_Send(&disturbed, sizeof(disturbed), MPI_BYTE, i, TAG_TIMES, m->control);
    int rc = sorted == NULL ? err_no_memory(e, sizeof(*t)) : 0;
    if (rc == 0) {
        struct times_row all = own_row(m, t, sorted, &disturbed);
        all.process = TIMES_OF_ALL;
        all.us = t->us;
        all.n = t->n;
        all.late = t->invalid;
        rc = write_row(m, all, file, e);
    }
    for (int i = 0; i < m->all.size; i++)
        if (i != m->all.rank && is_timed(m, i))
            rc |= receive_row(m, i, file, e);
        else if (sorted != NULL && is_timed(m, i))
            rc |= write_row(m, own_row(m, t, sorted, &disturbed), file, e);
    return rc;
}

int times_send_home(struct measurement *m, const struct kept_times *k, long argument,
                    struct times_file *file, struct err *e)
{
    const struct argument_times *t = find(k, argument);
    /* Memory to sort them; NULL if there is not enough for it, or was not for the times. */
    bool kept = t != NULL && t->n >= 0 && t->own_n >= 0;
    double *sorted = kept ? malloc(((size_t)fmax(t->n, t->own_n) + 1) * sizeof(double)) : NULL;
    int rc = 0;
    if (m->all.rank != m->home && is_timed(m, m->all.rank))
        send_row(m, t, sorted);
    else if (m->all.rank == m->home)
        rc = collect(m, t, sorted, file, e);
    free(sorted);
    return rc;
}
