#include "../test.h"

#include "results/blocks.h"

#define HEADER       "#@H x\n"
#define BLOCK(label) "#-----\n#/*@in" label ".ski*/\n#Pattern: x\n1 2\n#eol\n"
#define RESUMED      "#@RESUMED now\n# here\n"
#define TRAILER      "#@WALLTIME 1 s\n#skampi finished.\n"

#define TORN "#-----\n#/*@inc.ski*/\n1 "

static const struct blocks_case {
    const char *text;   /* the text after the header */
    const char *labels; /* the labels found, each followed by a blank */
    const char *rest;   /* the text after the last block */
    bool finished;
} cases[] = {
    { "", "", "", false },
    { BLOCK("a"), "a ", "", false },
    { BLOCK("a") BLOCK("b_c-d"), "a b_c-d ", "", false },
    { BLOCK("a") RESUMED BLOCK("b"), "a b ", "", false },
    { BLOCK("a") RESUMED, "a ", RESUMED, false },
    { BLOCK("a") TORN, "a ", TORN, false },
    { BLOCK("a") "#-----\n#/*@inc.ski*/\n#eol", "a ", "#-----\n#/*@inc.ski*/\n#eol", false },
    { BLOCK("a") "#/*@inc.sk", "a ", "#/*@inc.sk", false },
    { BLOCK("a") "#/*@in.ski*/\n#eol\n", "a ", "#/*@in.ski*/\n#eol\n", false },
    { BLOCK("a") "#eol\n", "a ", "#eol\n", false },
    { BLOCK("a") "\n" BLOCK("b"), "a b ", "", false },
    { BLOCK("a") "1 2\n" BLOCK("b"), "a ", "1 2\n" BLOCK("b"), false },
    { BLOCK("a") TORN "\n" BLOCK("b"), "a ", TORN "\n" BLOCK("b"), false },
    { BLOCK("a") "#eol\n" BLOCK("b"), "a ", "#eol\n" BLOCK("b"), false },
    { BLOCK("a") TRAILER, "a ", TRAILER, true },
    { TRAILER, "", TRAILER, true },
    { BLOCK("a") "#@WALLTIME 1 s\n#skampi finished.", "a ", "#@WALLTIME 1 s\n#skampi finished.",
      false },
    { BLOCK("a") "#skampi finished.-postprocessed\n", "a ", "#skampi finished.-postprocessed\n",
      true },
    { BLOCK("a") "#skampi fin\n", "a ", "#skampi fin\n", false },
};

static void check_case(const struct blocks_case *c)
{
    char text[1024], labels[256] = "";
    size_t len;
    strcat(strcpy(text, HEADER), c->text);
    struct blocks b = { .bytes = text, .len = strlen(text), .end = strlen(HEADER) };
    for (const char *label; (label = blocks_next(&b, &len)) != NULL;)
        strcat(strncat(labels, label, len), " ");
    assert_string_equal(labels, c->labels);
    assert_string_equal(text + b.end, c->rest);
    assert_true((blocks_trailer(text, b.len) != TRAILER_MISSING) == c->finished);
}

TEST(test_blocks)
{
    for (size_t i = 0; i < COUNT(cases); i++)
        check_case(&cases[i]);
}

/* A page of zeros within the last block, as after a power failure. */
TEST(test_zeros)
{
    char text[] = HEADER BLOCK("a") BLOCK("b");
    size_t len;
    for (size_t i = strlen(HEADER BLOCK("a") "#-----\n"); i < sizeof(text) - 1; i++) {
        char kept = text[i];
        text[i] = '\0';
        struct blocks b = { .bytes = text, .len = sizeof(text) - 1, .end = strlen(HEADER) };
        assert_non_null(blocks_next(&b, &len));
        assert_null(blocks_next(&b, &len));
        text[i] = kept;
    }
}

/* Cut at every length: the complete blocks are found, and nothing is read after the end. */
TEST(test_prefixes)
{
    static const char whole[] = HEADER BLOCK("a") RESUMED BLOCK("b") TRAILER;
    const size_t first = strlen(HEADER BLOCK("a")),
                 second = strlen(HEADER BLOCK("a") RESUMED BLOCK("b"));
    for (size_t n = strlen(HEADER); n < sizeof(whole); n++) {
        char text[sizeof(whole)];
        size_t len, found = 0;
        memset(text, '\n', sizeof(text));
        memcpy(text, whole, n);
        struct blocks b = { .bytes = text, .len = n, .end = strlen(HEADER) };
        while (blocks_next(&b, &len) != NULL)
            found++;
        assert_int_equal(found, (size_t)(n >= first) + (size_t)(n >= second));
        assert_true((blocks_trailer(text, n) == TRAILER_OF_RUN) == (n == sizeof(whole) - 1));
    }
}

TEST(test_trailer)
{
    static const struct {
        const char *text;
        enum trailer trailer;
    } ends[] = {
        { "#skampi finished.\n", TRAILER_OF_RUN },
        { "#skampi finished.\nmy words\n", TRAILER_OF_RUN },
        { "1 2\n#skampi finished.-postprocessed\n", TRAILER_OF_MERGE },
        { "#skampi finished.", TRAILER_MISSING },
        { "x#skampi finished.\n", TRAILER_MISSING },
        { "\n", TRAILER_MISSING },
        { "", TRAILER_MISSING },
    };
    EACH(c, ends)
        assert_int_equal(blocks_trailer(c->text, strlen(c->text)), c->trailer);
}
