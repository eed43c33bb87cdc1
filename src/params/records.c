#include "params/records.h"

#include "params/cursor.h"
#include "params/tables.h"

#define BLANKS    " \t\r\n"
#define WORD_ENDS BLANKS "{};=\""

/* Complains, and marks the record as broken. */
#define record_reject(k, r, ...) ((r)->broken = true, complaints_add((k)->complaints, __VA_ARGS__))

static void skip_to(struct cursor *k, const char *stops)
{
    while (k->at < k->end && strchr(stops, k->source->bytes[k->at]) == NULL)
        k->at++;
}

/* A word that begins here; empty if one of the delimiters does. */
static struct slice word_until(struct cursor *k, const char *delimiters)
{
    struct slice word = { k->at, k->at };
    skip_to(k, delimiters);
    word.to = k->at;
    return word;
}

#define shown(k, part) quoted_part((k)->source, (part).from, (part).to)

static struct slice next_word(const struct cursor *k)
{
    struct cursor ahead = *k;
    struct slice word = word_until(&ahead, WORD_ENDS);
    word.to += word.to == word.from && k->at < k->end;
    return word;
}

/* The fields that a name in the text sets. */
static unsigned mask_of(const struct cursor *k, struct slice name)
{
    return field_mask(k->source->bytes + name.from, name.to - name.from);
}

/* comma: offset of the first comma; 0: the value is not a list. */
static void field_keep(struct cursor *k, struct record *r, struct slice name, struct slice value,
                       size_t comma)
{
    unsigned mask = mask_of(k, name);
    bool twice = false;
    for (int i = 0; i < FIELD_COUNT; i++) {
        struct slice *kept = &r->fields[i];
        if ((mask & 1u << i) == 0)
            continue;
        if (comma != 0 && !field_get((enum field)i)->kind->listed)
            record_reject(k, r, comma, "'%s' takes one value: only numbers and types may be lists",
                          shown(k, name));
        r->lists |= comma != 0 ? 1u << i : 0;
        twice = twice || kept->to != 0;
        *kept = kept->to != 0 ? *kept : value;
    }
    if (mask == 0) {
        table_unknown(&field_table, k->complaints, name.from, shown(k, name));
        r->broken = true;
    }
    if (twice)
        record_reject(k, r, name.from, "field '%s' is given twice", shown(k, name));
}

/* Goes on after the statement, or in the next line. at: where it is wrong. */
static void wrong_statement(struct cursor *k, struct record *r, size_t at)
{
    r->broken = true;
    k->at = at;
    skip_to(k, ";{}\n");
    k->at += k->at < k->end && k->source->bytes[k->at] == ';';
}

static void end_statement(struct cursor *k, struct record *r, struct slice name, size_t value_end)
{
    if (cursor_at_end(k) || cursor_take(k, ';'))
        return;
    complaints_add(k->complaints, value_end, "expected ';' after the value of '%s'",
                   shown(k, name));
    wrong_statement(k, r, value_end);
}

/* Takes a text in quotes, on one line; an empty slice after a complaint. */
static struct slice take_quoted(struct cursor *k)
{
    struct slice value = { k->at, k->at };
    k->at++;
    skip_to(k, "\"\n");
    if (k->at == k->end || k->source->bytes[k->at++] != '"') {
        complaints_add(k->complaints, value.from, "missing closing quote on this line");
        k->at = value.from;
        return value;
    }
    value.to = k->at;
    return value;
}

/* Takes any number of ", value" and extends value to the last one. first: offset of the first ',',
 * or 0. False if a value is missing after a ','. */
static bool take_list_values(struct cursor *k, struct record *r, struct slice *value, size_t *first)
{
    *first = 0;
    for (;;) {
        struct cursor ahead = *k;
        if (!cursor_take(&ahead, ','))
            return true;
        size_t comma = ahead.at - 1;
        *first = *first == 0 ? comma : *first;
        struct slice further =
            cursor_next_is(&ahead, '"') ? take_quoted(&ahead) : word_until(&ahead, WORD_ENDS ",");
        struct cursor after = ahead;
        if (further.from == further.to || cursor_next_is(&after, '=')) {
            complaints_add(k->complaints, comma, "expected a value after ','");
            wrong_statement(k, r, comma + 1);
            return false;
        }
        value->to = further.to;
        k->at = ahead.at;
    }
}

static void take_value(struct cursor *k, struct record *r, struct slice name)
{
    size_t comma, after = k->at; /* the '=' */
    if (cursor_at_end(k))
        return;
    bool quoted = cursor_next_is(k, '"');
    struct slice value = quoted ? take_quoted(k) : word_until(k, WORD_ENDS ",");
    struct cursor ahead = *k;
    bool names_field = mask_of(k, value) != 0, equals = cursor_next_is(&ahead, '=');
    if (!quoted && !names_field && value.from < value.to && equals) {
        skip_to(k, ";{}\n"); /* keys without their quotes are one wrong value */
        value.to = k->at;
    }
    if (value.from == value.to || (names_field && equals)) {
        if (!quoted)
            complaints_add(k->complaints, after, "no value for '%s'", shown(k, name));
        wrong_statement(k, r, after);
    } else if (take_list_values(k, r, &value, &comma)) {
        field_keep(k, r, name, value, comma);
        end_statement(k, r, name, value.to);
    }
}

/* Reads "Field = value;". False if the name of the next suite follows. */
static bool field_read(struct cursor *k, struct record *r)
{
    struct slice name = word_until(k, WORD_ENDS);
    if (name.from == name.to) {
        complaints_add(k->complaints, k->at, "expected the name of a field, got '%s'",
                       shown(k, next_word(k)));
        wrong_statement(k, r, k->at + 1);
    } else if (cursor_next_is(k, '{')) {
        record_reject(k, r, name.from, "suite '%s' is not closed; expected '}' before '%s'",
                      shown(k, r->name), shown(k, name));
        k->at = name.from;
        return false;
    } else if (cursor_take(k, '=')) {
        take_value(k, r, name);
    } else if (!cursor_at_end(k)) {
        complaints_add(k->complaints, name.to, "expected '=' after '%s'", shown(k, name));
        wrong_statement(k, r, name.to);
    }
    return true;
}

/* Reads from after a suite's '{' to after its '}', or to the next suite's name, into r. */
static void statements_read(struct cursor *k, struct record *r)
{
    do {
        while (cursor_take(k, ';'))
            ;
        if (cursor_take(k, '}'))
            return;
        if (cursor_at_end(k)) {
            record_reject(k, r, k->at, "suite '%s' is not closed; expected '}'", shown(k, r->name));
            return;
        }
    } while (field_read(k, r));
}

/* The reason why the name cannot be part of a file name, or the name of a suite; NULL if it can. */
static const char *name_flaw(const char *name, size_t len)
{
    if (len > SUITE_NAME_LONGEST)
        return "it is longer than 200 bytes";
    if (memchr(name, '/', len) != NULL)
        return "it contains '/'";
    if (text_same_n(name, len, ".") || text_same_n(name, len, ".."))
        return "it is a directory";
    if (name[0] == '-')
        return "it starts with '-'";
    if (name[0] == '@')
        return "it starts with '@'; a section must start on a line of its own";
    return NULL;
}

/* Takes the '{' after a name. If it is missing, continues after the next '{' that precedes a '}';
 * otherwise skips the '}' and returns false, as there is nothing to read. */
static bool open_record(struct cursor *k, struct record *r, struct slice name)
{
    if (cursor_take(k, '{'))
        return true;
    if (cursor_at_end(k))
        record_reject(k, r, k->at, "suite '%s' is incomplete; expected '{'", shown(k, name));
    else
        record_reject(k, r, k->at, "expected '{' after the name '%s', got '%s'%s", shown(k, name),
                      shown(k, next_word(k)),
                      k->source->bytes[name.from] == '#' ? "; comments belong in @COMMENT" : "");
    skip_to(k, "{}");
    if (cursor_take(k, '{'))
        return true;
    cursor_take(k, '}');
    return false;
}

/* Adds an empty record; NULL after a complaint. */
static struct record *records_add(struct records *r, const struct cursor *k)
{
    if (r->count == MAX_RECORDS) {
        complaints_add(k->complaints, k->at, "more than %d suites", MAX_RECORDS);
        return NULL;
    }
    grow_for_one(&r->list, r->count, &r->capacity, sizeof(*r->list));
    r->list[r->count] = (struct record){ 0 };
    return &r->list[r->count++];
}

static bool record_read(struct records *records, struct cursor *k)
{
    struct record *r = records_add(records, k);
    if (r == NULL)
        return false;
    struct slice name = r->name = word_until(k, BLANKS "{};");
    const char *flaw = name_flaw(k->source->bytes + name.from, name.to - name.from);
    if (name.from == name.to)
        record_reject(k, r, k->at, "expected the name of a suite before '{'");
    else if (flaw != NULL)
        record_reject(k, r, name.from, "'%s' cannot be the name of a suite: %s", shown(k, name),
                      flaw);
    if (open_record(k, r, name))
        statements_read(k, r);
    return true;
}

void records_read(struct records *r, const struct source *s, struct slice part,
                  struct complaints *c)
{
    struct cursor k = cursor_within(s, part.from, part.to, c);
    while (!cursor_at_end(&k) && !r->full)
        if (cursor_next_is(&k, '}') || cursor_next_is(&k, ';')) {
            complaints_add(c, k.at, "unexpected '%c' between suites", s->bytes[k.at]);
            k.at++;
        } else {
            r->full = !record_read(r, &k);
        }
}

struct slice records_set(struct records *r, const struct source *s, struct slice part,
                         struct complaints *c)
{
    struct record set = { 0 };
    struct cursor k = cursor_within(s, part.from, part.to, c);
    if (part.from < part.to)
        statements_read(&k, &set);
    struct slice keys = set.fields[FIELD_PARAMETERS];
    unsigned used = 0;
    set.fields[FIELD_PARAMETERS].to = 0;
    for (size_t i = 0; i < r->count * FIELD_COUNT; i++) {
        struct record *record = &r->list[i / FIELD_COUNT];
        unsigned bit = 1u << i % FIELD_COUNT;
        /* a list makes several suites of one only where there is one */
        if (set.fields[i % FIELD_COUNT].to == 0 || (set.lists & bit & ~record->lists) != 0)
            continue;
        used |= bit;
        record->fields[i % FIELD_COUNT] = set.fields[i % FIELD_COUNT];
        record->lists = (record->lists & ~bit) | (set.lists & bit);
    }
    if ((set.lists & ~used) != 0 && !set.broken)
        complaints_add(c, part.to, "a list replaces a list, and no suite has one in this field");
    return keys.to == 0 ? keys : (struct slice){ keys.from + 1, keys.to - 1 };
}

bool records_found(const struct source *s, struct slice part)
{
    struct cursor k = cursor_within(s, part.from, part.to, NULL);
    while (k.at < k.end) {
        skip_to(&k, "{");
        cursor_take(&k, '{');
        cursor_at_end(&k);
        struct slice word = word_until(&k, WORD_ENDS);
        if (cursor_next_is(&k, '=') && mask_of(&k, word) != 0)
            return true;
    }
    return false;
}

void records_release(struct records *r)
{
    free(r->list);
    *r = (struct records){ 0 };
}
