#include "cli/inform.h"

#include "cli/parameter_file.h"
#include "cli/plan_print.h"
#include "cli/shipped.h"

#include <stdio.h>

static int list(const struct registry *types)
{
    printf("%4s  %-18s %-42s %s\n", "type", "pattern", "name", "what is measured");
    for (size_t i = 0; i < types->count; i++) {
        const struct type_info *t = &types->types[i];
        char name[128];
        snprintf(name, sizeof(name), "%s_%s", pattern_info(t->pattern)->prefix, t->name);
        printf("%4d  %-18.18s %-42s %s\n", t->number, pattern_info(t->pattern)->title, name,
               t->text);
    }
    return 0;
}

static int help_params(const char *name)
{
    if (params_help(name, stdout) == 0)
        return 0;
    fprintf(stderr, "skampi: no section, field or key is called '%s'; see skampi --help-params\n",
            name);
    return 2;
}

static const char *shipped_name(const void *context, size_t i)
{
    (void)context;
    return shipped_configs[i].name;
}

static int print_config(const char *name)
{
    for (size_t i = 0; i < shipped_config_count; i++)
        if (text_same(name, shipped_configs[i].name)) {
            fputs(shipped_configs[i].text, stdout);
            return 0;
        }
    const char *nearest = text_nearest(name, shipped_config_count, shipped_name, NULL);
    fprintf(stderr, "skampi: no parameter file '%s' ships with skampi", name);
    if (nearest != NULL)
        fprintf(stderr, "; did you mean '%s'?", nearest);
    fputs("\nThere are:", stderr);
    for (size_t i = 0; i < shipped_config_count; i++)
        fprintf(stderr, " %s", shipped_configs[i].name);
    fputs("\n", stderr);
    return 2;
}

static int check(const struct options *o, const struct registry *types)
{
    struct catalog catalog = registry_catalog(types);
    struct parameter_file file;
    struct params p = { 0 };
    struct err e = { "" };
    int status = 2;
    if (parameter_file_read(&file, o->file, &e) != 0)
        parameter_file_complain(&file, &e);
    else if (parameter_file_use(&file, &p, &catalog, o->processes) == 0)
        status = 0;
    complaints_print(&file.complaints, &file.source, stderr);
    if (status == 0)
        plan_print(&p, o->processes, stdout);
    params_release(&p);
    parameter_file_release(&file);
    return status;
}

int inform(const struct options *o, const struct registry *types)
{
    switch (o->action) {
    case ACTION_LIST:
        return list(types);
    case ACTION_HELP_PARAMS:
        return help_params(o->name);
    case ACTION_PRINT_CONFIG:
        return print_config(o->name);
    case ACTION_CHECK:
        return check(o, types);
    case ACTION_VERSION:
        puts("skampi " SKAMPI_VERSION);
        return 0;
    default:
        options_help(stdout);
        return 0;
    }
}
