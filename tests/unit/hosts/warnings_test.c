#include "../test.h"
#include "../fake_patterns.h"

#include "hosts/places.h"
#include "hosts/warnings.h"
#include "clock/clock.h"
#include "model/parameters.h"

#define BIND "; start with mpirun --bind-to core"
#define OWN_CORE                                                                                   \
    " are bound to cores that they share; give each its own: mpirun --map-by core --bind-to core"
#define FEWER "; start fewer per host, or let them use more of its CPUs"
#define GOVERN                                                                                     \
    ", so times depend on what ran before; as root: cpupower frequency-set -g performance"
#define CLOCK                                                                                      \
    "; each reading, 0.025 us on rank 0, is part of every time; as root: echo tsc > "              \
    "/sys/devices/system/clocksource/clocksource0/current_clocksource, or boot with tsc=reliable"

enum { RANKS = 8, SUITES = 3 };

struct rank_row {
    const char *host; /* NULL after the last */
    unsigned long cpus;
    const char *governor, *clocksource;
    bool has_no_tsc;
};

#define AT(host, cpus)                                                                             \
    {                                                                                              \
        host, cpus, "", "tsc", false                                                               \
    }

static struct place_of_rank places[RANKS];
static struct verdict verdicts[RANKS];
static const double latencies_us[RANKS] = { 0, 2, 1, 4, 8, 0.1, 0, 0 };
static const struct clock good_clock = { .tick_s = 1e-9, .cost_s = 25e-9 };

static void place(int rank, const struct rank_row *row)
{
    struct place_of_rank *p = &places[rank];
    *p = (struct place_of_rank){ .cpus = { row->cpus },
                                 .host_cpus = 4,
                                 .cores = __builtin_popcountl(row->cpus),
                                 .core = __builtin_ffsl((long)row->cpus) - 1,
                                 .has_tsc = !row->has_no_tsc };
    snprintf(p->host, sizeof(p->host), "%s", row->host);
    snprintf(p->governor, SYSTEM_WORD_SIZE, "%s", row->governor);
    snprintf(p->clocksource, SYSTEM_WORD_SIZE, "%s", row->clocksource);
}

/* The lines, each followed by a newline; owned by the caller. */
static struct text warnings_of(const struct rank_row *rows, const struct clock *clock,
                               int latencies, const struct params *params)
{
    struct hosts hosts = { .ranks = places, .verdicts = verdicts };
    struct warning_facts facts = { &hosts, clock, 1.0,  latencies_us, latencies,
                                   params, NULL,  NULL, NULL,         0 };
    LOCAL(warnings) warnings;
    struct text lines = { 0 };
    setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
    for (int i = 0; i < RANKS && rows[i].host != NULL; i++) {
        place(i, &rows[i]);
        hosts.processes = i + 1;
    }
    hosts_judge(&hosts);
    warnings_find(&warnings, &facts);
    for (size_t i = 0; i < warnings.count; i++)
        text_add(&lines, "%s\n", text_get(&warnings.lines[i]));
    return lines;
}

static void check(size_t i, struct text lines, const char *expected)
{
    char copy[4096];
    snprintf(copy, sizeof(copy), "%s", text_get(&lines));
    text_release(&lines);
    if (strcmp(copy, expected) != 0)
        fail_msg("case %zu: %s, expected %s", i, copy, expected);
}

TEST(test_places)
{
    static const struct {
        struct rank_row ranks[RANKS];
        const char *expected;
    } rows[] = {
        { { AT("a", 1), AT("a", 2) }, "" },
        { { AT("a", 0), AT("a", 0) }, "" }, /* unknown */
        /* binding */
        { { AT("a", 1), AT("a", 6) },
          "not bound: rank 1 on host a can be moved from core to core" BIND "\n" },
        { { AT("b", 15), AT("a", 1), AT("a", 14) },
          "not bound: rank 0 on host b and 1 other can be moved from core to core" BIND "\n" },
        { { AT("a", 15), AT("a", 15), AT("a", 15), AT("a", 15) },
          "not bound: rank 0 on host a and 3 others can be moved from core to core" BIND "\n" },
        /* cores */
        { { AT("a", 1), AT("b", 2), AT("b", 2) },
          "shared core: rank 1 on host b and 1 other" OWN_CORE "\n" },
        { { AT("a", 1), AT("a", 1), AT("a", 2), AT("a", 2) },
          "shared core: rank 0 on host a and 3 others" OWN_CORE "\n" },
        { { AT("a", 1), AT("a", 1), AT("b", 3) },
          "not bound: rank 2 on host b can be moved from core to core" BIND "\n"
          "shared core: rank 0 on host a and 1 other" OWN_CORE "\n" },
        /* CPUs: binding cannot help */
        { { AT("a", 3), AT("a", 3), AT("a", 3) },
          "oversubscribed: 3 processes share 2 CPUs on host a" FEWER "\n" },
        { { AT("a", 15), AT("a", 15), AT("a", 15), AT("a", 15), AT("a", 15) },
          "oversubscribed: 5 processes share 4 CPUs on host a" FEWER "\n" },
        { { AT("a", 1), AT("a", 1), AT("a", 2), AT("a", 4), AT("a", 8) },
          "oversubscribed: 5 processes share 4 CPUs on host a" FEWER "\n" },
        { { AT("a", 1), AT("b", 3), AT("b", 3), AT("b", 3), AT("a", 4) },
          "oversubscribed: 3 processes share 2 CPUs on host b" FEWER "\n" },
        { { AT("b", 3), AT("b", 3), AT("a", 3), AT("b", 3), AT("a", 3), AT("a", 3) },
          "oversubscribed: 3 processes share 2 CPUs on host b (too few also on 1 other host)" FEWER
          "\n" },
        { { AT("a", 3), AT("a", 3), AT("a", 3), AT("b", 3) },
          "oversubscribed: 3 processes share 2 CPUs on host a" FEWER "\n"
          "not bound: rank 3 on host b can be moved from core to core" BIND "\n" },
        /* governor */
        { { { "a", 1, "performance", "tsc", false }, { "a", 2, "performance", "tsc", false } },
          "" },
        { { { "a", 1, "performance", "tsc", false }, { "a", 2, "powersave", "tsc", false } },
          "governor: CPU frequencies are governed by 'powersave' for rank 1 on host a" GOVERN
          "\n" },
        { { { "a", 1, "schedutil", "tsc", false }, { "b", 1, "powersave", "tsc", false } },
          "governor: CPU frequencies are governed by 'schedutil' for rank 0 on host a and 1 "
          "other" GOVERN "\n" },
        /* clock source */
        { { { "a", 1, "", "", false }, { "a", 2, "", "", false } }, "" },
        { { { "a", 1, "", "arch_sys_counter", true }, AT("a", 2) }, "" },
        { { AT("a", 1), { "b", 2, "", "kvm-clock", false } },
          "clock source: it is 'kvm-clock', not 'tsc', for rank 1 on host b" CLOCK "\n" },
        { { { "a", 1, "", "hpet", false }, { "b", 2, "", "tsc-early", false } },
          "clock source: it is 'hpet', not 'tsc', for rank 0 on host a and 1 other" CLOCK "\n" },
    };
    static const struct params params;
    for (size_t i = 0; i < COUNT(rows); i++)
        check(i, warnings_of(rows[i].ranks, &good_clock, 2, &params), rows[i].expected);
}

#define TICK(tick, error, fastest, least)                                                          \
    "clock tick: MPI_Wtime advances in steps of " tick " us, more than a Standard_error of " error \
    " allows for the fastest ping-pong, read as " fastest " us; rely on times above " least        \
    " us only\n"

TEST(test_tick)
{
    static const struct type_info types[] = { { .pattern = &fake_p2p },
                                              { .pattern = &fake_syncol },
                                              { .pattern = &fake_simple } };
    static const struct {
        double tick_us, cost_us;
        double errors[SUITES]; /* of a suite of each of the types */
        int latencies;         /* number that is known: 2: 2 us; 3: 1 us; 6: 0.1 us; 7: 0 */
        const char *expected;
    } rows[] = {
        { 0.001, 0.025, { 0.01, 0.01, 0.01 }, 2, "" },
        { 1, 0.025, { 0.05, 0.05, 0.05 }, 2, TICK("1.000", "0.05", "2.000", "20.0") },
        { 1, 0.025, { 0.05, 0.05, 0.05 }, 4, TICK("1.000", "0.05", "1.000", "20.0") },
        { 1, 0.025, { 0.05, 0.05, 0.05 }, 7, TICK("1.000", "0.05", "0.000", "20.0") },
        { 0.06, 0.025, { 0.05, 0.05, 0.05 }, 2, "" },
        { 0.06, 0.025, { 0.05, 0.05, 0.05 }, 6, TICK("0.060", "0.05", "0.100", "1.2") },
        { 1, 0.025, { 0.05, 0.05, 0.05 }, 1, "" }, /* none is known */
        { 1, 0.025, { 0.1, 0.02, 0.05 }, 2, TICK("1.000", "0.02", "2.000", "50.0") },
        { 0.1, 0.025, { 0.06, 0.06, 0.06 }, 2, "" }, /* 0.12 us are allowed */
        { 0.1, 0.025, { 0.04, 0.06, 0.06 }, 2, TICK("0.100", "0.04", "2.000", "2.5") },
        { 0.1, 0.025, { 0.06, 0.06, 0.01 }, 2, "" }, /* batched */
        { 0.1, 0.025, { 0, 0, 0.01 }, 2, "" },
        { 1, 0.025, { 0, 0, 0 }, 7, "" },
        { 0.1, 0.025, { 0, 0.04, 0.01 }, 2, TICK("0.100", "0.04", "2.000", "2.5") },
        { 0.1, 0.05, { 0.04, 0.06, 0.06 }, 2, "" }, /* no more than what a call or two cost */
        { 0.101, 0.05, { 0.04, 0.06, 0.06 }, 2, TICK("0.101", "0.04", "2.000", "2.5") },
    };
    static const struct rank_row ranks[RANKS] = { AT("a", 1), AT("a", 2) };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct clock clock = { .tick_s = rows[i].tick_us / 1e6, .cost_s = rows[i].cost_us / 1e6 };
        struct suite suites[SUITES];
        struct params params = { .suites = suites, .suite_count = SUITES };
        for (int k = 0; k < SUITES; k++)
            suites[k] = (struct suite){ .type = &types[k], .standard_error = rows[i].errors[k] };
        check(i, warnings_of(ranks, &clock, rows[i].latencies, &params), rows[i].expected);
    }
}

/* The directory with the files of the MPI library. */
TEST(test_session_directory)
{
    static const struct {
        const char *type;
        bool is_found;
    } rows[] = { { "ext4", false }, { "tmpfs", false }, { "unknown", false },
                 { "nfs4", true },  { "lustre", true }, { "fuse.sshfs", true } };
    struct hosts hosts = { .ranks = places, .verdicts = verdicts };
    EACH(c, rows) {
        struct params params = { .suite_count = 0 };
        struct warning_facts facts = { &hosts,  &good_clock, 1.0,     latencies_us, 0,
                                       &params, "/d",        c->type, NULL,         0 };
        LOCAL(warnings) w;
        warnings_find(&w, &facts);
        assert_int_equal(w.count, c->is_found);
        assert_true(!c->is_found ||
                    strstr(text_get(&w.lines[0]), "are in /d, on a network") != NULL);
    }
}

/* Only suites that are measured count. */
TEST(test_threads)
{
    static const struct {
        int threads;
        bool is_skipped;
        const char *expected;
    } rows[] = {
        { 1, false, "" },
        { 2, false, "" },
        { 3, true, "" },
        { 3, false,
          "threads: suites have up to 3 threads per process, but a process has 2 CPUs, so threads "
          "wait for each other; start fewer processes per host, or bind each to more CPUs: mpirun "
          "--bind-to none\n" },
    };
    static const struct rank_row ranks[RANKS] = { AT("a", 3), AT("a", 12) };
    static const struct type_info type = { .pattern = &fake_col };
    EACH(c, rows) {
        struct suite suite = { .type = &type, .skip = c->is_skipped ? "why" : NULL };
        struct params params = { .suites = &suite, .suite_count = 1 };
        suite.options.threads = c->threads;
        LOCAL_TEXT lines = warnings_of(ranks, &good_clock, 2, &params);
        const char *threads = strstr(text_get(&lines), "threads: ");
        assert_string_equal(threads == NULL ? "" : threads, c->expected);
    }
}

/* Every row at once, in the order of the table. */
TEST(test_all_of_them)
{
    static const struct rank_row ranks[RANKS] = { { "a", 3, "powersave", "hpet", false },
                                                  AT("a", 3),
                                                  AT("a", 3),
                                                  AT("b", 3),
                                                  AT("c", 1),
                                                  AT("c", 1) };
    static const char *const names[] = { "oversubscribed: ", "not bound: ",    "shared core: ",
                                         "governor: ",       "clock source: ", "clock tick: " };
    static const struct type_info type = { .pattern = &fake_col };
    struct suite suite = { .type = &type, .standard_error = 0.01 };
    struct params params = { .suites = &suite, .suite_count = 1 };
    struct clock clock = { .tick_s = 1e-6, .cost_s = 1e-9 };
    LOCAL_TEXT lines = warnings_of(ranks, &clock, 2, &params);
    const char *line = text_get(&lines);
    for (size_t i = 0; i < COUNT(names); i++) {
        if (strncmp(line, names[i], strlen(names[i])) != 0)
            fail_msg("%s, expected %s", line, names[i]);
        line = strchr(line, '\n') + 1;
    }
    assert_string_equal(line, "");
}
