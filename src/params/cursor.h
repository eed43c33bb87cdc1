/* A position in a part of a source text, for suites and the small grammars of single sections
 * (basetypes, topologies): reads words, numbers and punctuation, and complains about unexpected
 * ones. */
#pragma once

#include "params/values.h"

struct cursor {
    const struct source *source;
    size_t at;  /* offset of the next byte, at most end */
    size_t end; /* offset after the last byte of the part */
    struct complaints *complaints;
    size_t taken;  /* offset after the last taken word or character */
    bool comments; /* '#' begins a comment, up to the end of the line */
};

/* A cursor at the beginning of a part, and of a value. */
struct cursor cursor_within(const struct source *text, size_t from, size_t to,
                            struct complaints *c);
struct cursor cursor_over(const struct value_input *in);

/* A cursor at the beginning of a file in which '#' begins a comment. */
struct cursor cursor_over_file(const struct source *text, struct complaints *c);

/* A word: the bytes up to a blank, the end, or one of ()[],; which are never part of a word. */
struct word {
    const char *bytes; /* borrowed from the source, no NUL after them */
    size_t len;        /* 0: punctuation or the end comes next */
    size_t offset;     /* its place; if it is missing, where it is expected */
};

/* The range of a number, with its name for complaints: "the count must be at least 1". */
struct bounds {
    const char *what;
    long least, most;
};

/* Skips blanks, line ends and comments. Returns true at the end. */
bool cursor_at_end(struct cursor *k);

/* The offset of the next word or character; at the end, the offset after the last one. */
size_t cursor_place(struct cursor *k);

/* Does the character come next? Takes it if it does. */
bool cursor_next_is(struct cursor *k, char c);
bool cursor_take(struct cursor *k, char c);

/* Takes the next word. */
struct word cursor_word(struct cursor *k);

/* Takes a word, in either case: it must be an integer within bounds. 0, or -1 after a complaint. */
int cursor_number(struct cursor *k, const struct bounds *bounds, long *value);

/* Takes the character, or complains: "expected WHAT, got 'x'". Returns 0 or -1. */
int cursor_expect(struct cursor *k, char c, const char *what);

/* Complains "expected WHAT, got 'x'" about the next word or character, which stays. Returns -1. */
int cursor_expected(struct cursor *k, const char *what);
