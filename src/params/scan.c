#include "params/scan.h"

#include <string.h>

bool scan_at_end(const struct scan *k)
{
    return k->at == k->end;
}

bool scan_next_is(const struct scan *k, char c)
{
    return !scan_at_end(k) && k->bytes[k->at] == c;
}

bool scan_take(struct scan *k, char c)
{
    if (!scan_next_is(k, c))
        return false;
    k->at++;
    return true;
}

void scan_skip_blanks(struct scan *k)
{
    while (!scan_at_end(k) && value_blank(k->bytes[k->at]))
        k->at++;
}

void scan_skip_to(struct scan *k, const char *stops)
{
    while (!scan_at_end(k) && strchr(stops, k->bytes[k->at]) == NULL)
        k->at++;
}

struct slice scan_word(struct scan *k, const char *delimiters)
{
    struct slice word = { k->at, k->at };
    while (!scan_at_end(k) && !value_blank(k->bytes[k->at]) &&
           strchr(delimiters, k->bytes[k->at]) == NULL)
        k->at++;
    word.to = k->at;
    return word;
}

const char *scan_show(const struct scan *k, struct slice part, char buffer[QUOTE_SIZE])
{
    return value_quote(k->bytes + part.from, part.to - part.from, buffer);
}

const char *scan_show_next(const struct scan *k, char buffer[QUOTE_SIZE])
{
    struct scan ahead = *k;
    struct slice word = scan_word(&ahead, WORD_ENDS);
    if (word.to == word.from && !scan_at_end(k))
        word.to++;
    return scan_show(k, word, buffer);
}
