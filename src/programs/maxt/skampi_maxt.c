/* The permutation test as a program of its own, for skampi-compare; needs no MPI.
 *
 *   skampi-maxt BASE NEW POINTS RELABELINGS SEED ALPHA < VALUES
 *
 * VALUES are native doubles, as maxt_test takes them; without BASE (0) those of pairs. Prints the
 * number of relabelings, "all" or "random", and the critical value; then of each point T, the
 * adjusted p, the difference and its scale. */
#include "base/text.h"
#include "stats/maxt.h"

enum { MAX_LAUNCHES = 1000, MAX_POINTS = 10000000, MAX_RELABELINGS = 10000000 };

static size_t whole(const char *text, size_t least, size_t most, struct err *e)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || value < least || value > most)
        err_set(e, "expected a number from %zu to %zu, got '%s'", least, most, text);
    return (size_t)value;
}

static int read_plan(struct maxt_plan *plan, char **words, struct err *e)
{
    *plan = (struct maxt_plan){ .base = whole(words[0], 0, MAX_LAUNCHES, e),
                                .new = whole(words[1], 1, MAX_LAUNCHES, e),
                                .points = whole(words[2], 1, MAX_POINTS, e),
                                .relabelings = whole(words[3], 1, MAX_RELABELINGS, e),
                                .seed = whole(words[4], 0, UINT32_MAX, e) };
    char *end;
    plan->alpha = strtod(words[5], &end);
    if (*end != '\0' || !(plan->alpha > 0 && plan->alpha < 1))
        err_set(e, "expected ALPHA between 0 and 1, got '%s'", words[5]);
    return err_is_set(e) ? -1 : 0;
}

static double *read_values(const struct maxt_plan *plan, struct err *e)
{
    size_t wanted = (plan->base + plan->new) * plan->points;
    double *values;
    allocated_array(&values, wanted);
    if (fread(values, sizeof *values, wanted, stdin) != wanted || getchar() != EOF)
        err_set(e, "expected %zu values", wanted);
    return values;
}

int main(int argc, char **argv)
{
    struct err e = { "" };
    struct maxt_plan plan = { 0 };
    struct maxt m = { 0 };
    double *values = NULL;
    if (argc != 7)
        err_set(&e, "usage: skampi-maxt BASE NEW POINTS RELABELINGS SEED ALPHA < VALUES");
    else if (read_plan(&plan, argv + 1, &e) == 0)
        values = read_values(&plan, &e);
    if (!err_is_set(&e)) {
        maxt_test(&m, &plan, values);
        printf("%zu %s %.17g\n", m.relabelings, m.exact ? "all" : "random", m.critical);
        for (size_t k = 0; k < plan.points; k++)
            printf("%.17g %.17g %.17g %.17g\n", m.t[k], m.p[k], m.difference[k], m.scale[k]);
    }
    maxt_release(&m);
    free(values);
    if (err_is_set(&e))
        fprintf(stderr, "skampi-maxt: %s\n", e.text);
    return err_is_set(&e) ? 2 : fflush(stdout) != 0;
}
