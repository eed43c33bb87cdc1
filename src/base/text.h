/* Strings and arrays that grow. After an addition, a string ends with a NUL. Without memory for
 * them, the process ends. */
#pragma once

#include "base/err.h"

#include <time.h>

enum { TEXT_COLUMNS = 80 };

struct text {
    char *s; /* owned; NULL while empty */
    size_t len, capacity;
};

void text_add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_list(struct text *t, const char *format, va_list args);
void text_add_bytes(struct text *t, const char *bytes, size_t len);

/* In a function with "const char *format, ..." at its end: adds what it was called with. */
#define text_add_own(t, format)                                                                    \
    do {                                                                                           \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        text_add_list(t, format, args);                                                            \
        va_end(args);                                                                              \
    } while (0)

/* A time as by strftime; nothing for NULL, a time that the system cannot break down. */
void text_add_time(struct text *t, const char *format, const struct tm *when);

/* For a terminal or a line of a file: a tab becomes a blank, any other control character '?'. */
void text_add_printable(struct text *t, const char *bytes, size_t len);

/* Changes a text of lines in the same way; the lines stay. */
void text_make_printable(char *text);

/* Prints a message, which may have names of a stranger, as printable lines. */
void text_print_to(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* For a terminal: adds words, in whole lines of at most TEXT_COLUMNS. All lines after the first are
 * indented by indent blanks; text in the line should end there. A longer word gets its own line. */
void text_add_wrapped(struct text *t, const char *words, size_t indent);

/* The length in bytes of the control character at the beginning of the len > 0 bytes; 0 for any
 * other beginning. Control characters are U+0000 to U+001F and DEL, and in UTF-8 also U+0080 to
 * U+009F: terminals obey these as they obey ESC. A single byte above 0x7f is an 8-bit letter. */
size_t text_control(const char *bytes, size_t len);

/* Is it a byte inside a UTF-8 character? */
bool text_continues(char c);

/* The content as a C string, "" while empty; borrowed. */
const char *text_get(const struct text *t);

/* Hands the content over to the caller, who frees it. */
char *text_take(struct text *t);

void text_release(struct text *t);

/* Declares texts that are released at the end of their block: LOCAL_TEXT line = { 0 }; */
#define LOCAL_TEXT __attribute__((cleanup(text_release))) struct text

/* Names in parameter files are compared without regard to (ASCII) case. */
bool text_same(const char *a, const char *b);
bool text_same_n(const char *a, size_t a_len, const char *b);

/* Does s contain part? */
bool text_has(const char *s, const char *part);

/* Does s begin with one of these words? One blank is between them. */
bool text_begins(const char *s, const char *words);

/* Adds a word to a list, unless the list has it; false: it has. Words have neither the first nor
 * the last character of what is between them. */
bool text_add_once(struct text *list, const char *word, const char *between);

/* The number of single-character edits between two names, ignoring case; at most limit + 1. */
int text_distance(const char *a, const char *b, int limit);

/* The text before an item of "a, b or c". */
const char *text_or(bool first, bool last);

/* "s" after a number, or "" after 1. */
#define plural(count) ((count) == 1 ? "" : "s")

/* Which of count names is name probably a misspelling of? NULL if no name is near. The names are
 * those at first, and every stride bytes after it: members of an array of structs. */
const char *text_nearest(const char *name, size_t count, const char *const *first, size_t stride);

/* Makes room for one more in an array of count elements: *array may be moved to a larger block.
 * capacity: how many fit; start with 0 and NULL. */
void grow_for_one(void *array, size_t count, size_t *capacity, size_t element_bytes);

/* Returns the block of an allocation, or sets a pointer to that of an array of zeros. Without it,
 * the process ends with a message, by exit or by this function: what it would say or write might
 * lack a part, and what is on the disk is enough to resume. Buffers of messages and the like, whose
 * size users choose, have an error instead (memory_take). */
void *allocated(void *block);
#define allocated_array(pointer, count)                                                            \
    (*(pointer) = allocated(calloc((count) + (size_t)1, sizeof(**(pointer)))))
void allocated_ends_by(void (*function)(int status));

/* For qsort and bsearch: numbers in ascending order. */
int by_long(const void *a, const void *b);
int by_double(const void *a, const void *b);

/* Hashes of bytes: FNV-1a with 64 bits. Not secure against deliberate collisions. */
#define HASH_OF_NOTHING UINT64_C(14695981039346656037)

uint64_t hash_bytes(const char *bytes, size_t len);

/* The hash of a text whose first part has this hash and whose rest is bytes. */
uint64_t hash_more(uint64_t hash, const char *bytes, size_t len);

/* A number of bytes as people write it, 64, 64K, 1.5MiB, and its unit: K, M and G, also KiB and so
 * on, in any case, are powers of 1024. */
struct size {
    double number;   /* of units */
    long long unit;  /* bytes; 0: none was written */
    const char *why; /* after an error: a remedy for a unit with two meanings, or "" */
};

/* 0, or -1 if the text is no such number. */
int size_read(const char *text, size_t len, struct size *s);

/* Adds a number of bytes as people write it, with the largest unit of which it is a multiple: 64,
 * 512K, 1M. */
void size_add(struct text *out, long long bytes);
