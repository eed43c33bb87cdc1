#include "results/block.h"

#include "results/fact.h"

static void add_jumps(struct text *out, const struct plan_outcome *o)
{
    for (size_t i = 0; i < o->jump_count && i < PLAN_JUMPS; i++)
        text_add(out, "; between %ld and %ld a jump of about %.0f %%", o->jumps[i].from,
                 o->jumps[i].to, 100.0 * o->jumps[i].height);
    if (o->jump_count > PLAN_JUMPS)
        text_add(out, "; %zu lower jumps of up to %.0f %%", o->jump_count - PLAN_JUMPS,
                 100.0 * o->lower);
}

void plan_add_notes(struct text *out, const struct plan_outcome *o)
{
    static const char *const ends[] = { [PLAN_DONE] = "",
                                        [PLAN_AT_MAX_STEPS] = "; ended by Max_Steps",
                                        [PLAN_STOPPED] = "; ended by Time_Suite" };
    struct text error = { 0 }, jumps = { 0 };
    fact_addf(out, FACT_SWEEP, "%zu of %llu arguments%s%s", o->swept, o->sweep,
              o->kept < o->sweep ? "; thinned by Max_Steps" : "",
              o->swept < o->kept ? "; ended by Time_Suite" : "");
    add_jumps(&jumps, o);
    if (isfinite(o->bound))
        text_add(&error, "%.2f %% at most, by estimate", 100.0 * o->bound);
    else
        text_add(&error, "unknown");
    fact_addf(out, FACT_INTERPOLATION, "%s; %zu of %zu segments probed%s%s", text_get(&error),
              o->probed, o->segments, text_get(&jumps), ends[o->end]);
    text_end(&error, out);
    text_end(&jumps, out);
}
