#define _GNU_SOURCE
#include "session/header_facts.h"

#include "base/file.h"
#include "context/cvars.h"
#include "results/fact.h"

#include <dlfcn.h>

enum { NAME_SIZE = CVAR_NAME, VALUE_SIZE = CVAR_TEXT };

#ifndef SMPI_H

static bool find_value(const char *name, char value[VALUE_SIZE])
{
    return cvar_text(cvar_find(name), value, VALUE_SIZE);
}

/* Open MPI 5 keeps the variables of btl_vader as other names of those of btl_sm. */
static bool is_alias(const char *variable)
{
    return strncmp(variable, "btl_vader_", 10) == 0 && cvar_find("btl_sm_eager_limit") >= 0;
}

/* Adds " vader" for the variable btl_vader_major_version, " tuned(30)" with the priority. Only open
 * components have one, though some others keep variables of their own. */
static void add_component(struct text *out, const char *framework, const char *variable)
{
    static const char end[] = "_major_version";
    const char *name = variable + strlen(framework) + 1, *rest = strstr(name, end);
    if (rest == NULL || strcmp(rest, end) != 0 || is_alias(variable))
        return;
    char word[2 * NAME_SIZE], priority[VALUE_SIZE];
    int len = (int)(rest - name);
    text_add(out, " %.*s", len, name);
    snprintf(word, sizeof(word), "%s_%.*s_priority", framework, len, name);
    if (strcmp(framework, "coll") == 0 && find_value(word, priority))
        text_add(out, "(%s)", priority);
}

static void add_framework(struct text *out, const char *framework, int variables)
{
    LOCAL_TEXT names = { 0 };
    size_t len = strlen(framework);
    for (int i = 0; i < variables; i++) {
        char name[NAME_SIZE];
        if (cvar_name(i, name) && strncmp(name, framework, len) == 0 && name[len] == '_')
            add_component(&names, framework, name);
    }
    if (names.len > 0)
        text_add(out, "%s%s:%s", out->len > 0 ? "\n" : "", framework, text_get(&names));
}

/* Intel MPI reads its variables as "": its fabrics are "shm" unless libfabric is loaded. */
static void add_fabrics(struct text *out)
{
    const char *fabrics = getenv("I_MPI_FABRICS");
    const char *provider =
        system_variable_text((const char *const[]){ "I_MPI_OFI_PROVIDER", "FI_PROVIDER", NULL });
    bool has_fabric = dlopen("libfabric.so.1", RTLD_LAZY | RTLD_NOLOAD) != NULL;
    if (cvar_find("MPIR_CVAR_INTEL_FABRICS") < 0)
        return;
    if (!has_fabric)
        fabrics = "shm";
    text_add(out, "device: %s", fabrics == NULL ? "shm:ofi" : fabrics);
    if (has_fabric && provider != NULL)
        text_add(out, "\nprovider: %s", provider);
}

/* Adds "MPICH Device: ch4:ucx" in the library's text, and the provider that was asked for. */
static void add_device(struct text *out)
{
    static const char label[] = " Device:";
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "", provider[VALUE_SIZE] = "";
    int len;
    MPI_Get_library_version(library, &len);
    const char *device = strstr(library, label);
    if (device == NULL) {
        add_fabrics(out);
        return;
    }
    device += strlen(label) + strspn(device + strlen(label), " \t");
    text_add(out, "device: %.*s", (int)strcspn(device, "\n"), device);
    if (find_value("MPIR_CVAR_OFI_USE_PROVIDER", provider) && *provider != '\0')
        text_add(out, "\nprovider: %s", provider);
}

void served_add(struct text *out)
{
    static const char *const frameworks[] = { "pml", "btl", "coll", "osc" };
    int variables = 0;
    if (!cvars_begin() || MPI_T_cvar_get_num(&variables) != MPI_SUCCESS)
        return;
    add_device(out);
    for (size_t i = 0; i < sizeof(frameworks) / sizeof(*frameworks); i++)
        add_framework(out, frameworks[i], variables);
    if (text_has(text_get(out), "pml: cm"))
        add_framework(out, "mtl", variables);
}

/* Settings, and variables that launchers set in every run. The component path of Open MPI 5's
 * mpirun is that of PMIx. */
#define COMPONENTS "OMPI_MCA_"
#define CONTROLS   COMPONENTS " MPIR_CVAR_"
static const char settings[] = CONTROLS " MPICH_ I_MPI_ UCX_ FI_";
static const char left_out[] =
    "OMPI_MCA_pmix= OMPI_MCA_mpi_oversubscribe= OMPI_MCA_PREFIXES= "
    "OMPI_MCA_mca_base_component_path= OMPI_MCA_cpu_type= OMPI_MCA_shmem_RUNTIME_QUERY_hint= "
    "OMPI_MCA_num_procs= MPIR_CVAR_CH3_INTERFACE_HOSTNAME= I_MPI_MPIRUN= I_MPI_HYDRA_TOPOLIB= "
    "I_MPI_BIND_WIN_ALLOCATE= I_MPI_RETURN_WIN_MEM_NUMA= I_MPI_INTERNAL_MEM_POLICY=";

/* Adds NAME=VALUE with the value that the library has; if it does not say, the given one. */
static void add_setting(struct text *out, char *line, const char *origin)
{
    char value[VALUE_SIZE], *given = line + strcspn(line, "=");
    if (*given == '\0' || !text_begins(line, settings) || text_begins(line, left_out))
        return;
    *given++ = '\0';
    const char *name = line + (text_begins(line, COMPONENTS) ? strlen(COMPONENTS) : 0);
    bool is_known = find_value(name, value);
    if (!is_known || *value == '\0' || strcmp(given, "(hidden)") == 0) /* Intel MPI reads "" */
        snprintf(value, sizeof(value), "%s", given);
    text_add(out, "%s%s=", out->len == 0 ? "" : "\n", name);
    text_add_printable(out, value, strlen(value));
    text_add(out, " (%s%s)", origin,
             is_known || !text_begins(line, CONTROLS) ? "" : ", not in use");
}

static void add_settings(struct text *out, char *const *variables, const char *origin)
{
    struct text all = { 0 };
    environment_add(&all, variables);
    char *lines = text_take(&all), *rest = NULL;
    char *line = lines == NULL ? NULL : strtok_r(lines, "\n", &rest);
    for (; line != NULL; line = strtok_r(NULL, "\n", &rest))
        add_setting(out, line, origin);
    free(lines);
}

/* Adds "name = value" lines that Open MPI has read; the environment wins. */
static void add_file(struct text *out, const char *path)
{
    char line[VALUE_SIZE], name[NAME_SIZE], value[VALUE_SIZE - 2 * NAME_SIZE];
    struct err ignored = { "" };
    FILE *f = file_stream_read(path, &ignored);
    while (f != NULL && fgets(line, sizeof(line), f) != NULL) {
        if (sscanf(line, " %255[^#= \t] = %3583[^\n]", name, value) != 2)
            continue;
        snprintf(line, sizeof(line), COMPONENTS "%s", name);
        if (getenv(line) != NULL)
            continue;
        snprintf(line, sizeof(line), COMPONENTS "%s=%s", name, value);
        add_settings(out, (char *[]){ line, NULL }, path);
    }
    if (f != NULL)
        fclose(f);
}

void settings_add(struct text *out)
{
    char paths[VALUE_SIZE], *rest = NULL;
    if (!cvars_begin())
        return;
    add_settings(out, environment_at_start(), "environment");
    char *path = find_value("mca_base_param_files", paths) ? strtok_r(paths, ",:", &rest) : NULL;
    for (; path != NULL; path = strtok_r(NULL, ",:", &rest))
        add_file(out, path);
}

static const char *const limits[] = {
    "btl_self_eager_limit",
    "btl_vader_eager_limit",
    "btl_vader_single_copy_mechanism",
    "btl_sm_eager_limit",
    "btl_tcp_eager_limit",
    "btl_openib_eager_limit",
    "btl_ofi_eager_limit",
    "btl_uct_eager_limit",
    "MPIR_CVAR_NOLOCAL",
    "MPIR_CVAR_CH4_IPC_XPMEM_P2P_THRESHOLD",
    "MPIR_CVAR_CH4_IPC_CMA_P2P_THRESHOLD",
};

/* Adds the name of a number that has one. */
static void add_named(struct text *out, int cvar, const char *value)
{
    struct algorithms names = { 0 };
    const char *name = value;
    cvar_choices(cvar, &names);
    for (size_t i = 0; i < names.count; i++)
        if (names.list[i].number == (int)strtol(value, NULL, 10))
            name = names.list[i].name;
    text_add(out, "%s", name);
    free(names.list);
}

void limits_add(struct text *out)
{
    char value[VALUE_SIZE];
    if (!cvars_begin())
        return;
    for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
        if (is_alias(limits[i]) || !find_value(limits[i], value))
            continue;
        text_add(out, "%s%s=", out->len > 0 ? "\n" : "", limits[i]);
        add_named(out, cvar_find(limits[i]), value);
    }
}

#else /* SimGrid's SMPI has no control variables; its settings are words of the command line. */

void served_add(struct text *out)
{
    text_add(out, "simulated: smpi");
}

void limits_add(struct text *out)
{
}

void settings_add(struct text *out)
{
    char word[VALUE_SIZE], name[NAME_SIZE], value[VALUE_SIZE];
    size_t len = 0;
    FILE *f = fopen("/proc/self/cmdline", "rb");
    for (int c; f != NULL && (c = getc(f)) != EOF;) {
        word[len] = (char)c;
        if (c == '\0' && sscanf(word, "--cfg=smpi/%255[^:]:%4095s", name, value) == 2 &&
            !text_has("privatization np hostfile tmpdir", name))
            text_add(out, "%ssmpi/%s=%s (command line)", out->len == 0 ? "" : "\n", name, value);
        len = c == '\0' ? 0 : len + (len + 1 < sizeof(word));
    }
    if (f != NULL)
        fclose(f);
}

#endif
