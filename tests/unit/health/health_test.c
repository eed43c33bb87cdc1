/* Verdicts about generated clusters: each pair has its own times, 5 % apart, some messages take ten
 * times as long, and the routes of some pairs collide in the rounds. */
#include "health/health_report.h"

#include "../random.h"
#include "../test.h"

static const double PAIR_NOISE = 0.05, MESSAGE_NOISE = 0.02, SPIKES = 0.01, SPIKE = 10.0,
                    COLLIDING = 0.05, COLLISION = 2.0;
enum { ROUND_LATENCIES = 9, ROUND_MESSAGES = 5, MOST_HOSTS = 64 };

enum plant { HEALTHY, SLOW_HOST, SLOW_LINK, SLOW_SENDING, SLOW_PAIR, SLOW_SWITCH, PLANTS };

struct cluster {
    int hosts, bad, other; /* the first bad host; of a pair, the second; of a switch, the end */
    enum plant plant;
    double factor;
    int racks;                             /* of as many hosts each */
    double across;                         /* how much longer messages between racks take */
    double scatter;                        /* hosts are faster or slower by at most this part */
    double uneven;                         /* how far pairs are apart, instead of PAIR_NOISE */
    double own[MOST_HOSTS][MOST_HOSTS][2]; /* latency and long messages of each pair alone */
    uint64_t state;
};

static bool is_in(const struct cluster *c, int host)
{
    return host >= c->bad && host < c->other;
}

/* How much longer a message from one host to another takes. */
static double slower(const struct cluster *c, int from, int to, bool lasting)
{
    bool touched = from == c->bad || to == c->bad;
    switch (c->plant) {
    case SLOW_HOST:
        return touched ? c->factor : 1.0;
    case SLOW_LINK:
        return touched && lasting ? c->factor : 1.0;
    case SLOW_SENDING:
        return from == c->bad && lasting ? c->factor : 1.0;
    case SLOW_PAIR:
        return touched && (from == c->other || to == c->other) ? c->factor : 1.0;
    case SLOW_SWITCH:
        return lasting && is_in(c, from) != is_in(c, to) ? c->factor : 1.0;
    default:
        return 1.0;
    }
}

/* Sets the times of all pairs; what is planted is in c. */
static void make(struct cluster *c, uint64_t seed)
{
    int hosts = c->hosts, rack = c->racks > 0 ? hosts / c->racks : hosts;
    double each[MOST_HOSTS], noise = c->uneven > 0.0 ? c->uneven : PAIR_NOISE;
    c->state = seed;
    c->bad = (int)(generated_random(&c->state) * (hosts > 8 ? hosts - 8 : hosts));
    c->bad -= c->plant == SLOW_SWITCH && c->racks > 0 ? c->bad % rack : 0;
    c->other = c->bad + (c->plant == SLOW_SWITCH ? 8 : 1 + (int)(generated_random(&c->state) * 7));
    c->factor = 1.5 + 2.0 * generated_random(&c->state);
    for (int i = 0; i < hosts; i++)
        each[i] = 1.0 + c->scatter * (2.0 * generated_random(&c->state) - 1.0);
    for (int i = 0; i < hosts; i++)
        for (int j = 0; j < hosts; j++) {
            double far = fmax(each[i], each[j]) * (i / rack == j / rack ? 1.0 : c->across);
            double latency =
                j > i ? 2.0 * far * exp(noise * generated_normal(&c->state)) : c->own[j][i][0];
            c->own[i][j][0] = j > i ? latency * slower(c, i, j, false) : latency;
            c->own[i][j][1] =
                100.0 * far * exp(noise * generated_normal(&c->state)) * slower(c, i, j, true);
        }
}

/* The median of some messages. */
static double measured(struct cluster *c, double us, int messages)
{
    double list[ROUND_LATENCIES];
    for (int i = 0; i < messages; i++)
        list[i] = us * exp(MESSAGE_NOISE * generated_normal(&c->state)) *
                  (generated_random(&c->state) < SPIKES ? SPIKE : 1.0);
    sort_values(list, messages);
    return list[messages / 2];
}

static double faster_of_two(struct cluster *c, double us)
{
    return fmin(measured(c, us, 1), measured(c, us, 1));
}

static void measure_rounds(struct cluster *c, struct health *h)
{
    int n = c->hosts;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double collision = generated_random(&c->state) < COLLIDING ? COLLISION : 1.0;
            if (i == j)
                continue;
            if (j > i)
                h->us[HEALTH_LATENCY][i * n + j] = h->us[HEALTH_LATENCY][j * n + i] =
                    measured(c, c->own[i][j][0], ROUND_LATENCIES);
            h->us[HEALTH_LONG][i * n + j] =
                measured(c, c->own[i][j][1] * collision, ROUND_MESSAGES);
        }
}

static void measure_alone(struct cluster *c, struct health *h)
{
    for (int i = 0; i < h->look_count; i++) {
        struct health_look *l = &h->looks[i];
        for (int v = 0; v < HEALTH_VISITS && l->b >= 0; v++) {
            l->us[v][VALUE_LATENCY] = measured(c, c->own[l->a][l->b][0], ROUND_MESSAGES);
            l->us[v][VALUE_THERE] = faster_of_two(c, c->own[l->a][l->b][1]);
            l->us[v][VALUE_BACK] = faster_of_two(c, c->own[l->b][l->a][1]);
        }
    }
}

static bool names(const struct cluster *c, const struct health_suspect *s)
{
    static const enum health_fault expected[PLANTS] = {
        [SLOW_HOST] = FAULT_HOST, [SLOW_LINK] = FAULT_LINK,    [SLOW_SENDING] = FAULT_SENDING,
        [SLOW_PAIR] = FAULT_PAIR, [SLOW_SWITCH] = FAULT_GROUP,
    };
    if (s->fault != expected[c->plant])
        return false;
    return c->plant == SLOW_PAIR     ? s->host == c->bad && s->other == c->other
           : c->plant == SLOW_SWITCH ? is_in(c, s->host)
                                     : s->host == c->bad;
}

/* Is what is named just what was planted? */
static bool is_right(const struct cluster *c, const struct health *h)
{
    int named = 0, right = 0, expected = c->plant == SLOW_SWITCH ? 8 : c->plant != HEALTHY;
    for (int i = 0; i < h->suspect_count; i++) {
        bool bad = h->suspects[i].fault > FAULT_UNKNOWN;
        named += bad;
        right += bad && names(c, &h->suspects[i]);
    }
    return named == expected && right == expected;
}

/* Judges a cluster. Is what was planted named, and only that? state: of the whole. */
static bool judged_right(struct cluster *c, uint64_t seed, int groups, enum health_state *state)
{
    static const char *names[MOST_HOSTS];
    static struct link_rate links[MOST_HOSTS];
    static double shares[MOST_HOSTS];
    const struct health_run run = {
        .links = links, .shares = shares, .baseline = "b", .usual = { NAN, NAN, NAN }
    };
    LOCAL(health) h;
    LOCAL(health_remarks) r;
    make(c, seed);
    for (int i = 0; i < MOST_HOSTS; i++) {
        shares[i] = 1.0;
        names[i] = "h";
    }
    health_init(&h, c->hosts, names);
    measure_rounds(c, &h);
    health_find(&h, 8 * c->hosts);
    measure_alone(c, &h);
    health_judge(&h);
    health_remarks_find(&r, &h, &run);
    *state = health_remarks_state(&r);
    return is_right(c, &h) && (groups == 0 || h.levels[HEALTH_LONG].groups == groups);
}

/* Names what is planted in 95 % of the clusters, and nothing in healthy ones, which are healthy in
 * 90 %, or something to look at if they are racks. */
TEST(test_verdicts)
{
    static const struct {
        struct cluster of;
        int groups;
    } rows[] = {
        { { .plant = HEALTHY, .hosts = 64 }, 0 },
        { { .plant = SLOW_HOST, .hosts = 64 }, 0 },
        { { .plant = SLOW_LINK, .hosts = 64 }, 0 },
        { { .plant = SLOW_SENDING, .hosts = 64 }, 0 },
        { { .plant = SLOW_PAIR, .hosts = 64 }, 0 },
        { { .plant = SLOW_SWITCH, .hosts = 64 }, 0 },
        { { .plant = HEALTHY, .hosts = 16 }, 0 },
        { { .plant = SLOW_HOST, .hosts = 16 }, 0 },
        { { .plant = HEALTHY, .hosts = 5 }, 0 },
        { { .plant = HEALTHY, .hosts = 8 }, 0 },
        { { .plant = HEALTHY, .hosts = 16, .scatter = 0.03 }, 0 },
        { { .plant = HEALTHY, .hosts = 16, .scatter = 0.1 }, 0 },
        { { .plant = HEALTHY, .hosts = 64, .scatter = 0.1 }, 0 },
        { { .plant = HEALTHY, .hosts = 64, .uneven = 0.25 }, 0 },
        { { .plant = HEALTHY, .hosts = 4, .scatter = 0.1 }, 0 },
        { { .plant = HEALTHY, .hosts = 3, .scatter = 0.1 }, 0 },
        { { .plant = HEALTHY, .hosts = 2, .scatter = 0.1 }, 0 },
        { { .plant = SLOW_HOST, .hosts = 4 }, 0 },
        { { .plant = SLOW_HOST, .hosts = 3 }, 0 },
        { { .plant = HEALTHY, .hosts = 16, .racks = 2, .across = 1.72 }, 2 },
        { { .plant = HEALTHY, .hosts = 24, .racks = 3, .across = 1.72, .scatter = 0.03 }, 3 },
        { { .plant = HEALTHY, .hosts = 32, .racks = 4, .across = 1.72, .scatter = 0.1 }, 4 },
        { { .plant = HEALTHY, .hosts = 64, .racks = 4, .across = 3.0, .scatter = 0.1 }, 4 },
        { { .plant = SLOW_HOST, .hosts = 16, .racks = 2, .across = 1.72 }, 2 },
        { { .plant = SLOW_LINK, .hosts = 32, .racks = 4, .across = 1.72 }, 4 },
        { { .plant = SLOW_SWITCH, .hosts = 24, .racks = 3, .across = 1.3 }, 3 },
        { { .plant = SLOW_SWITCH, .hosts = 32, .racks = 4, .across = 1.72 }, 4 },
    };
    int clusters = getenv("SKAMPI_LONG") != NULL ? 1000 : 40;
    for (size_t i = 0; i < COUNT(rows); i++) {
        int right = 0, states[HEALTH_BAD + 1] = { 0 };
        bool look = rows[i].groups > 0 || rows[i].of.uneven > 0.0;
        enum health_state said, expected = look ? HEALTH_LOOK : HEALTH_GOOD;
        expected = rows[i].of.plant == HEALTHY ? expected : HEALTH_BAD;
        for (int k = 0; k < clusters; k++) {
            struct cluster c = rows[i].of;
            right += judged_right(&c, (uint64_t)k * 7919 + i, rows[i].groups, &said);
            states[said]++;
        }
        printf("# row %zu: %d of %d right; healthy %d, cannot tell %d, look %d, bad %d\n", i, right,
               clusters, states[HEALTH_GOOD], states[HEALTH_UNKNOWN], states[HEALTH_LOOK],
               states[HEALTH_BAD]);
        assert_true(right >= 0.95 * clusters && states[expected] >= 0.9 * clusters);
    }
}

/* Three of twelve hosts are slow with all others. That is what their switch makes of them, if the
 * batch system says that they have one of their own, as the others have; else they are bad. */
TEST(test_switches)
{
    enum { HOSTS = 12 };
    static const int switches[HOSTS] = { 0, 0, 0, 3, 3, 3, 3, 3, 3, 3, 3, 3 };
    static const char *const no_names[HOSTS];
    for (int known = 0; known < 2; known++) {
        LOCAL(health) h;
        health_init(&h, HOSTS, no_names);
        h.switches = known ? switches : NULL;
        for (int k = 0; k < HOSTS * HOSTS; k++)
            if (k / HOSTS != k % HOSTS)
                h.us[HEALTH_LONG][k] = switches[k / HOSTS] == switches[k % HOSTS] ? 100.0 : 172.0;
        health_find(&h, HOSTS);
        assert_int_equal(h.levels[HEALTH_LONG].groups, known ? 2 : 0);
        assert_int_equal(h.suspect_count, known ? 0 : 3);
    }
}

/* The last one of few hosts is slower by a factor: either of two may be the slow one, and a factor
 * that matters among five does not among fewer. */
TEST(test_few_hosts)
{
    static const struct {
        int hosts;
        double factor;
        int suspects;
    } rows[] = { { 2, 9.0, 0 }, { 3, 1.2, 0 }, { 3, 9.0, 1 },
                 { 4, 1.2, 0 }, { 4, 9.0, 1 }, { 5, 1.2, 1 } };
    static const char *const no_names[MOST_HOSTS];
    EACH(row, rows) {
        int n = row->hosts;
        const struct cluster c = { .bad = n - 1, .plant = SLOW_HOST, .factor = row->factor };
        LOCAL(health) h;
        health_init(&h, n, no_names);
        for (int k = 0; k < n * n; k++)
            if (k / n != k % n)
                h.us[HEALTH_LONG][k] = 100.0 * slower(&c, k / n, k % n, true);
        health_find(&h, n);
        assert_int_equal(h.suspect_count, row->suspects);
        assert_true(h.suspect_count == 0 || h.suspects[0].host == c.bad);
    }
}

/* The memory of host 0, its pair with host 1, or its link takes three times as long in the rounds,
 * or as in the baseline. Alone, it does in some visits of 21: nothing can be said if the interval
 * has the limit in it. */
TEST(test_cannot_tell)
{
    enum { HOSTS = 6, MEMORY = 0, PAIR, LINK, SINCE, PLANTED };
    static const int slow_visits[] = { 0, 10, 21 };
    static const enum health_fault named[] = { FAULT_HOST, FAULT_PAIR, FAULT_LINK, FAULT_BASELINE };
    static const char *const no_names[HOSTS];
    for (int i = 0; i < PLANTED * (int)COUNT(slow_visits); i++) {
        const int planted = i % PLANTED, visits = i / PLANTED;
        const bool since = planted == SINCE;
        const enum health_fault expected[] = { FAULT_NONE, FAULT_UNKNOWN, named[planted] };
        LOCAL(health) h;
        health_init(&h, HOSTS, no_names);
        h.baseline[HEALTH_COPY][0] = since ? calloc(HOSTS, sizeof(double)) : NULL;
        for (int k = 0; k < HOSTS * HOSTS; k++) {
            bool pair = k == 1 || k == HOSTS, link = k < HOSTS || k % HOSTS == 0;
            h.us[HEALTH_LONG][k] = (planted == PAIR && pair) || (planted == LINK && link) ? 3 : 1;
        }
        for (int k = 0; k < HOSTS; k++)
            h.us[HEALTH_COPY][k] = since || (planted == MEMORY && k == 0) ? 3 : 1;
        for (int k = 1; k < HOSTS && since; k++)
            h.baseline[HEALTH_COPY][0][k] = log(3.0);
        health_find(&h, HOSTS);
        assert_int_equal(h.suspect_count, 1);
        for (int k = 0; k < h.look_count * HEALTH_VISITS; k++) {
            struct health_look *l = &h.looks[k / HEALTH_VISITS];
            bool own = l->a == 0 && (planted != PAIR || l->b == 1);
            bool slow = own ? k % HEALTH_VISITS < slow_visits[visits] : since;
            double *us = l->us[k % HEALTH_VISITS];
            us[VALUE_THERE] = us[VALUE_BACK] = slow ? 3 : 1;
        }
        health_judge(&h);
        assert_int_equal(h.suspects[0].fault, expected[visits]);
    }
}

/* The farthest of normal values is beyond the limit in few cases, also if the deviation is known
 * only from these values. */
TEST(test_critical)
{
    static const int sizes[] = { 6, 8, 16, 64, 256 };
    enum { DRAWS = 2000, MOST = 256 };
    uint64_t seed = 1;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        int n = sizes[i], beyond = 0;
        for (int k = 0; k < DRAWS; k++) {
            double list[MOST];
            for (int j = 0; j < n; j++)
                list[j] = generated_normal(&seed);
            sort_values(list, n);
            double middle = (list[(n - 1) / 2] + list[n / 2]) / 2.0;
            double deviation = (middle - list[(n - 1) / 4]) / 0.6745;
            beyond += list[n - 1] > middle + health_critical(n) * deviation;
        }
        printf("# %d values: %d of %d beyond\n", n, beyond, DRAWS);
        assert_true(beyond <= 0.05 * DRAWS);
    }
}
