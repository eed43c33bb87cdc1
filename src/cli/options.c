#include "cli/options.h"

#include "base/json.h"
#include "cli/door.h"
#include "params/tables.h"
#include "session/parameter_file.h"

#include <getopt.h>
#include <unistd.h>

enum { MAX_PROCESSES = 10000000 };

static const char usual_file[] = ".skampi"; /* of a request that names none */

/* One row per option; drives getopt_long and the help. */
struct option_row {
    char letter; /* 0: none */
    const char *name;
    const char *value; /* NULL: takes none; "[X]": may have one */
    const char *text;
    enum { STORES_NOTHING, STORES_TEXT, STORES_TRUE } stores;
    size_t at; /* the offset of the member of struct request that is set to the value or true */
    int (*take)(struct request *o, const char *value, struct err *e); /* another value; or NULL */
    enum action action; /* what it asks for; ACTION_MEASURE: it is a detail of that */
    unsigned with;      /* a detail: bits of the actions that use it */
    const char *brief;  /* its line in the short help; NULL: it has no line there */
};

static int take_processes(struct request *o, const char *value, struct err *e)
{
    char *end;
    long processes = strtol(value, &end, 10);
    if (*value == '\0' || *end != '\0' || processes < 2 || processes > MAX_PROCESSES)
        return err_set(e, "expected a number of processes from 2 to %d, got '%s'", MAX_PROCESSES,
                       value);
    o->processes = (int)processes;
    return 0;
}

static int take_setting(struct request *o, const char *value, struct err *e)
{
    if (o->setting_count == MAX_SETTINGS)
        return err_set(e, "option '--set' is given more than %d times", MAX_SETTINGS);
    o->settings[o->setting_count++] = value;
    if (request_label(o, o->setting_count - 1) != NULL && strchr(value, '\n') != NULL)
        return err_set(e, "option '--set': a label has no line break");
    return 0;
}

static int take_format(struct request *o, const char *value, struct err *e)
{
    o->json = strcmp(value, "json") == 0;
    o->openmetrics = strcmp(value, "openmetrics") == 0;
    return o->json || o->openmetrics || strcmp(value, "text") == 0
               ? 0
               : err_set(e, "expected the format text, json or openmetrics, got '%s'", value);
}

static int take_level(struct request *o, const char *value, struct err *e)
{
    for (int i = LEVEL_SINGLE; thread_level_names[i] != NULL; i++)
        if (text_same(value, thread_level_names[i]))
            o->threads = (enum thread_level)i;
    return o->threads != LEVEL_AUTO
               ? 0
               : err_set(e, "expected the level single, funneled, serialized or multiple, got '%s'",
                         value);
}

#define TEXT(member) .at = offsetof(struct request, member), .stores = STORES_TEXT
#define FLAG(member) .at = offsetof(struct request, member), .stores = STORES_TRUE
#define WITH(action) (1U << (action))
/* The bit of the option in this row. */
#define GIVEN(row) ((uint64_t)1 << (row))
#define OF_START   (WITH(ACTION_MEASURE) | WITH(ACTION_CHECK))
#define OF_RUN     (OF_START | WITH(ACTION_STATUS))
#define OF_WORDS   (OF_START | WITH(ACTION_PRINT_CONFIG) | WITH(ACTION_HELP))
#define OF_TABLES  (OF_RUN | WITH(ACTION_LIST) | WITH(ACTION_HEALTH))
#define OF_ANY     (~0U)

static const struct option_row rows[] = {
    { 'm', "lengths", "LENGTHS",
      "the message lengths of WORDs: MIN:MAX (powers of 2), MIN:MAX:FACTOR, MIN:MAX:+STEP, or a "
      "list, 8,64,1K",
      TEXT(lengths), .with = OF_WORDS, .brief = "8:64K (times 2), 8:64K:4, or a list, 8,64,1K" },
    { 't', "time", "SECONDS", "how long a run of WORDs may take: 10s, 500ms, 2m", TEXT(seconds),
      .with = OF_WORDS, .brief = "how long: 10s, 2m" },
    { 0, "vary", "VARIATION",
      "what WORDs vary instead of the length: processes, window, groups, ...", TEXT(vary),
      .with = OF_WORDS, .brief = "what varies: processes, threads, algorithm, ..." },
    { 0, "as", "BENCHMARK",
      "the numbers of another benchmark for WORDs, in its columns: osu or imb", TEXT(as),
      .with = OF_WORDS, .brief = "the numbers and columns of osu or imb" },
    { 0, "set", "NAME=VALUE",
      "set a key, a field or a @SECTION of the parameter file that WORDs mean, with --print-config "
      "a key or a field of all suites of a file, or @LABEL=NAME=VALUE, a fact of your own, of any "
      "run; may be repeated",
      .take = take_setting, .with = OF_WORDS,
      .brief = "in_place=yes, send_in=cuda, ...: --help-params" },
    { 0, "json", NULL, "print tables as JSON: --format json", FLAG(json), .with = OF_TABLES },
    { 0, "format", "FORMAT", "the format of tables: text or json; of --health, also openmetrics",
      .take = take_format, .with = OF_TABLES },
    { 'f', "file", "FILE",
      "read the parameters from FILE instead of .skampi; without such a file, FILE may be the name "
      "of one that ships with skampi; -: standard input",
      TEXT(file), .with = OF_RUN | WITH(ACTION_PRINT_CONFIG),
      .brief = "parameter file, also of 4.1; without it .skampi" },
    { 'o', "output", "FILE",
      "write the results to FILE instead of @OUTFILE, or keep those of WORDs or of --health; -: "
      "standard output",
      TEXT(outfile), .with = OF_RUN | WITH(ACTION_POSTPROCESS) | WITH(ACTION_HEALTH),
      .brief = "keep the results of WORDs" },
    { 0, "machine", "TEXT", "the description of the machine, instead of @MACHINE", TEXT(machine),
      .with = OF_START },
    { 0, "duet", "OWN:OTHER",
      "take turns with another run, visit by visit, over two pipes that skampi launch --duet makes",
      TEXT(duet), .with = WITH(ACTION_MEASURE) },
    { 0, "threads", "LEVEL",
      "the level of thread support for which the run asks MPI, instead of @THREADS: funneled, "
      "serialized or multiple",
      .take = take_level, .with = OF_START },
    { 'q', "quiet", NULL, "no progress on standard error", FLAG(quiet), .with = OF_ANY },
    { 0, "fresh", NULL, "keep the file of an unfinished run under another name and start over",
      FLAG(fresh), .with = OF_START },
    { 0, "selftest", "[NAME]",
      "with mpirun: test in some seconds whether known delays appear in the times of calls and "
      "data arrive as they were sent, or only of calls with NAME in their name; status 1: failed, "
      "3: too noisy to decide",
      TEXT(name), .action = ACTION_SELFTEST },
    { 0, "health", NULL,
      "with mpirun: measure all pairs of hosts and what is within them, and name the host, link or "
      "pair that is bad; also the word health; status 1: bad, 3: look, or cannot tell",
      .action = ACTION_HEALTH },
    { 0, "baseline", "FILE",
      "compare with runs before: rows that are printed say what is usual (else SKAMPI_BASELINE); "
      "with --health, hosts with what --save wrote",
      TEXT(baseline), .with = WITH(ACTION_HEALTH) | WITH(ACTION_MEASURE),
      .brief = "print beside each time what is usual here" },
    { 0, "save", "FILE", "with --health: write what was measured to FILE, as a baseline",
      TEXT(save), .with = WITH(ACTION_HEALTH) },
    { 's', "status", NULL, "print which suites of a run are done; status 3: not finished",
      .action = ACTION_STATUS, .brief = "what a killed run has; start it again to resume it" },
    { 0, "write", NULL,
      "with --status: write the visits so far of unfinished suites to the result file; the run can "
      "still be resumed",
      FLAG(write), .with = WITH(ACTION_STATUS) },
    { 0, "visits", "FILE",
      "print the results in FILE and, for an unfinished run, the visits so far of its suites, as "
      "skampi show reads them",
      TEXT(outfile), .action = ACTION_VISITS },
    { 'c', "check", "[FILE]", "read the parameters and print the plan without measuring",
      TEXT(name), .action = ACTION_CHECK, .brief = "print the plan without measuring" },
    { 'n', "processes", "N", "number of processes: for --check (else 2), --status (else any)",
      .take = take_processes, .with = WITH(ACTION_CHECK) | WITH(ACTION_STATUS) },
    { 'l', "list", "[NAME]",
      "list what can be measured: all, a topic (rma, irregular, datatypes), a number, or with NAME "
      "in its name",
      TEXT(name), .action = ACTION_LIST, .brief = "what can be measured: all, rma, TCP, Bcast" },
    { 0, "help-params", "[NAME]", "explain the parameter file, or one name in it", TEXT(name),
      .action = ACTION_HELP_PARAMS, .brief = "explain the parameter file, or one name in it" },
    { 0, "help-output", "[NAME]",
      "explain the facts \"#@NAME\" of skampi.out, or one of them or of the values of a row",
      TEXT(name), .action = ACTION_HELP_OUTPUT },
    { 0, "print-config", "[NAME]",
      "print a parameter file that ships with skampi, or the one that WORDs mean; with -f or "
      "--fixed, a file as skampi reads it",
      TEXT(name), .action = ACTION_PRINT_CONFIG,
      .brief = "a file to edit, also a WORD: quick, gpu, threads" },
    { 0, "fixed", NULL,
      "with --print-config: each scale Dynamic_... becomes Fixed_..., so nothing is refined",
      FLAG(fixed), .with = WITH(ACTION_PRINT_CONFIG) },
    { 0, "catalog", NULL,
      "print all commands, patterns, types with the least and most processes that take part, keys, "
      "datatypes, definitions of times and facts as JSON",
      .action = ACTION_CATALOG },
    { 'p', "postprocess", NULL, "merge the results of several runs, FILE..., into the file of -o",
      .action = ACTION_POSTPROCESS },
    { 0, "force", NULL,
      "with --postprocess: merge runs that differ, overwrite the file of -o; with --health: save "
      "also what is not healthy",
      FLAG(force), .with = WITH(ACTION_POSTPROCESS) | WITH(ACTION_HEALTH) },
    { 'V', "version", NULL, "print the version", .action = ACTION_VERSION },
    { 'v', "verbose", NULL,
      "with --version: print also the MPI library and its files, how skampi was built, and the "
      "host",
      FLAG(verbose), .with = WITH(ACTION_VERSION) },
    { 'h', "help", NULL, "print this or, with WORDs, what they measure and their keys",
      .action = ACTION_HELP },
};

/* The val of a long option is its row's number plus this. */
enum { ROWS = sizeof(rows) / sizeof(*rows), FIRST_LONG = 256 };

_Static_assert(ROWS <= 64, "a bit for each in struct request");

static int has_arg(const struct option_row *row)
{
    if (row->value == NULL)
        return no_argument;
    return row->value[0] == '[' ? optional_argument : required_argument;
}

static void fill_tables(struct option *longs, char *letters)
{
    *letters++ = ':';
    for (int i = 0; i < ROWS; i++) {
        longs[i] = (struct option){ rows[i].name, has_arg(&rows[i]), NULL, FIRST_LONG + i };
        if (rows[i].letter == 0)
            continue;
        *letters++ = rows[i].letter;
        for (int colons = has_arg(&rows[i]); colons > 0; colons--)
            *letters++ = ':';
    }
    longs[ROWS] = (struct option){ 0 };
    *letters = '\0';
}

static const struct option_row *row_of(int value)
{
    if (value >= FIRST_LONG)
        return &rows[value - FIRST_LONG];
    for (int i = 0; i < ROWS; i++)
        if (rows[i].letter == value)
            return &rows[i];
    return NULL;
}

static const struct option_row *row_of_action(enum action action)
{
    for (int i = 0; i < ROWS; i++)
        if (action != ACTION_MEASURE && rows[i].action == action)
            return &rows[i];
    return NULL;
}

static int take_row(struct request *o, const struct option_row *row, const char *value,
                    struct err *e)
{
    const struct option_row *before = row_of_action(o->action);
    if (value != NULL && *value == '\0')
        return err_set(e, "option '--%s' needs a value, not ''; see skampi --help", row->name);
    if (row->action != ACTION_MEASURE && before != NULL && before != row)
        return err_set(e, "'--%s' and '--%s' are different tasks; give one of them", before->name,
                       row->name);
    if (row->action != ACTION_MEASURE)
        o->action = row->action;
    o->given |= GIVEN(row - rows);
    if (row->stores == STORES_TEXT && value != NULL)
        *(const char **)(void *)((char *)o + row->at) = value;
    if (row->stores == STORES_TRUE)
        *(bool *)((char *)o + row->at) = true;
    return row->take == NULL ? 0 : row->take(o, value, e);
}

/* Refuses a long option as it was written: it is ambiguous or probably misspelled. */
static int refuse_long(const char *written, struct err *e)
{
    LOCAL_TEXT fitting = { 0 };
    size_t len = strcspn(written, "=");
    for (int i = 0; i < ROWS && len > 2; i++)
        if (strncmp(rows[i].name, written + 2, len - 2) == 0)
            text_add(&fitting, "%s'--%s'", fitting.len == 0 ? "" : ", ", rows[i].name);
    char *name = allocated(strndup(written + 2, len - 2));
    const char *nearest = text_nearest(name, ROWS, &rows[0].name, sizeof(*rows));
    if (fitting.len > 0)
        err_set(e, "option '%.*s' is ambiguous: %s", (int)len, written, text_get(&fitting));
    else if (nearest != NULL)
        err_set(e, "unknown option '%s'; did you mean '--%s'?", written, nearest);
    free(name);
    return err_set(e, "unknown option '%s'; see skampi --help", written);
}

/* Reports what getopt_long did not understand; argument is the one that it has just read. */
static int refuse(int value, const char *argument, struct err *e)
{
    const char letter[] = { '-', (char)optopt, '\0' };
    if (value == ':')
        return err_set(e, "option '%s' needs a value; see skampi --help", argument);
    if (optopt >= FIRST_LONG)
        return err_set(e, "option '--%s' takes no value, got '%s'", row_of(optopt)->name, argument);
    if (optopt == 0)
        return refuse_long(argument, e);
    if (optopt < ' ' || optopt > '~')
        return err_set(e, "unknown option that is not an ASCII letter; see skampi --help");
    if (foreign_refuse(letter, e) != 0)
        return -1;
    return err_set(e, "unknown option '-%c'; see skampi --help", optopt);
}

static int check_given(const struct request *o, struct err *e)
{
    LOCAL_TEXT actions = { 0 };
    int rc = 0;
    for (int i = 0; i < ROWS && rc == 0; i++) {
        if ((o->given & GIVEN(i)) == 0 || rows[i].action != ACTION_MEASURE ||
            (rows[i].with & WITH(o->action)) != 0)
            continue;
        const struct foreign *f = foreign_find((const char[]){ '-', rows[i].letter, '\0' });
        for (int k = 0; k < ROWS; k++)
            if (rows[k].action != ACTION_MEASURE && (rows[i].with & WITH(rows[k].action)) != 0)
                text_add(&actions, "%s'--%s'", actions.len == 0 ? "" : " or ", rows[k].name);
        if (o->action == ACTION_MEASURE)
            rc = err_set(e, "option '--%s' goes with %s only; %s", rows[i].name, text_get(&actions),
                         f != NULL ? f->here : "see skampi --help");
        else
            rc = err_set(e, "option '--%s' does not go with '--%s'; see skampi --help",
                         rows[i].name, row_of_action(o->action)->name);
    }
    return rc;
}

/* Results have skampi's own format, whatever their file is called. */
static int check_output(const struct request *o, struct err *e)
{
    if (o->openmetrics && o->action != ACTION_HEALTH)
        return err_set(e, "only --health prints the format openmetrics; expected text or json");
    const char *end = o->outfile == NULL ? NULL : strrchr(o->outfile, '.');
    if (end == NULL || strcmp(end, ".json") != 0 || o->json || (OF_START & WITH(o->action)) == 0)
        return 0;
    return err_set(e, "-o writes results in skampi's own format; for JSON, write '--json > %s'",
                   o->outfile);
}

const char *options_change_words(const struct request *o)
{
    int labels = 0; /* a file takes these, too */
    while (labels < o->setting_count && request_label(o, labels) != NULL)
        labels++;
    bool sets = labels < o->setting_count || o->action == ACTION_PRINT_CONFIG;
    for (int i = 0; i < ROWS; i++)
        if (rows[i].with == OF_WORDS && (o->given & GIVEN(i)) != 0 &&
            (sets || rows[i].take != take_setting))
            return rows[i].name;
    return NULL;
}

/* Is a parameter file printed as it is read, and not only the text of one that ships? */
static bool prints_file(const struct request *o)
{
    return o->action == ACTION_PRINT_CONFIG && (o->fixed || o->file != usual_file);
}

/* Takes the words, or the one file, of a run, of --check, --print-config and --help. */
static int take_words(const struct command_line *line, struct request *o, char **rest, int count,
                      struct err *e)
{
    const char *option = options_change_words(o);
    int n = o->name != NULL; /* the value of --check or --print-config is the first word */
    line->words[0] = o->name;
    for (int i = 0; i < count; i++)
        line->words[n++] = rest[i];
    if (n == 0 && o->action == ACTION_PRINT_CONFIG && !prints_file(o))
        return err_set(e, "option '--print-config' needs a value, or words; see skampi --help");
    o->words = line->words;
    o->word_count = n;
    if (n > 0 && o->file != usual_file)
        return err_set(e, "unexpected '%s' beside the parameter file of -f; see skampi --help",
                       o->words[0]);
    if (n == 0 && option != NULL && !(prints_file(o) && text_same(option, "set")))
        return err_set(e,
                       "option '--%s' needs a word for what is measured: skampi allreduce --%s ...",
                       option, option);
    bool file = o->action != ACTION_MEASURE && o->action != ACTION_HELP && option == NULL;
    const char *word = o->words[0];
    if (n == 1 && file &&
        (strpbrk(word, "./") != NULL || access(word, F_OK) == 0 || shipped_find(word) != NULL)) {
        o->file = o->name = word;
        o->word_count = 0;
    }
    return 0;
}

static int take_rest(struct request *o, struct command_line *line, char **rest, int count,
                     struct err *e)
{
    const char *nearest;
    const bool words = (OF_WORDS & WITH(o->action)) != 0 && count > 0;
    const bool measures = words && text_same(rest[0], "measure");
    const bool helps = words && text_same(rest[0], "help");
    if (helps)
        o->action = ACTION_HELP;
    rest += measures || helps;
    count -= measures || helps;
    if (o->action == ACTION_HELP && count == 1 && door_has(rest[0], &nearest)) {
        o->of_health = text_same(rest[0], "health");
        count = 0;
    }
    for (int i = 0; i < ROWS && o->action == ACTION_MEASURE && !measures && count == 1; i++)
        if (rows[i].action != ACTION_MEASURE && has_arg(&rows[i]) != required_argument &&
            text_same(rest[0], rows[i].name)) {
            o->action = rows[i].action; /* the word health or list */
            count = 0;
        }
    if ((OF_WORDS & WITH(o->action)) != 0)
        return take_words(line, o, rest, count, e);
    if (o->action == ACTION_POSTPROCESS) {
        o->runs = rest;
        o->run_count = count;
    } else if (count > 0) {
        return err_set(e, "unexpected '%s'; %ssee skampi --help", rest[0],
                       o->action == ACTION_STATUS ? "a parameter file is given with -f, " : "");
    }
    return 0;
}

/* Keeps the order of the arguments, which getopt_long changes. */
static void command_line_init(struct command_line *line)
{
    const size_t n = (size_t)line->argc + 1;
    allocated_array(&line->argv, n);
    allocated_array(&line->words, n);
    memcpy(line->argv, line->given, n * sizeof(*line->argv));
}

void command_line_release(struct command_line *line)
{
    free(line->argv);
    free((void *)line->words);
    text_release(&line->joined);
    text_release(&line->file);
    text_release(&line->marked);
}

int options_read(struct request *o, struct command_line *line, struct err *e)
{
    char **argv = line->given;
    struct option longs[ROWS + 1];
    char letters[3 * ROWS + 2];
    int value;
    *o = (struct request){ .file = usual_file };
    fill_tables(longs, letters);
    opterr = 0;
    unsetenv("POSIXLY_CORRECT"); /* getopt_long would take no option after a word */
    command_line_init(line);
    for (int i = 1; i < line->argc; i++) /* getopt_long would read -np as several letters */
        if (argv[i][0] == '-' && strlen(argv[i]) > 2 && foreign_refuse(argv[i], e) != 0)
            return -1;
    while ((value = getopt_long(line->argc, argv, letters, longs, NULL)) != -1) {
        const struct option_row *row = row_of(value);
        bool optional = row != NULL && has_arg(row) == optional_argument;
        if (optional && optarg == NULL && optind < line->argc && argv[optind][0] != '-')
            optarg = argv[optind++]; /* it may also be separated by a blank: --check FILE */
        o->brief |= value == 'h';
        int rc = row == NULL ? refuse(value, argv[optind - 1], e) : take_row(o, row, optarg, e);
        if (rc != 0)
            return -1;
    }
    return take_rest(o, line, argv + optind, line->argc - optind, e) != 0 || check_given(o, e) != 0
               ? -1
               : check_output(o, e);
}

enum { TEXT_INDENT = 30 };

static void catalog_option(struct text *out, const void *of, int i)
{
    const char letter[] = { rows[i].letter, '\0' };
    json_add_texts(out, { "letter", rows[i].letter == 0 ? NULL : letter }, { "name", rows[i].name },
                   { "value", rows[i].value }, { "text", rows[i].text });
}

void options_catalog(struct text *out)
{
    json_add_list(out, "options", ROWS, catalog_option, NULL);
}

static const char usage[] =
    "  mpirun -np 2 skampi allreduce          an operation: rows on the terminal\n"
    "  mpirun -np 2 skampi quick -o my.out    several; keep the results in a file\n"
    "  skampi report my.out                   their report, as PDF\n\n"
    "usage: mpirun -np N skampi [measure] [WORD...] [OPTION...]; skampi COMMAND ...\n\n";
static const char usage_of_health[] =
    "  mpirun -np 64 --map-by node skampi health\n"
    "      which host, link or pair is bad; status 1: bad, 3: look, or cannot tell\n"
    "  mpirun -np 64 --map-by node skampi health --save good.txt\n"
    "      keep this day, to compare with later: --baseline good.txt\n"
    "  skampi health --launches 6 -- mpirun -np 64 --map-by node skampi\n"
    "      the same by six launches; its options: skampi launch -h\n\n";

void options_help(struct text *out, bool brief, bool health)
{
    text_add(out, "%s", health ? usage_of_health : usage);
    if (!health) {
        door_help(out);
        text_add(out, "\n");
    }
    for (const struct option_row *row = rows; row < rows + ROWS; row++) {
        char name[64], letter[8] = "    ";
        const char *text = brief && !health ? row->brief : row->text;
        if (text == NULL || (health && (row->with & WITH(ACTION_HEALTH)) == 0))
            continue;
        snprintf(name, sizeof(name), row->value == NULL ? "--%s" : "--%s %s", row->name,
                 row->value);
        if (row->letter != 0)
            snprintf(letter, sizeof(letter), "-%c, ", row->letter);
        text_add(out, "  %s%-*s", letter, TEXT_INDENT - 6, name);
        text_add_wrapped(out, text, TEXT_INDENT);
    }
    if (health)
        return;
    text_add(out, "\n");
    text_add_wrapped(
        out,
        brief ? "skampi COMMAND -h: its options; skampi --help: all options of a measurement"
              : "WORD: a type, an operation such as allreduce, a topic such as rma, or a file that "
                "ships with skampi, such as quick; rows go to standard output, and nothing is kept "
                "without -o. Without a WORD, a parameter file is measured: "
                "skampi --print-config standard > .skampi, fill in @MACHINE, @NODE, @NETWORK and "
                "@USER, and start it. Results go to skampi.out; exit status: 0 done, 1 something "
                "could not be measured or written, 2 usage or parameter file. To resume an "
                "interrupted run, start it again: it continues after the last complete pass over a "
                "suite.",
        0);
}
