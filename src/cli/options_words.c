#include "cli/options.h"

#include "session/parameter_file.h"

#include <unistd.h>

int command_line_init(struct command_line *line, struct err *e)
{
    size_t bytes = ((size_t)line->argc + 1) * sizeof(*line->argv);
    line->argv = malloc(bytes);
    line->words = malloc(bytes);
    if (line->argv == NULL || line->words == NULL)
        return err_no_memory(e, bytes);
    memcpy(line->argv, line->given, bytes);
    return 0;
}

void command_line_release(struct command_line *line)
{
    free(line->argv);
    free((void *)line->words);
}

/* Is this the name of a parameter file, and no word? */
static bool is_file(const char *name)
{
    return strpbrk(name, "./") != NULL || access(name, F_OK) == 0 || shipped_find(name) != NULL;
}

/* The optional value of --check or --print-config, which is the first word, or the file. */
static const char *first_word(const struct request *o)
{
    if (o->action == ACTION_PRINT_CONFIG)
        return o->name;
    return o->action == ACTION_CHECK && !options_give(o, "file") && o->file != usual_file ? o->file
                                                                                          : NULL;
}

static int check_words(const struct request *o, struct err *e)
{
    const char *option = options_change_words(o);
    if (o->word_count > 0 && options_give(o, "file"))
        return err_set(e, "unexpected '%s' beside the parameter file of -f; see skampi --help",
                       o->words[0]);
    if (o->word_count > 0 || option == NULL)
        return 0;
    return err_set(e, "option '--%s' needs a word for what is measured: skampi allreduce --%s ...",
                   option, option);
}

/* The words, or the one file, of a run, of --check and of --print-config. */
int command_line_words(const struct command_line *line, struct request *o, char **rest, int count,
                       struct err *e)
{
    const char *first = first_word(o);
    int n = first != NULL;
    line->words[0] = first;
    for (int i = 0; i < count; i++)
        line->words[n++] = rest[i];
    bool plain = n == 1 && o->action != ACTION_MEASURE && options_change_words(o) == NULL;
    if (plain && is_file(line->words[0])) {
        o->file = o->name = line->words[0];
        return 0;
    }
    if (n == 0 && o->action == ACTION_PRINT_CONFIG)
        return err_set(e, "option '--print-config' needs a value, or words; see skampi --help");
    o->words = line->words;
    o->word_count = n;
    if (first != NULL)
        o->file = usual_file;
    return check_words(o, e);
}
