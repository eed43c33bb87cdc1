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
    r->extra[PART_ALONE] = (struct extra_value){ p->us, p->error_us };
    r->extra[PART_REST] = (struct extra_value){ stats.cleaned.mean_us - p->us,
                                                hypot(stats.cleaned.error_us, p->error_us) };
}
