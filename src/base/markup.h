/* The same text for a terminal, for a LaTeX document and for a manual page (POD). */
#ifndef SKAMPI_BASE_MARKUP_H
#define SKAMPI_BASE_MARKUP_H

#include "base/text.h"

enum markup { MARKUP_TEXT, MARKUP_LATEX, MARKUP_POD };

/* Adds s so that the document shows it character by character. s is ASCII and a single line. */
void markup_add(struct text *out, enum markup markup, const char *s);

/* "{s}" with s escaped: an argument of a LaTeX macro. */
void markup_add_argument(struct text *out, const char *s);

/* "B<s>" with s escaped: s in a POD font. */
void markup_add_font(struct text *out, char font, const char *s);

#endif
