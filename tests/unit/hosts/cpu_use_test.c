#include "../test.h"
#include "../text_files.h"

#include "hosts/cpu_use.h"

static const struct wait_case {
    const char *text;
    double waited_s; /* NaN: unknown */
} wait_cases[] = {
    { "1000 2500000 7\n", 2.5e-3 },
    { "5 0 1\n", 0.0 },
    { "0 0 0\n", NAN },
    { "", NAN },
    { "x y z\n", NAN },
};

/* Files of the directory that is used instead of /proc. */
TEST_IN_DIRECTORY(test_waits)
{
    EACH(c, wait_cases) {
        write_below("thread-self/schedstat", c->text);
        double waited_s = cpu_use_read(".", false).waited_s;
        assert_true(isnan(c->waited_s) ? isnan(waited_s) : fabs(waited_s - c->waited_s) < 1e-12);
    }
}

TEST_IN_DIRECTORY(test_host)
{
    double tick_s = 1.0 / (double)sysconf(_SC_CLK_TCK);
    write_below("stat", "cpu  30 1 20 1000 50 2 7 40 5 5\ncpu0 1 1 1 1 1 1 1 1 1 1\n");
    struct cpu_use use = cpu_use_read(".", true);
    assert_true(fabs(use.steal_s - (40 * tick_s)) <= 1e-9);
    assert_true(fabs(use.working_s - (100 * tick_s)) <= 1e-9);
    assert_true(fabs(cpu_use_steal(&use) - 0.4) <= 1e-9);
    write_below("stat", "cpu 1 2 3\n");
    use = cpu_use_read(".", true);
    assert_true(cpu_use_steal(&use) <= 0.0);
}

/* A process that sleeps or blocks ran little and waited for nothing: it got what it wanted. */
static const struct share_case {
    struct cpu_use use;
    double share;
    bool contended, stolen;
} share_cases[] = {
    { { .ran_s = 1.0 }, 1.0, false, false },
    { { .ran_s = 0.001, .waited_s = 0.0 }, 1.0, false, false },
    { { .ran_s = 0.95, .waited_s = 0.05 }, 0.95, false, false },
    { { .ran_s = 0.85, .waited_s = 0.15 }, 0.85, true, false },
    { { .ran_s = 0.0005, .waited_s = 0.0005 }, 0.5, false, false }, /* noise */
    { { .waited_s = 0.5 }, 0.0, true, false },
    { { .ran_s = 0.0 }, 1.0, false, false },
    { { .ran_s = 1.0, .steal_s = 0.54, .working_s = 1.0 }, 1.0, false, true },
    { { .ran_s = 1.0, .steal_s = 0.04, .working_s = 1.0 }, 1.0, false, false },
    { { .ran_s = 1.0, .steal_s = 0.03, .working_s = 0.05 }, 1.0, false, false }, /* few ticks */
};

TEST(test_shares)
{
    EACH(c, share_cases) {
        assert_true(fabs(cpu_use_share(&c->use) - c->share) <= 1e-9);
        assert_int_equal(cpu_use_is_contended(&c->use, 1e-3), c->contended);
        assert_int_equal(cpu_use_is_stolen(&c->use), c->stolen);
    }
}

/* The last case is a run of 16 processes on 16 CPUs, two of which share one. */
static const struct others_case {
    struct cpu_use use;
    double ours_s, others_s;
} others_cases[] = {
    { { .waited_s = 1.0, .working_s = 4.0 }, 2.0, 2.0 },
    { { .waited_s = 1.0, .working_s = 4.0, .steal_s = 1.5 }, 2.0, 0.0 },
    { { .waited_s = 1.0, .working_s = 3.0 }, 2.0, 0.0 }, /* a few ticks */
    { { .waited_s = 0.0, .working_s = 2.02 }, 2.0, 0.0 },
    { { .waited_s = 1.0 }, 2.0, 0.0 }, /* unknown */
    { { .ran_s = 8.2, .waited_s = 1.8, .working_s = 159.0 }, 158.2, 0.0 },
};

TEST(test_others)
{
    EACH(c, others_cases)
        assert_true(fabs(cpu_use_others(&c->use, c->ours_s) - c->others_s) <= 1e-9);
}

/* Without schedstat: a process that lost its CPU waited for as long as it did not run. */
static const struct guess_case {
    double switches, waited_s;
} guess_cases[] = { { 0.0, 0.0 }, { 3.0, 0.7 } };

TEST(test_guess)
{
    EACH(c, guess_cases) {
        const struct cpu_use from = { .ran_s = 1.0, .waited_s = NAN },
                             to = { .ran_s = 1.3, .waited_s = NAN, .switches = c->switches };
        struct cpu_use use = cpu_use_between(&from, &to, 1.0);
        assert_true(fabs(use.waited_s - (c->waited_s)) <= 1e-9);
    }
}

/* This process, by the real files. */
TEST(test_own)
{
    struct cpu_use from = cpu_use_read(CPU_USE_DIRECTORY, true), to;
    do
        to = cpu_use_read(CPU_USE_DIRECTORY, true);
    while (to.ran_s - from.ran_s < 0.01);
    struct cpu_use use = cpu_use_between(&from, &to, 0.01), sum = { 0 };
    cpu_use_add(&sum, &use);
    cpu_use_add(&sum, &use);
    assert_true(use.ran_s >= 0.01 && use.waited_s >= 0.0 && use.switches >= 0.0);
    assert_true(use.own_s >= 0.5 * use.ran_s && fabs(sum.own_s - 2.0 * use.own_s) <= 1e-12);
    assert_true(fabs(sum.ran_s - (2.0 * use.ran_s)) <= 1e-12);
    assert_true(fabs(cpu_use_share(&sum) - (cpu_use_share(&use))) <= 1e-12);
}
