#include "results/extra_values.h"

#include "results/format.h"
#include "results/row_text.h"

#define ERROR "_error"

struct extra_value extra_quotient(double factor, struct extra_value a, struct extra_value b)
{
    double ratio = a.value / b.value;
    double error = fabs(factor / b.value) * hypot(a.error, ratio * b.error);
    return (struct extra_value){ factor * ratio, error };
}

struct extra_value extra_mean(const struct values *v, struct summing how)
{
    if (v->n == 0)
        return (struct extra_value){ NAN, NAN };
    memcpy(v->sorted, v->list, (size_t)v->n * sizeof(double));
    struct summary s = stats_of(v->sorted, v->n, how).cleaned;
    return (struct extra_value){ s.mean_us, s.error_us };
}

void extra_add_notes(struct text *out, const struct extra_info *x)
{
    for (; x->name != NULL; x++)
        fact_write(out, FACT_EXTRA, { .text = x->name }, { .text = x->unit }, { .text = x->text });
}

static void read_note(struct extra_names *n, const char *note)
{
    size_t len = strcspn(note, " \t\n=");
    bool ended = note[len] == ' ' || note[len] == '\n' || note[len] == '\0';
    if (len == 0 || len >= EXTRA_NAME_SIZE || !ended || n->count == MAX_EXTRA)
        return;
    memcpy(n->list[n->count].name, note, len);
    n->list[n->count].name[len] = '\0';
    n->list[n->count++].unit = strncmp(note + len, " [", 2) == 0 ? note[len + 2] : '\0';
}

void extra_read_notes(struct extra_names *n, const char *notes)
{
    *n = (struct extra_names){ 0 };
    for (; *notes != '\0'; notes += *notes == '\n') {
        const char *note = line_value(notes, fact_info(FACT_EXTRA)->name);
        if (note != NULL)
            read_note(n, note);
        notes += strcspn(notes, "\n");
    }
}

void extra_add_value(struct text *out, const char *name, char unit, const struct extra_value *v)
{
    bool is_known = unit != '%' || v->error <= SHARE_KNOWN;
    if (unit == '\0') {
        row_add_count(out, name, v->value);
        return;
    }
    row_add_number(out, name, is_known ? v->value : NAN);
    text_add(out, " %s", name);
    row_add_time(out, ERROR "=", is_known ? v->error : NAN);
}

struct extra_value extra_read_value(const struct extra_names *n, size_t i, const char *text)
{
    char error[EXTRA_NAME_SIZE + sizeof(ERROR)];
    const char *name = n->list[i].name;
    snprintf(error, sizeof(error), "%s" ERROR, name);
    return (struct extra_value){ row_read_number(text, name), row_read_number(text, error) };
}

void group_times_add(struct group_times *g, double mean_us, double fastest_us, double slowest)
{
    values_add(&g->mean_us, mean_us);
    values_add(&g->fastest_us, fastest_us);
    values_add(&g->slowest, slowest);
}

void group_times_conclude(const struct group_times *g, struct summing how, double overhead_us,
                          struct extra_value extra[2])
{
    extra[0] = extra_mean(&g->mean_us, how);
    extra[1] = extra_mean(&g->fastest_us, how);
    extra[0].value -= overhead_us;
    extra[1].value -= overhead_us;
}

double group_times_slowest(struct group_times *g)
{
    return g->slowest.n == 0 ? 0.0 : stats_most_frequent(g->slowest.list, g->slowest.n);
}
