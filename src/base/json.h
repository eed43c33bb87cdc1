/* JSON for other programs. */
#pragma once

#include "base/text.h"

/* Begin and end a list ('[', ']') or an object ('{', '}'), with a name inside of an object; name
 * may be NULL. A comma precedes each value but the first. */
void json_begin(struct text *out, const char *name, char bracket);
void json_end(struct text *out, char bracket);

/* A text, ASCII or UTF-8, nothing if it is NULL; numbers; true or false, or only true. */
void json_add(struct text *out, const char *name, const char *value);
void json_add_texts(struct text *out, ...) __attribute__((sentinel)); /* names and texts, NULL */
void json_add_number(struct text *out, const char *name, long value);
void json_add_real(struct text *out, const char *name, double value); /* nothing if not finite */
void json_add_boolean(struct text *out, const char *name, bool value);
void json_add_true(struct text *out, const char *name, bool value);

/* A list with an object for each number below count; add adds its content. An object without
 * content is omitted. */
void json_add_list(struct text *out, const char *name, int count,
                   void (*add)(struct text *out, const void *of, int i), const void *of);
