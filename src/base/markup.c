#include "base/markup.h"

/* The LaTeX for a character that has a meaning of its own in LaTeX; T1 fonts. */
static const char *latex_escape(char c)
{
    static const char *const escapes[] = {
        ['\\'] = "\\textbackslash{}",
        ['{'] = "\\{",
        ['}'] = "\\}",
        ['$'] = "\\$",
        ['&'] = "\\&",
        ['#'] = "\\#",
        ['%'] = "\\%",
        ['_'] = "\\_",
        ['^'] = "\\textasciicircum{}",
        ['~'] = "\\textasciitilde{}",
        ['<'] = "\\textless{}",
        ['>'] = "\\textgreater{}",
        ['|'] = "\\textbar{}",
        ['"'] = "\\textquotedbl{}",
        ['\''] = "\\textquotesingle{}",
        ['`'] = "\\textasciigrave{}",
        ['-'] = "-{}", /* no dash of two hyphens */
    };
    unsigned char at = (unsigned char)c;
    return at < sizeof(escapes) / sizeof(*escapes) ? escapes[at] : NULL;
}

static const char *pod_escape(char c)
{
    return c == '<'   ? "E<lt>"
           : c == '>' ? "E<gt>"
           : c == '/' ? "E<sol>"
           : c == '|' ? "E<verbar>"
                      : NULL;
}

void markup_add(struct text *out, enum markup markup, const char *s)
{
    for (; *s != '\0'; s++) {
        const char *escape = markup == MARKUP_LATEX ? latex_escape(*s)
                             : markup == MARKUP_POD ? pod_escape(*s)
                                                    : NULL;
        if (escape != NULL)
            text_add(out, "%s", escape);
        else
            text_add_bytes(out, s, 1);
    }
}

void markup_add_argument(struct text *out, const char *s)
{
    text_add(out, "{");
    markup_add(out, MARKUP_LATEX, s);
    text_add(out, "}");
}

void markup_add_arguments(struct text *out, const char *macro, const char *const *arguments)
{
    text_add(out, "%s", macro);
    for (; *arguments != NULL; arguments++)
        markup_add_argument(out, *arguments);
    text_add(out, "\n");
}

void markup_add_font(struct text *out, char font, const char *s)
{
    text_add(out, "%c<", font);
    markup_add(out, MARKUP_POD, s);
    text_add(out, ">");
}

void markup_add_item(struct text *out, const char *name, const char *paragraph)
{
    text_add(out, "=item ");
    markup_add_font(out, 'B', name);
    text_add(out, "\n\n");
    markup_add(out, MARKUP_POD, paragraph);
    text_add(out, "\n\n");
}

static void add_quoted(struct text *out, const char *s)
{
    text_add(out, "\"");
    for (; *s != '\0'; s++) {
        if ((unsigned char)*s < ' ' || *s == '"' || *s == '\\')
            text_add(out, "\\u%04x", (unsigned)*s);
        else
            text_add_bytes(out, s, 1);
    }
    text_add(out, "\"");
}

/* What precedes a value. */
static void begin_value(struct text *out, const char *name)
{
    char last = out->len == 0 ? '[' : text_get(out)[out->len - 1];
    if (last != '[' && last != '{')
        text_add(out, ",");
    if (last == '}' || last == ']')
        text_add(out, "\n");
    if (name == NULL)
        return;
    add_quoted(out, name);
    text_add(out, ":");
}

void json_begin(struct text *out, const char *name, char bracket)
{
    begin_value(out, name);
    text_add_bytes(out, &bracket, 1);
}

void json_end(struct text *out, char bracket)
{
    text_add_bytes(out, &bracket, 1);
}

void json_add(struct text *out, const char *name, const char *value)
{
    if (value == NULL)
        return;
    begin_value(out, name);
    add_quoted(out, value);
}

void json_add_number(struct text *out, const char *name, long value)
{
    begin_value(out, name);
    text_add(out, "%ld", value);
}

void json_add_true(struct text *out, const char *name, bool value)
{
    if (!value)
        return;
    begin_value(out, name);
    text_add(out, "true");
}
