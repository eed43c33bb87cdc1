#include "patterns/part.h"

#include <math.h>

bool part_is_known(const struct part *p, const struct setting *s)
{
    const struct setting *of = &p->of;
    return of->processes == s->processes && of->partner == s->partner && of->groups == s->groups;
}

void part_keep(struct part *p, const struct setting *s, struct series *measured)
{
    struct stats stats = series_stats(measured);
    p->of = *s;
    p->us = stats.cleaned.mean_us;
    p->error_us = stats.cleaned.error_us;
}

void part_conclude(const struct part *p, struct run *r, struct series *whole)
{
    struct stats stats = series_stats(whole);
    struct extra_value rest = { stats.cleaned.mean_us - p->us,
                                hypot(stats.cleaned.error_us, p->error_us) };
    bool limited = rest.value <= r->machine->clock.tick_s * 1e6;
    r->extra[PART_ALONE] = (struct extra_value){ p->us, p->error_us };
    r->extra[PART_REST] = limited ? (struct extra_value){ NAN, NAN } : rest;
    r->extra[PART_LIMITED].value = limited ? 1.0 : NAN;
}
