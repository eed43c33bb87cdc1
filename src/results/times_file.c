#include "results/times_file.h"

#include "base/file.h"
#include "results/fact.h"
#include "results/format.h"
#include "results/row_text.h"
#include "stats/stats.h"
#include "model/suite.h"

#define KIND "times"

enum { BIN_LIMIT = 64 * BINS_PER_OCTAVE };

/* The columns after argument, process and count. */
static const struct {
    const char *name;
    double part;
} columns[] = {
    { "min", 0 },    { "p1", 0.01 },  { "p5", 0.05 },     { "p10", 0.1 },
    { "p25", 0.25 }, { "p50", 0.5 },  { "p75", 0.75 },    { "p90", 0.9 },
    { "p95", 0.95 }, { "p99", 0.99 }, { "p99.9", 0.999 }, { "max", 1 },
};

enum { COLUMNS = sizeof(columns) / sizeof(*columns) };

/* Counts exceeding times; puts as many as list has room for there, evenly spaced. */
static int exceed(const double *us, int n, double limit, int step, struct disturbed *list)
{
    int found = 0;
    for (int i = 0; i < n; i++)
        if (us[i] > limit && found++ % step == 0 && list != NULL)
            list->index[list->n++] = i;
    return found;
}

struct disturbed disturbed_find(const double *us, double *sorted, int n, double tick_us)
{
    struct disturbed list = { .n = 0 };
    if (n == 0)
        return list;
    memcpy(sorted, us, (size_t)n * sizeof(double));
    double median = stats_median(sorted, n);
    for (int i = 0; i < n; i++)
        sorted[i] = fabs(us[i] - median);
    double spread = 1.4826 * stats_median(sorted, n);
    double limit = median + 3 * fmax(spread, tick_us);
    int found = exceed(us, n, limit, 1, NULL);
    exceed(us, n, limit, (found + MAX_DISTURBED - 1) / MAX_DISTURBED, &list);
    return list;
}

int times_bin(double us)
{
    double bin = us > 0 ? floor(BINS_PER_OCTAVE * log2(us)) : -BIN_LIMIT;
    return (int)fmax(-BIN_LIMIT, fmin(bin, BIN_LIMIT));
}

/* The numbers of a row have at most 24 bytes, its bins 17, its times 17. */
long long times_longest(const struct suite *s)
{
    long long n = s->max_repetition, longest = 24 * (4 + COLUMNS) + 64;
    long long bins = n < 2 * BIN_LIMIT ? n : 2 * BIN_LIMIT;
    longest += 17 * (n < MAX_DISTURBED ? n : MAX_DISTURBED);
    longest += s->options.histogram ? 17 * bins : 0;
    return longest + (s->options.raw ? 17 * n : 0);
}

/* Memory for the times, those of all processes, a sorted copy, and a growing text. */
long long times_memory(const struct suite *s, size_t arguments)
{
    long long one = (long long)sizeof(double) * s->max_repetition;
    return one * (2 * (long long)arguments + 1) + 3 * times_longest(s);
}

static void begin_block(struct text *out, const char *label)
{
    format_begin_list(out, label);
    text_add(out, "# argument process count");
    for (size_t i = 0; i < COLUMNS; i++)
        text_add(out, " %s", columns[i].name);
    text_add(out, "\n");
}

static void add_bins(struct text *out, const double *sorted, int n)
{
    text_add(out, " bins=");
    for (int from = 0, to = 0; from < n; from = to) {
        int bin = times_bin(sorted[from]);
        while (to < n && times_bin(sorted[to]) == bin)
            to++;
        text_add(out, "%s%d:%d", from == 0 ? "" : ",", bin, to - from);
    }
}

static double mean_of(const double *sorted, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += sorted[i];
    return fmax(sorted[0], fmin(sum / n, sorted[n - 1]));
}

void times_add_row(struct text *out, const struct times_row *row)
{
    int n = row->n;
    text_add(out, "%ld %d %d", row->argument, row->process, n);
    if (n > 0)
        memcpy(row->sorted, row->us, (size_t)n * sizeof(double));
    stats_sort(row->sorted, n);
    for (size_t i = 0; i < COLUMNS; i++)
        row_add_time(out, " ", n > 0 ? stats_percentile(row->sorted, n, columns[i].part) : NAN);
    row_begin_details(out);
    row_add_count(out, "late", row->late);
    if (n > 0)
        row_add_number(out, "mean", mean_of(row->sorted, n));
    if (row->histogram && n > 0)
        add_bins(out, row->sorted, n);
    if (row->disturbed->n > 0)
        text_add(out, " disturbed=");
    for (int i = 0; i < row->disturbed->n && row->disturbed->index[i] < n; i++)
        text_add(out, "%s%.9g", i == 0 ? "" : ",", row->us[row->disturbed->index[i]]);
    if (row->raw && n > 0)
        text_add(out, " times=");
    for (int i = 0; row->raw && i < n; i++)
        text_add(out, "%s%.9g", i == 0 ? "" : ",", row->us[i]);
    text_add(out, "\n");
}

int times_file_create(struct times_file *f, const char *results, struct err *e)
{
    *f = (struct times_file){ .results = results, .fd = -1 };
    f->fd = temporary_create(results, KIND, &f->path, e);
    return f->fd < 0 ? -1 : file_sync_directory(results, e);
}

/* Fails if another program removed or changed the file, which is not used any more. */
static int check_unchanged(struct times_file *f, struct err *e)
{
    struct stat own;
    struct text before = f->path;
    if (file_is_named(f->fd, text_get(&f->path), &own) && own.st_size == f->end)
        return 0;
    const char *results = f->results;
    close(f->fd);
    int rc = times_file_create(f, results, e);
    text_add(&f->changed, "'%s' was removed or changed during the run; further times are in '%s'",
             text_get(&before), text_get(&f->path));
    text_release(&before);
    return rc;
}

static int write_bytes(struct times_file *f, const char *bytes, size_t len, struct err *e)
{
    if (file_append(f->fd, f->path.s, bytes, len, e) != 0)
        return -1;
    f->hash = hash_more(f->hash, bytes, len);
    f->len += (long long)len;
    return 0;
}

void times_file_add(struct times_file *f, const struct suite *s, const char *bytes, size_t len)
{
    LOCAL_TEXT head = { 0 };
    if (f == NULL || f->results == NULL || err_is_set(&f->wrong))
        return;
    if (f->len == 0) {
        f->hash = HASH_OF_NOTHING;
        if (check_unchanged(f, &f->wrong) != 0)
            return;
        begin_block(&head, label_of(s));
        if (write_bytes(f, head.s, head.len, &f->wrong) != 0)
            return;
    }
    write_bytes(f, bytes, len, &f->wrong);
}

static int complete(struct times_file *f, struct text *notes, struct err *e)
{
    LOCAL_TEXT end = { 0 };
    char hash[17];
    format_end_list(&end);
    if (write_bytes(f, end.s, end.len, e) != 0 || file_sync(f->fd, f->path.s, e) != 0)
        return -1;
    snprintf(hash, sizeof(hash), "%016" PRIx64, f->hash);
    fact_write(notes, FACT_TIMES, { .text = file_name(f->path.s) }, { .number = (double)f->end },
               { .number = (double)f->len }, { .text = hash });
    f->end += f->len;
    f->len = 0;
    return 0;
}

int times_file_end(struct times_file *f, struct text *notes, struct err *e)
{
    int rc = 0;
    if (err_is_set(&f->wrong))
        rc = err_set(e, "%s", f->wrong.text);
    else if (f->len > 0)
        rc = complete(f, notes, e);
    times_file_drop(f);
    return rc;
}

void times_file_drop(struct times_file *f)
{
    struct err e = { "" };
    if (f->len > 0)
        file_cut(f->fd, text_get(&f->path), (size_t)f->end, &e);
    f->len = 0;
    f->wrong = (struct err){ "" };
}

void times_file_release(struct times_file *f)
{
    if (f->results != NULL && f->fd >= 0)
        close(f->fd);
    text_release(&f->path);
    text_release(&f->changed);
    *f = (struct times_file){ .fd = -1 };
}
