#include "cli/inform.h"

#include "base/file.h"
#include "base/version.h"
#include "cli/options.h"
#include "params/tables.h"
#include "session/parameter_file.h"
#include "session/session.h"
#include "ops/registry.h"

/* Writes the text and releases it. Returns the exit status. */
static int put(struct text *t)
{
    fputs(text_get(t), stdout);
    text_release(t);
    return 0;
}

const char *type_nearest(const struct catalog *types, const char *name)
{
    const char *names[MAX_REGISTRY];
    for (size_t i = 0; i < types->count; i++) {
        const char *type = types->types[i].name;
        names[i] = strncmp(type, "MPI_", 4) == 0 ? type + 4 : type;
    }
    return text_nearest(name, types->count, names, sizeof(*names));
}

static int list(const struct catalog *types, const struct request *o, struct text *out)
{
    const char *name = o->name;
    if (o->json ? list_add_json(out, types, name) : list_add(out, types, name))
        return put(out);
    text_release(out);
    const char *nearest = type_nearest(types, name), *file = shipped_nearest(name);
    text_print_to(
        stderr,
        "skampi: '%s' is not a topic or a number, and not in the name of a type or datatype", name);
    if (file != NULL)
        fprintf(stderr, "; the file '%s' ships with skampi: -f %s\n", file, file);
    else if (nearest != NULL)
        fprintf(stderr, ", did you mean '%s'?\n", nearest);
    else
        fprintf(stderr, "; see skampi --list\n");
    return 2;
}

static int help_params(const char *name, struct text *out)
{
    if (params_help(name, out) == 0)
        return put(out);
    const char *field = table_nearest(&field_table, name);
    const char *nearest = field != NULL ? field : table_nearest(&section_table, name);
    text_print_to(stderr, "skampi: no section, field or key is called '%s'; ", name);
    if (nearest != NULL)
        fprintf(stderr, "did you mean '%s'?\n", nearest);
    else
        fputs("see skampi --help-params\n", stderr);
    return 2;
}

static int help_output(const struct catalog *types, const char *name, struct text *out)
{
    if (facts_help(out, types, name))
        return put(out);
    text_print_to(stderr,
                  "skampi: no fact or value of a row is called '%s'; see skampi --help-output\n",
                  name);
    return 2;
}

static int print_config(const char *name)
{
    const struct shipped *shipped = shipped_find(name);
    if (shipped != NULL) {
        fputs(shipped->text, stdout);
        return 0;
    }
    const char *nearest = shipped_nearest(name);
    text_print_to(stderr, "skampi: no parameter file '%s' ships with skampi", name);
    if (nearest != NULL)
        fprintf(stderr, "; did you mean '%s'?", nearest);
    fputs("\nskampi ships:", stderr);
    for (size_t i = 0; i < shipped_config_count; i++)
        fprintf(stderr, " %s", shipped_configs[i].name);
    fputs("\n", stderr);
    return 2;
}

static int help_types(const struct params *p, const struct catalog *types)
{
    struct text out = { 0 };
    for (size_t i = 0; i < p->suite_count + p->skipped_count; i++) {
        size_t before = 0;
        while (p->suites[before].type != p->suites[i].type)
            before++;
        if (before == i) /* the first suite of the type */
            type_help(&out, types, p->suites[i].type);
    }
    text_add(&out, "Keys: skampi --help-params NAME; options: skampi --help\n");
    return put(&out);
}

/* Adds what --set says after the text of a file, as params_read takes it. Returns its length. */
static size_t add_settings(struct source *s, const struct request *o)
{
    struct text all = { 0 };
    LOCAL_TEXT keys = { 0 };
    size_t len = s->len;
    text_add(&all, "%s\n", s->bytes);
    for (int i = 0; i < o->setting_count; i++) {
        const char *setting = o->settings[i];
        size_t name = strcspn(setting, "=");
        if (request_label(o, i) != NULL)
            continue; /* the file has it */
        if (table_find(&key_table, setting, name) != NULL)
            text_add(&keys, "%s ", setting);
        else
            text_add(&all, "%.*s = %s; ", (int)name, setting,
                     setting + name + (setting[name] != '\0'));
    }
    text_add(&all, keys.len > 0 ? "Parameters = \"%s\"; }" : "}%s", text_get(&keys));
    free((char *)s->bytes);
    s->len = all.len;
    s->bytes = text_take(&all);
    return s->len - len;
}

/* Reads a file as it is, with what --set and --fixed change; nothing depends on the machine. */
static int read_to_print(struct parameter_file *f, const struct request *o, struct params *p,
                         const struct catalog *types)
{
    bool set = o->text == NULL && o->setting_count > 0; /* words have their settings */
    size_t settings = set ? add_settings(&f->source, o) : 0;
    int rc =
        f->source.bytes == NULL ? -1 : params_read(p, &f->source, settings, types, &f->complaints);
    for (size_t i = 0; o->fixed && i < p->suite_count; i++)
        p->suites[i].scale =
            scale_is_log(p->suites[i].scale) ? SCALE_FIXED_LOG : SCALE_FIXED_LINEAR;
    return rc;
}

static int with_parameters(const struct request *o, const struct registry *registry,
                           const struct catalog *types)
{
    bool check = o->action == ACTION_CHECK, print = o->action == ACTION_PRINT_CONFIG;
    struct text out = { 0 };
    int wanted = o->processes == 0 ? 2 : o->processes, processes = check * wanted;
    struct parameter_file file;
    struct params p = { 0 };
    struct err e = { "" };
    bool usable = false;
    if (parameter_file_read(&file, o, &e) != 0)
        fprintf(stderr, "skampi: %s\n", e.text);
    else
        usable = (print ? read_to_print(&file, o, &p, types)
                        : parameter_file_use(&file, &p, types, processes)) == 0;
    if (usable && check)
        files_check(&p, &file.complaints);
    if (!o->quiet)
        parameter_file_announce(&file);
    if (!o->quiet || !print || !usable) /* no warnings beside the file */
        parameter_file_complain(&file, stderr);
    int status = usable ? 0 : 2;
    if (usable && print && o->text != NULL && !o->fixed)
        text_add(&out, "%s", o->text);
    else if (usable && print)
        params_echo(&p, &out);
    else if (usable && check && o->json)
        plan_add_json(&out, &p, processes);
    if (out.len > 0)
        status = put(&out);
    else if (usable && check)
        plan_print(&p, processes, stdout);
    else if (usable && o->action == ACTION_HELP)
        status = help_types(&p, types);
    else if (usable)
        status = status_print(&p, o, registry);
    params_release(&p);
    parameter_file_release(&file);
    return status;
}

static int inform_about(const struct request *o, const struct registry *registry)
{
    struct catalog types = registry_catalog(registry);
    struct text out = { 0 };
    switch (o->action) {
    case ACTION_LIST:
        return list(&types, o, &out);
    case ACTION_HELP_PARAMS:
        return help_params(o->name, &out);
    case ACTION_HELP_OUTPUT:
        return help_output(&types, o->name, &out);
    case ACTION_PRINT_CONFIG:
        return o->fixed || o->name == NULL || o->text != NULL ? with_parameters(o, registry, &types)
                                                              : print_config(o->name);
    case ACTION_CATALOG:
        catalog_print(&out, &types);
        return put(&out);
    case ACTION_CHECK:
    case ACTION_STATUS:
        return with_parameters(o, registry, &types);
    case ACTION_VISITS:
        return visits_of(o->outfile, registry);
    case ACTION_POSTPROCESS:
        return postprocess(o);
    case ACTION_VERSION:
        text_add(&out, "skampi " SKAMPI_VERSION "\n");
        if (o->verbose)
            version_details(&out);
        return put(&out);
    default:
        if (o->text != NULL)
            return with_parameters(o, registry, &types);
        options_help(&out, o->brief, o->of_health);
        return put(&out);
    }
}

int inform(const struct request *o, const struct registry *types)
{
    struct err e = { "" };
    int status = inform_about(o, types);
    if (file_flush_output(&e) == 0)
        return status;
    fprintf(stderr, "skampi: %s\n", e.text);
    return 1;
}
