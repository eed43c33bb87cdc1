#include "results/table.h"

#include "model/others.h"

enum value { NOTHING, SIZE, COUNT, MEAN, SHORTEST, LONGEST, BANDWIDTH, RATE };

/* One column; a negative width: to the left. 0: the usual width of the benchmark. */
struct column {
    enum value value;
    const char *title;
    int width;
};

enum { COLUMNS = 6, EXTRA_SHORTEST = 0, EXTRA_LONGEST = 1 };

static const struct column layouts[][FIGURES][COLUMNS + 1] = {
    [BY_OSU] = {
        [FIGURE_TIME] = { { SIZE, "# Size", -10 }, { MEAN, "Avg Latency(us)" } },
        [FIGURE_SPREAD] = { { SIZE, "# Size", -10 }, { MEAN, "Avg Latency(us)" },
                            { SHORTEST, "Min Latency(us)" }, { LONGEST, "Max Latency(us)" },
                            { COUNT, "Iterations", 12 } },
        [FIGURE_BANDWIDTH] = { { SIZE, "# Size", -10 }, { BANDWIDTH, "Bandwidth (MB/s)" } },
        [FIGURE_BANDWIDTH_AND_RATE] = { { SIZE, "# Size", -10 }, { BANDWIDTH, "MB/s" },
                                        { RATE, "Messages/s" } },
    },
    [BY_IMB] = {
        [FIGURE_SPREAD] = { { SIZE, "#bytes" }, { COUNT, "#repetitions" },
                            { SHORTEST, "t_min[usec]" }, { LONGEST, "t_max[usec]" },
                            { MEAN, "t_avg[usec]" } },
        [FIGURE_SPREAD_AND_BANDWIDTH] = { { SIZE, "#bytes" }, { COUNT, "#repetitions" },
                                          { SHORTEST, "t_min[usec]" }, { LONGEST, "t_max[usec]" },
                                          { MEAN, "t_avg[usec]" }, { BANDWIDTH, "Mbytes/sec" } },
        [FIGURE_TIME_AND_BANDWIDTH] = { { SIZE, "#bytes" }, { COUNT, "#repetitions" },
                                        { MEAN, "t[usec]" }, { BANDWIDTH, "Mbytes/sec" } },
    },
};

/* Columns have this width, unless they say another one. */
static int width_of(const struct column *c, const struct other *o)
{
    static const int usual[] = { [BY_OSU] = 18, [BY_IMB] = 13 };
    return c->width != 0 ? c->width : usual[o->benchmark];
}

/* A type without messages has no size. */
static bool is_shown(const struct column *c, const struct suite *s)
{
    return c->value != SIZE || (s->type->traits & TYPE_HAS_LENGTH) != 0;
}

static const char *difference(const struct suite *s)
{
    const struct other *o = other_of(s);
    if (suite_pattern(s)->time == TIME_MEAN_PAIR)
        return "a mean over the pairs, each from its exit from a barrier; SKaMPI's own time is "
               "that of the slowest pair";
    if (o->figure == FIGURE_SPREAD && !o->in_a_row)
        return "a mean over the processes, each from its exit from a barrier; until the last one "
               "is done after a common start, up to 2 times as long";
    if (o->in_a_row)
        return "calls in a row; one that starts at the same instant everywhere takes longer";
    if (o->half)
        return "half of a round trip, mean of all repetitions; SKaMPI's own time is the round "
               "trip, without the quarters that are shortest and longest";
    return "mean of all repetitions; SKaMPI's own is without the quarters that are shortest and "
           "longest";
}

void as_add_head(struct text *out, const struct suite *s)
{
    const struct other *o = other_of(s);
    text_add(out, "# As %s of %s, measured by SKaMPI (%s)\n# %s\n", o->program,
             benchmark_name(o->benchmark), label_of(s), difference(s));
    if (o->benchmark == BY_OSU && (s->type->traits & TYPE_HAS_LENGTH) == 0)
        text_add(out, "# "); /* the first column shown is a comment, too */
    for (const struct column *c = layouts[o->benchmark][o->figure]; c->value != NOTHING; c++)
        if (is_shown(c, s))
            text_add(out, "%*s", width_of(c, o), c->title);
    text_add(out, "\n");
}

static double messages_of(const struct suite *s, const struct row *row, int processes)
{
    const struct other *o = other_of(s);
    bool window = type_has_option(s->type, OPTION_WINDOW);
    double messages = o->messages > 0 ? o->messages : 1;
    if (window)
        messages *= suite_setting(s, processes, row->argument).window;
    return o->figure == FIGURE_BANDWIDTH_AND_RATE ? messages * (processes / 2) : messages;
}

static double number(const struct suite *s, const struct row *row, int processes, enum value value)
{
    const struct other *o = other_of(s);
    const double mean_us = row->stats.all.mean_us, longest_us = row->extra[EXTRA_LONGEST].value;
    const bool by_longest = o->figure == FIGURE_SPREAD_AND_BANDWIDTH;
    const double rate = messages_of(s, row, processes) / (by_longest ? longest_us : mean_us);
    const double values[] = {
        [SIZE] = (double)row->length * (o->of_all ? processes : 1),
        [COUNT] = row->stats.all.count,
        [MEAN] = mean_us,
        [SHORTEST] = row->extra[EXTRA_SHORTEST].value,
        [LONGEST] = longest_us,
        [BANDWIDTH] = rate * (double)row->length,
        [RATE] = rate * 1e6,
    };
    return values[value];
}

void as_add_row(struct text *out, const struct table_row *r)
{
    const struct suite *s = r->b->suite;
    const struct other *o = other_of(s);
    for (const struct column *c = layouts[o->benchmark][o->figure]; c->value != NOTHING; c++) {
        double value = number(s, r->row, r->b->processes, c->value);
        if (is_shown(c, s) && isnan(value))
            text_add(out, "%*s", width_of(c, o), "-");
        else if (is_shown(c, s))
            text_add(out, "%*.*f", width_of(c, o), c->value == SIZE || c->value == COUNT ? 0 : 2,
                     value);
    }
    table_add_end(out, r);
}
