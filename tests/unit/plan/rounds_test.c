#include "../test.h"

#include "plan/rounds.h"

enum { SUITES = 4, LONGEST = 16 };

/* The number of passes of each suite; "*" after those that crashed before. */
static const struct {
    const char *suites, *measured;
} cases[] = {
    { "", "" },          { "1", "0" },           { "222", "012012" },
    { "132", "012121" }, { "22*3*", "0011222" }, { "2*3*", "00111" },
    { "112*", "0122" },
};

static void measure(const char *suites, char *measured)
{
    LOCAL(rounds) r;
    int passes[SUITES], suite = 0;
    rounds_init(&r, SUITES);
    for (const char *s = suites; *s != '\0'; s += s[1] == '*' ? 2 : 1) {
        passes[suite] = *s - '0';
        rounds_add(&r, (size_t)suite++, s[1] != '*');
    }
    while ((suite = rounds_next(&r)) >= 0) {
        *measured++ = (char)('0' + suite);
        if (--passes[suite] == 0)
            rounds_remove(&r);
        else
            rounds_go_on(&r);
    }
    *measured = '\0';
}

TEST(test_suites_are_measured_in_rounds)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char measured[LONGEST];
        measure(cases[i].suites, measured);
        assert_string_equal(measured, cases[i].measured);
    }
}
