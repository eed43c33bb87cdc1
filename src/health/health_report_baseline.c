#include "health/health_report.h"

#include "base/file.h"

#define FIRST_LINE "@BASELINE 2 time\n"
#define SUITE      "health"

/* The kinds of rows: of each kind of measurement, a host as a sender and as a receiver. */
static const char *const rows[HEALTH_KINDS][2] = {
    { "latency.sends", "latency.receives" }, { "long.sends", "long.receives" },
    { "near.sends", "near.receives" },       { "near_long.sends", "near_long.receives" },
    { "copy.sends", "copy.receives" },       { "work.sends", "work.receives" },
};
static const char ALL[] = "*", ALLREDUCE[] = "allreduce", ACROSS[] = "across";

static void add_row(struct text *out, const char *host, const char *kind, double us)
{
    if (isfinite(us))
        text_add(out, "%s %s %.6f\n", host, kind, us);
}

/* The name of the time between halves: of as many hosts. */
struct halves_kind {
    char name[32];
};

static struct halves_kind halves_kind(const struct health *h)
{
    struct halves_kind kind;
    snprintf(kind.name, sizeof(kind.name), "halves.%d", h->hosts);
    return kind;
}

static double usual_of_all(const struct baseline *b, const char *kind)
{
    struct usual u;
    return baseline_usual(b, SUITE, ALL, kind, &u) ? u.middle : NAN;
}

void health_baseline_add(struct text *out, const struct health *h, const struct health_run *run,
                         const char *class_lines)
{
    text_add(out, FIRST_LINE "%s@RUN %lld ", class_lines, (long long)time(NULL));
    for (int i = 0; i < h->hosts; i++)
        text_add(out, "%s%s", i > 0 ? "," : "", h->names[i]);
    text_add(out,
             " {\"name\":\"skampi health\",\"facts\":{},\"few\":0,\"unusable\":0}\n@SUITE " SUITE
             " {\"definition\":{}}\n");
    for (enum health_kind k = 0; k < HEALTH_KINDS; k++) {
        const struct health_level *l = &h->levels[k];
        for (int d = 0; d < 2; d++) {
            add_row(out, ALL, rows[k][d], exp(l->reference));
            for (int i = 0; i < h->hosts; i++)
                add_row(out, h->names[i], rows[k][d],
                        exp(l->reference + (d == 0 ? l->from : l->to)[i]));
        }
    }
    add_row(out, ALL, ALLREDUCE, run->together.allreduce_us);
    add_row(out, ALL, ACROSS, health_across(h, HEALTH_LONG));
    add_row(out, ALL, halves_kind(h).name, run->together.halves_us);
}

int health_baseline_use(struct health *h, struct health_run *run, const struct baseline *b,
                        struct err *e)
{
    struct usual u;
    size_t known = 0;
    for (enum health_kind k = 0; k < HEALTH_KINDS; k++)
        for (int d = 0; d < 2; d++) {
            allocated_array(&h->baseline[k][d], (size_t)h->hosts);
            for (int i = 0; i < h->hosts; i++) {
                bool has = baseline_usual(b, SUITE, h->names[i], rows[k][d], &u) ||
                           baseline_usual(b, SUITE, ALL, rows[k][d], &u);
                h->baseline[k][d][i] = has ? log(u.middle) : NAN;
                known += has;
            }
        }
    run->usual =
        (struct health_together){ usual_of_all(b, ALLREDUCE), usual_of_all(b, halves_kind(h).name),
                                  usual_of_all(b, ACROSS) };
    return known > 0 ? 0
                     : err_set(e,
                               "'%s' has nothing that skampi health measures; skampi health "
                               "--save writes a baseline that has",
                               run->baseline);
}

/* Is there anything that is no baseline? A new one would replace it. */
static bool is_another(const char *path)
{
    enum { BEGINNING = 20 };
    char first[BEGINNING] = "";
    struct stat st;
    struct err ignored = { "" };
    int fd = lstat(path, &st) == 0 ? file_open_read(path, O_NOFOLLOW, &ignored) : -2;
    if (fd == -2)
        return false;
    bool is = fd < 0 || read(fd, first, BEGINNING - 1) < 0 ||
              (strncmp(first, FIRST_LINE, strlen("@BASELINE ")) != 0 &&
               strncmp(first, "# skampi health", strlen("# skampi health")) != 0);
    if (fd >= 0)
        close(fd);
    return is;
}

int health_baseline_write(const char *path, const struct text *text, struct err *e)
{
    if (is_another(path))
        return err_set(e, "'%s' exists and is no baseline; remove it, or save another file", path);
    return file_replace(path, text, e);
}
