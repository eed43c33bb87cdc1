/* Each allocation of a judgement fails once: it ends with an error, and never says healthy. */
#include "../failing.h"
#include "../test.h"

#include "health/health_report.h"

#include <sys/wait.h>
#include <unistd.h>

enum { HOSTS = 8, MOST = 1000 };

static const char *const names[HOSTS] = { "h0", "h1", "h2", "h3", "h4", "h5", "h6", "h7" };

/* One host has three times the others' latency, and two racks of hosts are far from each other. */
static void fill(struct health *h)
{
    for (int k = 0; k < HEALTH_KINDS; k++)
        for (int a = 0; a < HOSTS; a++)
            for (int b = 0; b < (health_kinds[k].pairs ? HOSTS : 1); b++) {
                bool slow = k == HEALTH_LATENCY && (a == 3 || b == 3);
                bool far = k == HEALTH_LONG && a / 4 != b / 4;
                h->us[k][health_kinds[k].pairs ? a * HOSTS + b : a] =
                    slow ? 30.0 : 10.0 * (far ? 2.0 : 1.0);
            }
}

typedef void printer(struct text *out, const struct health *h, const struct health_run *run,
                     const struct health_remarks *r);

/* Returns 0 only if all of it is said. */
static int judge(struct text *out, printer *print)
{
    LOCAL(health) h;
    LOCAL(health_remarks) r = { 0 };
    struct link_rate links[HOSTS] = { { .mbit = 0.0 } };
    const double shares[HOSTS] = { 1, 1, 1, 1, 1, 1, 1, 0.5 };
    struct health_run run = { .links = links, .shares = shares, .usual = { NAN, NAN, NAN } };
    int rc = health_init(&h, HOSTS, names, NO_ERR);
    if (rc == 0) {
        fill(&h);
        rc = health_find(&h, HOSTS, NO_ERR);
    }
    for (int i = 0; i < h.look_count * HEALTH_VISITS && rc == 0; i++)
        for (int v = 0; v < PAIR_VALUES; v++) {
            struct health_look *l = &h.looks[i / HEALTH_VISITS];
            l->us[i % HEALTH_VISITS][v] =
                h.us[v == VALUE_LATENCY ? HEALTH_LATENCY : HEALTH_LONG][l->a * HOSTS + l->b];
        }
    rc = rc == 0 ? health_judge(&h, NO_ERR) : rc;
    if (rc == 0) {
        health_remarks_find(&r, &h, &run);
        print(out, &h, &run, &r);
    }
    if (rc != 0 || text_lost())
        return -1;
    assert_int_equal(health_remarks_state(&r), HEALTH_BAD);
    return 0;
}

/* In a process of its own: a failure is remembered. */
static int judge_without(int left, printer *print)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        LOCAL_TEXT out = { 0 };
        allocations_left = left;
        _exit(judge(&out, print) != 0);
    }
    waitpid(child, &status, 0);
    return status;
}

TEST(test_every_allocation)
{
    printer *const prints[] = { health_text, health_json, health_metrics };
    for (size_t p = 0; p < COUNT(prints); p++) {
        LOCAL_TEXT out = { 0 };
        allocations_left = MOST;
        assert_int_equal(judge(&out, prints[p]), 0);
        int needed = MOST - allocations_left;
        allocations_left = -1;
        for (int left = 0; left < needed; left++)
            assert_int_not_equal(judge_without(left, prints[p]), 0);
        assert_true(needed > 20);
    }
}
