#include "model/definition.h"

#include "model/suite.h"

#include <math.h>

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

static const struct rate *rate_of_suite(const struct suite *s, const struct setting *at)
{
    const struct rate *rate = rate_info(rate_of_times(s));
    if (rate != NULL && rate->notified != 0 && s->options.sync == SYNC_NOTIFY)
        rate = rate_info(rate->notified);
    if (rate != NULL && rate->single != 0 && at->window == 1)
        rate = rate_info(rate->single);
    return rate;
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
    const struct rate *rate = rate_of_suite(s, at);
    double factor = at->threads > 1 ? at->threads : 1;
    if (rate == NULL)
        return (struct transferred){ NAN, NAN };
    for (const char *word = rate->by; word != NULL && *word != '\0';) {
        size_t len = strcspn(word, " ");
        factor *= factor_of(word, len, s, at);
        word += len + (word[len] == ' ');
    }
    bool sends = rate->messages > 0 && at->length > 0;
    return (struct transferred){ sends ? factor * rate->messages * (double)at->length : NAN,
                                 rate->events > 0 ? factor * rate->events : NAN };
}
