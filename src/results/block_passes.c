#include "results/block.h"
#include "stats/pool.h"

static const double MAX_COUNT = 1e15;

/* Counts are whole numbers that fit an int; others may be any number. */
enum kind { REAL, COUNT, WHOLE };

/* clang-format off */
#define MEMBER(kind, name) { kind, offsetof(struct row, name), 1 }
#define DOUBLES(name)      { REAL, offsetof(struct row, name), LENGTH(name) }
#define LENGTH(name)       sizeof(((struct row *)0)->name) / (sizeof(double))

/* The members of a row, in this order. A member of several numbers is an array of them. */
static const struct member {
    enum kind kind;
    size_t at;
    int numbers;
} members[] = {
    MEMBER(WHOLE, length), MEMBER(WHOLE, argument), MEMBER(COUNT, visits),
    MEMBER(COUNT, stats.cleaned.count), DOUBLES(stats.cleaned.mean_us), DOUBLES(stats.cleaned.error_us),
    MEMBER(COUNT, stats.all.count), DOUBLES(stats.all.mean_us), DOUBLES(stats.all.error_us),
    DOUBLES(stats.min_us), DOUBLES(stats.max_us), DOUBLES(stats.variance_error),
    MEMBER(COUNT, stats.outliers), MEMBER(COUNT, stop),
    MEMBER(COUNT, refined), MEMBER(COUNT, warmup), MEMBER(COUNT, invalid), DOUBLES(residual_us), DOUBLES(looking),
    DOUBLES(overhead_us), MEMBER(COUNT, partner), MEMBER(COUNT, contended), MEMBER(WHOLE, asked),
    MEMBER(WHOLE, partner_argument),
    DOUBLES(shape.lags), DOUBLES(extra),
};
/* clang-format on */
enum { MEMBERS = sizeof(members) / sizeof(*members) };

_Static_assert(sizeof(enum stop) == sizeof(int), "stop is read as a count");

static double get(const struct row *r, const struct member *m, int i)
{
    const void *at = (const char *)r + m->at;
    if (m->kind == COUNT)
        return *(const int *)at;
    return m->kind == WHOLE ? (double)*(const long *)at : ((const double *)at)[i];
}

static bool set(struct row *r, const struct member *m, int i, double number)
{
    void *at = (char *)r + m->at;
    if (m->kind != REAL && !(fabs(number) <= MAX_COUNT && floor(number) == number))
        return false;
    if (m->kind == COUNT && !(number >= 0.0 && number <= INT_MAX))
        return false;
    if (m->kind == COUNT)
        *(int *)at = (int)number;
    else if (m->kind == WHOLE)
        *(long *)at = (long)number;
    else
        ((double *)at)[i] = number;
    return true;
}

void pass_add_text(struct text *out, const struct row *rows, size_t count, double first_call_us)
{
    text_add(out, "%zu %.17g", count, first_call_us);
    for (const struct row *r = rows; r < rows + count; r++) {
        for (int k = 0; k < MEMBERS; k++)
            for (int i = 0; i < members[k].numbers; i++)
                text_add(out, " %.17g", get(r, &members[k], i));
        text_add(out, " %d", r->nodes);
        for (int k = 0; k < r->nodes; k++)
            text_add(out, " %.17g", r->node_us[k]);
        text_add(out, " %d", r->kept);
        double before = 0; /* repetitions in 1e-6 microsec., as distances from the one before */
        for (int k = 0; k < r->kept; k++) {
            double at = round(r->kept_us[k] * KEPT_DIGITS);
            text_add(out, " %.0f", at - before);
            before = at;
        }
    }
}

static bool read_number(const char **at, double *number)
{
    char *end;
    *number = strtod(*at, &end);
    if (end == *at || (*end != ' ' && *end != '\n' && *end != '\0'))
        return false;
    *at = *end == '\0' ? end : end + 1;
    return true;
}

static bool read_count(const char **at, double *n)
{
    return read_number(at, n) && *n >= 0.0 && *n <= MAX_COUNT && floor(*n) == *n;
}

bool pass_read_head(const char **at, size_t *count, double *first_call_us)
{
    double number;
    *count = 0;
    if (!read_count(at, &number) || !read_number(at, first_call_us))
        return false;
    *count = (size_t)number;
    return true;
}

/* Reads times, at most as many as fit into a text of this length. */
static bool read_times(const char **at, double **times, int *n)
{
    double count;
    if (!read_count(at, &count) || count > (double)strlen(*at))
        return false;
    *times = count > 0.0 ? allocated(malloc((size_t)count * sizeof(double))) : NULL;
    for (*n = 0; *n < (int)count; ++*n)
        if (!read_number(at, &(*times)[*n]))
            return false;
    return true;
}

bool pass_read_row(const char **at, struct row *row)
{
    double number, all = 0;
    *row = (struct row){ 0 };
    for (int k = 0; k < MEMBERS; k++)
        for (int i = 0; i < members[k].numbers; i++)
            if (!read_number(at, &number) || !set(row, &members[k], i, number))
                return false;
    if (row->stop >= STOP_COUNT || !read_times(at, &row->node_us, &row->nodes) ||
        !read_times(at, &row->kept_us, &row->kept))
        return false;
    for (int k = 0; k < row->kept; k++) {
        all += row->kept_us[k];
        row->kept_us[k] = all / KEPT_DIGITS;
    }
    return true;
}
