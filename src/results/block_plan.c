#include "results/block.h"

#include "results/fact.h"

void plan_add_notes(struct text *out, const struct plan_outcome *o)
{
    static const char *const ends[] = {
        [PLAN_AT_MAX_STEPS] = "ended by Max_Steps", [PLAN_STOPPED] = "ended by a limit of time"
    };
    struct text notes = { 0 };
    fact_write(out, FACT_SWEEP, { .number = (double)o->swept }, { .number = (double)o->sweep },
               { .text = o->swept < o->sweep ? "ended by a limit of time" : NULL });
    for (size_t i = 0; i < o->jump_count && i < PLAN_JUMPS; i++)
        text_add(&notes, "%sbetween %ld and %ld a jump of about %.0f %%", i > 0 ? "; " : "",
                 o->jumps[i].from, o->jumps[i].to, 100.0 * o->jumps[i].height);
    if (o->jump_count > PLAN_JUMPS)
        text_add(&notes, "; %zu lower jumps of up to %.0f %%", o->jump_count - PLAN_JUMPS,
                 100.0 * o->lower);
    fact_write(out, FACT_INTERPOLATION, { .number = isfinite(o->bound) ? 100.0 * o->bound : NAN },
               { .number = (double)o->probed }, { .number = (double)o->segments },
               { .text = notes.len > 0 ? text_get(&notes) : NULL }, { .text = ends[o->end] });
    text_end(&notes, out);
}
