#include "context/shares.h"

#include <math.h>
#include <stddef.h>

struct shares shares_start(double now_s)
{
    return (struct shares){ .started_s = now_s, .since_s = now_s, .now = ACTIVITY_STARTING };
}

enum activity shares_enter(struct shares *s, enum activity next, double now_s)
{
    enum activity before = s->now;
    s->spent_s[before] += now_s - s->since_s;
    s->since_s = now_s;
    s->now = next;
    return before;
}

/* Not below 0: where the slowest process counts, rank 0 may be waiting already. */
static double around(const struct shares *s)
{
    return fmax(s->spent_s[ACTIVITY_MEASURING] - s->timed_s - s->waiting_s, 0.0);
}

void shares_text(const struct shares *s, double now_s, struct text *out)
{
    struct shares all = *s;
    shares_enter(&all, all.now, now_s);
    const struct {
        const char *name;
        double spent_s;
    } parts[] = {
        { "measuring", all.timed_s },
        { "synchronising", all.spent_s[ACTIVITY_SYNCHRONISING] },
        { "waiting", all.waiting_s },
        { "around repetitions", around(&all) },
        { "preparing", all.spent_s[ACTIVITY_PREPARING] },
        { "coordinating", all.spent_s[ACTIVITY_COORDINATING] },
        { "finding partners", all.spent_s[ACTIVITY_PARTNERS] },
        { "starting", all.spent_s[ACTIVITY_STARTING] },
        { "writing", all.spent_s[ACTIVITY_WRITING] },
    };
    double all_s = now_s - all.started_s;
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
        text_add(out, "%s%.1f %% %s", i == 0 ? "" : ", ",
                 all_s > 0.0 ? 100.0 * parts[i].spent_s / all_s : 0.0, parts[i].name);
}
