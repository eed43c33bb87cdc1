/* The output of skampi --health, and the file of its baseline. No MPI. */
#pragma once

#include "health/health.h"
#include "hosts/link_rates.h"
#include "health/baseline.h"

/* Times of all hosts together. NaN: not measured, or not in the baseline. */
struct health_together {
    double allreduce_us;
    double halves_us; /* 1 MiB both ways, between halves of the hosts at once */
    double across;    /* how many times as long as within groups a long message takes, alone */
};

/* The measurement besides its values. */
struct health_run {
    int processes, rounds;
    double rounds_s, alone_s;               /* the time that they took */
    struct health_together together, usual; /* usual: in the baseline */
    double tcp_share; /* of the bandwidth of TCP without MPI, between hosts; NaN: unknown */
    double clock_us, clock_bound_us; /* how far clocks are apart, and can be at most */
    bool clock_unfit, oversubscribed;
    const struct link_rate *links; /* borrowed: of each host, the one that sent its messages */
    const double *shares;          /* borrowed, of each host: the least share of a CPU */
    const char *baseline;          /* file; NULL: none */
};

/* A remark that belongs to the verdict. */
struct health_remark {
    enum health_state state;
    struct text text;
    int host; /* that it names; negative: none */
};

struct health_remarks {
    struct health_remark *list; /* owned */
    size_t count, capacity;
};

/* All that is bad or unknown, and notes (HEALTH_GOOD). Release them. */
void health_remarks_find(struct health_remarks *r, const struct health *h,
                         const struct health_run *run);
void health_remarks_release(struct health_remarks *r);
enum health_state health_remarks_state(const struct health_remarks *r);

void health_text(struct text *out, const struct health *h, const struct health_run *run,
                 const struct health_remarks *r);
void health_json(struct text *out, const struct health *h, const struct health_run *run,
                 const struct health_remarks *r);
/* OpenMetrics, which node_exporter's text collector reads, too. */
void health_metrics(struct text *out, const struct health *h, const struct health_run *run,
                    const struct health_remarks *r);

/* Adds the lists "health", "limits" and "states" of the catalogue. */
void health_catalog(struct text *out);

/* The baseline: a text, with lines @CLASS, and what one says about these hosts. A host that it
 * lacks is compared with the usual values of all. */
void health_baseline_add(struct text *out, const struct health *h, const struct health_run *run,
                         const char *class_lines);
int health_baseline_use(struct health *h, struct health_run *run, const struct baseline *b,
                        struct err *e);

/* Replaces the file, but only if it is a baseline, or none exists. */
int health_baseline_write(const char *path, const struct text *text, struct err *e);
