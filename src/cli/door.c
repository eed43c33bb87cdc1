#include "cli/door.h"

#include "base/json.h"
#include "context/library.h"
#include "hosts/job.h"
#include "hosts/system.h"

#include <strings.h>
#include <unistd.h>

static const struct command {
    const char *name, *program, *first, *is, *text;
} commands[] = {
#define COMMAND(...) { __VA_ARGS__ },
#include "cli/commands.def"
};

enum { COMMANDS = sizeof(commands) / sizeof(*commands), USAGE = 2 };

static const struct command *find(const char *word)
{
    for (const struct command *c = commands; c < commands + COMMANDS; c++)
        if (text_same(word, c->name))
            return c;
    return NULL;
}

bool door_has(const char *word, const char **nearest)
{
    *nearest = text_nearest(word, COMMANDS, &commands[0].name, sizeof(*commands));
    return find(word) != NULL;
}

/* Health is, unless it starts several launches. */
static bool is_done_here(const struct command *c, char **words)
{
    bool starts = !text_same(c->name, "health");
    for (; *words != NULL && !starts; words++)
        starts = strcmp(*words, "--") == 0 || strncmp(*words, "--launches", 10) == 0;
    return c->program == NULL || !starts;
}

/* The launcher that started this process; NULL: none did. A batch script and a shell in a job have
 * variables of Slurm, too: they are one task. */
static const char *started_by(void)
{
    static const char *const others[] = { "PMI_RANK", "PMIX_RANK", NULL };
    const char *start = launcher_get()->start;
    if (LIBRARY_IS_SIMULATED)
        return "smpirun";
    if (start != NULL && strncmp(start, "srun", 4) != 0)
        return "mpirun";
    if (system_variable((const char *const[]){ "SLURM_STEP_NUM_TASKS", NULL }) > 1)
        return "srun";
    return start == NULL && system_variable_text(others) != NULL ? "mpirun" : NULL;
}

/* Adds the program's file: beside this one's, as installed, or in the tree two folders up. */
static int find_program(const struct command *c, struct text *path, struct err *e)
{
    char self[PATH_MAX];
    const ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
    self[len > 0 ? len : 0] = '\0';
    const char *slash = strrchr(self, '/'), *end = strrchr(c->program, '-');
    LOCAL_TEXT source = { 0 };
    self[slash == NULL ? 0 : slash - self] = '\0';
    text_add(path, "%s/%s", self, c->program);
    text_add(&source, "%s/../../report/%s.pl", self, end == NULL ? c->program : end + 1);
    if (access(text_get(path), F_OK) != 0 && access(text_get(&source), F_OK) != 0)
        return err_set(e,
                       "skampi %s is the program %s, but there is neither '%s' nor '%s'; use "
                       "skampi where 'make install' put it, or in its source tree",
                       c->name, c->program, text_get(path), text_get(&source));
    if (access(text_get(path), F_OK) != 0) {
        text_release(path);
        text_add(path, "%s", text_get(&source));
    }
    return 0;
}

int door_open(int argc, char **argv)
{
    const bool help = argc > 2 && text_same(argv[1], "help");
    const struct command *c = argc < 2 ? NULL : find(argv[1 + help]);
    LOCAL_TEXT path = { 0 };
    struct err e = { "" };
    if (c == NULL || is_done_here(c, argv + 2))
        return -1;
    const char *launcher = started_by();
    if (launcher != NULL) {
        err_set(&e, "skampi %s %s: start it without %s", c->name, c->is, launcher);
    } else if (find_program(c, &path, &e) == 0) {
        char **args = argv + (c->first == NULL); /* its name, and the first argument or none */
        argv[1] = (char *)c->first;
        args[0] = (char *)text_get(&path);
        if (help)
            argv[2] = "--help";
        execv(args[0], args);
        err_set(&e, "cannot start '%s': %s; it needs perl", args[0], strerror(errno));
    }
    if (launcher != NULL && launcher_rank() != 0)
        return 0; /* a launcher ends all processes when one fails, maybe before the message */
    fprintf(stderr, "skampi: %s\n", e.text);
    return USAGE;
}

void door_help(struct text *out)
{
    text_add(out, "Commands:\n");
    for (const struct command *c = commands; c < commands + COMMANDS; c++)
        text_add(out, "  %-9s%s\n", c->name, c->text);
}

static const struct foreign foreigners[] = {
#define FOREIGN(...) { __VA_ARGS__ },
#include "cli/foreign.def"
};

enum { FOREIGNERS = sizeof(foreigners) / sizeof(*foreigners) };

/* Is it this word of a row? Options differ by their case. */
static bool is_word(const char *typed, const char *word, size_t len)
{
    bool begins = word[len - 1] == '*';
    if (!begins && strlen(typed) != len)
        return false;
    return *word == '-' ? strncmp(typed, word, len) == 0
                        : strncasecmp(typed, word, len - begins) == 0;
}

const struct foreign *foreign_find(const char *typed)
{
    for (const struct foreign *f = foreigners; f < foreigners + FOREIGNERS; f++)
        for (size_t at = 0, len; f->words[at] != '\0'; at += len) {
            at += strspn(f->words + at, " ");
            len = strcspn(f->words + at, " ");
            if (is_word(typed, f->words + at, len))
                return f;
        }
    return NULL;
}

int foreign_refuse(const char *option, struct err *e)
{
    LOCAL_TEXT name = { 0 };
    text_add_bytes(&name, option, strcspn(option, "="));
    const struct foreign *f = foreign_find(text_get(&name));
    return f == NULL ? 0
                     : err_set(e, "unknown option '%s', of %s; here: %s", text_get(&name), f->whose,
                               f->here);
}

static void catalog_foreigner(struct text *out, const void *of, int i)
{
    json_add_texts(out, { "words", foreigners[i].words }, { "whose", foreigners[i].whose },
                   { "here", foreigners[i].here });
}

static void catalog_command(struct text *out, const void *of, int i)
{
    json_add_texts(out, { "name", commands[i].name }, { "program", commands[i].program },
                   { "first", commands[i].first }, { "text", commands[i].text });
}

void door_catalog(struct text *out)
{
    json_add_list(out, "commands", COMMANDS, catalog_command, NULL);
    json_add_list(out, "foreign", FOREIGNERS, catalog_foreigner, NULL);
}
