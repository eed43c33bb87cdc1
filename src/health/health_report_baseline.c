#include "health/health_report.h"

#include "base/file.h"

#define FIRST_LINE "# skampi health baseline 1\n"

enum { MOST_BYTES = 1 << 24 };

static const char *const names[HEALTH_KINDS] = { "latency",   "long", "near",
                                                 "near_long", "copy", "work" };
static const char ALL[] = "*", ALLREDUCE[] = "allreduce";

/* "HOST KIND US_SENDING US_RECEIVING" */
static void add_line(struct text *out, const char *host, int kind, double from, double to)
{
    if (isfinite(from) && isfinite(to))
        text_add(out, "%s %s %.6f %.6f\n", host, names[kind], exp(from), exp(to));
}

void health_baseline_add(struct text *out, const struct health *h, const struct health_run *run)
{
    text_add(out, FIRST_LINE "# host, kind, microseconds as a sender and as a receiver\n");
    for (int k = 0; k < HEALTH_KINDS; k++) {
        const struct health_level *l = &h->levels[k];
        add_line(out, ALL, k, l->reference, l->reference);
        for (int i = 0; i < h->hosts; i++)
            add_line(out, h->names[i], k, l->reference + l->from[i], l->reference + l->to[i]);
    }
    text_add(out, "%s %s %.6f %.6f\n", ALL, ALLREDUCE, run->allreduce_us, run->allreduce_us);
}

/* Takes a line for all hosts, unless they have one of their own, or for the host of this name. */
static void take(struct health *h, int kind, const char *host, const double us[2])
{
    bool all = strcmp(host, ALL) == 0;
    for (int i = 0; i < h->hosts; i++)
        for (int d = 0; d < 2; d++)
            if (all ? isnan(h->baseline[kind][d][i]) : strcmp(h->names[i], host) == 0)
                h->baseline[kind][d][i] = log(us[d]);
}

static int take_line(struct health *h, struct health_run *run, const char *line, struct err *e)
{
    char host[300], name[32];
    double us[2];
    int end = -1, kind = 0;
    if (sscanf(line, "%299s %31s %lf %lf %n", host, name, &us[0], &us[1], &end) != 4 ||
        line[end] != '\0' || !(us[0] > 0.0) || !(us[1] > 0.0) || isinf(us[0] + us[1]))
        return err_set(e, "expected 'HOST KIND MICROSECONDS MICROSECONDS', got '%.60s'", line);
    while (kind < HEALTH_KINDS && strcmp(names[kind], name) != 0)
        kind++;
    if (kind < HEALTH_KINDS)
        take(h, kind, host, us);
    else if (strcmp(name, ALLREDUCE) == 0)
        run->baseline_allreduce_us = us[0];
    else
        return err_set(e, "'%s' is no kind of measurement", name);
    return 0;
}

static int take_memory(struct health *h, struct err *e)
{
    for (int k = 0; k < HEALTH_KINDS; k++)
        for (int d = 0; d < 2; d++) {
            h->baseline[k][d] = malloc((size_t)h->hosts * sizeof(double));
            if (h->baseline[k][d] == NULL)
                return err_no_memory(e, (size_t)h->hosts * sizeof(double));
            for (int i = 0; i < h->hosts; i++)
                h->baseline[k][d][i] = NAN;
        }
    return 0;
}

int health_baseline_read(struct health *h, struct health_run *run, const char *path, char *text,
                         struct err *e)
{
    char *rest = NULL;
    int number = 1;
    if (strncmp(text, FIRST_LINE, strlen(FIRST_LINE)) != 0)
        return err_set(e, "'%s' is no baseline; --save writes one", path);
    if (take_memory(h, e) != 0)
        return -1;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest), number++) {
        struct err why = { "" };
        if (line[0] != '#' && take_line(h, run, line, &why) != 0)
            return err_set(e, "%s:%d: %s; --save writes a new baseline", path, number, why.text);
    }
    return 0;
}

/* Is there anything that is no baseline? A new one would replace it. */
static bool is_another(const char *path)
{
    struct stat st;
    char *text = NULL;
    size_t len;
    struct err ignored = { "" };
    bool is = lstat(path, &st) == 0 &&
              (!S_ISREG(st.st_mode) || file_read(path, MOST_BYTES, &text, &len, &ignored) != 0 ||
               strncmp(text, FIRST_LINE, strlen(FIRST_LINE)) != 0);
    free(text);
    return is;
}

int health_baseline_write(const char *path, const struct text *text, struct err *e)
{
    if (is_another(path))
        return err_set(e, "'%s' exists and is no baseline; remove it, or save another file", path);
    return file_replace(path, text, e);
}
