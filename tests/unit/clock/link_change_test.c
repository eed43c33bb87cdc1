/* Clocks that change, seen through noise: for any change and seed, a check results in a line that
 * is right and a changed drift that is known. */

#include "../test.h"

#include "clock/link.h"

enum { SEEDS = 100, CHECKS = 6, ATTEMPTS = 4 };

static const double APART_S = 1.2; /* between checks */
static const double CHANGES_AT_S = 0.6;
static const double ROUND_TRIP_S = 5e-6;

/* A clock: its offset and drift, and their changes. */
static const struct fake {
    const char *name;
    double offset_s, drift;
    double set_s, turn;   /* at CHANGES_AT_S */
    double sine, sine_s;  /* drift sine * sin(t / sine_s) */
    int relearnt_at_most; /* changes noticed without noise, at most */
} fakes[] = {
    { "steady", 3.0, 1e-5, 0.0, 0.0, 0.0, 1.0, 0 },
    { "set by 20 us, then 4 ppm", 0.0, 0.0, 20e-6, 4e-6, 0.0, 1.0, 1 },
    { "set back by 5 ms", 700.0, -3e-5, -5e-3, 0.0, 0.0, 1.0, 1 },
    { "10 to 12 ppm", 0.0, 1e-5, 0.0, 2e-6, 0.0, 1.0, 1 },
    { "10 to 10.5 ppm", 0.0, 1e-5, 0.0, 0.5e-6, 0.0, 1.0, 1 },
    { "-80 to 80 ppm", 0.0, -8e-5, 0.0, 16e-5, 0.0, 1.0, 1 },
    { "a sine of 50 ppm", 0.0, 0.0, 0.0, 0.0, 5e-5, 20.0, CHECKS },
};

static const double noises_s[] = { 0.0, 5e-9, 50e-9 };

static uint64_t sequence;

/* From 0 to 1: the upper bits of a linear congruential sequence. */
static double uniform(void)
{
    sequence = sequence * 6364136223846793005u + 1442695040888963407u;
    return (double)(sequence >> 32) / 4294967296.0;
}

/* Nearly normal, standard deviation 1. */
static double normal(void)
{
    double sum = 0.0;
    for (int i = 0; i < 12; i++)
        sum += uniform();
    return sum - 6.0;
}

static double offset_of(const struct fake *f, double t)
{
    double offset_s = f->offset_s + f->drift * t + f->sine * f->sine_s * (1.0 - cos(t / f->sine_s));
    return t < CHANGES_AT_S ? offset_s : offset_s + f->set_s + f->turn * (t - CHANGES_AT_S);
}

static double drift_of(const struct fake *f, double t)
{
    return f->drift + (t < CHANGES_AT_S ? 0.0 : f->turn) + f->sine * sin(t / f->sine_s);
}

/* One in ten round trips is delayed in one direction, which shows in its error. */
static struct sighting look(const struct fake *f, double noise_s, double t)
{
    double late_s = uniform() < 0.1 ? 20.0 * noise_s * uniform() : 0.0;
    return (struct sighting){ t, offset_of(f, t) + noise_s * normal() + late_s,
                              ROUND_TRIP_S / 2.0 + late_s };
}

/* The instants of the global clock. */
static const double instants_s[] = { 0.0,   1e-3,  2e-3,  3e-3,  4e-3,  12e-3, 20e-3,
                                     30e-3, 40e-3, 76e-3, 77e-3, 78e-3, 79e-3, 80e-3 };

static double check_at(const struct fake *f, double noise_s, struct link *k, double t,
                       bool *changed)
{
    double now_s = t;
    *changed = false;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        for (size_t i = 0; i < COUNT(instants_s); i++) {
            now_s = t + instants_s[i];
            *changed |= link_check(k, look(f, noise_s, now_s));
            if (link_is_certain(k))
                return now_s;
        }
        link_learnt(k);
        t = now_s + 1e-3;
    }
    fail_msg("%s, noise %g ns: not right after %d attempts", f->name, noise_s * 1e9, ATTEMPTS);
    return now_s;
}

static struct link synchronise(const struct fake *f, double noise_s)
{
    struct link k = { .kind = LINK_MESSAGES };
    for (size_t i = 0; i < COUNT(instants_s); i++)
        link_learn(&k, look(f, noise_s, instants_s[i]));
    return k;
}

static void is_within(const struct fake *f, int seed, const char *what, double is, double most)
{
    if (!(fabs(is) <= most))
        fail_msg("%s, seed %d: %s is %g, at most %g", f->name, seed, what, is, most);
}

static int follow(const struct fake *f, double noise_s, int seed)
{
    int changes = 0;
    struct link k = synchronise(f, noise_s);
    for (int i = 1; i <= CHECKS; i++) {
        bool changed;
        double t = check_at(f, noise_s, &k, i * APART_S, &changed);
        changes += changed;
        is_within(f, seed, "offset", line_offset(&k.line, t) - offset_of(f, t),
                  3e-9 + 6.0 * noise_s); /* four times the error of a line */
        if (changed)
            is_within(f, seed, "drift", k.line.drift - drift_of(f, t), 0.2e-6 + 40.0 * noise_s);
    }
    return changes;
}

TEST(test_follows_changes)
{
    for (size_t i = 0; i < COUNT(fakes); i++)
        for (size_t n = 0; n < COUNT(noises_s); n++)
            for (int seed = 0; seed < SEEDS; seed++) {
                sequence = (uint64_t)seed;
                follow(&fakes[i], noises_s[n], seed);
            }
}

TEST(test_relearns_only_after_changes)
{
    EACH(c, fakes) {
        int changes = follow(c, 0.0, 0);
        if (changes > c->relearnt_at_most || (c->relearnt_at_most > 0 && changes == 0))
            fail_msg("%s: %d changes", c->name, changes);
    }
}

/* Noise alone is rarely mistaken for a change. */
TEST(test_noise_is_no_change)
{
    int changes = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
        sequence = (uint64_t)seed;
        changes += follow(&fakes[0], 50e-9, seed);
    }
    assert_in_range(changes, 0, SEEDS * CHECKS / 100);
}

/* After a few looks, the bend is known to a factor of two. */
TEST(test_bend)
{
    const struct fake *sine = &fakes[COUNT(fakes) - 1];
    struct link k = synchronise(sine, 0.0);
    bool changed;
    for (double t = 0.2; t < 2.0; t += 0.1)
        check_at(sine, 0.0, &k, t, &changed);
    assert_true(k.bend > 1.25e-6 && k.bend < 5e-6);
    assert_false(changed);
}
