#include "cli/options.h"

#include <stdio.h>

enum { TEXT_INDENT = 28 };

static void add_option(struct text *out, const struct option_row *row)
{
    char name[64], letter[8] = "    ";
    snprintf(name, sizeof(name), "--%s%s%s", row->name, row->value == NULL ? "" : " ",
             row->value == NULL ? "" : row->value);
    if (row->letter != 0)
        snprintf(letter, sizeof(letter), "-%c, ", row->letter);
    text_add(out, "  %s%-*s", letter, TEXT_INDENT - 6, name);
    text_add_wrapped(out, row->text, TEXT_INDENT);
    text_add(out, "\n");
}

static void add_latex_option(struct text *out, const struct option_row *row)
{
    const char letter[] = { row->letter, '\0' };
    text_add(out, "\\skampioption");
    markup_add_argument(out, letter);
    markup_add_argument(out, row->name);
    markup_add_argument(out, row->value == NULL ? "" : row->value);
    markup_add_argument(out, row->text);
    text_add(out, "\n");
}

static void add_pod_option(struct text *out, const struct option_row *row)
{
    text_add(out, "=item ");
    if (row->letter != 0)
        text_add(out, "B<-%c>, ", row->letter);
    text_add(out, "B<--%s>", row->name);
    if (row->value != NULL) {
        text_add(out, " ");
        markup_add_font(out, 'I', row->value);
    }
    text_add(out, "\n\n");
    markup_add(out, MARKUP_POD, row->text);
    text_add(out, "\n\n");
}

static void add_options(struct text *out, enum markup markup)
{
    static void (*const add[])(struct text *, const struct option_row *) = {
        [MARKUP_TEXT] = add_option,
        [MARKUP_LATEX] = add_latex_option,
        [MARKUP_POD] = add_pod_option,
    };
    for (size_t i = 0; option_row(i) != NULL; i++)
        add[markup](out, option_row(i));
}

void options_help(struct text *out, enum markup markup)
{
    if (markup != MARKUP_TEXT) {
        add_options(out, markup);
        return;
    }
    text_add(out, "SKaMPI measures what MPI operations cost.\n\n"
                  "usage: mpirun -np N skampi [-f FILE] [-o FILE] [--machine TEXT] [--fresh]\n"
                  "                        [--quiet]\n"
                  "       skampi --postprocess FILE... -o FILE [--force]\n"
                  "       skampi OPTION\n\n");
    add_options(out, markup);
    text_add(out, "\n");
    text_add_wrapped(out,
                     "To begin: skampi --print-config standard > .skampi, fill in @MACHINE, @NODE, "
                     "@NETWORK and @USER, and start it. Results go to skampi.out; exit status: 0 "
                     "done, 1 something could not be measured or written, 2 usage or parameter "
                     "file. To resume an interrupted run, start it again: it continues after the "
                     "last complete suite.",
                     0);
    text_add(out, "\n");
}
