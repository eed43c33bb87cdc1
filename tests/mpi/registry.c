/* Rules that every row of the operations keeps, future ones too. TAP; needs no mpirun. */
#include "ops/registry.h"
#include "patterns/op.h"

#include <stdio.h>
#include <string.h>

static int tests, failures;

static void ok(bool good, const char *what, const char *name)
{
    failures += !good;
    printf("%s %d - %s%s%s\n", good ? "ok" : "not ok", ++tests, what, *name ? ": " : "", name);
}

/* Operations whose data have a test of their own, as skampi cannot verify them. */
static const struct {
    const char *name, *where;
} elsewhere[] = {
    { "MPI_Reduce_local", "reductions.t" }, { "RMA_Accumulate", "ops_data.c" },
    { "RMA_Get_accumulate", "ops_data.c" }, { "MPI_File_write_shared", "files.c" },
    { "MPI_File_read_shared", "files.c" },
};

static bool is_elsewhere(const char *name)
{
    for (size_t i = 0; i < sizeof(elsewhere) / sizeof(*elsewhere); i++)
        if (strcmp(elsewhere[i].name, name) == 0)
            return true;
    return false;
}

/* Can the data of each type that transfers some be verified, as ops_data.t does? */
static void test_verified(const struct registry *types)
{
    for (size_t i = 0; i < types->count; i++) {
        const struct type_info *t = &types->types[i];
        const struct suite suite = { .type = t };
        bool transfers = (t->traits & TYPE_HAS_LENGTH) != 0 && t->rate != RATE_NONE &&
                         (t->pattern->traits & PATTERN_LOCAL) == 0;
        if (transfers)
            ok(verify_is_possible(&suite, types->ops[i]) != is_elsewhere(t->name),
               "has data that are verified, or is in the list elsewhere", t->name);
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

#define A    .info = { .name = "a", .text = "a" }
#define BOTH .hooks = { .server_op = nothing, .client_op = nothing }

/* An incomplete row is refused, so that no text is "(null)" and no call crashes. */
static void test_incomplete(void)
{
    static struct pattern no_text, no_function, no_time, whole;
    static const struct {
        struct op op;
        const char *why;
    } cases[] = {
        { { A, .in = { { &no_text, 900 } } },
          "pattern '?' lacks a text, a variation or a function" },
        { { A, .in = { { &no_function, 900 } }, .hooks = { .server_op = nothing } },
          "pattern 'p2p' lacks a text, a variation or a function" },
        { { A, .in = { { &whole, 900 } }, .hooks = { .server_op = nothing } },
          "type 900 'a' lacks a hook or a text" },
        { { .info = { .name = "a" }, .in = { { &whole, 901 } }, BOTH },
          "type 901 'a' lacks a hook or a text" },
        { { A, .in = { { &no_time, 901 } }, BOTH }, "type 901 'a' lacks a hook or a text" },
        { { A, .in = { { &whole, 902 }, { &whole, 902 } }, BOTH }, "type 902 is both 'a' and 'a'" },
        { { A, .in = { { &pairs_pattern, 903 } },
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
    test_verified(&types);
    test_applications(&c);
    test_names(&c);
    test_incomplete();
    printf("1..%d\n", tests);
    return failures == 0 ? 0 : 1;
}
