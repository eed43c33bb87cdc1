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

void markup_add_font(struct text *out, char font, const char *s)
{
    text_add(out, "%c<", font);
    markup_add(out, MARKUP_POD, s);
    text_add(out, ">");
}
