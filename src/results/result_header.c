#include "results/result_header.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 16 * 1024 * 1024, MAX_FIELDS = 10000 };

static bool has_room(struct header *h)
{
    struct header_field *fields = grow_for_one(h->fields, h->count, &h->capacity, sizeof(*fields));
    if (fields != NULL)
        h->fields = fields;
    return fields != NULL;
}

static bool append(struct header *h, const char *before, const char *text)
{
    struct text *value = &h->fields[h->count - 1].value;
    h->bytes += strlen(before) + strlen(text);
    if (h->bytes > MAX_BYTES)
        return false;
    text_add(value, "%s%s", before, text);
    return !value->failed;
}

bool header_add(struct header *h, const char *name, size_t name_len, const char *value)
{
    if (h->count == MAX_FIELDS || !has_room(h))
        return false;
    char *copy = text_copy(name, name_len);
    if (copy == NULL)
        return false;
    h->fields[h->count++] = (struct header_field){ .name = copy };
    return append(h, "", value);
}

bool header_continue(struct header *h, const char *line)
{
    return h->count == 0 || append(h, "\n", line);
}

const char *header_get(const struct header *h, const char *name)
{
    for (size_t i = 0; i < h->count; i++)
        if (strcmp(h->fields[i].name, name) == 0)
            return text_get(&h->fields[i].value);
    return NULL;
}

void header_release(struct header *h)
{
    for (size_t i = 0; i < h->count; i++) {
        free(h->fields[i].name);
        text_release(&h->fields[i].value);
    }
    free(h->fields);
    *h = (struct header){ 0 };
}
