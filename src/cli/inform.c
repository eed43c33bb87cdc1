#include "cli/inform.h"

#include "cli/parameter_file.h"
#include "cli/plan_print.h"
#include "cli/postprocess.h"
#include "cli/shipped.h"
#include "cli/status.h"
#include "params/layouts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* "Point-to-Point, varied over Length or Nodes:" */
static void list_heading(const struct pattern_info *pattern)
{
    const char *between = ", varied over ";
    printf("%s", pattern->title);
    for (enum variation v = VARY_LENGTH; v < VARIATION_COUNT; v++)
        if (pattern->variations & 1U << v) {
            printf("%s%s", between, variation_info(v)->name);
            between = " or ";
        }
    printf(":\n");
}

static void list_pattern(const struct registry *types, enum pattern pattern)
{
    list_heading(pattern_info(pattern));
    for (size_t i = 0; i < types->count; i++) {
        const struct type_info *t = &types->types[i];
        char name[128];
        snprintf(name, sizeof(name), "%s_%s", pattern_info(pattern)->prefix, t->name);
        if (t->pattern == pattern)
            printf("%5d  %-34s %s\n", t->number, name, t->text);
    }
}

/* One line each: what it is, and what it needs. */
static void list_datatypes(void)
{
    printf("\nDatatypes: numbers for Send_Datatype_Number and Receive_Datatype_Number\n\n");
    for (size_t i = 0; i < datatype_count(); i++) {
        const struct datatype_info *d = datatype_get(i);
        const char *demand = layout_demand(d->number);
        printf("%5d: %s%s%s\n", d->number, d->text, demand == NULL ? "" : "; needs ",
               demand == NULL ? "" : demand);
    }
}

static int list(const struct registry *types)
{
    printf("Types: number and name for a suite's field Type, and what is measured\n");
    for (enum pattern pattern = 0; pattern < PATTERN_COUNT; pattern++) {
        printf("\n");
        list_pattern(types, pattern);
    }
    list_datatypes();
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

/* What can be told of a parameter file that is right. */
typedef int (*teller)(const struct params *p, const struct options *o);

static int processes_of(const struct options *o)
{
    return o->processes > 0 ? o->processes : 2;
}

static int tell_plan(const struct params *p, const struct options *o)
{
    plan_print(p, processes_of(o), stdout);
    return 0;
}

static int with_parameters(const struct options *o, const struct registry *types, int processes,
                           teller tell_it)
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
    complaints_print(&file.complaints, &file.source, stderr);
    int status = usable ? tell_it(&p, o) : 2;
    params_release(&p);
    parameter_file_release(&file);
    return status;
}

static int tell(const struct options *o, const struct registry *types)
{
    switch (o->action) {
    case ACTION_LIST:
        return list(types);
    case ACTION_HELP_PARAMS:
        return help_params(o->name);
    case ACTION_PRINT_CONFIG:
        return print_config(o->name);
    case ACTION_CHECK:
        return with_parameters(o, types, processes_of(o), tell_plan);
    case ACTION_STATUS:
        return with_parameters(o, types, 0, status_print);
    case ACTION_POSTPROCESS:
        return postprocess(o);
    case ACTION_VERSION:
        puts("skampi " SKAMPI_VERSION);
        return 0;
    default:
        options_help(stdout);
        return 0;
    }
}

/* What was told must have arrived, be it in a file. Which of the writes failed, and why, is gone by
 * then: another one tells. */
int inform(const struct options *o, const struct registry *types)
{
    int status = tell(o, types);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    const char *why = write(STDOUT_FILENO, "\n", 1) < 0 ? strerror(errno) : "output is lost";
    fprintf(stderr, "skampi: cannot write to standard output: %s\n", why);
    return 1;
}
