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

static int check_words(const struct request *o, const char *option, struct err *e)
{
    if (o->word_count > 0 && o->file != usual_file)
        return err_set(e, "unexpected '%s' beside the parameter file of -f; see skampi --help",
                       o->words[0]);
    if (o->word_count > 0 || option == NULL)
        return 0;
    return err_set(e, "option '--%s' needs a word for what is measured: skampi allreduce --%s ...",
                   option, option);
}

int command_line_words(const struct command_line *line, struct request *o, char **rest, int count,
                       const char *option, struct err *e)
{
    int n = o->name != NULL; /* the value of --check or --print-config is the first word */
    line->words[0] = o->name;
    for (int i = 0; i < count; i++)
        line->words[n++] = rest[i];
    if (n == 0 && o->action == ACTION_PRINT_CONFIG)
        return err_set(e, "option '--print-config' needs a value, or words; see skampi --help");
    o->words = line->words;
    o->word_count = n;
    int rc = check_words(o, option, e);
    if (rc == 0 && n == 1 && o->action != ACTION_MEASURE && option == NULL &&
        is_file(o->words[0])) {
        o->file = o->name = o->words[0];
        o->word_count = 0;
    }
    return rc;
}
