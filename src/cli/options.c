#include "cli/options.h"

#include <getopt.h>
#include <stdlib.h>

enum { PROCESSES_MOST = 10000000, NO_LETTER = 256 };

static int take_file(struct options *o, const char *value, struct err *e)
{
    (void)e;
    o->file = value;
    return 0;
}

static int take_outfile(struct options *o, const char *value, struct err *e)
{
    (void)e;
    o->outfile = value;
    return 0;
}

static int take_fresh(struct options *o, const char *value, struct err *e)
{
    (void)value;
    (void)e;
    o->fresh = true;
    return 0;
}

static int take_status(struct options *o, const char *value, struct err *e)
{
    (void)value;
    (void)e;
    o->action = ACTION_STATUS;
    return 0;
}

static int take_check(struct options *o, const char *value, struct err *e)
{
    (void)e;
    o->action = ACTION_CHECK;
    if (value != NULL)
        o->file = value;
    return 0;
}

static int take_processes(struct options *o, const char *value, struct err *e)
{
    char *end;
    long processes = strtol(value, &end, 10);
    if (*value == '\0' || *end != '\0' || processes < 2 || processes > PROCESSES_MOST)
        return err_set(e, "expected a number of processes from 2 on, got '%s'", value);
    o->processes = (int)processes;
    return 0;
}

static int take_list(struct options *o, const char *value, struct err *e)
{
    (void)e;
    o->action = ACTION_LIST;
    o->name = value;
    return 0;
}

static int take_help_params(struct options *o, const char *value, struct err *e)
{
    (void)e;
    o->action = ACTION_HELP_PARAMS;
    o->name = value;
    return 0;
}

static int take_print_config(struct options *o, const char *value, struct err *e)
{
    (void)e;
    o->action = ACTION_PRINT_CONFIG;
    o->name = value;
    return 0;
}

static int take_postprocess(struct options *o, const char *value, struct err *e)
{
    (void)value;
    (void)e;
    o->action = ACTION_POSTPROCESS;
    return 0;
}

static int take_force(struct options *o, const char *value, struct err *e)
{
    (void)value;
    (void)e;
    o->force = true;
    return 0;
}

static int take_quiet(struct options *o, const char *value, struct err *e)
{
    (void)value;
    (void)e;
    o->quiet = true;
    return 0;
}

static int take_latex(struct options *o, const char *value, struct err *e)
{
    (void)value;
    (void)e;
    o->markup = MARKUP_LATEX;
    return 0;
}

static int take_pod(struct options *o, const char *value, struct err *e)
{
    (void)value;
    (void)e;
    o->markup = MARKUP_POD;
    return 0;
}

static int take_version(struct options *o, const char *value, struct err *e)
{
    (void)value;
    (void)e;
    o->action = ACTION_VERSION;
    return 0;
}

static int take_help(struct options *o, const char *value, struct err *e)
{
    (void)value;
    (void)e;
    o->action = ACTION_HELP;
    return 0;
}

static const struct option_row rows[] = {
    { 'f', "file", "FILE", "read the parameters from FILE instead of .skampi", take_file },
    { 'o', "output", "FILE", "write the results to FILE instead of what @OUTFILE says",
      take_outfile },
    { 'q', "quiet", NULL, "no progress on standard error", take_quiet },
    { 0, "fresh", NULL, "do not go on with an unfinished run: keep its file, begin anew",
      take_fresh },
    { 's', "status", NULL, "tell what is done and left of a run; status 3: not finished",
      take_status },
    { 'c', "check", "[FILE]", "read the parameters, print the plan, measure nothing", take_check },
    { 'n', "processes", "N", "for --check and --status: N processes; else 2, or any",
      take_processes },
    { 'l', "list", "[NAME]", "list what can be measured, or what has NAME in its name", take_list },
    { 0, "help-params", "[NAME]", "explain the parameter file, or one name in it",
      take_help_params },
    { 0, "print-config", "NAME", "print a parameter file that ships with skampi",
      take_print_config },
    { 'p', "postprocess", NULL, "merge the results of several runs, FILE..., into the file of -o",
      take_postprocess },
    { 0, "force", NULL, "with --postprocess: merge what differs, overwrite the file of -o",
      take_force },
    { 0, "latex", NULL, "with --list, --help-params, --help: tables for a LaTeX document",
      take_latex },
    { 0, "pod", NULL, "with --help-params, --help: lists for a manual page", take_pod },
    { 'V', "version", NULL, "print the version", take_version },
    { 'h', "help", NULL, "print this", take_help },
};

enum { ROWS = sizeof(rows) / sizeof(*rows) };

const struct option_row *option_row(size_t i)
{
    return i < ROWS ? &rows[i] : NULL;
}

static int has_arg(const struct option_row *row)
{
    if (row->value == NULL)
        return no_argument;
    return row->value[0] == '[' ? optional_argument : required_argument;
}

/* Letters as getopt wants them; the val of a long option is its row's index behind all letters. */
static void fill_tables(struct option *longs, char *letters)
{
    *letters++ = ':';
    for (int i = 0; i < ROWS; i++) {
        longs[i] = (struct option){ rows[i].name, has_arg(&rows[i]), NULL, NO_LETTER + i };
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
    if (value >= NO_LETTER)
        return &rows[value - NO_LETTER];
    for (int i = 0; i < ROWS; i++)
        if (rows[i].letter == value)
            return &rows[i];
    return NULL;
}

/* An optional value may also stand behind a blank: --check FILE. */
static const char *value_of(const struct option_row *row, int argc, char **argv)
{
    bool optional = has_arg(row) == optional_argument;
    if (optional && optarg == NULL && optind < argc && argv[optind][0] != '-')
        return argv[optind++];
    return optarg;
}

static int take_option(struct options *o, int value, int argc, char **argv, struct err *e)
{
    const struct option_row *row = row_of(value);
    if (row != NULL)
        return row->take(o, value_of(row, argc, argv), e);
    if (value == ':')
        return err_set(e, "option '%s' needs a value; see skampi --help", argv[optind - 1]);
    if (optopt > 0 && optopt < NO_LETTER)
        return err_set(e, "unknown option '-%c'; see skampi --help", optopt);
    return err_set(e, "unknown option '%s'; see skampi --help", argv[optind - 1]);
}

int options_read(struct options *o, int argc, char **argv, struct err *e)
{
    struct option longs[ROWS + 1];
    char letters[3 * ROWS + 2];
    int value;
    *o = (struct options){ .file = ".skampi" };
    fill_tables(longs, letters);
    opterr = 0;
    while ((value = getopt_long(argc, argv, letters, longs, NULL)) != -1)
        if (take_option(o, value, argc, argv, e) != 0)
            return -1;
    if (o->action == ACTION_POSTPROCESS) {
        o->runs = argv + optind;
        o->run_count = argc - optind;
    } else if (optind < argc)
        return err_set(e, "unexpected '%s'; a parameter file is given with -f, see skampi --help",
                       argv[optind]);
    return 0;
}

int launcher_rank(void)
{
    static const char *const variables[] = { "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                             "SLURM_PROCID" };
    for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
        const char *rank = getenv(variables[i]);
        if (rank != NULL)
            return atoi(rank);
    }
    return 0;
}
