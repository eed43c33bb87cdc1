/* Rules that every row of the operations keeps, future ones too. TAP; needs no mpirun. */
#include "ops/registry.h"
#include "patterns/op.h"

#include <stdio.h>
#include <string.h>

/* Manual tables 3.2 to 3.5, the new numbers of operations that had none in 4.1, and the operations
 * beyond 4.1. */
static const struct {
    const struct pattern *pattern;
    int numbers[128]; /* ends with 0 */
} expected[] = {
    { &p2p_pattern, { 1,   2,   3,   4,   5,   6,   7,   8,   9,   29,  34,  120, 121, 122,
                      123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 165, 166,
                      167, 168, 169, 171, 172, 173, 174, 181, 200, 201, 202, 203, 204, 205,
                      206, 207, 208, 260, 261, 267, 268, 269, 305, 306, 373, 375 } },
    { &mw_pattern, { 10, 11, 12, 13, 14, 15, 16, 30 } },
    { &col_pattern, { 17,  18,  19,  20,  21,  22,  23,  31,  33,  35,  36,  37,  38,  39,
                      40,  41,  42,  43,  44,  45,  46,  72,  74,  76,  78,  80,  82,  84,
                      86,  88,  90,  102, 104, 106, 108, 136, 246, 247, 248, 249, 250, 251,
                      253, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410 } },
    { &syncol_pattern,
      { 47,  48,  49,  54,  55,  56,  57,  58,  59,  60,  61,  62,  63,  64,  65,  66,  67,
        68,  69,  70,  71,  73,  75,  77,  79,  81,  83,  85,  87,  89,  91,  103, 105, 107,
        109, 135, 183, 184, 185, 186, 187, 188, 189, 190, 191, 210, 211, 212, 213, 214, 215,
        216, 217, 218, 240, 241, 242, 243, 244, 245, 252, 263, 264, 265, 266, 280, 281, 282,
        283, 284, 285, 286, 340, 341, 342, 343, 344, 345, 346, 347, 348, 349, 350, 360, 361,
        362, 363, 364, 365, 366, 367, 368, 369, 370, 371, 372, 380, 381, 382, 383, 384, 385,
        386, 387, 388, 389, 390, 391, 392, 393, 394, 395, 396 } },
    { &simple_pattern, { 24,  25,  26,  27,  28,  32,  100, 101, 140, 141, 142, 143, 144, 145, 146,
                         147, 148, 149, 150, 151, 152, 153, 154, 262, 377, 397, 398, 399, 420 } },
    { &internal_pattern, { 50, 51, 52, 53, 270, 271 } },
    { &delayed_pattern, { 272, 273, 274, 275, 276, 277, 278 } },
    { &pairs_pattern, { 160, 161, 162, 163, 164, 175, 176, 177, 178, 180, 182, 374, 376 } },
    { &by_ack_pattern, { 170 } },
    { &overlap_pattern,
      { 300, 301, 302, 303, 304, 310, 311, 312, 313, 314, 315, 316, 317, 318, 319, 320, 321,
        322, 323, 324, 325, 326, 327, 328, 329, 330, 331, 332, 333, 334, 335, 336, 337, 338 } },
    { &io_pattern, { 220, 221, 222, 223, 224, 225, 226, 227, 228, 229,
                     230, 231, 232, 233, 234, 235, 236, 237, 238, 239 } },
};

static int tests, failures;

static void ok(bool good, const char *what, const char *name)
{
    failures += !good;
    printf("%s %d - %s%s%s\n", good ? "ok" : "not ok", ++tests, what, *name ? ": " : "", name);
}

static bool is_expected(int number)
{
    for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
        for (const int *n = expected[i].numbers; *n != 0; n++)
            if (*n == number)
                return true;
    return false;
}

static void test_numbers(const struct catalog *c)
{
    char number[16];
    for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
        for (const int *n = expected[i].numbers; *n != 0; n++) {
            const struct type_info *t = catalog_find(c, *n);
            snprintf(number, sizeof(number), "%d", *n);
            ok(t != NULL && t->pattern == &expected[i].pattern->info, "type exists", number);
        }
    for (size_t i = 0; i < c->count; i++) {
        snprintf(number, sizeof(number), "%d", c->types[i].number);
        ok(is_expected(c->types[i].number), "type is in the list of this test", number);
    }
}

static void test_names(const struct catalog *c)
{
    for (size_t i = 0; i < c->count; i++) {
        char name[128];
        snprintf(name, sizeof(name), "%s_%s", c->types[i].pattern->prefix, c->types[i].name);
        ok(catalog_find_name(c, name) == &c->types[i], "found by its name", name);
    }
}

/* A type that sends an application's messages has the test's name. */
static void test_applications(const struct catalog *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->types[i].application != NULL)
            ok(strstr(c->types[i].name, c->types[i].application->name) != NULL,
               "is named after its test", c->types[i].name);
}

static void nothing(struct measurement *m)
{
}

/* An incomplete row is refused, so that no text is "(null)" and no call crashes. */
static void test_incomplete(void)
{
    static struct pattern no_text, no_function, no_time, whole;
    static const struct {
        struct op op;
        const char *why;
    } cases[] = {
        { { .info = { .name = "a", .text = "a" }, .in = { { &no_text, 900 } } },
          "pattern '?' lacks a text or a variation" },
        { { .info = { .name = "a", .text = "a" },
            .in = { { &no_function, 900 } },
            .hooks = { .server_op = nothing } },
          "pattern 'p2p' lacks a function" },
        { { .info = { .name = "a", .text = "a" },
            .in = { { &whole, 900 } },
            .hooks = { .server_op = nothing } },
          "type 900 'a' lacks a hook or a text" },
        { { .info = { .name = "a" },
            .in = { { &whole, 901 } },
            .hooks = { .server_op = nothing, .client_op = nothing } },
          "type 901 'a' lacks a hook or a text" },
        { { .info = { .name = "a", .text = "a" },
            .in = { { &no_time, 901 } },
            .hooks = { .server_op = nothing, .client_op = nothing } },
          "type 901 'a' lacks a hook or a text" },
        { { .info = { .name = "a", .text = "a" },
            .in = { { &whole, 902 }, { &whole, 902 } },
            .hooks = { .server_op = nothing, .client_op = nothing } },
          "type 902 is both 'a' and 'a'" },
        { { .info = { .name = "a", .text = "a" },
            .in = { { &pairs_pattern, 903 } },
            .hooks = { .prepare = nothing, .server_op = nothing, .client_op = nothing } },
          "type 903 'a' lacks a hook or a text" },
    };
    no_text = no_function = no_time = whole = p2p_pattern;
    no_text.info.prefix = NULL;
    no_function.measure = NULL;
    no_time.info.time = TIME_OF_PATTERN;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        static struct registry r;
        struct err e = { "" };
        struct op_family family = { &cases[i].op, 1 };
        r.count = 0;
        ok(registry_add(&r, &family, &e) != 0 && strcmp(e.text, cases[i].why) == 0, "refused",
           cases[i].why);
    }
}

int main(void)
{
    static struct registry types;
    struct err e = { "" };
    ok(registry_init(&types, &e) == 0, "no number twice, no hook missing", e.text);
    struct catalog c = registry_catalog(&types);
    test_numbers(&c);
    test_applications(&c);
    test_names(&c);
    test_incomplete();
    printf("1..%d\n", tests);
    return failures == 0 ? 0 : 1;
}
