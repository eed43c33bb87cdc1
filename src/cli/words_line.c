#include "cli/words.h"

void command_line_join(struct command_line *line)
{
    text_add(&line->joined, "skampi");
    for (int i = 1; i < line->argc; i++)
        text_add(&line->joined, " %s", line->argv[i]);
}

size_t words_place(const struct words *w, const char *part)
{
    size_t at = strlen("skampi ");
    for (int i = 1; i < w->line->argc; i++) {
        const char *argument = w->line->argv[i];
        size_t len = strlen(argument);
        if (part >= argument && part <= argument + len)
            return at + (size_t)(part - argument);
        at += len + 1;
    }
    return 0;
}

struct text *words_mark(const struct words *w, const char *part, struct text *out)
{
    complaints_add_mark(out, words_place(w, part != NULL ? part : w->word));
    return out;
}
