#include "cli/foreign.h"

#include "base/json.h"

#include <strings.h>

static const struct foreign rows[] = {
#define FOREIGN(...) { __VA_ARGS__ },
#include "cli/foreign.def"
};

enum { ROWS = sizeof(rows) / sizeof(*rows) };

/* Is it this word of a row? Options differ by their case. */
static bool is_word(const char *typed, const char *word, size_t len)
{
    bool begins = word[len - 1] == '*';
    if (!begins && strlen(typed) != len)
        return false;
    return *word == '-' ? strncmp(typed, word, len) == 0
                        : strncasecmp(typed, word, len - begins) == 0;
}

const struct foreign *foreign_find(const char *typed)
{
    for (const struct foreign *f = rows; f < rows + ROWS; f++)
        for (size_t at = 0, len; f->words[at] != '\0'; at += len) {
            at += strspn(f->words + at, " ");
            len = strcspn(f->words + at, " ");
            if (is_word(typed, f->words + at, len))
                return f;
        }
    return NULL;
}

int foreign_refuse(const char *option, struct err *e)
{
    LOCAL_TEXT name = { 0 };
    text_add_bytes(&name, option, strcspn(option, "="));
    const struct foreign *f = foreign_find(text_get(&name));
    return f == NULL ? 0
                     : err_set(e, "unknown option '%s', of %s; here: %s", text_get(&name), f->whose,
                               f->here);
}

static void catalog_row(struct text *out, const void *of, int i)
{
    json_add_texts(out, { "words", rows[i].words }, { "whose", rows[i].whose },
                   { "here", rows[i].here });
}

void foreign_catalog(struct text *out)
{
    json_add_list(out, "foreign", ROWS, catalog_row, NULL);
}
