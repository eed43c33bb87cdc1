#include "params/suites.h"

#include "base/grow.h"
#include "params/fields.h"
#include "params/statements.h"

#include <stdlib.h>
#include <string.h>

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

static void name_check(struct scan *k, struct slice name)
{
    char shown[QUOTE_SIZE];
    const char *flaw = name_flaw(k->bytes + name.from, name.to - name.from);
    if (flaw == NULL)
        return;
    complaints_add(k->complaints, name.from, "'%s' cannot be the name of a suite: %s",
                   scan_show(k, name, shown), flaw);
    k->record->broken = true;
}

/* Takes the '{' after a name. If it is missing, continues after the next '{' that precedes a '}';
 * otherwise skips the '}' and returns false, as there is nothing to read. */
static bool open_record(struct scan *k, struct slice name)
{
    char shown[QUOTE_SIZE], next[QUOTE_SIZE];
    scan_skip_blanks(k);
    if (scan_take(k, '{'))
        return true;
    if (scan_at_end(k))
        complaints_add(k->complaints, k->at, "suite '%s' is incomplete; expected '{'",
                       scan_show(k, name, shown));
    else
        complaints_add(k->complaints, k->at, "expected '{' after the name '%s', got '%s'%s",
                       scan_show(k, name, shown), scan_show_next(k, next),
                       k->bytes[name.from] == '#' ? "; comments belong in @COMMENT" : "");
    k->record->broken = true;
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
    struct slice name = scan_word(k, "{};");
    k->record->name = name;
    if (name.from < name.to) {
        name_check(k, name);
    } else {
        complaints_add(k->complaints, k->at, "expected the name of a suite before '{'");
        k->record->broken = true;
    }
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

/* "{ Field =" */
static bool opens_fields(struct scan *k)
{
    if (!scan_take(k, '{'))
        return false;
    scan_skip_blanks(k);
    struct slice word = scan_word(k, WORD_ENDS);
    scan_skip_blanks(k);
    return scan_next_is(k, '=') && field_mask(k->bytes + word.from, word.to - word.from) != 0;
}

bool records_found(const struct source *s, struct slice part)
{
    struct scan k = { s->bytes, part.from, part.to, NULL, NULL };
    while (!scan_at_end(&k)) {
        scan_skip_to(&k, "{");
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
