/* The rows of a health run as results that all programs read: those of suites which measure the
 * same. */
#include "session/health.h"

#include "base/file.h"
#include "patterns/pattern.h"
#include "results/format.h"
#include "results/rotated.h"
#include "session/header_facts.h"

enum rows { ALLREDUCE_ROWS, COPY_ROWS, SHORT_ROWS, LONG_ROWS };

/* The suite of each. Only rows need the one of memcpy, which takes memory on each process. */
static const char OF_HOSTS[] =
    "@VERSION 4.2\n@MEMORY 65536\n@NAMEOFRUN Hosts\n@MEASUREMENTS\n"
    "hosts-Allreduce { Type = 61; Variation = Length; Start_Argument = 8; End_Argument = 8;\n"
    "  Parameters = \"estimate=median\"; }\n";
static const char OF_COPY[] =
    "hosts-memcpy { Type = 58; Variation = Length; Start_Argument = 16777216;\n"
    "  End_Argument = 16777216; Node_Times = Yes; Parameters = \"estimate=median\"; }\n";

/* Suites that need two processes. */
static const char OF_PAIRS[] =
    "hosts-short { Type = 160; Variation = Pairs; Default_Message_length = 8;\n"
    "  Parameters = \"pairs=round estimate=median\"; }\n"
    "hosts-long { Type = 176; Variation = Pairs; Default_Message_length = 1048576;\n"
    "  Parameters = \"pairs=round window=1 estimate=median\"; }\n";

void health_rows_parameters(struct text *out, int processes, bool keeps)
{
    text_add(out, "%s%s%s", OF_HOSTS, keeps ? OF_COPY : "", processes > 1 ? OF_PAIRS : "");
}

struct rows_of {
    const struct session *session;
    const struct health *health;
    double allreduce_us;
    const struct host_of *all; /* borrowed */
    enum rows kind;
    struct block block;
};

/* The repetitions of each. */
static const int counts[] = { HEALTH_ALLREDUCES, HEALTH_COPIES, HEALTH_LATENCIES, HEALTH_MESSAGES };

static void add(struct rows_of *r, long argument, long partner, double us)
{
    const struct summary summary = { counts[r->kind], us, NAN };
    struct row row = { .argument = argument,
                       .partner_argument = partner,
                       .stop = STOP_REPETITIONS,
                       .contended = contention_marks(&r->session->resources.contention, 0),
                       .within_us = NAN,
                       .visit_median_us = NAN };
    row.stats = (struct stats){ .cleaned = summary, .all = summary, .median_us = us };
    row.stats.min_us = row.stats.max_us = row.stats.p25_us = row.stats.p75_us = NAN;
    if (us > 0.0)
        block_append(&r->block, &row);
}

/* Adds the pairs of hosts, of which each way has a row if long, and what is within the hosts. */
static void add_pairs(struct rows_of *r)
{
    const struct health *h = r->health;
    const double *latency = h->us[HEALTH_LATENCY], *us = h->us[HEALTH_LONG];
    const bool is_long = r->kind == LONG_ROWS;
    const int n = h->hosts;
    for (int i = 0; i < n * n; i++) {
        const int a = i / n, b = i % n;
        const double near_us = h->us[HEALTH_NEAR][a], long_us = h->us[HEALTH_NEAR_LONG][a];
        if (a == b && r->all[a].ranks[1] >= 0)
            add(r, r->all[a].ranks[0], r->all[a].ranks[1], near_us + (is_long ? long_us : near_us));
        else if (a < b || (a != b && is_long))
            add(r, r->all[a].ranks[0], r->all[b].ranks[0],
                latency[i] + (is_long ? us[i] : latency[i]));
    }
}

/* Adds one row: the slowest host, and the time of each first process. */
static void add_copy(struct rows_of *r)
{
    const int size = r->session->resources.size;
    double most_us = NAN, *each;
    allocated_array(&each, (size_t)size);
    for (int rank = 0; rank < size; rank++)
        each[rank] = NAN;
    for (int i = 0; i < r->health->hosts; i++) {
        each[r->all[i].ranks[0]] = r->health->us[HEALTH_COPY][i];
        most_us = fmax(most_us, r->health->us[HEALTH_COPY][i]);
    }
    add(r, 1 << 24, 0, most_us);
    if (r->block.count > 0) {
        r->block.rows[0].node_us = each;
        r->block.rows[0].nodes = size;
    } else {
        free(each);
    }
}

static void add_allreduce(struct rows_of *r)
{
    add(r, HEALTH_SHORT_BYTES, 0, r->allreduce_us);
}

static void add_suite(struct rows_of *r, struct text *out)
{
    static void (*const add_rows[])(struct rows_of *) = { add_allreduce, add_copy, add_pairs,
                                                          add_pairs };
    const struct resources *res = &r->session->resources;
    const struct suite *suite = &r->session->params.suites[r->kind];
    const struct measurement m = { .suite = suite, .resources = (struct resources *)res };
    r->block = (struct block){ .params = &r->session->params,
                               .suite = suite,
                               .range = suite_range(&r->session->params, suite, res->size),
                               .processes = res->size,
                               .first_call_us = -1.0 };
    r->block.range.last = r->kind == LONG_ROWS ? res->size - 1 : r->block.range.last;
    add_rows[r->kind](r);
    if (r->block.count > 0) {
        fact_add(&r->block.notes, FACT_ESTIMATE, "median");
        if (pattern_of(suite)->note != NULL)
            pattern_of(suite)->note(&m, &r->block.notes);
        block_sort(&r->block);
        output_block(out, &r->block);
    }
    block_release(&r->block);
}

/* An earlier file keeps what it has, under another name. */
static int write_rows(const char *path, const struct text *text, struct err *e)
{
    LOCAL_TEXT kept = { 0 };
    struct stat st;
    if (lstat(path, &st) == 0 && rotate_file(NULL, path, &kept, e) != 0)
        return -1;
    return file_replace(path, text, e);
}

int health_rows_write(const struct session *s, const struct health *h, const struct health_run *run,
                      const struct host_of *all, const struct text *verdict, struct err *e)
{
    LOCAL_TEXT text = { 0 };
    struct rows_of r = {
        .session = s, .health = h, .allreduce_us = run->together.allreduce_us, .all = all
    };
    facts_header(&s->resources, &s->params, &s->warnings, &text);
    fact_add(&text, FACT_HEALTH, text_get(verdict));
    for (; r.kind < s->params.suite_count; r.kind++)
        add_suite(&r, &text);
    facts_trailer(&s->resources, "", &text);
    format_trailer(&text, false);
    return write_rows(s->request->outfile, &text, e);
}
