#include "results/pass_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What makes a row, in this order; then its shape and the additional values. */
enum { OF_ROW = 24, OF_SHAPE = SHAPE_LAGS + 5, NUMBERS = OF_ROW + OF_SHAPE + 2 * MAX_EXTRA };

static const double MAX_COUNT = 1e15;

static void numbers_of_shape(const struct shape *s, double *n)
{
    const struct modes *m = &s->modes;
    const double own[] = { m->low_us, m->high_us, m->low, m->high, s->unsteady };
    memcpy(n, own, sizeof(own));
    memcpy(n + OF_SHAPE - SHAPE_LAGS, s->lags, sizeof(s->lags));
}

static struct shape shape_of_numbers(const double *n)
{
    struct shape s = { .modes = { n[0], n[1], (int)n[2], (int)n[3] }, .unsteady = n[4] != 0.0 };
    memcpy(s.lags, n + OF_SHAPE - SHAPE_LAGS, sizeof(s.lags));
    return s;
}

static void numbers_of_row(const struct row *r, double *n)
{
    const struct stats *s = &r->stats;
    const double own[OF_ROW] = {
        (double)r->argument, s->cleaned.count, s->cleaned.mean_us, s->cleaned.error_us,
        s->all.count,        s->all.mean_us,   s->all.error_us,    s->min_us,
        s->p25_us,           s->median_us,     s->p75_us,          s->max_us,
        s->variance_error,   s->outliers,      (double)r->stop,    r->refined,
        r->invalid,          r->residual_us,   r->looking,         r->overhead_us,
        r->partner,          r->contended,     (double)r->asked,   (double)r->partner_argument,
    };
    for (int i = 0; i < OF_ROW; i++)
        n[i] = own[i];
    for (int i = 0; i < MAX_EXTRA; i++) {
        n[OF_ROW + OF_SHAPE + 2 * i] = r->extra[i].value;
        n[OF_ROW + OF_SHAPE + 2 * i + 1] = r->extra[i].error;
    }
    numbers_of_shape(&r->shape, n + OF_ROW);
}

static struct row row_of_numbers(const double *n, long length)
{
    struct row r = {
        .argument = (long)n[0],
        .stats = { .cleaned = { (int)n[1], n[2], n[3] },
                   .all = { (int)n[4], n[5], n[6] },
                   .min_us = n[7],
                   .p25_us = n[8],
                   .median_us = n[9],
                   .p75_us = n[10],
                   .max_us = n[11],
                   .variance_error = n[12],
                   .outliers = (int)n[13] },
        .stop = (enum stop)n[14],
        .refined = n[15] != 0.0,
        .invalid = (int)n[16],
        .residual_us = n[17],
        .looking = n[18],
        .overhead_us = n[19],
        .partner = (int)n[20],
        .contended = (int)n[21],
        .asked = (long)n[22],
        .partner_argument = (long)n[23],
        .length = length,
    };
    for (int i = 0; i < MAX_EXTRA; i++)
        r.extra[i] =
            (struct extra_value){ n[OF_ROW + OF_SHAPE + 2 * i], n[OF_ROW + OF_SHAPE + 2 * i + 1] };
    r.shape = shape_of_numbers(n + OF_ROW);
    return r;
}

static bool is_argument(double n)
{
    return fabs(n) <= MAX_COUNT && floor(n) == n;
}

/* Counts must be whole numbers that fit; everything else may be any number. */
static bool is_row(const double *n)
{
    static const int counts[] = { 1, 4, 13, 14, 15, 16, 20, 21, OF_ROW + 2, OF_ROW + 3 };
    for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
        double count = n[counts[i]];
        if (!(count >= 0.0 && count <= 2147483647.0) || floor(count) != count)
            return false;
    }
    return is_argument(n[0]) && is_argument(n[22]) && is_argument(n[23]) && n[14] < STOP_COUNT;
}

void pass_add_text(struct text *out, const struct row *rows, size_t count, double first_call_us)
{
    double n[NUMBERS];
    text_add(out, "%zu %.17g", count, first_call_us);
    for (size_t i = 0; i < count; i++) {
        numbers_of_row(&rows[i], n);
        text_add(out, " %ld", rows[i].length);
        for (int k = 0; k < NUMBERS; k++)
            text_add(out, " %.17g", n[k]);
        text_add(out, " %d", rows[i].nodes);
        for (int k = 0; k < rows[i].nodes; k++)
            text_add(out, " %.17g", rows[i].node_us[k]);
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

static bool read_count(const char **at, double *count)
{
    return read_number(at, count) && *count >= 0.0 && *count <= MAX_COUNT &&
           floor(*count) == *count;
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

/* A text of this length has no more numbers. */
static bool read_nodes(const char **at, struct row *row)
{
    double count;
    bool good = read_count(at, &count) && count <= (double)strlen(*at);
    row->node_us = good && count > 0.0 ? malloc((size_t)count * sizeof(double)) : NULL;
    if (!good || count == 0.0 || row->node_us == NULL)
        return good && count == 0.0;
    row->nodes = (int)count;
    for (int i = 0; i < row->nodes && good; i++)
        good = read_number(at, &row->node_us[i]);
    return good;
}

bool pass_read_row(const char **at, struct row *row)
{
    double n[NUMBERS], length;
    *row = (struct row){ 0 };
    if (!read_count(at, &length))
        return false;
    for (int i = 0; i < NUMBERS; i++)
        if (!read_number(at, &n[i]))
            return false;
    if (!is_row(n))
        return false;
    *row = row_of_numbers(n, (long)length);
    return read_nodes(at, row);
}
