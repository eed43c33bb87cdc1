#include "cli/inform.h"

#include "params/tables.h"
#include "session/files.h"
#include "session/parameter_file.h"
#include "session/shipped.h"
#include "ops/registry.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Writes the text if memory sufficed for all of it, and releases it. */
static int put(struct text *t)
{
    int status = t->failed ? 1 : 0;
    fputs(t->failed ? "" : text_get(t), stdout);
    if (t->failed)
        fputs("skampi: out of memory\n", stderr);
    text_release(t);
    return status;
}

/* Without "MPI_", as users search. */
static const char *type_nearest(const struct catalog *types, const char *name)
{
    const char *names[MAX_REGISTRY];
    for (size_t i = 0; i < types->count; i++) {
        const char *type = types->types[i].name;
        names[i] = strncmp(type, "MPI_", 4) == 0 ? type + 4 : type;
    }
    return text_nearest(name, types->count, names, sizeof(*names));
}

static int list_named(const struct catalog *types, const char *name)
{
    struct text out = { 0 };
    if (list_add_named(&out, types, name) || out.failed)
        return put(&out);
    const char *nearest = type_nearest(types, name);
    fprintf(stderr, "skampi: '%s' is not a topic or the number of a type, and not in a type's name",
            name);
    if (nearest != NULL)
        fprintf(stderr, ", did you mean '%s'?\n", nearest);
    else
        fprintf(stderr, "; see skampi --list\n");
    return 2;
}

static int list(const struct registry *types, const char *name, enum markup markup)
{
    struct catalog catalog = registry_catalog(types);
    struct text out = { 0 };
    if (name != NULL)
        return list_named(&catalog, name);
    list_add(&out, &catalog, markup);
    return put(&out);
}

static int print_catalog(const struct registry *types)
{
    struct catalog catalog = registry_catalog(types);
    struct text out = { 0 };
    catalog_print(&out, &catalog);
    return put(&out);
}

static int document_params(enum markup markup)
{
    struct text out = { 0 };
    params_document(markup, &out);
    return put(&out);
}

static int help(enum markup markup)
{
    struct text out = { 0 };
    options_help(&out, markup);
    return put(&out);
}

static int help_params(const char *name, enum markup markup)
{
    if (markup != MARKUP_TEXT && name == NULL)
        return document_params(markup);
    struct text out = { 0 };
    if (params_help(name, &out) == 0 || out.failed)
        return put(&out);
    const char *nearest = field_nearest(name) != NULL ? field_nearest(name) : section_nearest(name);
    if (nearest != NULL)
        fprintf(stderr, "skampi: no section, field or key is called '%s'; did you mean '%s'?\n",
                name, nearest);
    else
        fprintf(stderr,
                "skampi: no section, field or key is called '%s'; see skampi --help-params\n",
                name);
    return 2;
}

static int help_output(const struct registry *registry, const char *name, enum markup markup)
{
    struct catalog types = registry_catalog(registry);
    struct text out = { 0 };
    if (name == NULL)
        facts_help(&out, markup);
    else if (!facts_help_named(&out, &types, name)) {
        fprintf(stderr,
                "skampi: no fact or value of a row is called '%s'; see skampi --help-output\n",
                name);
        return 2;
    }
    return put(&out);
}

static int print_config(const char *name)
{
    const struct shipped *shipped = shipped_find(name);
    if (shipped != NULL) {
        fputs(shipped->text, stdout);
        return 0;
    }
    const char *nearest = shipped_nearest(name);
    fprintf(stderr, "skampi: no parameter file '%s' ships with skampi", name);
    if (nearest != NULL)
        fprintf(stderr, "; did you mean '%s'?", nearest);
    fputs("\nskampi ships:", stderr);
    for (size_t i = 0; i < shipped_config_count; i++)
        fprintf(stderr, " %s", shipped_configs[i].name);
    fputs("\n", stderr);
    return 2;
}

/* What can be printed about a valid parameter file. */
typedef int (*printer)(const struct params *p, const struct catalog *types,
                       const struct request *o);

static int processes_of(const struct request *o)
{
    return o->processes > 0 ? o->processes : 2;
}

static int print_plan(const struct params *p, const struct catalog *types, const struct request *o)
{
    plan_print(p, types, processes_of(o), stdout);
    return 0;
}

static int print_status(const struct params *p, const struct catalog *types,
                        const struct request *o)
{
    (void)types;
    return status_print(p, o);
}

static int with_parameters(const struct request *o, const struct registry *types, int processes,
                           printer print)
{
    struct catalog catalog = registry_catalog(types);
    struct parameter_file file;
    struct params p = { 0 };
    struct err e = { "" };
    bool usable = false;
    if (parameter_file_read(&file, o->file, &e) != 0)
        fprintf(stderr, "skampi: %s\n", e.text);
    else
        usable = parameter_file_use(&file, &p, &catalog, processes) == 0;
    if (usable && o->action == ACTION_CHECK)
        files_check(&p, &file.complaints);
    if (!o->quiet)
        parameter_file_announce(&file);
    parameter_file_complain(&file, stderr);
    int status = usable ? print(&p, &catalog, o) : 2;
    params_release(&p);
    parameter_file_release(&file);
    return status;
}

static int inform_about(const struct request *o, const struct registry *types)
{
    switch (o->action) {
    case ACTION_LIST:
        return list(types, o->name, o->markup);
    case ACTION_HELP_PARAMS:
        return help_params(o->name, o->markup);
    case ACTION_HELP_OUTPUT:
        return help_output(types, o->name, o->markup);
    case ACTION_PRINT_CONFIG:
        return print_config(o->name);
    case ACTION_CATALOG:
        return print_catalog(types);
    case ACTION_CHECK:
        return with_parameters(o, types, processes_of(o), print_plan);
    case ACTION_STATUS:
        return with_parameters(o, types, 0, print_status);
    case ACTION_POSTPROCESS:
        return postprocess(o);
    case ACTION_VERSION:
        puts("skampi " SKAMPI_VERSION);
        return 0;
    default:
        return help(o->markup);
    }
}

/* Output must have arrived, also in a file. The reason of an earlier failed write is lost by then,
 * so another write is tried to find it. */
int inform(const struct request *o, const struct registry *types)
{
    int status = inform_about(o, types);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    const char *why = write(STDOUT_FILENO, "\n", 1) < 0 ? strerror(errno) : "output is lost";
    fprintf(stderr, "skampi: cannot write to standard output: %s\n", why);
    return 1;
}
