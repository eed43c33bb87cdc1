#include "params/records.h"

#include "params/tables.h"

#define BLANKS    " \t\r\n"
#define WORD_ENDS BLANKS "{};=\""

struct scan {
    const char *bytes;
    size_t at, end;
    struct complaints *complaints;
    struct record *record; /* the one being read */
};

/* Complains, and marks the record as broken. */
#define record_reject(k, ...)                                                                      \
    ((k)->record->broken = true, complaints_add((k)->complaints, __VA_ARGS__))

static bool scan_at_end(const struct scan *k)
{
    return k->at == k->end;
}

static bool scan_next_is(const struct scan *k, char c)
{
    return !scan_at_end(k) && k->bytes[k->at] == c;
}

static bool scan_take(struct scan *k, char c)
{
    if (!scan_next_is(k, c))
        return false;
    k->at++;
    return true;
}

static void scan_skip_blanks(struct scan *k)
{
    while (!scan_at_end(k) && value_blank(k->bytes[k->at]))
        k->at++;
}

static void scan_skip_to(struct scan *k, const char *stops)
{
    while (!scan_at_end(k) && strchr(stops, k->bytes[k->at]) == NULL)
        k->at++;
}

static struct slice scan_word(struct scan *k, const char *delimiters)
{
    struct slice word = { k->at, k->at };
    scan_skip_to(k, delimiters);
    word.to = k->at;
    return word;
}

#define scan_show(k, part) quoted((k)->bytes + (part).from, (part).to - (part).from)

static struct slice scan_next(const struct scan *k)
{
    struct scan ahead = *k;
    struct slice word = scan_word(&ahead, WORD_ENDS);
    word.to += word.to == word.from && !scan_at_end(k);
    return word;
}

/* comma: offset of the first comma; 0: the value is not a list. */
static void field_keep(struct scan *k, struct slice name, struct slice value, size_t comma)
{
    unsigned mask = field_mask(k->bytes + name.from, name.to - name.from);
    bool twice = false;
    for (int i = 0; i < FIELD_COUNT; i++) {
        struct slice *kept = &k->record->fields[i];
        if ((mask & 1u << i) == 0)
            continue;
        if (comma != 0 && !field_get((enum field)i)->kind->listed)
            record_reject(k, comma, "'%s' takes one value: only numbers and types may be lists",
                          scan_show(k, name));
        k->record->lists |= comma != 0 ? 1u << i : 0;
        twice = twice || kept->to != 0;
        *kept = kept->to != 0 ? *kept : value;
    }
    if (mask == 0) {
        table_unknown(&field_table, k->complaints, name.from, scan_show(k, name));
        k->record->broken = true;
    }
    if (twice)
        record_reject(k, name.from, "field '%s' is given twice", scan_show(k, name));
}

static void skip_statement(struct scan *k)
{
    scan_skip_to(k, ";{}\n");
    scan_take(k, ';');
}

/* Goes on after the statement, or in the next line. at: where it is wrong. */
static void wrong_statement(struct scan *k, size_t at)
{
    k->record->broken = true;
    k->at = at;
    skip_statement(k);
}

static void end_statement(struct scan *k, struct slice name, size_t value_end)
{
    scan_skip_blanks(k);
    if (scan_at_end(k) || scan_take(k, ';'))
        return;
    complaints_add(k->complaints, value_end, "expected ';' after the value of '%s'",
                   scan_show(k, name));
    wrong_statement(k, value_end);
}

/* Takes a text in quotes, on one line; an empty slice after a complaint. */
static struct slice take_quoted(struct scan *k)
{
    struct slice value = { k->at, k->at };
    k->at++;
    scan_skip_to(k, "\"\n");
    if (!scan_take(k, '"')) {
        complaints_add(k->complaints, value.from, "missing closing quote on this line");
        k->at = value.from;
        return value;
    }
    value.to = k->at;
    return value;
}

/* Takes any number of ", value" and extends value to the last one. first: offset of the first ',',
 * or 0. False if a value is missing after a ','. */
static bool take_list_values(struct scan *k, struct slice *value, size_t *first)
{
    *first = 0;
    for (;;) {
        struct scan ahead = *k;
        scan_skip_blanks(&ahead);
        if (!scan_next_is(&ahead, ','))
            return true;
        size_t comma = ahead.at++;
        *first = *first == 0 ? comma : *first;
        scan_skip_blanks(&ahead);
        struct slice further =
            scan_next_is(&ahead, '"') ? take_quoted(&ahead) : scan_word(&ahead, WORD_ENDS ",");
        struct scan after = ahead;
        scan_skip_blanks(&after);
        if (further.from == further.to || scan_next_is(&after, '=')) {
            complaints_add(k->complaints, comma, "expected a value after ','");
            wrong_statement(k, comma + 1);
            return false;
        }
        value->to = further.to;
        k->at = ahead.at;
    }
}

static void take_value(struct scan *k, struct slice name)
{
    size_t after = k->at; /* the '=' */
    scan_skip_blanks(k);
    if (scan_at_end(k))
        return;
    bool quoted = scan_next_is(k, '"');
    struct slice value = quoted ? take_quoted(k) : scan_word(k, WORD_ENDS ",");
    struct scan ahead = *k;
    scan_skip_blanks(&ahead);
    size_t comma;
    bool names_field = field_mask(k->bytes + value.from, value.to - value.from) != 0;
    if (!quoted && !names_field && value.from < value.to && scan_next_is(&ahead, '=')) {
        scan_skip_to(k, ";{}\n"); /* keys without their quotes are one wrong value */
        value.to = k->at;
    }
    if (value.from == value.to || (names_field && scan_next_is(&ahead, '='))) {
        if (!quoted)
            complaints_add(k->complaints, after, "no value for '%s'", scan_show(k, name));
        wrong_statement(k, after);
    } else if (take_list_values(k, &value, &comma)) {
        field_keep(k, name, value, comma);
        end_statement(k, name, value.to);
    }
}

/* Reads "Field = value;". False if the name of the next suite follows. */
static bool field_read(struct scan *k)
{
    struct slice name = scan_word(k, WORD_ENDS);
    scan_skip_blanks(k);
    if (name.from == name.to) {
        complaints_add(k->complaints, k->at, "expected the name of a field, got '%s'",
                       scan_show(k, scan_next(k)));
        wrong_statement(k, k->at + 1);
    } else if (scan_next_is(k, '{')) {
        record_reject(k, name.from, "suite '%s' is not closed; expected '}' before '%s'",
                      scan_show(k, k->record->name), scan_show(k, name));
        k->at = name.from;
        return false;
    } else if (scan_take(k, '=')) {
        take_value(k, name);
    } else if (!scan_at_end(k)) {
        complaints_add(k->complaints, name.to, "expected '=' after '%s'", scan_show(k, name));
        wrong_statement(k, name.to);
    }
    return true;
}

/* Reads from after a suite's '{' to after its '}', or to the next suite's name, into k->record. */
static void statements_read(struct scan *k)
{
    do {
        scan_skip_blanks(k);
        while (scan_take(k, ';'))
            scan_skip_blanks(k);
        if (scan_take(k, '}'))
            return;
        if (scan_at_end(k)) {
            record_reject(k, k->at, "suite '%s' is not closed; expected '}'",
                          scan_show(k, k->record->name));
            return;
        }
    } while (field_read(k));
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
static bool open_record(struct scan *k, struct slice name)
{
    scan_skip_blanks(k);
    if (scan_take(k, '{'))
        return true;
    if (scan_at_end(k))
        record_reject(k, k->at, "suite '%s' is incomplete; expected '{'", scan_show(k, name));
    else
        record_reject(k, k->at, "expected '{' after the name '%s', got '%s'%s", scan_show(k, name),
                      scan_show(k, scan_next(k)),
                      k->bytes[name.from] == '#' ? "; comments belong in @COMMENT" : "");
    scan_skip_to(k, "{}");
    if (scan_take(k, '{'))
        return true;
    scan_take(k, '}');
    return false;
}

/* Adds an empty record; NULL after a complaint. */
static struct record *records_add(struct records *r, struct scan *k)
{
    if (r->count == MAX_RECORDS) {
        complaints_add(k->complaints, k->at, "more than %d suites", MAX_RECORDS);
        return NULL;
    }
    grow_for_one(&r->list, r->count, &r->capacity, sizeof(*r->list));
    r->list[r->count] = (struct record){ 0 };
    return &r->list[r->count++];
}

static bool record_read(struct records *r, struct scan *k)
{
    k->record = records_add(r, k);
    if (k->record == NULL)
        return false;
    struct slice name = scan_word(k, BLANKS "{};");
    k->record->name = name;
    const char *flaw = name_flaw(k->bytes + name.from, name.to - name.from);
    if (name.from == name.to)
        record_reject(k, k->at, "expected the name of a suite before '{'");
    else if (flaw != NULL)
        record_reject(k, name.from, "'%s' cannot be the name of a suite: %s", scan_show(k, name),
                      flaw);
    if (open_record(k, name))
        statements_read(k);
    return true;
}

void records_read(struct records *r, const struct source *s, struct slice part,
                  struct complaints *c)
{
    struct scan k = { s->bytes, part.from, part.to, c, NULL };
    for (;;) {
        scan_skip_blanks(&k);
        if (scan_at_end(&k) || r->full)
            return;
        if (scan_next_is(&k, '}') || scan_next_is(&k, ';')) {
            complaints_add(c, k.at, "unexpected '%c' between suites", k.bytes[k.at]);
            k.at++;
        } else {
            r->full = !record_read(r, &k);
        }
    }
}

struct slice records_set(struct records *r, const struct source *s, struct slice part,
                         struct complaints *c)
{
    struct record set = { 0 };
    struct scan k = { s->bytes, part.from, part.to, c, &set };
    if (part.from < part.to)
        statements_read(&k);
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
    struct scan k = { s->bytes, part.from, part.to, NULL, NULL };
    while (!scan_at_end(&k)) {
        scan_skip_to(&k, "{");
        scan_take(&k, '{');
        scan_skip_blanks(&k);
        struct slice word = scan_word(&k, WORD_ENDS);
        scan_skip_blanks(&k);
        if (scan_next_is(&k, '=') && field_mask(k.bytes + word.from, word.to - word.from) != 0)
            return true;
    }
    return false;
}

void records_release(struct records *r)
{
    free(r->list);
    *r = (struct records){ 0 };
}
