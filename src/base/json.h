/* JSON for other programs. */
#pragma once

#include "base/text.h"

/* Begin and end a list ('[', ']') or an object ('{', '}'), with a name inside of an object; name
 * may be NULL. A comma precedes each value but the first. */
void json_begin(struct text *out, const char *name, char bracket);
void json_end(struct text *out, char bracket);

/* Texts with their names, as json_add: json_add_texts(out, { "name", name }, { "unit", unit }). */
struct json_text {
    const char *name, *value;
};
#define json_add_texts(out, ...)                                                                   \
    json_add_all(out, (const struct json_text[]){ __VA_ARGS__, { NULL, NULL } })
void json_add_all(struct text *out, const struct json_text *list);

/* A text, ASCII or UTF-8, nothing if it is NULL; numbers; true or false, or only true. */
void json_add(struct text *out, const char *name, const char *value);
void json_add_number(struct text *out, const char *name, long value);
void json_add_real(struct text *out, const char *name, double value); /* nothing if not finite */
void json_add_boolean(struct text *out, const char *name, bool value);
void json_add_true(struct text *out, const char *name, bool value);

/* A list with an object for each number below count; add adds its content. An object without
 * content is omitted. */
void json_add_list(struct text *out, const char *name, int count,
                   void (*add)(struct text *out, const void *of, int i), const void *of);
