#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "machine/places.h"

#include <stdio.h>

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

enum { RANKS = 6 };

/* The ranks' hosts and CPUs, of which the first word is enough; NULL behind the last. */
struct rank_row {
    const char *host;
    unsigned long cpus;
};

static struct hosts hosts_from(const struct rank_row *rows, struct place_of_rank *places)
{
    struct hosts h = { .ranks = places };
    for (int i = 0; i < RANKS && rows[i].host != NULL; i++) {
        places[i] = (struct place_of_rank){ .cpus = { rows[i].cpus } };
        snprintf(places[i].host, sizeof(places[i].host), "%s", rows[i].host);
        h.processes = i + 1;
    }
    return h;
}

static void test_oversubscribed(void **state)
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
        { { { "a", 1 }, { "a", 2 }, { "a", 3 } }, true },             /* the third has no own */
        { { { "a", 1 }, { "a", 3 }, { "a", 7 } }, false },
        { { { "a", 3 }, { "a", 6 }, { "a", 5 }, { "a", 3 } }, true }, /* all together */
        { { { "a", 0 }, { "a", 0 } }, false },                        /* unknown */
        { { { "a", 1 } }, false },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct place_of_rank places[RANKS];
        struct hosts h = hosts_from(rows[i].ranks, places);
        hosts_judge(&h);
        if (h.oversubscribed != rows[i].expected)
            fail_msg("case %zu: %d", i, h.oversubscribed);
    }
}

/* The last of all CPUs counts like the first. */
static void test_many_cpus(void **state)
{
    struct place_of_rank places[3] = { { .host = "a" }, { .host = "a" }, { .host = "a" } };
    struct hosts h = { .ranks = places, .processes = 3 };
    (void)state;
    for (int i = 0; i < 3; i++)
        places[i].cpus[CPU_WORDS - 1] = 3UL << 62;
    hosts_judge(&h);
    assert_true(h.oversubscribed);
}

static void test_summary(void **state)
{
    static const struct {
        struct rank_row ranks[RANKS];
        const char *expected;
    } rows[] = {
        { { { "a", 1 } }, "a:1" },
        { { { "a", 1 }, { "a", 2 } }, "a:2" },
        { { { "b", 1 }, { "a", 2 }, { "b", 1 }, { "aa", 4 } }, "a:1 aa:1 b:2" },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct place_of_rank places[RANKS];
        struct hosts h = hosts_from(rows[i].ranks, places);
        struct text text = { 0 };
        hosts_summary(&h, &text);
        assert_string_equal(text_get(&text), rows[i].expected);
        text_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_oversubscribed),
        cmocka_unit_test(test_many_cpus),
        cmocka_unit_test(test_summary),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
