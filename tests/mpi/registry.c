/* Rules that every row of the operations keeps, future ones too. TAP; needs no mpirun. */
#include "ops/registry.h"

#include <stdio.h>
#include <string.h>

/* Manual tables 3.2 to 3.5, the numbers that operations of 4.1 without one were given, and what
 * goes beyond 4.1. */
static const struct {
    enum pattern pattern;
    int numbers[64]; /* ends with 0 */
} expected[] = {
    { PATTERN_P2P, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 29, 34 } },
    { PATTERN_MW, { 10, 11, 12, 13, 14, 15, 16, 30 } },
    { PATTERN_COL, { 17, 18, 19, 20, 21, 22, 23, 31, 33, 35, 36, 37, 38, 39, 40,  41,  42,
                     43, 44, 45, 46, 72, 74, 76, 78, 80, 82, 84, 86, 88, 90, 102, 104, 106 } },
    { PATTERN_SYNCOL, { 47, 48, 49, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65,  66,  67,
                        68, 69, 70, 71, 73, 75, 77, 79, 81, 83, 85, 87, 89, 91, 103, 105, 107 } },
    { PATTERN_SIMPLE, { 24, 25, 26, 27, 28, 32, 100, 101 } },
    { PATTERN_INTERNAL, { 50, 51, 52, 53 } },
};

static int tests, failures;

static void ok(bool good, const char *what, const char *name)
{
    failures += !good;
    printf("%s %d - %s%s%s\n", good ? "ok" : "not ok", ++tests, what, *name ? ": " : "", name);
}

static void test_numbers(const struct catalog *c)
{
    size_t known = 0;
    for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
        for (const int *n = expected[i].numbers; *n != 0; n++, known++) {
            const struct type_info *t = catalog_find(c, *n);
            char number[16];
            snprintf(number, sizeof(number), "%d", *n);
            ok(t != NULL && t->pattern == expected[i].pattern, "type is there", number);
        }
    ok(c->count == known, "there are no other types", "");
}

static void test_names(const struct catalog *c)
{
    for (size_t i = 0; i < c->count; i++) {
        char name[128];
        snprintf(name, sizeof(name), "%s_%s", pattern_info(c->types[i].pattern)->prefix,
                 c->types[i].name);
        ok(catalog_find_name(c, name) == &c->types[i], "found by its name", name);
    }
}

int main(void)
{
    static struct registry types;
    struct err e = { "" };
    ok(registry_init(&types, &e) == 0, "no number twice, no hook missing", e.text);
    struct catalog c = registry_catalog(&types);
    test_numbers(&c);
    test_names(&c);
    printf("1..%d\n", tests);
    return failures == 0 ? 0 : 1;
}
