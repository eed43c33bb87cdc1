/* The same text for a terminal, for a LaTeX document, for a manual page (POD), and JSON for other
 * programs. */
#pragma once

#include "base/text.h"

enum markup { MARKUP_TEXT, MARKUP_LATEX, MARKUP_POD };

/* Adds s so that the document shows it character by character. s is ASCII and a single line. */
void markup_add(struct text *out, enum markup markup, const char *s);

/* "{s}" with s escaped: an argument of a LaTeX macro. */
void markup_add_argument(struct text *out, const char *s);

/* A line of LaTeX: a macro, and each of the strings as an argument of it, escaped. */
#define markup_add_macro(out, macro, ...)                                                          \
    markup_add_arguments(out, macro, (const char *const[]){ __VA_ARGS__, NULL })
void markup_add_arguments(struct text *out, const char *macro, const char *const *arguments);

/* An item of a POD list: its name in bold type, and a paragraph, escaped. */
void markup_add_item(struct text *out, const char *name, const char *paragraph);

/* "B<s>" with s escaped: s in a POD font. */
void markup_add_font(struct text *out, char font, const char *s);

/* JSON: begin and end a list ('[', ']') or an object ('{', '}'), with a name inside of an object;
 * name may be NULL. A comma precedes each value but the first. */
void json_begin(struct text *out, const char *name, char bracket);
void json_end(struct text *out, char bracket);

/* A text, ASCII or UTF-8, and a number or true; nothing if value is NULL. */
void json_add(struct text *out, const char *name, const char *value);
void json_add_number(struct text *out, const char *name, long value);
void json_add_true(struct text *out, const char *name, bool value);
