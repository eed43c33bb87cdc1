#include "params/suites.h"

#include "base/grow.h"
#include "params/fields.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_LONGEST = 200 };

struct scan {
    const char *bytes;
    size_t at, end;
    struct complaints *complaints;
    struct record *record; /* that is being read */
};

static bool at_end(const struct scan *k)
{
    return k->at == k->end;
}

static bool next_is(const struct scan *k, char c)
{
    return !at_end(k) && k->bytes[k->at] == c;
}

static bool take(struct scan *k, char c)
{
    if (!next_is(k, c))
        return false;
    k->at++;
    return true;
}

static void skip_blanks(struct scan *k)
{
    while (!at_end(k) && value_blank(k->bytes[k->at]))
        k->at++;
}

static void skip_to(struct scan *k, const char *stops)
{
    while (!at_end(k) && strchr(stops, k->bytes[k->at]) == NULL)
        k->at++;
}

/* Up to a blank, the end, or one of the delimiters. */
static struct slice take_word(struct scan *k, const char *delimiters)
{
    struct slice word = { k->at, k->at };
    while (!at_end(k) && !value_blank(k->bytes[k->at]) &&
           strchr(delimiters, k->bytes[k->at]) == NULL)
        k->at++;
    word.to = k->at;
    return word;
}

static const char *show(const struct scan *k, struct slice part, char buffer[QUOTE_SIZE])
{
    return value_quote(k->bytes + part.from, part.to - part.from, buffer);
}

/* What comes next, for a message: a word, or a single character of punctuation. */
static const char *show_next(const struct scan *k, char buffer[QUOTE_SIZE])
{
    struct scan ahead = *k;
    struct slice word = take_word(&ahead, "{};=\"");
    if (word.to == word.from && !at_end(k))
        word.to++;
    return show(k, word, buffer);
}

static void field_unknown(struct scan *k, struct slice name)
{
    char shown[QUOTE_SIZE];
    show(k, name, shown);
    const char *nearest = k->complaints->dropped > 0 ? NULL : field_nearest(shown);
    if (nearest != NULL)
        complaints_add(k->complaints, name.from, "unknown field '%s', did you mean '%s'?", shown,
                       nearest);
    else
        complaints_add(k->complaints, name.from, "unknown field '%s', --help-params shows all",
                       shown);
    k->record->broken = true;
}

static void field_keep(struct scan *k, struct slice name, struct slice value)
{
    char shown[QUOTE_SIZE];
    unsigned mask = field_mask(k->bytes + name.from, name.to - name.from);
    bool twice = false;
    if (mask == 0)
        field_unknown(k, name);
    for (int i = 0; i < FIELD_COUNT; i++) {
        if ((mask & 1u << i) == 0)
            continue;
        if (k->record->fields[i].to != 0)
            twice = true;
        else
            k->record->fields[i] = value;
    }
    if (twice) {
        complaints_add(k->complaints, name.from, "field '%s' is given twice", show(k, name, shown));
        k->record->broken = true;
    }
}

/* Behind something wrong: to the end of the statement or of the line. */
static void skip_statement(struct scan *k)
{
    skip_to(k, ";{}\n");
    take(k, ';');
}

static bool has_newline(const struct scan *k, size_t from, size_t to)
{
    return memchr(k->bytes + from, '\n', to - from) != NULL;
}

static void wrong_statement(struct scan *k)
{
    k->record->broken = true;
    skip_statement(k);
}

/* Takes the ';' behind a value. Without one, the next line is taken for the next statement. */
static void end_statement(struct scan *k, struct slice name, size_t value_end)
{
    char shown[QUOTE_SIZE];
    skip_blanks(k);
    if (at_end(k) || take(k, ';'))
        return;
    bool new_line = has_newline(k, value_end, k->at);
    complaints_add(k->complaints, new_line ? value_end : k->at,
                   "expected ';' behind the value of '%s'", show(k, name, shown));
    k->record->broken = true;
    if (!new_line)
        skip_statement(k);
}

/* Takes a text in quotes, on one line; an empty slice after a complaint. */
static struct slice take_quoted(struct scan *k)
{
    struct slice value = { k->at, k->at };
    k->at++;
    skip_to(k, "\"\n");
    if (!take(k, '"')) {
        complaints_add(k->complaints, value.from, "the text in quotes has no end on this line");
        k->at = value.from;
        return value;
    }
    value.to = k->at;
    return value;
}

/* Behind a word that an '=' follows. A field's name means that the value before it is missing;
 * anything else is a wrong value up to the end of the statement. */
static struct slice whole_value(struct scan *k, struct slice word)
{
    if (field_mask(k->bytes + word.from, word.to - word.from) != 0)
        return (struct slice){ word.from, word.from };
    skip_to(k, ";{}\n");
    word.to = k->at;
    while (value_blank(k->bytes[word.to - 1]))
        word.to--;
    return word;
}

static void value_missing(struct scan *k, struct slice name, size_t behind, size_t next)
{
    char shown[QUOTE_SIZE];
    complaints_add(k->complaints, behind, "no value for '%s'", show(k, name, shown));
    k->record->broken = true;
    k->at = next;
    if (!has_newline(k, behind, next))
        skip_statement(k);
}

/* Takes a value and what ends it. */
static void take_value(struct scan *k, struct slice name)
{
    size_t behind = k->at; /* of the '=' */
    skip_blanks(k);
    if (at_end(k))
        return;
    bool quoted = next_is(k, '"');
    struct slice value = quoted ? take_quoted(k) : take_word(k, "{};=\"");
    struct scan ahead = *k;
    skip_blanks(&ahead);
    if (!quoted && value.from < value.to && next_is(&ahead, '='))
        value = whole_value(k, value);
    if (value.from < value.to) {
        field_keep(k, name, value);
        end_statement(k, name, value.to);
    } else if (quoted) {
        wrong_statement(k);
    } else {
        value_missing(k, name, behind, value.from);
    }
}

/* Reads "Field = value;". False: what comes next is the name of the next suite. */
static bool field_read(struct scan *k)
{
    char shown[QUOTE_SIZE], next[QUOTE_SIZE];
    struct slice name = take_word(k, "{};=\"");
    skip_blanks(k);
    if (name.from == name.to) {
        complaints_add(k->complaints, k->at, "expected the name of a field, got '%s'",
                       show_next(k, shown));
        take(k, k->bytes[k->at]);
        wrong_statement(k);
    } else if (next_is(k, '{')) {
        complaints_add(k->complaints, name.from,
                       "suite '%s' is not closed, expected '}' before '%s'",
                       show(k, k->record->name, shown), show(k, name, next));
        k->record->broken = true;
        k->at = name.from;
        return false;
    } else if (take(k, '=')) {
        take_value(k, name);
    } else if (!at_end(k)) {
        complaints_add(k->complaints, name.to, "expected '=' behind '%s'", show(k, name, shown));
        if (has_newline(k, name.to, k->at))
            k->record->broken = true;
        else
            wrong_statement(k);
    }
    return true;
}

static void fields_read(struct scan *k)
{
    char shown[QUOTE_SIZE];
    do {
        skip_blanks(k);
        while (take(k, ';'))
            skip_blanks(k);
        if (take(k, '}'))
            return;
        if (at_end(k)) {
            complaints_add(k->complaints, k->at, "suite '%s' is not closed, expected '}'",
                           show(k, k->record->name, shown));
            k->record->broken = true;
            return;
        }
    } while (field_read(k));
}

/* What forbids the name as part of a file name, or as a name in this file; NULL if nothing. */
static const char *name_flaw(const char *name, size_t len)
{
    if (len > NAME_LONGEST)
        return "it is longer than 200 bytes";
    if (memchr(name, '/', len) != NULL)
        return "it contains '/'";
    if (text_same_n(name, len, ".") || text_same_n(name, len, ".."))
        return "it is a directory";
    if (name[0] == '-')
        return "it starts with '-'";
    if (name[0] == '@')
        return "it starts with '@'; a section has to start on a line of its own";
    return NULL;
}

static void name_check(struct scan *k, struct slice name)
{
    char shown[QUOTE_SIZE];
    const char *flaw = name_flaw(k->bytes + name.from, name.to - name.from);
    if (flaw == NULL)
        return;
    complaints_add(k->complaints, name.from, "'%s' cannot be the name of a suite: %s",
                   show(k, name, shown), flaw);
    k->record->broken = true;
}

/* Takes the '{' behind a name. Without one, reading goes on behind the next '{' that comes before
 * a '}', or else behind the '}'; then there is nothing to read: false. */
static bool open_record(struct scan *k, struct slice name)
{
    char shown[QUOTE_SIZE], next[QUOTE_SIZE];
    skip_blanks(k);
    if (take(k, '{'))
        return true;
    if (at_end(k))
        complaints_add(k->complaints, k->at, "suite '%s' is cut off, expected '{'",
                       show(k, name, shown));
    else
        complaints_add(k->complaints, k->at, "expected '{' behind the name '%s', got '%s'%s",
                       show(k, name, shown), show_next(k, next),
                       k->bytes[name.from] == '#' ? "; comments belong into @COMMENT" : "");
    k->record->broken = true;
    skip_to(k, "{}");
    if (take(k, '{'))
        return true;
    take(k, '}');
    return false;
}

/* Room for one more; NULL after a complaint. */
static struct record *records_add(struct records *r, struct scan *k)
{
    if (r->count == RECORDS_MOST) {
        complaints_add(k->complaints, k->at, "more than %d suites", RECORDS_MOST);
        return NULL;
    }
    struct record *list = grow_for_one(r->list, r->count, &r->capacity, sizeof(*list));
    if (list == NULL) {
        complaints_add(k->complaints, k->at, "out of memory");
        return NULL;
    }
    r->list = list;
    r->list[r->count] = (struct record){ 0 };
    return &r->list[r->count++];
}

static bool record_read(struct records *r, struct scan *k)
{
    k->record = records_add(r, k);
    if (k->record == NULL)
        return false;
    struct slice name = take_word(k, "{};");
    k->record->name = name;
    if (name.from < name.to) {
        name_check(k, name);
    } else {
        complaints_add(k->complaints, k->at, "expected the name of a suite before '{'");
        k->record->broken = true;
    }
    if (open_record(k, name))
        fields_read(k);
    return true;
}

void records_read(struct records *r, const struct source *s, struct slice part,
                  struct complaints *c)
{
    struct scan k = { s->bytes, part.from, part.to, c, NULL };
    for (;;) {
        skip_blanks(&k);
        if (at_end(&k) || r->full)
            return;
        if (next_is(&k, '}') || next_is(&k, ';')) {
            complaints_add(c, k.at, "unexpected '%c' between suites", k.bytes[k.at]);
            k.at++;
        } else {
            r->full = !record_read(r, &k);
        }
    }
}

/* "{ Field =" */
static bool opens_fields(struct scan *k)
{
    if (!take(k, '{'))
        return false;
    skip_blanks(k);
    struct slice word = take_word(k, "{};=\"");
    skip_blanks(k);
    return next_is(k, '=') && field_mask(k->bytes + word.from, word.to - word.from) != 0;
}

bool records_seen(const struct source *s, struct slice part)
{
    struct scan k = { s->bytes, part.from, part.to, NULL, NULL };
    while (!at_end(&k)) {
        skip_to(&k, "{");
        if (opens_fields(&k))
            return true;
    }
    return false;
}

void records_release(struct records *r)
{
    free(r->list);
    *r = (struct records){ 0 };
}
