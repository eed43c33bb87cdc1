/* Groups of processes that make the same collective call at the same time, from one common start
 * (groups=n). Each group has a communicator of its own. The value is the slowest group's time; the
 * extra values show how far the groups differ. Varied over Groups, only the first ones work. */
#include "patterns/common_start.h"
#include "results/fact.h"

enum { EXTRA_MEAN, EXTRA_FASTEST, EXTRA_GROUPS, EXTRA_SLOWEST, EXTRA_SLOWEST_RANK };

static const struct extra_info extra[MAX_EXTRA + 1] = {
    [EXTRA_MEAN] = { "group_mean", "microsec.", "mean over the groups" },
    [EXTRA_FASTEST] = { "group_fastest", "microsec.", "the fastest group" },
    [EXTRA_GROUPS] = { "groups", NULL, "number of groups at once" },
    [EXTRA_SLOWEST] = { "slowest_group", NULL, "the group that was slowest most often, from 0" },
    [EXTRA_SLOWEST_RANK] = { "slowest_rank", NULL, "lowest rank of that group" },
};

static int working_groups(const struct measurement *m)
{
    int groups = m->suite->options.groups;
    return m->at.groups > 0 && m->at.groups < groups ? m->at.groups : groups;
}

static bool works(const struct measurement *m)
{
    return m->group < working_groups(m);
}

static bool counts(const struct measurement *m, int i, const void *of)
{
    return works(m);
}

static void batch(struct measurement *m, const struct repetitions *b, void *of)
{
    for (int i = 0; i < b->n; i++) {
        double us = b->own_us[i];
        control_allreduce(&m->resources->clock, &us, 1, MPI_DOUBLE, MPI_MAX, m->group_control);
        struct parts all = parts_reduce(m, m->rank == 0 && works(m), us, m->group);
        if (m->all.rank == 0 && repetitions_valid(b, i))
            group_times_add(of, all.sum_us / working_groups(m), all.fastest_us, all.slowest.rank);
    }
}

static void conclude_groups(struct measurement *m, double overhead_us, void *of)
{
    bool cyclic = m->suite->options.layout == LAYOUT_CYCLIC;
    if (m->all.rank != 0)
        return;
    group_times_conclude(of, recorded_how(m), overhead_us, &m->extra[EXTRA_MEAN]);
    double slowest = group_times_slowest(of);
    m->extra[EXTRA_GROUPS].value = working_groups(m);
    m->extra[EXTRA_SLOWEST].value = slowest;
    m->extra[EXTRA_SLOWEST_RANK].value = cyclic ? slowest : slowest * m->size;
}

static void note(const struct measurement *m, struct text *out)
{
    const struct suite_options *x = &m->suite->options;
    struct text value = { 0 };
    fact_fill(&value, FACT_GROUPS, { .number = x->groups },
              { .number = m->resources->size / x->groups },
              { .text = x->layout == LAYOUT_CYCLIC ? "cyclic" : "block" });
    for (int group = 0; group < x->groups; group++) {
        LOCAL_TEXT hosts = { 0 };
        enum { LISTED = 8 };
        const char *last = "";
        int listed = 0;
        for (int rank = 0, all = m->resources->size; rank < all; rank++) {
            const char *host = m->resources->hosts.ranks[rank].host;
            if (measurement_group_of(m, all, rank) != group || strcmp(host, last) == 0)
                continue;
            if (listed++ < LISTED)
                text_add(&hosts, " %s", host);
            last = host;
        }
        if (listed > LISTED)
            text_add(&hosts, " ...");
        fact_fill(&value, FACT_GROUPS, { .number = group }, { .text = text_get(&hosts) });
    }
    fact_add_text(out, FACT_GROUPS, &value);
}

const struct pattern groups_pattern = {
    VARIANT_INFO(PATTERN_OWN_TIMES, TIME_SLOWEST_GROUP, .extra = extra),
    COMMON_START(.counts = counts, .works = works),
    RECORDER(struct group_times, GROUP_TIMES, .batch = batch, .conclude = conclude_groups),
    .note = note,
    .node_times = true,
};
