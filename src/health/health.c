#include "health/health.h"

#define AT_LEAST -

#define KIND(constant, ...) { __VA_ARGS__ },
#define LIMIT(constant, ...)
const struct health_kind_info health_kinds[HEALTH_KINDS] = {
#include "health/limits.def"
};
#define KIND(constant, ...)
#define LIMIT(constant, ...) { __VA_ARGS__ },
const struct health_limit_info health_limits[HEALTH_LIMITS] = {
#include "health/limits.def"
};

double health_limit(enum health_limit limit)
{
    const struct health_limit_info *l = &health_limits[limit];
    return fabs(l->value) / (l->unit[0] == '%' ? 100.0 : 1.0);
}

const struct health_state_info health_states[HEALTH_STATES] = {
    [HEALTH_GOOD] = { "healthy", "good", 0,
                      "what was judged is within its limit; a line may still say cannot tell, "
                      "because its value has a large error or no reference" },
    [HEALTH_UNKNOWN] = { "cannot tell", "cannot tell", 3,
                         "a value is beyond its limit, but its interval is not; processes waited "
                         "for CPUs; or nothing was judged" },
    [HEALTH_LOOK] = { "look", NULL, 3, "something differs that may be so by design" },
    [HEALTH_BAD] = { "bad", "look", 1,
                     "a value is beyond its limit with its whole interval: of a line, a host, a "
                     "link or a pair" },
};

const struct health_fault_info health_faults[FAULTS] = {
    [FAULT_NONE] = { "healthy alone" },
    [FAULT_FAR] = { "farther away" },
    [FAULT_UNKNOWN] = { "cannot tell" },
    [FAULT_HOST] = { "host", "with every host, and both ways" },
    [FAULT_LATENCY] = { "latency of the host", "short messages with every host" },
    [FAULT_LINK] = { "link", "its link: messages both ways" },
    [FAULT_SENDING] = { "link, sending", "its link: what it sends" },
    [FAULT_RECEIVING] = { "link, receiving", "its link: what it receives" },
    [FAULT_PAIR] = { "pair" },
    [FAULT_GROUP] = { "group of hosts" },
    [FAULT_BASELINE] = { "slower than the baseline", "slower than in the baseline" },
};

static double *unknown(size_t count)
{
    double *values;
    allocated_array(&values, count);
    for (size_t i = 0; i < count; i++)
        values[i] = NAN;
    return values;
}

void health_init(struct health *h, int hosts, const char *const *names)
{
    size_t n = (size_t)hosts;
    *h = (struct health){ .hosts = hosts, .names = names };
    for (enum health_kind k = 0; k < HEALTH_KINDS; k++) {
        h->us[k] = unknown(health_kinds[k].pairs ? n * n : n);
        struct health_level *l = &h->levels[k];
        *l = (struct health_level){ .reference = NAN,
                                    .alone = NAN,
                                    .from = unknown(n),
                                    .to = unknown(n),
                                    .host_limit = NAN,
                                    .pair_limit = { NAN, NAN } };
        allocated_array(&l->group, n);
    }
}

void health_release(struct health *h)
{
    for (enum health_kind k = 0; k < HEALTH_KINDS; k++) {
        free(h->us[k]);
        free(h->baseline[k][0]);
        free(h->baseline[k][1]);
        free(h->levels[k].group);
        free(h->levels[k].from);
        free(h->levels[k].to);
    }
    free(h->suspects);
    free(h->looks);
    *h = (struct health){ 0 };
}

double health_excess(const struct health *h, enum health_kind kind, int host, bool receives)
{
    const struct health_level *l = &h->levels[kind];
    return receives ? l->to[host] : l->from[host];
}
