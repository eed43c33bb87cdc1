#include "results/turns.h"

/* How often the loops of OSU and IMB read the clock in t, but neither in p nor in w. */
enum { OSU_READINGS = 5, IMB_READINGS = 1 };

void turns_add(struct turns *t, const double us[TURNS], bool works, const struct turns_rule *rule)
{
    double work_us = works ? fmax(0.0, us[WORK_ALONE] - rule->cost_us) : 0.0;
    const double of[KEPT] = { us[ALONE], work_us, us[BOTH], us[ALONE] + work_us - us[BOTH] };
    for (int i = 0; i < KEPT; i++)
        values_add(&t->of[i], of[i]);
}

struct extra_value turns_mean(const struct turns *t, int which, const struct turns_rule *rule)
{
    return extra_mean(&t->of[which], rule->how);
}

/* The hidden part, in percent, if t had this many more readings of the clock. The error is that
 * between the repetitions, and the clock's tick. */
static struct extra_value share(const struct turns *t, struct extra_value part, double readings,
                                const struct turns_rule *rule)
{
    struct extra_value hidden = turns_mean(t, GAIN, rule);
    hidden.value -= readings * rule->cost_us;
    hidden.error = hypot(hidden.error, rule->tick_us);
    return extra_quotient(100.0, hidden, part);
}

void turns_conclude(const struct turns *t, bool works, const struct turns_rule *rule,
                    struct extra_value *extra)
{
    struct extra_value p = turns_mean(t, ALONE, rule), w = turns_mean(t, WORK_ALONE, rule);
    extra[PURE] = p;
    extra[WORK] = w;
    extra[HIDDEN] = turns_mean(t, GAIN, rule);
    extra[OVERLAP] =
        works ? share(t, p.value > w.value ? w : p, 0, rule) : (struct extra_value){ NAN, NAN };
    extra[AVAILABILITY] = share(t, p, 0, rule);
}

struct extra_value turns_as_osu(const struct turns *t, int processes, const struct turns_rule *rule)
{
    struct extra_value p = turns_mean(t, ALONE, rule);
    struct extra_value as_osu = share(t, p, OSU_READINGS * processes, rule);
    as_osu.value = fmax(0.0, as_osu.value);
    return as_osu;
}

struct extra_value turns_as_imb(const struct turns *t, const struct turns_rule *rule)
{
    struct extra_value p = turns_mean(t, ALONE, rule), w = turns_mean(t, WORK_ALONE, rule);
    struct extra_value as_imb = share(t, p.value > w.value ? p : w, IMB_READINGS, rule);
    as_imb.value = fmin(100.0, fmax(0.0, as_imb.value));
    return as_imb;
}
