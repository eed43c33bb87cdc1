#include "health/baseline.h"

#include "base/file.h"
#include "health/health.h"
#include "stats/stats.h"

enum { MOST_BYTES = 1 << 26 };

static const double DAY_S = 86400.0;

/* Ends a word in place. Returns what follows the blank after it, "" at the end. */
static char *cut_word(char *word)
{
    char *end = word + strcspn(word, " ");
    if (*end != '\0')
        *end++ = '\0';
    return end;
}

/* Takes the next value of a row; NaN for "-". False for no number above 0, or none. */
static bool next_value(const char **values, double *value)
{
    char *end;
    *values += strspn(*values, " ");
    *value = NAN;
    if (**values == '-' && strchr(" ", (*values)[1]) != NULL) {
        (*values)++;
        return true;
    }
    *value = strtod(*values, &end);
    bool ends = end > *values && (*end == ' ' || *end == '\0');
    *values = end;
    return ends && *value > 0.0 && isfinite(*value);
}

static int take_run(struct baseline *b, char *line, struct err *e)
{
    char *end, *hosts = cut_word(line);
    cut_word(hosts);
    struct baseline_run run = { strtod(line, &end), hosts, (int)b->run_count };
    if (end == line || *end != '\0' || !(run.start_s >= 0.0) || *hosts == '\0')
        return err_set(e, "expected '@RUN SECONDS HOST,HOST,...'");
    for (size_t i = 0; i < b->run_count && run.group == (int)b->run_count; i++)
        if (strcmp(b->runs[i].hosts, hosts) == 0)
            run.group = (int)i;
    grow_for_one(&b->runs, b->run_count, &b->run_room, sizeof(run));
    b->runs[b->run_count++] = run;
    return 0;
}

static int take_row(struct baseline *b, const char *suite, char *line, struct err *e)
{
    struct baseline_row row = { suite, line, cut_word(line), NULL };
    row.values = cut_word((char *)row.kind);
    const char *values = row.values;
    double value;
    for (size_t i = 0; i < b->run_count; i++)
        if (!next_value(&values, &value))
            return err_set(e, "expected 'ARGUMENT KIND' and a value of each of %zu runs",
                           b->run_count);
    if (suite == NULL || b->run_count == 0 || *values != '\0')
        return err_set(e, "expected @RUN, @SUITE, and then rows with a value of each run");
    grow_for_one(&b->rows, b->row_count, &b->row_room, sizeof(row));
    b->rows[b->row_count++] = row;
    return 0;
}

/* Does the line begin with the name of this fact? Then what follows is its text. */
static bool has_name(char *line, const char *name, char **text)
{
    size_t len = strlen(name);
    *text = line + len;
    return strncmp(line, name, len) == 0;
}

static int add_line(struct baseline *b, const char *suite, const char *fact, const char *text)
{
    grow_for_one(&b->lines, b->line_count, &b->line_room, sizeof(*b->lines));
    b->lines[b->line_count++] = (struct baseline_line){ suite, fact, text };
    return 0;
}

static int take_line(struct baseline *b, char *line, const char **suite, struct err *e)
{
    char *text;
    if (has_name(line, "@RUN ", &text))
        return take_run(b, text, e);
    if (has_name(line, "@SUITE ", &text)) {
        *suite = text;
        cut_word(text);
    } else if (has_name(line, "@CLASS ", &text)) {
        return add_line(b, NULL, text, cut_word(text));
    } else if (has_name(line, "@ASKED ", &text) && *suite != NULL) {
        return add_line(b, *suite, NULL, text);
    } else {
        return take_row(b, *suite, line, e);
    }
    return 0;
}

int baseline_take(struct baseline *b, const char *path, char *text, struct err *e)
{
    char *rest = NULL, *value;
    const char *suite = NULL;
    *b = (struct baseline){ .text = text };
    char *line = strtok_r(text, "\n", &rest);
    if (line == NULL || !has_name(line, "@BASELINE 2 ", &value))
        return err_set(e,
                       "'%s' is no baseline of this version; skampi compare --save or skampi "
                       "health --save writes one",
                       path);
    b->value = value;
    for (int number = 2; (line = strtok_r(NULL, "\n", &rest)) != NULL; number++) {
        struct err why = { "" };
        if (take_line(b, line, &suite, &why) != 0)
            return err_set(e, "%s:%d: %s; save the baseline again", path, number, why.text);
    }
    return b->row_count > 0 ? 0 : err_set(e, "%s: no rows; save the baseline again", path);
}

int baseline_read(struct baseline *b, const char *path, struct err *e)
{
    LOCAL_TEXT text = { 0 };
    *b = (struct baseline){ .text = NULL };
    if (file_read(path, MOST_BYTES, &text, e) != 0)
        return -1;
    if (strlen(text.s) != text.len)
        return err_set(e, "'%s' is no baseline: it has a byte 0", path);
    return baseline_take(b, path, text_take(&text), e);
}

void baseline_release(struct baseline *b)
{
    free(b->text);
    free(b->rows);
    free(b->lines);
    free(b->runs);
    *b = (struct baseline){ .text = NULL };
}

void baseline_add_size(const struct baseline *b, double now_s, struct text *out)
{
    LOCAL_TEXT known = { 0 };
    int hosts = 0;
    double oldest_s = INFINITY;
    for (size_t i = 0; i < b->run_count; i++) {
        if (b->runs[i].start_s > 0.0)
            oldest_s = fmin(oldest_s, b->runs[i].start_s);
        for (const char *h = b->runs[i].hosts; *h != '\0'; h += strspn(h, ",")) {
            char host[300];
            size_t len = strcspn(h, ",");
            snprintf(host, sizeof(host), "%.*s", (int)len, h);
            hosts += text_add_once(&known, host, ", ");
            h += len;
        }
    }
    text_add(out, "%zu run%s, %d host%s", b->run_count, plural(b->run_count), hosts, plural(hosts));
    const double days = fmax(1.0, ceil((now_s - oldest_s) / DAY_S));
    if (isfinite(oldest_s))
        text_add(out, ", %.0f day%s", days, plural(days));
}

/* Logarithms of the runs on the same hosts as run i: their number, sum and sum of squares. */
struct sums {
    double n, sum, squares;
};

/* The mean and the spread of the hosts' means, and the spread within hosts. */
static void predict(struct usual *u, const struct sums *of, size_t count)
{
    double hosts = 0.0, means = 0.0, within = 0.0, between = 0.0, parts = 0.0;
    for (size_t i = 0; i < count; i++)
        if (of[i].n > 0.0) {
            hosts += 1.0;
            means += of[i].sum / of[i].n;
            parts += 1.0 / of[i].n;
            within += fmax(0.0, of[i].squares - of[i].sum * of[i].sum / of[i].n);
        }
    u->mean = means / hosts;
    u->freedom = (int)hosts - 1;
    u->deviation = NAN;
    if (u->runs < health_limit(LIMIT_USUAL_RUNS) || hosts < health_limit(LIMIT_USUAL_HOSTS))
        return;
    for (size_t i = 0; i < count; i++)
        if (of[i].n > 0.0)
            between += pow(of[i].sum / of[i].n - u->mean, 2.0) / u->freedom;
    within /= fmax(1.0, u->runs - hosts);
    u->deviation = sqrt(between * (1.0 + 1.0 / hosts) + within * (1.0 - parts / hosts));
}

static void summarise(struct usual *u, double *logs, const struct sums *of, size_t count)
{
    const double part = health_limit(LIMIT_USUAL_RANGE);
    stats_sort(logs, u->runs);
    u->low = exp(stats_percentile(logs, u->runs, 0.5 * (1.0 - part)));
    u->middle = exp(stats_percentile(logs, u->runs, 0.5));
    u->high = exp(stats_percentile(logs, u->runs, 0.5 * (1.0 + part)));
    predict(u, of, count);
}

bool baseline_usual(const struct baseline *b, const char *suite, const char *argument,
                    const char *kind, struct usual *u)
{
    const struct baseline_row *row = b->rows, *end = b->rows + b->row_count;
    while (row < end && (strcmp(row->argument, argument) != 0 || strcmp(row->suite, suite) != 0 ||
                         strcmp(row->kind, kind) != 0))
        row++;
    *u = (struct usual){ .runs = 0 };
    double *logs;
    struct sums *of;
    allocated_array(&logs, b->run_count);
    allocated_array(&of, b->run_count);
    const char *values = row < end ? row->values : NULL;
    for (size_t i = 0; i < b->run_count && values != NULL; i++) {
        double value;
        if (!next_value(&values, &value) || isnan(value))
            continue;
        struct sums *own = &of[b->runs[i].group];
        logs[u->runs++] = log(value);
        own->n += 1.0;
        own->sum += log(value);
        own->squares += log(value) * log(value);
    }
    if (u->runs > 0)
        summarise(u, logs, of, b->run_count);
    free(logs);
    free(of);
    return u->runs > 0;
}

double usual_level(size_t values)
{
    return 1.0 - pow(1.0 - health_limit(LIMIT_USUAL_ANY), 1.0 / fmax(1.0, (double)values));
}

/* The probability that Student's t is as far from 0: Abramowitz and Stegun 26.7.3 and 26.7.4. */
static double student_tails(int freedom, double t)
{
    const bool odd = freedom % 2 == 1;
    double angle = atan2(t, sqrt(freedom)), term = odd ? cos(angle) : 1.0, sum = 0.0;
    for (int i = odd ? 3 : 2; i <= freedom; i += 2) {
        sum += term;
        term *= cos(angle) * cos(angle) * (i - 1) / i;
    }
    return odd ? 1.0 - (angle + sin(angle) * sum) / asin(1.0) : 1.0 - sin(angle) * sum;
}

double usual_times(const struct usual *u, double value, double level)
{
    double times = value / u->middle, distance = fabs(log(value) - u->mean);
    if (isnan(u->deviation) || !(fabs(log(times)) > log(1.0 + health_limit(LIMIT_USUAL_LEAST))))
        return 0.0;
    if (u->deviation > 0.0 && student_tails(u->freedom, distance / u->deviation) >= level)
        return 0.0;
    return times;
}
