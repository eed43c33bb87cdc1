#include "model/others.h"

static const struct definition rows[TIMES_OF] = {
    [TIME_OF_PATTERN] = { "", "", RATE_NONE },
#define TIME(constant, ...) [TIME_##constant] = { __VA_ARGS__ },
#include "model/times.def"
};

#define TIMES_PARTS(what) what " times the message length, divided by the time"
static const struct rate rates[RATES] = {
#define RATE(constant, ...) [RATE_##constant] = { __VA_ARGS__ },
#include "model/rates.def"
};

static const char *const starts[START_COUNT] = {
    [START_OWN] = "own", [START_BARRIER] = "barrier", [START_CLOCK] = "clock"
};

const struct definition *definition_of(enum time_of time)
{
    return &rows[time];
}

const struct rate *rate_info(enum rate_of rate)
{
    return rates[rate].name == NULL ? NULL : &rates[rate];
}

const char *start_name(enum start start)
{
    return starts[start];
}

static const struct time_change changes[] = {
#define CHANGE(applies, ...) { __VA_ARGS__ },
#include "model/changes.def"
};
enum { CHANGES = sizeof(changes) / sizeof(*changes) };

static bool applies(const struct suite *s, size_t change)
{
    const struct suite_options *x = &s->options;
    const unsigned traits = s->type->traits;
    const bool own = s->type->time != TIME_OF_PATTERN;
    const bool accesses =
        (traits & TYPE_ONE_SIDED) != 0 && (traits & (TYPE_HAS_LENGTH | TYPE_REDUCES)) != 0;
    const struct other *other = other_of(s);
    const bool all[CHANGES] = {
#define CHANGE(applies, ...) applies,
#include "model/changes.def"
    };
    return all[change];
}

const struct time_change *time_change_get(size_t i)
{
    return i < CHANGES ? &changes[i] : NULL;
}

/* The one that a suite has, with the changes by its keys. */
static const struct definition *definition_of_suite(const struct suite *s)
{
    enum time_of time = s->type->time != TIME_OF_PATTERN ? s->type->time : suite_pattern(s)->time;
    for (size_t i = 0; i < CHANGES; i++)
        if (changes[i].of == time && applies(s, i))
            return definition_of(changes[i].becomes);
    return definition_of(time);
}

void definition_add_names(struct text *out, const struct suite *s)
{
    text_add(out, "%s", definition_of_suite(s)->name);
    for (size_t i = 0; i < CHANGES; i++)
        if (changes[i].word != NULL && applies(s, i))
            text_add(out, " %s", changes[i].word);
}

void definition_add_text(struct text *out, const struct suite *s)
{
    text_add(out, "%s", definition_of_suite(s)->text);
    for (size_t i = 0; i < CHANGES; i++)
        if (changes[i].text != NULL && applies(s, i))
            text_add(out, "; %s", changes[i].text);
}

/* A time that is unlike the type's, by the key as, has its own rate: half of a round trip is one
 * message. */
static enum rate_of rate_of_times(const struct suite *s)
{
    const struct type_info *t = s->type;
    const struct definition *usual =
        definition_of(t->time != TIME_OF_PATTERN ? t->time : t->pattern->time);
    const struct definition *own = definition_of_suite(s);
    const struct rate *rate = rate_info(own->rate);
    if (own != usual && s->options.as != BY_ITSELF && rate != NULL && rate->plotted == NULL)
        return own->rate;
    return t->rate != RATE_OF_TIME ? t->rate : usual->rate;
}

/* The processes of a collective; NaN: those of a group, if their number is varied. */
static double processes_of(const struct suite *s, const struct setting *at)
{
    return at->groups > 0 ? (double)NAN : (double)at->processes / s->options.groups;
}

/* The factor of a word of rate->by; NaN if it is unknown here. */
static double factor_of(const char *word, size_t len, const struct suite *s,
                        const struct setting *at)
{
    const struct {
        const char *word;
        double factor;
    } factors[] = {
        { "window", at->window },
        { "pairs", at->groups > 0 ? at->groups : at->processes / 2 },
        { "processes", at->processes },
        { "others", processes_of(s, at) - 1.0 },
        { "part", 1.0 / processes_of(s, at) },
        { "partners", 2.0 * (s->options.partners + 1) },
    };
    for (size_t i = 0; i < sizeof(factors) / sizeof(*factors); i++)
        if (text_same_n(word, len, factors[i].word))
            return factors[i].factor;
    return NAN;
}

struct transferred suite_transfers(const struct suite *s, const struct setting *at)
{
    const struct rate *rate = rate_info(rate_of_times(s));
    double factor = at->threads > 1 ? at->threads : 1;
    struct transferred all = { NAN, NAN };
    if (rate != NULL && rate->notified != 0 && s->options.sync == SYNC_NOTIFY)
        rate = rate_info(rate->notified);
    if (rate != NULL && rate->single != 0 && at->window == 1)
        rate = rate_info(rate->single);
    if (rate == NULL)
        return all;
    for (const char *word = rate->by; word != NULL && *word != '\0';) {
        size_t len = strcspn(word, " ");
        factor *= factor_of(word, len, s, at);
        word += len + (word[len] == ' ');
    }
    if (rate->messages > 0 && at->length > 0)
        all.bytes = factor * rate->messages * (double)at->length;
    if (rate->events > 0)
        all.events = factor * rate->events;
    return all;
}
