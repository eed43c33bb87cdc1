#include "../test.h"

#include "hosts/places.h"

enum { RANKS = 6 };

/* The ranks' hosts and CPUs, of which the first word is enough; NULL after the last. */
struct rank_row {
    const char *host;
    unsigned long cpus;
};

static struct place_of_rank places[RANKS];
static struct verdict verdicts[RANKS];

/* Judged. Every CPU is a core, and each host has eight. */
static struct hosts hosts_from(const struct rank_row *rows)
{
    struct hosts h = { .ranks = places, .verdicts = verdicts };
    for (int i = 0; i < RANKS && rows[i].host != NULL; i++) {
        places[i] = (struct place_of_rank){ .cpus = { rows[i].cpus }, .host_cpus = 8 };
        snprintf(places[i].host, sizeof(places[i].host), "%s", rows[i].host);
        places[i].cores = __builtin_popcountl(rows[i].cpus);
        places[i].core = __builtin_ffsl((long)rows[i].cpus) - 1;
        h.processes = i + 1;
    }
    hosts_judge(&h);
    return h;
}

TEST(test_oversubscribed)
{
    static const struct {
        struct rank_row ranks[RANKS];
        bool expected;
    } rows[] = {
        { { { "a", 1 }, { "a", 2 } }, false },
        { { { "a", 3 }, { "a", 3 } }, false },
        { { { "a", 1 }, { "a", 1 } }, true },             /* bound to the same CPU */
        { { { "a", 1 }, { "b", 1 } }, false },            /* of two hosts */
        { { { "a", 3 }, { "a", 3 }, { "a", 3 } }, true }, /* more than CPUs */
        { { { "a", 3 }, { "b", 3 }, { "a", 3 } }, false },
        { { { "b", 3 }, { "a", 3 }, { "b", 3 }, { "b", 3 } }, true }, /* on the second host */
        { { { "a", 1 }, { "a", 2 }, { "a", 3 } }, true },             /* none for the third */
        { { { "a", 1 }, { "a", 3 }, { "a", 7 } }, false },
        { { { "a", 3 }, { "a", 6 }, { "a", 5 }, { "a", 3 } }, true }, /* all together */
        { { { "a", 0 }, { "a", 0 } }, false },                        /* unknown */
        { { { "a", 1 } }, false },
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct hosts h = hosts_from(rows[i].ranks);
        if (h.oversubscribed != rows[i].expected)
            fail_msg("case %zu: %d", i, h.oversubscribed);
    }
}

TEST(test_cpus_of_a_process)
{
    static const struct {
        struct rank_row ranks[RANKS];
        int expected;
    } rows[] = {
        { { { "a", 1 }, { "a", 2 } }, 1 },
        { { { "a", 255 }, { "a", 255 } }, 4 },
        { { { "a", 255 }, { "a", 255 }, { "a", 255 } }, 2 },
        { { { "a", 15 }, { "a", 240 } }, 4 },
        { { { "a", 255 }, { "b", 3 } }, 2 },           /* fewer on the second host */
        { { { "a", 3 }, { "a", 3 }, { "a", 3 } }, 1 }, /* less than one */
        { { { "a", 0 }, { "a", 0 } }, 0 },             /* unknown */
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct hosts h = hosts_from(rows[i].ranks);
        if (h.cpus_each != rows[i].expected)
            fail_msg("case %zu: %d", i, h.cpus_each);
    }
}

/* The last of all CPUs counts like the first. */
TEST(test_many_cpus)
{
    struct place_of_rank many[3] = { { .host = "a" }, { .host = "a" }, { .host = "a" } };
    struct hosts h = { .ranks = many, .verdicts = verdicts, .processes = 3 };
    for (int i = 0; i < 3; i++)
        many[i].cpus[CPU_WORDS - 1] = 3UL << 62;
    hosts_judge(&h);
    assert_true(h.oversubscribed);
    assert_int_equal(verdicts[0].crowd.processes, 3);
    assert_int_equal(verdicts[0].crowd.cpus, 2);
}

/* The verdict on the last rank. */
TEST(test_crowd)
{
    static const struct {
        struct rank_row ranks[RANKS];
        struct crowd expected;
    } rows[] = {
        { { { "a", 3 }, { "a", 3 } }, { 0, 0 } },
        { { { "a", 3 }, { "a", 3 }, { "a", 3 } }, { 3, 2 } },
        { { { "b", 3 }, { "b", 3 }, { "b", 3 }, { "a", 3 } }, { 0, 0 } }, /* another host */
        { { { "a", 12 }, { "a", 3 }, { "a", 3 }, { "a", 3 } }, { 3, 2 } },
        { { { "a", 3 }, { "a", 6 }, { "a", 5 }, { "a", 3 } }, { 4, 3 } }, /* all together */
        { { { "a", 1 }, { "a", 1 } }, { 0, 0 } },             /* they share a core instead */
        { { { "a", 1 }, { "a", 1 }, { "a", 2 } }, { 0, 0 } }, /* the same */
        { { { "a", 1 }, { "a", 2 }, { "a", 3 } }, { 3, 2 } },
        { { { "a", 0 }, { "a", 0 } }, { 0, 0 } }, /* unknown */
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct hosts h = hosts_from(rows[i].ranks);
        struct crowd crowd = verdicts[h.processes - 1].crowd;
        if (crowd.processes != rows[i].expected.processes || crowd.cpus != rows[i].expected.cpus)
            fail_msg("case %zu: %d on %d", i, crowd.processes, crowd.cpus);
    }
}

/* More processes than the host has CPUs: binding does not help. */
TEST(test_crowd_on_a_small_host)
{
    static const struct rank_row rows[RANKS] = { { "a", 1 }, { "a", 1 }, { "a", 2 } };
    struct hosts h = hosts_from(rows);
    for (int i = 0; i < h.processes; i++)
        places[i].host_cpus = 2;
    hosts_judge(&h);
    for (int i = 0; i < h.processes; i++) {
        assert_int_equal(verdicts[i].crowd.processes, 3);
        assert_int_equal(verdicts[i].crowd.cpus, 2);
    }
}

TEST(test_shared_cores)
{
    static const struct {
        struct rank_row ranks[RANKS];
        const char *expected; /* of each rank: does it share its core, is it the host's first? */
    } rows[] = {
        { { { "a", 1 }, { "a", 2 } }, ".f .." },
        { { { "a", 1 }, { "a", 1 } }, "sf s." },
        { { { "a", 1 }, { "b", 1 } }, ".f .f" },
        { { { "b", 1 }, { "a", 2 }, { "b", 4 }, { "a", 2 }, { "b", 1 } }, "sf sf .. s. s." },
        { { { "a", 3 }, { "a", 3 } }, ".f .." }, /* not bound */
        { { { "a", 1 }, { "a", 3 } }, ".f .." },
        { { { "a", 0 }, { "a", 0 } }, ".f .." },
    };
    EACH(row, rows) {
        struct hosts h = hosts_from(row->ranks);
        LOCAL_TEXT text = { 0 };
        for (int k = 0; k < h.processes; k++)
            text_add(&text, "%s%c%c", k == 0 ? "" : " ", verdicts[k].shares_core ? 's' : '.',
                     verdicts[k].first_on_host ? 'f' : '.');
        assert_string_equal(text_get(&text), row->expected);
    }
}

/* Two threads of a core are two CPUs. */
TEST(test_hardware_threads)
{
    static const struct rank_row rows[RANKS] = { { "a", 1 }, { "a", 2 } };
    struct hosts h = hosts_from(rows);
    places[1].core = places[0].core;
    hosts_judge(&h);
    assert_true(verdicts[0].shares_core && verdicts[1].shares_core);
    assert_false(h.oversubscribed);
}

TEST(test_summary)
{
    static const struct {
        struct rank_row ranks[RANKS];
        const char *expected;
    } rows[] = {
        { { { "a", 1 } }, "a:1" },
        { { { "a", 1 }, { "a", 2 } }, "a:2" },
        { { { "b", 1 }, { "a", 2 }, { "b", 1 }, { "aa", 4 } }, "a:1 aa:1 b:2" },
    };
    EACH(c, rows) {
        struct hosts h = hosts_from(c->ranks);
        LOCAL_TEXT text = { 0 };
        hosts_summary(&h, &text);
        assert_string_equal(text_get(&text), c->expected);
    }
}

TEST(test_words)
{
    static const struct {
        const char *words[RANKS];
        const char *expected;
    } rows[] = {
        { { "tsc" }, "tsc" },
        { { "tsc", "tsc", "tsc" }, "tsc" },
        { { "tsc", "hpet", "tsc", "hpet" }, "tsc, hpet" },
        { { "", "tsc", "" }, "unknown, tsc" },
    };
    EACH(c, rows) {
        struct hosts h = { .ranks = places };
        LOCAL_TEXT clocks = { 0 }, governors = { 0 };
        for (int k = 0; k < RANKS && c->words[k] != NULL; k++) {
            places[k] = (struct place_of_rank){ .host = "a", .governor = "g" };
            snprintf(places[k].clocksource, SYSTEM_WORD_SIZE, "%s", c->words[k]);
            h.processes = k + 1;
        }
        hosts_words(&h, offsetof(struct place_of_rank, clocksource), &clocks);
        hosts_words(&h, offsetof(struct place_of_rank, governor), &governors);
        assert_string_equal(text_get(&clocks), c->expected);
        assert_string_equal(text_get(&governors), "g");
    }
}

/* More than fit in a line. */
TEST(test_many_words)
{
    enum { MANY = 20 };
    static struct place_of_rank many[MANY];
    struct hosts h = { .ranks = many, .processes = MANY };
    LOCAL_TEXT text = { 0 };
    for (int i = 0; i < MANY; i++)
        snprintf(many[i].governor, SYSTEM_WORD_SIZE, "g%d", i);
    hosts_words(&h, offsetof(struct place_of_rank, governor), &text);
    assert_string_equal(text_get(&text), "g0, g1, g2, g3, g4, g5, g6, g7");
}

/* Two processes on a host with 10 MiB, one on a host with 4, one on a host of unknown memory. */
TEST(test_memory)
{
    static const struct rank_row rows[RANKS] = { { "a", 1 }, { "b", 1 }, { "c", 1 }, { "a", 2 } };
    static const long long mib[] = { 10, 4, 0, 10 };
    static const struct {
        long long bytes;
        bool spare;
        const char *too_little; /* the host that has too little; NULL: none */
    } cases[] = {
        { 0, false, NULL },
        { 4 << 20, false, NULL },
        { (4 << 20) + 1, false, "'b' has 4 MiB" },
        { 5 << 20, false, "'b' has" },
        { 6 << 20, false, "'a' has 10 MiB" },
        { 1LL << 60, false, "'a' has" },
        { 1 << 20, true, NULL },
        { (1 << 20) + 1, true, "'b' has 2 MiB of free memory, of which skampi takes at most half" },
        { (2 << 20) + 1, true, "shorter lengths (-m)" },
    };
    struct hosts h = hosts_from(rows);
    for (int i = 0; i < h.processes; i++) {
        places[i].host_bytes = mib[i] << 20;
        places[i].free_bytes = places[i].host_bytes / 2;
    }
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct err e = { "" };
        int rc = hosts_can_hold(&h, cases[i].bytes, cases[i].spare, &e);
        const char *expected = cases[i].too_little;
        if (rc != (expected == NULL ? 0 : -1) || strstr(e.text, expected ? expected : "") == NULL)
            fail_msg("case %zu: %d, '%s'", i, rc, e.text);
    }
}

TEST(test_closeness)
{
    static const struct {
        struct rank_row ranks[RANKS];
        int sockets[2], socket[2]; /* number of sockets, the first */
        const char *expected;
    } rows[] = {
        { { { "a", 1 }, { "b", 1 } }, { 1, 1 }, { 0, 0 }, "other-host" },
        { { { "a", 1 }, { "a", 1 } }, { 1, 1 }, { 0, 0 }, "same-core" },
        { { { "a", 1 }, { "a", 2 } }, { 1, 1 }, { 0, 0 }, "same-socket" },
        { { { "a", 1 }, { "a", 2 } }, { 1, 1 }, { 0, 1 }, "same-host" },
        { { { "a", 3 }, { "a", 3 } }, { 1, 1 }, { 1, 1 }, "same-socket" }, /* not bound to a core */
        { { { "a", 3 }, { "a", 3 } }, { 2, 2 }, { 0, 0 }, "same-host" },   /* nor to a socket */
        { { { "a", 0 }, { "a", 0 } }, { 0, 0 }, { 0, 0 }, "same-host" },   /* unknown */
    };
    EACH(c, rows) {
        struct hosts h = hosts_from(c->ranks);
        for (int k = 0; k < 2; k++) {
            h.ranks[k].sockets = c->sockets[k];
            h.ranks[k].socket = c->socket[k];
        }
        assert_string_equal(hosts_between(&h, 0, 1), c->expected);
        assert_string_equal(hosts_between(&h, 1, 0), c->expected);
    }
}
