#include "results/shares.h"

enum { NAMED_PARTS = 4 }; /* of the short text; the others are between measurements */

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

static void add_share(struct text *out, double part_s, double whole_s, const char *name)
{
    double percent = whole_s > 0.0 ? 100.0 * part_s / whole_s : 0.0;
    text_add(out, "%s%.1f %% %s", out->len == 0 ? "" : ", ", percent, name);
}

void shares_text(const struct shares *s, double now_s, bool all, struct text *out)
{
    struct shares until = *s;
    shares_enter(&until, until.now, now_s);
    /* if the slowest process counts, rank 0 may already be waiting */
    double around_s = until.spent_s[ACTIVITY_MEASURING] - until.timed_s - until.waiting_s;
    const struct {
        const char *name;
        double spent_s;
    } parts[] = {
        { "measuring", until.timed_s },
        { "synchronising", until.spent_s[ACTIVITY_SYNCHRONISING] },
        { "waiting", until.waiting_s },
        { "around repetitions", fmax(around_s, 0.0) },
        { "preparing", until.spent_s[ACTIVITY_PREPARING] },
        { "coordinating", until.spent_s[ACTIVITY_COORDINATING] },
        { "finding partners", until.spent_s[ACTIVITY_PARTNERS] },
        { "starting", until.spent_s[ACTIVITY_STARTING] },
        { "writing", until.spent_s[ACTIVITY_WRITING] },
    };
    double whole_s = now_s - until.started_s, between_s = 0.0;
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
        if (all || i < NAMED_PARTS)
            add_share(out, parts[i].spent_s, whole_s, parts[i].name);
        else
            between_s += parts[i].spent_s;
    if (!all)
        add_share(out, between_s, whole_s, "between measurements");
}
