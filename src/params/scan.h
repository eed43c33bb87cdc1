/* A position in the text of @MEASUREMENTS, for its grammar: reads words and punctuation, and quotes
 * them for messages. */
#ifndef SKAMPI_PARAMS_SCAN_H
#define SKAMPI_PARAMS_SCAN_H

#include "params/suites.h"
#include "params/values.h"

#include <stdbool.h>
#include <stddef.h>

/* The characters that end a word, besides blanks. */
#define WORD_ENDS "{};=\""

struct scan {
    const char *bytes;
    size_t at, end;
    struct complaints *complaints;
    struct record *record; /* the one being read */
};

bool scan_at_end(const struct scan *k);
bool scan_next_is(const struct scan *k, char c);

/* Takes the character if it comes next. */
bool scan_take(struct scan *k, char c);

/* Skip to the next non-blank; to one of the stops, or the end. */
void scan_skip_blanks(struct scan *k);
void scan_skip_to(struct scan *k, const char *stops);

/* Takes the text up to a blank, the end, or one of the delimiters. */
struct slice scan_word(struct scan *k, const char *delimiters);

/* Quote for a message: a part; the next word or punctuation character. */
const char *scan_show(const struct scan *k, struct slice part, char buffer[QUOTE_SIZE]);
const char *scan_show_next(const struct scan *k, char buffer[QUOTE_SIZE]);

#endif
